// SPDX-License-Identifier: MIT
// `arbiter serve`: the platform in the browser. The server runs in a child of a small parent, which
// starts it again should it fall (supervisor.h): with the same ports, and told which contests were
// going on by memory that both share.
#include "base/clock.h"
#include "base/embed.h"
#include "base/path.h"
#include "base/plain.h"
#include "cli/command.h"
#include "cli/serve/supervisor.h"
#include "cli/setup.h"
#include "link/tcp.h"
#include "web/server.h"
#include "web/switches.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    CRASHES_BYTES_MAX = 1 << 20, // of the file that tells of them
    PORT_TRIES = 40,
    PORT_WAIT_NS = 50000000,
};

struct host {
    struct server_config config;
    struct restart_state *restart; // shared with the child
    bool again;                    // the server that runs here has been started after a fall
    bool once;                     // without a parent that would start it again
    struct err *err;
};

// In a process of its own, which nobody waits for: a desktop may take its time.
static void open_browser(const char *url) {
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
        return;
    const pid_t child = fork();
    if (child != 0)
        return;
    if (fork() == 0) {
        const int closed = dup2(STDERR_FILENO, STDOUT_FILENO);
        if (closed >= 0)
            execlp("xdg-open", "xdg-open", url, (char *)NULL);
    }
    _exit(0);
}

// The addresses of this machine by which others reach a server that listens on all of them.
static void print_addresses(const char *url, const char *key) {
    struct ifaddrs *all = NULL;
    const char *port = strrchr(url, ':');
    if (getifaddrs(&all) != 0)
        return;
    for (const struct ifaddrs *one = all; one; one = one->ifa_next) {
        char text[INET_ADDRSTRLEN] = "";
        if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET ||
            (one->ifa_flags & IFF_LOOPBACK) || !(one->ifa_flags & IFF_UP))
            continue;
        inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)one->ifa_addr)->sin_addr,
                  text, sizeof text);
        printf("  for others: %.*s://%s%.*s\n", (int)strcspn(url, ":"), url, text,
               (int)(key - port), port);
    }
    freeifaddrs(all);
}

static void serve_ready(void *owner, const char *url) {
    const struct host *host = owner;
    const char *address = host->config.address;
    const char *key = strstr(url, "/key/");
    if (host->again) {
        fprintf(stderr, "arbiter: the server is up again (process %d)\n", (int)getpid());
        return;
    }
    printf("Arbiter is at %.*s\n", (int)(key - url), url);
    if (strcmp(address, "0.0.0.0") == 0)
        print_addresses(url, key);
    printf("The organiser's link, which may start programs and run contests:\n"
           "  %s\nThe server is process %d. Ctrl-C ends it.\n",
           url, (int)getpid());
    fflush(stdout);
    if (host->config.personal)
        open_browser(url);
}

static bool read_names(struct server_config *c, const struct args *args, struct err *err) {
    int count = 0;
    for (int i = 0; i < args->options; i++) {
        if (strcmp(args->given[i].option->name, "--name") != 0)
            continue;
        if (count == 4)
            return err_set(err, "--name may be given four times at most");
        c->names[count++] = args->given[i].value;
    }
    return true;
}

// What is told of falls is kept besides: a terminal may be gone when somebody asks.
static void serve_tell(void *owner, const char *lines) {
    const struct host *host = owner;
    char path[4096];
    struct stat info;
    plain_print(stderr, "arbiter: %s", lines);
    snprintf(path, sizeof path, "%.4000s/falls.log", host->config.data);
    const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    if (fstat(fd, &info) == 0 && info.st_size < CRASHES_BYTES_MAX &&
        write(fd, lines, strlen(lines)) < 0)
        fprintf(stderr, "arbiter: cannot write %.300s: %s\n", path, strerror(errno));
    close(fd);
}

// A server that was killed a moment ago may still be about to leave it.
static void await_port(const char *address, int port) {
    const struct timespec pause = {.tv_nsec = PORT_WAIT_NS};
    for (int i = 0; port > 0 && i < PORT_TRIES && !tcp_is_free(address, port); i++)
        nanosleep(&pause, NULL);
}

// In the child.
static int serve(void *owner, bool again) {
    struct host *host = owner;
    struct server_config *c = &host->config;
    host->again = c->again = again;
    if (again && host->restart->port)
        c->port = host->restart->port;
    if (again && host->restart->judge_port)
        c->judge_port = host->restart->judge_port;
    await_port(c->address, c->port);
    await_port(c->address, c->judge_port);
    return server_run(c, host->err) ? 0 : -1;
}

static bool was_up(void *owner) { return ((const struct host *)owner)->restart->up; }

static void forget_up(void *owner) { ((struct host *)owner)->restart->up = false; }

static int64_t now_us(void *owner) {
    (void)owner;
    return clock_now_us();
}

static int serve_always(struct host *host) {
    const struct supervisor supervisor = {.run = serve,
                                          .was_up = was_up,
                                          .forget = forget_up,
                                          .note = serve_tell,
                                          .now_us = now_us,
                                          .what = "the server",
                                          .owner = host};
    host->restart = mmap(NULL, sizeof *host->restart, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (host->restart == MAP_FAILED) {
        err_set(host->err, "cannot share memory with the server: %s", strerror(errno));
        return -1;
    }
    host->config.restart = host->restart;
    const int code = host->once ? serve(host, false) : supervisor_run(&supervisor);
    munmap(host->restart, sizeof *host->restart);
    return code;
}

// Games of visitors against engines, at once; "off": visitors only watch.
static bool read_visitors(struct server_config *c, const struct args *args, struct err *err) {
    const char *text = args_value(args, "--visitors");
    c->visitors = text ? 0 : -1;
    if (!text || strcmp(text, "off") == 0)
        return true;
    return args_int(args, (struct number_option){"--visitors", VISITORS_STANDARD, 1, VISITORS_MAX},
                    &c->visitors, err);
}

static int serve_run(const struct args *args, struct err *err) {
    const char *bind = args_value(args, "--bind"), *data = args_value(args, "--data");
    struct host host = {.once = args_value(args, "--once") != NULL, .err = err};
    struct server_config *c = &host.config;
    *c = (struct server_config){.address = bind ? bind : "127.0.0.1",
                                .data = data ? data : SERVE_DATA,
                                .certificate = args_value(args, "--tls"),
                                .key = args->words ? args->word[0] : NULL,
                                .kits = kit_files,
                                .demo = !args_value(args, "--no-demo"),
                                .personal = args_value(args, "--personal") != NULL,
                                .live_values = args_value(args, "--live-values") != NULL,
                                .ready = serve_ready,
                                .note = command_note,
                                .owner = &host};
    char program[PATH_PROGRAM_MAX];
    if (!args_int(args, (struct number_option){"--port", 8080, 0, 65535}, &c->port, err) ||
        !args_int(args, (struct number_option){"--judge-port", 8888, 0, 65535}, &c->judge_port,
                  err) ||
        !read_visitors(c, args, err) || !read_names(c, args, err))
        return -1;
    if (!c->certificate != !c->key) {
        err_set(err, "it is --tls CERT KEY: two files");
        return -1;
    }
    c->program = path_of_program(program);
    return serve_always(&host);
}

static const struct option options[] = {
    {"--port", "P", "where browsers connect (8080)"},
    {"--bind", "ADDR", "the address to listen on (127.0.0.1); 0.0.0.0: all, which are printed"},
    {"--name", "NAME", "another name the server goes by, as browsers write it; may be repeated"},
    {"--data", "DIR",
     "where games, contests and players are kept (" SERVE_DATA "); games that you have\n"
     "                     added for yourself are known, too"},
    {"--judge-port", "P", "where TCP players connect (8888); 0: nowhere"},
    {"--visitors", "N",
     "games that visitors may play against engines at once (16); off: they watch"},
    {"--tls", "CERT", "serve by TLS with this certificate; its KEY follows"},
    {"--live-values", NULL,
     "show what an engine thinks of a contest's games while they are played"},
    {"--no-demo", NULL, "begin without the demo contest"},
    {"--once", NULL, "one process, which is not started again should it fall; for debuggers"},
    {"--personal", NULL, "for one person at this computer, who may end it from the page"},
};

const struct command command_serve = {
    .name = "serve",
    .arguments = "[--tls CERT KEY]",
    .words_min = 0,
    .words_max = 1,
    .summary = "play, watch and run contests in a browser",
    .help =
        "Serves the platform until it is interrupted. Players of your own are programs, Python\n"
        "files or kit folders in DIR/players. Should the server fall, it is started again and\n"
        "contests go on; DIR/falls.log tells why. After 5 falls in a minute it stays down.\n"
        "Example: arbiter serve --port 8080\n",
    COMMAND_OPTIONS(options),
    .run = serve_run,
};
