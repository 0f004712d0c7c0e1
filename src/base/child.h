// SPDX-License-Identifier: MIT
// A function that runs in a child process, and the lines of JSON that it says. A pool of children
// owns them; nothing waits for one but child_free and children_free: whoever has a loop watches
// children_fd and calls children_hear when it can be read.
#pragma once

#include "base/err.h"
#include "base/json.h"

#include <stdbool.h>
#include <sys/types.h>

struct child;
struct children;

// What the children of a pool are for. `owner` is the one that a child was started with.
struct child_task {
    const char *name; // of all of them, for errors: "games"
    // In the child, with SIGINT and SIGTERM held (signals.h): says lines by child_tell. Returns its
    // exit code.
    int (*live)(void *owner, int out);
    // In the parent. When its end is told, with its status as of waitpid, the child is freed.
    void (*said)(void *owner, const json_t *line);
    void (*ended)(void *owner, int status);
};

// A pool borrows its task.
struct children *children_new(const struct child_task *task, struct err *err);
int children_fd(const struct children *children);
int children_count(const struct children *children);
// NULL, and errno says why.
struct child *child_start(struct children *children, void *owner);
// Hands on what there is to hear.
void children_hear(struct children *children);
void children_signal(const struct children *children, int number);
void child_signal(const struct child *child, int number);
// Hears it no more, and waits for its end; of that nobody is told.
void child_free(struct child *child);
void children_free(struct children *children); // the same for all, who are told to end by SIGTERM

// In a child: writes a value as a line, and frees it; false if nobody reads.
bool child_tell(int out, json_t *take_line);

// For those that speak to their parent in other ways: fork, of a child that the kernel sends this
// signal when its parent has ended; and waitpid, whatever comes between: the status.
pid_t child_fork(int at_parents_end);
int child_wait(pid_t pid);
