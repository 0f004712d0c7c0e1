// SPDX-License-Identifier: MIT
// `arbiter serve`: the platform in the browser.
#include "base/embed.h"
#include "cli/command.h"
#include "cli/setup.h"
#include "web/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct host {
    bool open; // the browser
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

static void ready(void *owner, const char *url) {
    const struct host *host = owner;
    const char *key = strstr(url, "/key/");
    printf("Arbiter is at %.*s\nThe organiser's link, which may start programs and run contests:\n"
           "  %s\nCtrl-C ends it.\n",
           (int)(key - url), url, url);
    fflush(stdout);
    if (host->open)
        open_browser(url);
}

static void note(void *owner, const char *words) {
    (void)owner;
    fprintf(stderr, "arbiter: %s\n", words);
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

static int run(const struct args *args, struct err *err) {
    const char *bind = args_value(args, "--bind"), *data = args_value(args, "--data");
    struct host host = {.open = args_value(args, "--personal") != NULL};
    struct server_config c = {.address = bind ? bind : "127.0.0.1",
                              .data = data ? data : "data",
                              .certificate = args_value(args, "--tls"),
                              .key = args->words ? args->word[0] : NULL,
                              .kits = kit_files,
                              .demo = !args_value(args, "--no-demo"),
                              .personal = host.open,
                              .ready = ready,
                              .note = note,
                              .owner = &host};
    char program[4096];
    int64_t port, judge;
    if (!args_number(args, "--port", 8080, 0, 65535, &port, err) ||
        !args_number(args, "--judge-port", 8888, 0, 65535, &judge, err) ||
        !read_names(&c, args, err))
        return -1;
    if (!c.certificate != !c.key) {
        err_set(err, "it is --tls CERT KEY: two files");
        return -1;
    }
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    c.program = program;
    c.port = (int)port;
    c.judge_port = (int)judge;
    return server_run(&c, err) ? 0 : -1;
}

static const struct option options[] = {
    {"--port", "P", "where browsers connect (8080)"},
    {"--bind", "ADDR", "the address to listen on (127.0.0.1)"},
    {"--name", "NAME", "another name the server goes by, as browsers write it; may be repeated"},
    {"--data", "DIR", "where games, contests and players are kept (data)"},
    {"--judge-port", "P", "where TCP players connect (8888); 0: nowhere"},
    {"--tls", "CERT", "serve by TLS with this certificate; its KEY follows"},
    {"--no-demo", NULL, "begin without the demo contest"},
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
        "files or kit folders in DIR/players.\n"
        "Example: arbiter serve --port 8080\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
