// SPDX-License-Identifier: MIT
#include "referee/network.h"

#include <errno.h>
#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

bool network_enter(struct err *err) {
    const int flags = geteuid() == 0 ? CLONE_NEWNET : CLONE_NEWNET | CLONE_NEWUSER;
    struct ifreq lo = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    if (unshare(flags) != 0)
        return err_set(err,
                       "several TCP games at once need a network namespace each, and this machine "
                       "refuses one: %s; use --jobs 1",
                       strerror(errno));
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    const bool up = fd >= 0 && ioctl(fd, SIOCSIFFLAGS, &lo) == 0;
    if (fd >= 0)
        close(fd);
    return up || err_set(err, "cannot start loopback in a network namespace: %s", strerror(errno));
}
