// SPDX-License-Identifier: MIT
// Children. We fork by hand, because a child must die with us (PR_SET_PDEATHSIG), which neither
// libuv nor posix_spawn offers. Its end shows on a pidfd; where there is none (valgrind, old
// containers) we glance at it now and then. It is looked at without being reaped: the zombie keeps
// the number of its process and group ours until link_free, so that no signal can hit a stranger
// and its CPU time can still be asked for. Then the rest of its group is killed, and only after
// that it is reaped.
//
// A process that ends closes its output a moment before, so its end of file is not told at once:
// the exit status has END_MS to follow. If the process lives on, its output was closed, no more.
#include "base/mem.h"
#include "link/kind.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    END_MS = 20,
    GLANCE_MS = 5,
    EXIT_NOT_STARTED = 126, // as a shell says it
};

struct child {
    struct link link;
    struct port process; // its pidfd,
    uv_timer_t glance;   // or else this
    char *command;
    bool ended; // not reaped yet
    struct parting how;
};

// The two sides of its standard input, output and error; -1 where there is none.
struct wires {
    int ours[3], theirs[3];
};

static void fds_close(int fds[3]) {
    for (int i = 0; i < 3; i++) {
        if (fds[i] >= 0)
            close(fds[i]);
        fds[i] = -1;
    }
}

static bool wire_open(struct wires *wires, int i) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return false;
    wires->ours[i] = ends[i == 0];
    wires->theirs[i] = ends[i != 0];
    return true;
}

// Without pipes it reads nothing, and all it writes is noise.
static bool wires_open(struct wires *wires, bool piped) {
    memset(wires, -1, sizeof *wires);
    if (!wire_open(wires, 2))
        return false;
    if (piped)
        return wire_open(wires, 0) && wire_open(wires, 1);
    wires->theirs[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    wires->theirs[1] = fcntl(wires->theirs[2], F_DUPFD_CLOEXEC, 0);
    return wires->theirs[0] >= 0 && wires->theirs[1] >= 0;
}

static void reset_signals(void) {
    const struct sigaction normal = {.sa_handler = SIG_DFL};
    sigset_t none;
    for (int i = 1; i < NSIG; i++)
        sigaction(i, &normal, NULL); // fails for those that are always normal
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void give_up(const char *why) {
    const ssize_t ignored = write(2, why, strlen(why));
    (void)ignored;
    _exit(EXIT_NOT_STARTED);
}

// In the child: from here to exec nothing may be called that could wait for a lock.
static _Noreturn void become(const char *script, const int theirs[3], int folder, pid_t judge) {
    int fds[4] = {theirs[0], theirs[1], theirs[2], folder};
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != judge)
        _exit(EXIT_NOT_STARTED); // it died before it could take us along
    reset_signals();
    for (int i = 0; i < 4; i++) // out of the way of each other
        fds[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, 3);
    for (int i = 0; i < 3; i++)
        if (dup2(fds[i], i) < 0)
            _exit(EXIT_NOT_STARTED);
    if (folder >= 0 && fchdir(fds[3]) < 0)
        give_up("cannot enter the player's folder\n");
    close_range(3, ~0U, CLOSE_RANGE_CLOEXEC); // whatever we inherited ourselves
    execl("/bin/sh", "sh", "-c", script, (char *)NULL);
    give_up("cannot run /bin/sh\n");
}

// No handler of ours may run in the child, so all signals wait. Both sides set the group: whoever
// comes first, it is there when either goes on.
static pid_t spawn(const char *script, const int theirs[3], int folder) {
    sigset_t all, before;
    const pid_t judge = getpid();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = fork();
    const int error = errno;
    if (pid == 0)
        become(script, theirs, folder, judge);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pid > 0)
        setpgid(pid, pid);
    errno = error;
    return pid;
}

// Has it ended? If so notes how, and leaves it to be reaped.
static bool look(struct child *child) {
    siginfo_t info = {.si_pid = 0};
    if (waitid(P_PID, (id_t)child->link.pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
        info.si_pid == 0)
        return false;
    child->ended = child->how.exited = true;
    if (info.si_code == CLD_EXITED)
        child->how.code = info.si_status;
    else
        child->how.signal = info.si_status;
    return true;
}

static void child_end(struct link *link) {
    struct child *child = (struct child *)link;
    link_close(link);
    if (link->pid > 0) {
        link_signal(link, SIGKILL);
        if (!child->ended)
            return; // check comes back here
        while (waitpid(link->pid, NULL, 0) < 0 && errno == EINTR)
            ;
        link->pid = -1;
    }
    port_close(&child->process);
    if (!uv_is_closing((uv_handle_t *)&child->glance))
        member_close(&child->glance);
}

// Its last words first.
static void depart(struct child *child) {
    struct link *link = &child->link;
    port_close(&child->process);
    uv_timer_stop(&child->glance);
    uv_timer_stop(&link->timer);
    if (link_drain(link, &link->in))
        child->how.closed = true;
    link_drain(link, &link->noise);
    if (link->freed)
        return;
    port_close(&link->noise);
    link_leave(link, &child->how);
}

static void check(struct child *child) {
    if (!look(child))
        return;
    if (child->link.freed)
        child_end(&child->link);
    else
        depart(child);
}

static void on_process(uv_poll_t *poll, int status, int events) {
    (void)status, (void)events;
    check(poll->data);
}

static void on_glance(uv_timer_t *timer) { check(timer->data); }

static void on_end_awaited(uv_timer_t *timer) {
    struct child *child = timer->data;
    if (look(child))
        depart(child);
    else
        link_leave(&child->link, &child->how);
}

static void child_ended(struct link *link) {
    struct child *child = (struct child *)link;
    child->how.closed = true;
    port_close(&link->in);
    uv_timer_start(&link->timer, on_end_awaited, END_MS, 0);
}

static void child_leave(struct link *link) {
    struct child *child = (struct child *)link;
    port_close(&link->in);
    port_close(&link->out);
    port_close(&link->noise);
    link_release(link); // it cannot leave while it is held
    if (child->ended)
        child_end(link);
}

static void child_release(struct link *link) { free(((struct child *)link)->command); }

static void child_describe(const struct link *link, char *text, size_t size) {
    snprintf(text, size, "process %d: %s", link->pid, ((const struct child *)link)->command);
}

static const struct kind kind = {
    .send = stream_send,
    .ended = child_ended,
    .leave = child_leave,
    .end = child_end,
    .release = child_release,
    .describe = child_describe,
};

static bool adopt(struct link *link, struct port *port, int *fd) {
    if (*fd < 0)
        return true;
    const int error = link_open(link, port, *fd);
    if (error == 0)
        *fd = -1; // the port's from now on
    errno = -error;
    return error == 0;
}

static bool watch(struct child *child) {
    int process = pidfd_open(child->link.pid, 0);
    if (process < 0 && (errno == ENOSYS || errno == EPERM))
        return uv_timer_start(&child->glance, on_glance, GLANCE_MS, GLANCE_MS) == 0;
    if (process < 0)
        return false;
    if (adopt(&child->link, &child->process, &process))
        return uv_poll_start(&child->process.poll, UV_READABLE, on_process) == 0;
    close(process);
    return false;
}

static bool launch(struct child *child, const struct wires *wires, const char *folder) {
    int in = -1;
    struct buf script = {.data = NULL};
    if (folder && (in = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0)
        return false;
    buf_format(&script, "exec %s", child->command);
    child->link.pid = spawn(script.data, wires->theirs, in);
    buf_done(&script);
    if (in >= 0)
        close(in);
    return child->link.pid > 0 && watch(child);
}

static struct link *start(struct loop *loop, const char *command, const char *folder, bool piped,
                          const struct link_events *events, void *owner, struct err *err) {
    struct child *child = mem_new(1, sizeof *child);
    struct link *link = &child->link;
    struct wires wires;
    link_init(link, &kind, loop, events, owner);
    uv_timer_init(&loop->uv, &child->glance);
    member_add(&link->member, &child->glance);
    child->process.fd = -1;
    child->command = mem_text(command);
    const bool fine = wires_open(&wires, piped) && adopt(link, &link->out, &wires.ours[0]) &&
                      adopt(link, &link->in, &wires.ours[1]) &&
                      adopt(link, &link->noise, &wires.ours[2]) && launch(child, &wires, folder);
    if (!fine) {
        err_set(err, "cannot start %s%s%s: %s", command, folder ? " in " : "", folder ? folder : "",
                uv_strerror(uv_translate_sys_error(errno)));
        child->ended = true; // if it was started at all: killed, and waited for
        child_end(link);
    }
    fds_close(wires.ours);
    fds_close(wires.theirs);
    if (!fine)
        return NULL;
    link_listen(link);
    return link;
}

struct link *link_new_pipe(struct loop *loop, const char *command, const char *folder,
                           const struct link_events *events, void *owner, struct err *err) {
    return start(loop, command, folder, true, events, owner, err);
}

struct link *link_new_child(struct loop *loop, const char *command, const char *folder,
                            const struct link_events *events, void *owner, struct err *err) {
    return start(loop, command, folder, false, events, owner, err);
}
