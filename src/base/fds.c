// SPDX-License-Identifier: MIT
// Descriptors are told apart by what they lead to, device and file, not by their numbers: between
// the list and the close a fork may have brought others.
#include "base/fds.h"

#include "base/mem.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

// Calls for every open descriptor from this one on.
static void each(int from, void (*call)(struct fds *fds, int fd, const struct stat *info),
                 struct fds *fds) {
    DIR *folder = opendir("/proc/self/fd");
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        const int fd = atoi(entry->d_name);
        struct stat info;
        if (*entry->d_name != '.' && fd >= from && fd != dirfd(folder) && fstat(fd, &info) == 0)
            call(fds, fd, &info);
    }
    if (folder)
        closedir(folder);
}

static void fds_add(struct fds *fds, int fd, const struct stat *info) {
    (void)fd;
    fds->at = mem_resize(fds->at, (fds->count + 1) * sizeof *fds->at);
    fds->at[fds->count].device = info->st_dev;
    fds->at[fds->count++].file = info->st_ino;
}

void fds_list(struct fds *fds, int from) { each(from, fds_add, fds); }

static void close_known(struct fds *fds, int fd, const struct stat *info) {
    bool known = false;
    for (size_t i = 0; i < fds->count; i++)
        known |= fds->at[i].device == info->st_dev && fds->at[i].file == info->st_ino;
    if (known)
        close(fd);
}

void fds_close(const struct fds *fds, int from) { each(from, close_known, (struct fds *)fds); }

int fds_allow(int most) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return most;
    if (limit.rlim_cur < (rlim_t)most) {
        limit.rlim_cur = limit.rlim_max < (rlim_t)most ? limit.rlim_max : (rlim_t)most;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    return limit.rlim_cur < (rlim_t)most ? (int)limit.rlim_cur : most;
}

bool fds_write(int fd, const void *bytes, size_t length) {
    for (const char *at = bytes; length > 0;) {
        const ssize_t n = write(fd, at, length);
        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? n : 0;
        length -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

// Room for one descriptor beside a byte.
union control {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int))];
};

bool fds_send(int socket, int fd) {
    assert(fd >= 0);
    union control control = {.head = {.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    struct iovec one = {.iov_base = "d", .iov_len = 1};
    const struct msghdr message = {.msg_iov = &one,
                                   .msg_iovlen = 1,
                                   .msg_control = control.bytes,
                                   .msg_controllen = sizeof control.bytes};
    control.head.cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
    return sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

int fds_receive(int socket, int flags) {
    int fd = -1;
    char byte;
    union control control;
    struct iovec one = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &one,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    if (recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC) <= 0)
        return -1;
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS &&
        head->cmsg_len == CMSG_LEN(sizeof fd))
        memcpy(&fd, CMSG_DATA(head), sizeof fd);
    return fd;
}

void fds_done(struct fds *fds) {
    free(fds->at);
    *fds = (struct fds){.at = NULL};
}
