// SPDX-License-Identifier: MIT
// We fork the keeper, and it forks the player; neither libuv nor posix_spawn can start a process
// that dies with its parent (PR_SET_PDEATHSIG). The keeper is a subreaper: a daemon that a player
// forks twice becomes its child. It leaves the player unreaped after its end, so that the number of
// the process and its group stay taken: no signal can hit a stranger, and the CPU time can still be
// asked for. It stays in a group of its own, where no signal from a terminal reaches it, and holds
// no descriptor but its end of the control, whose closing it cannot miss: not even kill -9 of this
// program leaves a player or its children alive. A player that kills its keeper dies of it, but
// what it has left behind escapes; that needs the box.
#include "link/keeper.h"

#include "base/child.h"
#include "base/path.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    EXIT_NOT_STARTED = 126, // as a shell says it
    LIST_BYTES = 1 << 16,
    BELOW_BYTES = 1 << 12,
    DEPTH_MAX = 8, // from us to a frozen one; a box has two between
};

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

// In the player: from here to exec nothing may be called that could wait for a lock. It begins when
// the keeper has spoken and closes its end of `go`: it could kill it before.
static _Noreturn void become(const struct keeper_start *start, pid_t keeper, const int go[2]) {
    const int freezer = start->group ? start->group->enter[CGROUP_FREEZER] : -1;
    const int core = start->group ? start->group->enter[CGROUP_CORE] : -1;
    int fds[8] = {start->theirs[0],
                  start->theirs[1],
                  start->theirs[2],
                  start->folder,
                  start->door,
                  freezer,
                  core,
                  start->begun};
    char none;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(go[1]);
    if (read(go[0], &none, 1) != 0 || getppid() != keeper)
        _exit(EXIT_NOT_STARTED); // it died before it could take us along
    reset_signals();
    for (int i = 0; i < 8; i++) // out of the way of each other
        fds[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, KEEPER_FDS);
    for (int i = 0; i < 3; i++)
        if (dup2(fds[i], i) < 0)
            _exit(EXIT_NOT_STARTED);
    if (start->folder >= 0 && fchdir(fds[3]) < 0)
        give_up("cannot enter the player's folder\n");
    const struct rlimit memory = {(rlim_t)start->memory, (rlim_t)start->memory};
    if (start->memory > 0 && setrlimit(RLIMIT_AS, &memory) < 0)
        give_up("cannot limit the player's memory\n");
    if (start->group && !cgroup_enter(start->group))
        give_up("cannot enter the player's control group\n");
    close_range(3, ~0U, CLOSE_RANGE_CLOEXEC); // whatever we inherited ourselves
    if ((start->door >= 0 && dup2(fds[4], KEEPER_DOOR) < 0) ||
        (freezer >= 0 && dup2(fds[5], KEEPER_FREEZER) < 0) ||
        (core >= 0 && dup2(fds[6], KEEPER_CORE) < 0) ||
        (start->boxed && dup2(fds[7], KEEPER_BEGUN) < 0))
        _exit(EXIT_NOT_STARTED);
    if (start->direct) // what the shell would do, but for starting it
        execv(start->direct[0], start->direct);
    execv(start->path, start->words);
    give_up("cannot run /bin/sh, or the box\n");
}

static void say(int control, const struct keeper_word *word) {
    while (send(control, word, sizeof *word, MSG_NOSIGNAL) < 0 && errno == EINTR)
        ;
}

// False when there is no child left.
static bool reap_dead(void) {
    pid_t pid;
    while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
        ;
    return pid == 0 || errno != ECHILD;
}

// The children of a thread, "thread-self" or "PID/task/PID"; false if they cannot be listed.
static bool list_children(const char *thread, char *list, size_t size) {
    char path[60];
    snprintf(path, sizeof path, "/proc/%s/children", thread);
    return path_read_text(AT_FDCWD, path, list, size);
}

// Takes the first number off a list; 0: there is none. One that was cut is left out; there will be
// another look.
static pid_t take_child(char **list) {
    char *end;
    const long pid = strtol(*list, &end, 10);
    *list = end;
    return *end == ' ' ? (pid_t)pid : 0;
}

// Sends SIGKILL to every child; false if they cannot be listed.
static bool kill_children(void) {
    char list[LIST_BYTES], *at = list;
    const bool listed = list_children("thread-self", list, sizeof list);
    for (pid_t pid; (pid = take_child(&at)) > 0;)
        kill(pid, SIGKILL);
    return listed;
}

// The frozen do not die of a signal, nor does the first process of a box, which waits for them. Who
// has frozen them would thaw them, and so would their keeper; but what is killed with all that it
// has started, as a contest with its games, may lose both first.
static void thaw_below(const char *thread, int depth) {
    char list[BELOW_BYTES], *at = list, child[40];
    list_children(thread, list, sizeof list);
    for (pid_t pid; (pid = take_child(&at)) > 0;) {
        cgroup_thaw_process(pid);
        snprintf(child, sizeof child, "%d/task/%d", pid, pid);
        if (depth < DEPTH_MAX)
            thaw_below(child, depth + 1);
    }
}

// What its children have started becomes ours when they die: until there is nobody left. The dead
// are taken off the list before each look at it: children that fork and end without pause would
// fill it with them, and be out of sight behind them.
static _Noreturn void end_all(pid_t player, const struct cgroup *group) {
    if (group)
        cgroup_end(group); // the frozen do not die of a signal
    kill(-player, SIGKILL);
    kill(player, SIGKILL);
    while (reap_dead() && kill_children()) {
        thaw_below("thread-self", 0);
        waitid(P_ALL, 0, &(siginfo_t){.si_pid = 0}, WEXITED | WNOWAIT);
    }
    if (group)
        cgroup_remove(group);
    _exit(0);
}

// Reaps what the player has left behind. True when the player itself has ended, which stays.
static bool look_after(pid_t player, struct keeper_word *word) {
    siginfo_t info = {.si_pid = 0};
    while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid > 0 &&
           info.si_pid != player) {
        waitpid(info.si_pid, NULL, 0);
        info.si_pid = 0;
    }
    if (info.si_pid != player)
        return false;
    const bool exited = info.si_code == CLD_EXITED;
    *word = (struct keeper_word){.code = exited ? info.si_status : 0,
                                 .signal = exited ? 0 : info.si_status};
    return true;
}

static void woken(int number) { (void)number; }

static _Noreturn void keep(int control, pid_t player, const struct cgroup *group) {
    struct pollfd wait = {.fd = control, .events = POLLIN};
    struct keeper_word word;
    sigset_t all_but_one;
    bool told = false;
    sigfillset(&all_but_one);
    sigdelset(&all_but_one, SIGCHLD); // comes only while we wait
    while (ppoll(&wait, 1, NULL, &all_but_one) <= 0) {
        if (!told && look_after(player, &word)) {
            say(control, &word);
            told = true;
        }
    }
    end_all(player, group);
}

static pid_t fork_player(const struct cgroup *group) { return group ? cgroup_fork(group) : fork(); }

static _Noreturn void be_keeper(const struct keeper_start *start, int control) {
    const pid_t self = getpid();
    int go[2];
    setpgid(0, 0);
    prctl(PR_SET_NAME, "arbiter-keeper");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = woken}, NULL);
    const pid_t player = pipe2(go, O_CLOEXEC) == 0 ? fork_player(start->group) : -1;
    if (player == 0)
        become(start, self, go);
    if (player > 0)
        setpgid(player, player); // both set it: whoever comes first, it is there
    say(control, &(struct keeper_word){.code = player < 0 ? -errno : player});
    dup2(control, 0);
    close_range(1, ~0U, 0);
    if (player < 0)
        _exit(1);
    keep(0, player, start->group);
}

// No handler of ours may run in the keeper, so all signals wait, and do so there.
static pid_t fork_keeper(const struct keeper_start *start, const int ends[2]) {
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    const pid_t pid = fork();
    const int error = errno;
    if (pid == 0)
        be_keeper(start, ends[1]);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return pid;
}

bool keeper_start(struct keeper *keeper, const struct keeper_start *start) {
    assert(start->path && start->words && start->theirs);
    struct keeper_word word = {.code = -EPIPE};
    int ends[2];
    keeper->pid = keeper->player = keeper->control = -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
        return false;
    keeper->pid = fork_keeper(start, ends);
    int error = keeper->pid < 0 ? errno : 0;
    close(ends[1]);
    keeper->control = ends[0];
    while (!error && recv(keeper->control, &word, sizeof word, 0) < 0 && errno == EINTR)
        ;
    keeper->player = word.code;
    if (!error && word.code > 0)
        return true;
    keeper_reap(keeper);
    errno = error ? error : -word.code;
    return false;
}

int keeper_hear(const struct keeper *keeper, struct keeper_word *word) {
    const ssize_t n = recv(keeper->control, word, sizeof *word, MSG_DONTWAIT);
    if (n == (ssize_t)sizeof *word)
        return 1;
    return n < 0 && (errno == EAGAIN || errno == EINTR) ? -1 : 0;
}

bool keeper_lives(const struct keeper *keeper) {
    siginfo_t info = {.si_pid = 0};
    return keeper->pid > 0 &&
           waitid(P_PID, (id_t)keeper->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == 0;
}

void keeper_rouse(const struct keeper *keeper) {
    if (keeper->pid > 0)
        kill(keeper->pid, SIGCONT);
}

void keeper_reap(struct keeper *keeper) {
    if (keeper->control >= 0)
        close(keeper->control);
    if (keeper->pid > 0)
        child_wait(keeper->pid);
    keeper->pid = keeper->player = keeper->control = -1;
}
