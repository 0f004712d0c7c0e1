// SPDX-License-Identifier: MIT
// The descriptors that a process has open, so that a child of it can close them and no others: what
// libraries open for themselves at the fork stays theirs. How many there may be, writing, and
// handing over.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

// Zeroed by its owner, freed by fds_done.
struct fds {
    struct {
        dev_t device;
        ino_t file;
    } * at;
    size_t count;
};

// What is open now, from this descriptor on.
void fds_list(struct fds *fds, int from);
// Closes what is open from this descriptor on and was so when it was listed.
void fds_close(const struct fds *fds, int from);
// Writes all of it, in as many pieces as it takes; false, and errno says why.
bool fds_write(int fd, const void *bytes, size_t length);
// Hands a descriptor to another process by a local socket; takes one, with these flags of recvmsg:
// -1: there is none.
bool fds_send(int socket, int fd);
int fds_receive(int socket, int flags);
// Lets this process have so many open at once, or as many as it may; returns how many that is.
int fds_allow(int most);
void fds_done(struct fds *fds);
