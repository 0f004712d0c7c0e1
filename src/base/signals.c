// SPDX-License-Identifier: MIT
#include "base/signals.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>

static sigset_t both(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

void signals_hold(bool hold) {
    const sigset_t set = both();
    sigprocmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

int signals_open(struct err *err) {
    const sigset_t set = both();
    signals_hold(true);
    const int fd = signalfd(-1, &set, SFD_CLOEXEC);
    if (fd < 0)
        err_set(err, "cannot listen for signals: %s", strerror(errno));
    return fd;
}

bool signals_came(int fd) { return poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, 0) > 0; }
