// SPDX-License-Identifier: MIT
#include "link/box_socket.h"

#include <string.h>
#include <sys/socket.h>

int box_socket_take(int socket) {
    int fd = -1;
    char byte;
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof fd)];
    } control;
    struct iovec one = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &one,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    if (recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) <= 0)
        return -1;
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS &&
        head->cmsg_len == CMSG_LEN(sizeof fd))
        memcpy(&fd, CMSG_DATA(head), sizeof fd);
    return fd;
}
