// SPDX-License-Identifier: MIT
// Since Linux 5.0 a filter can hand a refused call to another process, which answers it; any user
// may do so. The descriptor on which it hears of them is made when the filter is loaded, by the
// player to be, and goes to the witness by a socket. A call is told once, the first time.
//
// It must not keep the player's output open, nor wait for room on its standard error: what does not
// fit is not told. If it is gone, the kernel answers ENOSYS in its place.
#include "sandbox/witness.h"

#include "base/fds.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TOLD_MAX = 64 };

struct told {
    int call[TOLD_MAX], error[TOLD_MAX];
    int count;
};

static bool is_new(struct told *told, int call, int error) {
    for (int i = 0; i < told->count; i++)
        if (told->call[i] == call && told->error[i] == error)
            return false;
    if (told->count == TOLD_MAX)
        return false;
    told->call[told->count] = call;
    told->error[told->count++] = error;
    return true;
}

static void tell(const struct seccomp_data *call, int error) {
    char line[200];
    struct pollfd room = {.fd = STDERR_FILENO, .events = POLLOUT};
    char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, call->nr);
    const int length =
        snprintf(line, sizeof line,
                 "arbiter-box: refused the system call %s (number %d; %#llx, %#llx, %#llx): %s\n",
                 name ? name : "without a name here", call->nr, call->args[0], call->args[1],
                 call->args[2], strerror(error));
    free(name);
    if (poll(&room, 1, 0) == 1 && (room.revents & POLLOUT)) {
        const ssize_t ignored = write(STDERR_FILENO, line, (size_t)length);
        (void)ignored;
    }
}

// Until nobody is left who could call.
static _Noreturn void listen_to(int fd, const struct filter *f) {
    struct told told = {.count = 0};
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    while (poll(&wait, 1, -1) > 0 && (wait.revents & POLLIN)) {
        struct seccomp_notif asked = {.id = 0};
        if (ioctl(fd, SECCOMP_IOCTL_NOTIF_RECV, &asked) < 0)
            continue; // who asked is gone
        const int error = filter_answer(f, &asked.data);
        struct seccomp_notif_resp answer = {.id = asked.id, .error = error ? -error : -EPERM};
        if (is_new(&told, asked.data.nr, -answer.error))
            tell(&asked.data, -answer.error);
        ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    }
    _exit(0);
}

// Says a byte when nobody can reach into it any more.
static _Noreturn void be_witness(int socket, const struct filter *f) {
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_NAME, "arbiter-witness");
    signal(SIGPIPE, SIG_IGN);
    if (!filter_load(f) || send(socket, "r", 1, MSG_NOSIGNAL) != 1)
        _exit(1);
    const int fd = fds_receive(socket, 0);
    if (fd < 0)
        _exit(1);
    dup2(fd, 0);
    dup2(STDERR_FILENO, 1);
    close_range(3, ~0U, 0);
    dup2(1, STDERR_FILENO);
    close(1);
    listen_to(0, f);
}

// By a child in between, which ends at once: the player is to have no children that it did not
// start.
static bool start(int ends[2], const struct filter *f) {
    char ready;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return false;
    const pid_t between = fork();
    if (between == 0) {
        close(ends[0]);
        if (fork() == 0)
            be_witness(ends[1], f);
        _exit(0);
    }
    close(ends[1]);
    if (between > 0)
        waitpid(between, NULL, 0);
    return between > 0 && recv(ends[0], &ready, 1, 0) == 1;
}

bool witness_load(const struct filter *f) {
    int ends[2];
    if (!start(ends, f))
        return filter_load(f);
    const int fd = filter_load_asking(f);
    if (fd < 0)
        return filter_load(f);
    const bool given = fds_send(ends[0], fd);
    close(fd);
    close(ends[0]);
    return given;
}
