// SPDX-License-Identifier: MIT
// The parent does nothing but wait for signals: that its child has ended, or that all shall end. It
// holds no descriptors but a pipe on which a falling child writes where it was (falls.c), opens no
// libraries, and so has nothing to fall over itself. If it is killed, the kernel kills the child.
//
// A child has fallen if a signal has ended it that nobody sent through us, or if it has ended with
// an error after it had come up. One that ends with an error before, as on a port that is taken,
// has said why, and would say it again.
#include "cli/serve/supervisor.h"

#include "base/buf.h"
#include "base/child.h"
#include "cli/serve/crash.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    SIGNALED = 128,
    TRACE_MAX = 1 << 15,
    PATIENCE_S = 60, // for a child that shall end
};

// A child and how it ended.
struct charge {
    pid_t pid;
    int trace;  // where it writes when it falls
    int asked;  // the signal by which it was asked to end; 0: not
    int status; // as of waitpid
    bool killed;
};

// Signals that end all. Whoever is not to hear of a hangup, as by nohup, does not.
static void fill_signals(sigset_t *set) {
    struct sigaction hangup;
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGINT);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        sigaddset(set, SIGHUP);
}

static void be_child(int trace) {
    signal(SIGHUP, SIG_IGN); // the parent hears it, and asks us to end
    if (!crash_watch(trace))
        fprintf(stderr, "arbiter: a fall will leave no trace: %s\n", strerror(errno));
    close(trace);
}

// Returns 0 in the child, its number in the parent, or -1.
static pid_t start(struct charge *charge, const sigset_t *before) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
        return -1;
    const pid_t pid = child_fork(SIGKILL);
    if (pid != 0) {
        close(ends[1]);
        *charge = (struct charge){.pid = pid, .trace = ends[0]};
        if (pid < 0)
            close(ends[0]);
        return pid;
    }
    close(ends[0]);
    sigprocmask(SIG_SETMASK, before, NULL);
    be_child(ends[1]);
    return 0;
}

static bool has_ended(struct charge *charge) {
    pid_t pid;
    while ((pid = waitpid(charge->pid, &charge->status, WNOHANG)) < 0 && errno == EINTR)
        ;
    return pid == charge->pid;
}

// Hands a signal on, unless it came from the terminal and has reached the child as well. That does
// not heed a hangup, which would end it at once.
static void ask(struct charge *charge, const siginfo_t *signal) {
    charge->asked = signal->si_signo;
    if (signal->si_signo == SIGHUP)
        kill(charge->pid, SIGTERM);
    else if (signal->si_code != SI_KERNEL)
        kill(charge->pid, signal->si_signo);
}

// Waits until it has ended, and ends it when that is wanted.
static void wait_for(struct charge *charge, const sigset_t *set) {
    const struct timespec patience = {.tv_sec = PATIENCE_S};
    while (!has_ended(charge)) {
        siginfo_t signal;
        const int number =
            charge->asked ? sigtimedwait(set, &signal, &patience) : sigwaitinfo(set, &signal);
        if (number > 0 && number != SIGCHLD)
            ask(charge, &signal);
        charge->killed |= number < 0 && errno == EAGAIN;
        if (charge->killed)
            kill(charge->pid, SIGKILL);
    }
}

static void put_cause(struct buf *out, const struct supervisor *supervisor,
                      const struct charge *charge) {
    char date[32] = "";
    const time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local))
        strftime(date, sizeof date, "%F %T", &local);
    buf_format(out, "%s: %s (process %d) fell: ", date, supervisor->what, (int)charge->pid);
    const int status = charge->status;
    if (WIFSIGNALED(status))
        buf_format(out, "signal %d, %s%s\n", WTERMSIG(status), strsignal(WTERMSIG(status)),
                   WCOREDUMP(status) ? "; a core was written" : "");
    else
        buf_format(out, "it ended by itself with code %d\n", WEXITSTATUS(status));
}

// Whoever has the pipe open besides, such as children of the fallen, is not waited for.
static void put_trace(struct buf *out, int fd) {
    struct buf trace = {.data = NULL};
    char piece[4096];
    for (ssize_t n; trace.length < TRACE_MAX && (n = read(fd, piece, sizeof piece)) > 0;)
        buf_put(&trace, piece, (size_t)n);
    if (trace.length)
        crash_tell(out, trace.data, trace.length);
    buf_done(&trace);
}

static void tell_fall(const struct supervisor *supervisor, const struct charge *charge,
                      const char *then) {
    struct buf out = {.data = NULL};
    put_cause(&out, supervisor, charge);
    put_trace(&out, charge->trace);
    buf_text(&out, then);
    supervisor->note(supervisor->owner, out.data);
    buf_done(&out);
}

// The exit code of all, if this was the end of it; -1: it has fallen and is to be started again.
static int judge(const struct supervisor *supervisor, const struct charge *charge,
                 struct crashes *falls) {
    const int status = charge->status;
    char then[200];
    if (charge->killed) {
        snprintf(then, sizeof then, "It was asked to end and had not after %d s: it was killed.\n",
                 PATIENCE_S);
        tell_fall(supervisor, charge, then);
        return EXIT_FAILURE;
    }
    if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || !supervisor->was_up(supervisor->owner)))
        return WEXITSTATUS(status);
    if (charge->asked) {
        if (!WIFSIGNALED(status) || WTERMSIG(status) != charge->asked)
            tell_fall(supervisor, charge, "It was about to end.\n");
        return WIFSIGNALED(status) ? SIGNALED + WTERMSIG(status) : WEXITSTATUS(status);
    }
    const int64_t now_us = supervisor->now_us(supervisor->owner);
    if (crash_add(falls, now_us)) {
        snprintf(then, sizeof then,
                 "It fell %d times within a minute and is not started again. What stands above "
                 "tells why.\n",
                 CRASHES_MOST);
        tell_fall(supervisor, charge, then);
        return EXIT_FAILURE;
    }
    snprintf(then, sizeof then,
             "It is started again; fall %d within a minute, of which the %dth ends it.\n",
             crash_lately(falls, now_us), CRASHES_MOST);
    tell_fall(supervisor, charge, then);
    return -1;
}

static int cannot_start(const struct supervisor *supervisor) {
    char words[200];
    snprintf(words, sizeof words, "cannot start a process for %s: %s\n", supervisor->what,
             strerror(errno));
    supervisor->note(supervisor->owner, words);
    return EXIT_FAILURE;
}

int supervisor_run(const struct supervisor *supervisor) {
    assert(supervisor->run && supervisor->was_up && supervisor->forget && supervisor->note);
    struct crashes falls = {.count = 0};
    sigset_t set, before;
    int code = -1;
    signal(SIGCHLD, SIG_DFL);
    fill_signals(&set);
    sigprocmask(SIG_BLOCK, &set, &before);
    for (bool again = false; code < 0; again = true) {
        struct charge charge;
        supervisor->forget(supervisor->owner);
        const pid_t pid = start(&charge, &before);
        if (pid == 0)
            return supervisor->run(supervisor->owner, again);
        if (pid < 0) {
            code = cannot_start(supervisor);
            break;
        }
        wait_for(&charge, &set);
        code = judge(supervisor, &charge, &falls);
        close(charge.trace);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return code;
}
