// SPDX-License-Identifier: MIT
// Children: a player's process, which a keeper has started and will end with all that came of it
// (keeper.c). Its end is told by the keeper. Until link_free the process stays a zombie, so that
// its number is ours; then the keeper ends what is left, and when it has gone itself, so has the
// link.
//
// A process that ends closes its output a moment before, so its end of file is not told at once:
// the exit status has END_MS to follow. If the process lives on, its output was closed, no more.
// The same goes for its input, which shows when we write: who cannot be asked is gone as well.
#include "base/fds.h"
#include "base/mem.h"
#include "base/path.h"
#include "link/box_processes.h"
#include "link/keeper.h"
#include "link/kind.h"
#include "link/process_tree.h"
#include "link/shell.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    END_MS = 20,
    LOOK_MS = 10,    // at memory, where nothing counts it,
    GLANCE_MS = 100, // and without a box
    WALL_PIDS = 2,   // processes of bubblewrap before the player's
    EXITING = 4,     // of the kernel's flags of a process
    SIGNALED = 128,  // added to the signal in the code of a process that has died for another
};

struct pipe_child {
    struct link link;
    struct keeper keeper;
    struct port control; // of the keeper
    struct process_tree tree;
    struct box_processes held;
    uv_timer_t look;  // at its memory,
    bool looks;       // if we do
    struct port door; // where a socket comes from inside the box
    int begun;        // at its end when the player's own program begins; -1: that was seen
    bool ending;      // the keeper has been told to end all
    struct parting how;
};

// The two sides of its standard input, output and error; -1 where there is none.
struct wires {
    int ours[3], theirs[3];
};

static void close_three(int fds[3]) {
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

// To its group, and to those who have left it. Without a keeper their numbers may be others' by
// now.
static void child_signal(struct link *link, int number) {
    struct pipe_child *child = (struct pipe_child *)link;
    if (!keeper_lives(&child->keeper))
        return;
    kill(-link->pid, number);
    process_tree_signal(&child->tree, number);
}

static bool is_walled(const struct pipe_child *child) {
    return child->held.box && child->held.box->level >= BOX_NAMESPACES;
}

// Bubblewrap tells how the player ended as a shell does.
static struct keeper_word unwrap(const struct pipe_child *child, const struct keeper_word *word) {
    if (!is_walled(child) || word->signal || word->code <= SIGNALED ||
        word->code >= SIGNALED + NSIG)
        return *word;
    return (struct keeper_word){.signal = word->code - SIGNALED};
}

static void on_control(uv_poll_t *poll, int status, int events);

static void listen_to_keeper(struct pipe_child *child) {
    uv_poll_start(&child->control.poll, UV_READABLE, on_control);
}

static void child_end(struct link *link) {
    struct pipe_child *child = (struct pipe_child *)link;
    link_close(link);
    port_close(&child->door);
    if (child->looks)
        member_close(&child->look);
    child->looks = false;
    if (child->ending || child->control.fd < 0)
        return;
    child->ending = true;
    box_processes_favour(&child->held, true); // or they would be long in dying
    child_signal(link, SIGKILL); // or they could stop the keeper, which must hear us now
    keeper_rouse(&child->keeper);
    shutdown(child->control.fd, SHUT_WR);
    listen_to_keeper(child);
}

// Its last words first.
static void depart(struct pipe_child *child) {
    struct link *link = &child->link;
    uv_timer_stop(&link->timer);
    if (link_drain(link, &link->in))
        child->how.closed = true;
    link_drain(link, &link->noise);
    if (link->freed)
        return;
    port_close(&link->noise);
    link_leave(link, &child->how);
}

static void ended(struct pipe_child *child, const struct keeper_word *word) {
    child->how.exited = true;
    const struct keeper_word told = unwrap(child, word);
    child->how.code = told.code;
    child->how.signal = told.signal;
    uv_poll_stop(&child->control.poll); // there is nothing to wait for, until the end is wanted
    if (child->link.freed)
        child_end(&child->link);
    else
        depart(child);
}

// Without having been told to: somebody has killed it, and the player with it.
static void keeper_lost(struct pipe_child *child) {
    if (child->how.exited)
        return;
    ended(child, &(struct keeper_word){.signal = SIGKILL});
}

static void end_group(const struct cgroup *group) {
    cgroup_end(group);
    cgroup_remove(group);
}

static void on_control(uv_poll_t *poll, int status, int events) {
    (void)status, (void)events;
    struct pipe_child *child = poll->data;
    struct keeper_word word;
    const int heard = keeper_hear(&child->keeper, &word);
    if (heard > 0 && !child->ending)
        ended(child, &word);
    if (heard != 0)
        return;
    const bool was_told = child->ending;
    child->ending = true;       // there is nobody left to be told
    child->keeper.control = -1; // the port's
    keeper_reap(&child->keeper);
    child->link.pid = -1;
    if (!was_told && box_processes_group(&child->held)) // it could not do that any more
        end_group(box_processes_group(&child->held));
    if (!was_told)
        keeper_lost(child);
    port_close(&child->control);
}

// Whether a process has ended, or is about to: it closes its files on its way.
static bool is_ending(int pid) {
    char path[40], text[512], state = 'X';
    unsigned flags = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    path_read_text(AT_FDCWD, path, text, sizeof text);
    const char *name_end = strrchr(text, ')');
    if (!name_end || sscanf(name_end + 1, " %c %*d %*d %*d %*d %*d %u", &state, &flags) != 2)
        return true;
    return state == 'Z' || state == 'X' || (flags & EXITING);
}

// The keeper will say that the player has ended. Behind walls bubblewrap tells it, a moment after.
static bool will_be_told(struct pipe_child *child) {
    const int player =
        is_walled(child) ? process_tree_nth(&child->tree, WALL_PIDS) : child->link.pid;
    return player < 0 || is_ending(player) || is_ending(child->link.pid);
}

static void on_end_awaited(uv_timer_t *timer) {
    struct pipe_child *child = timer->data;
    struct link *link = &child->link;
    if (will_be_told(child))
        return;
    link_drain(link, &link->in);
    child->how.closed = true;
    link_leave(link, &child->how);
}

static void child_ended(struct link *link) {
    struct pipe_child *child = (struct pipe_child *)link;
    child->how.closed = true;
    port_close(&link->in);
    uv_timer_start(&link->timer, on_end_awaited, END_MS, 0);
}

// It has closed its input and cannot be asked any more; or it has just ended.
static void child_deafened(struct link *link) {
    uv_timer_start(&link->timer, on_end_awaited, END_MS, 0);
}

static void child_leave(struct link *link) {
    struct pipe_child *child = (struct pipe_child *)link;
    port_close(&link->in);
    port_close(&link->out);
    port_close(&link->noise);
    link_release(link); // it cannot leave while it is held
    if (child->how.exited)
        child_end(link);
}

static void child_release(struct link *link) {
    struct pipe_child *child = (struct pipe_child *)link;
    box_processes_done(&child->held);
    process_tree_done(&child->tree);
    if (child->begun >= 0)
        close(child->begun);
}

static int64_t child_cpu_us(struct link *link) {
    return box_processes_cpu_us(&((struct pipe_child *)link)->held);
}

static void child_run_times(struct link *link, struct run_times *times) {
    struct pipe_child *child = (struct pipe_child *)link;
    struct pollfd end = {.fd = child->begun};
    if (child->begun >= 0 && poll(&end, 1, 0) > 0) {
        close(child->begun);
        child->begun = -1;
    }
    times->begun = child->begun < 0;
    box_processes_run_times(&child->held, times);
}

static void child_favour(struct link *link, bool favoured) {
    box_processes_favour(&((struct pipe_child *)link)->held, favoured);
}

static void child_hold(struct link *link, bool held) {
    struct pipe_child *child = (struct pipe_child *)link;
    if (!child->held.box)
        child_signal(link, held ? SIGSTOP : SIGCONT);
    else if (held)
        box_processes_hold(&child->held);
    else
        box_processes_release(&child->held);
}

static void child_settle(struct link *link) {
    struct pipe_child *child = (struct pipe_child *)link;
    if (child->held.box)
        box_processes_settle(&child->held);
}

static void child_usage(struct link *link, struct usage *usage) {
    const struct pipe_child *child = (const struct pipe_child *)link;
    if (child->held.box || child->held.by_use)
        box_processes_usage(&child->held, usage);
}

// In the box there is bubblewrap before it.
static int child_first(const struct link *link) {
    struct pipe_child *child = (struct pipe_child *)link;
    const int first = is_walled(child) ? process_tree_nth(&child->tree, WALL_PIDS) : -1;
    return first > 0 ? first : link->pid;
}

static const struct kind kind = {
    .send = stream_send,
    .ended = child_ended,
    .deafened = child_deafened,
    .leave = child_leave,
    .end = child_end,
    .release = child_release,
    .favour = child_favour,
    .hold = child_hold,
    .settle = child_settle,
    .usage = child_usage,
    .first = child_first,
    .cpu_us = child_cpu_us,
    .run_times = child_run_times,
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

// Without a control group: whether its memory has become too much.
static void on_look(uv_timer_t *timer) {
    struct pipe_child *child = timer->data;
    if (!child->how.exited && box_processes_look(&child->held))
        child_signal(&child->link, SIGKILL);
}

static void begin_looking(struct pipe_child *child, bool boxed) {
    const uint64_t ms = boxed ? LOOK_MS : GLANCE_MS;
    uv_timer_init(&child->link.loop->uv, &child->look);
    member_add(&child->link.member, &child->look);
    uv_timer_start(&child->look, on_look, ms, ms);
    child->looks = true;
}

static bool start_keeper(struct pipe_child *child, const struct wires *wires,
                         const struct program *program, int door) {
    struct buf script = {.data = NULL};
    int folder = -1, begun[2];
    const char *path = program->box ? NULL : program->folder;
    if (pipe2(begun, O_CLOEXEC) != 0)
        return false;
    child->begun = begun[0];
    if (path && (folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0) {
        close(begun[1]);
        return false;
    }
    shell_put_script(&script, program->command);
    char **words = box_words(program, script.data, door < 0 ? -1 : KEEPER_DOOR);
    char **direct = program->box || path ? NULL : shell_words(program->command);
    const struct keeper_start how = {.path = box_path(program),
                                     .words = words,
                                     .direct = direct,
                                     .theirs = wires->theirs,
                                     .folder = folder,
                                     .memory =
                                         program->box || program->by_use ? 0 : program->memory,
                                     .door = door,
                                     .begun = begun[1],
                                     .boxed = program->box != NULL,
                                     .group = box_processes_group(&child->held)};
    const bool good = keeper_start(&child->keeper, &how);
    close(begun[1]);
    shell_words_free(words);
    shell_words_free(direct);
    buf_done(&script);
    if (folder >= 0)
        close(folder);
    if (!good && how.group)
        cgroup_remove(how.group);
    return good;
}

// The socket that listens inside, or the end of who should have sent it.
static void on_door(uv_poll_t *poll, int status, int events) {
    (void)status, (void)events;
    struct pipe_child *child = poll->data;
    const int fd = fds_receive(child->door.fd, MSG_DONTWAIT);
    port_close(&child->door);
    if (fd >= 0 && !child->link.freed && child->link.events.door)
        child->link.events.door(child->link.owner, fd);
    else if (fd >= 0)
        close(fd);
}

// A child that connects to us from behind walls does so through a door in them.
static bool make_door(struct pipe_child *child, const struct program *program, int *theirs) {
    int ends[2];
    *theirs = -1;
    if (!program->box || program->box->level < BOX_NAMESPACES || program->port <= 0)
        return true;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
        return false;
    *theirs = ends[1];
    if (adopt(&child->link, &child->door, &ends[0]))
        return uv_poll_start(&child->door.poll, UV_READABLE, on_door) == 0;
    close(ends[0]);
    return false;
}

static bool launch(struct pipe_child *child, const struct wires *wires,
                   const struct program *program) {
    struct keeper *keeper = &child->keeper;
    int door;
    const bool started = make_door(child, program, &door) &&
                         box_processes_init(&child->held, program, &child->tree) &&
                         start_keeper(child, wires, program, door);
    if (door >= 0)
        close(door);
    if (!started)
        return false;
    int control = keeper->control;
    if (!adopt(&child->link, &child->control, &control)) {
        keeper_reap(keeper);
        return false;
    }
    child->link.pid = keeper->player;
    process_tree_init(&child->tree, keeper->pid, keeper->player);
    if (program->wine && !program->box) // inside a box every player has its own
        process_tree_find_servers(&child->tree, "wineserver");
    listen_to_keeper(child);
    if (box_processes_must_look(&child->held))
        begin_looking(child, program->box != NULL);
    return true;
}

static struct link *start(struct loop *loop, const struct program *program, bool piped,
                          const struct link_events *events, void *owner, struct err *err) {
    struct pipe_child *child = mem_new(1, sizeof *child);
    struct link *link = &child->link;
    struct wires wires;
    link_init(link, &kind, loop, events, owner);
    child->control.fd = child->door.fd = child->begun = -1;
    const bool fine = wires_open(&wires, piped) && adopt(link, &link->out, &wires.ours[0]) &&
                      adopt(link, &link->in, &wires.ours[1]) &&
                      adopt(link, &link->noise, &wires.ours[2]) && launch(child, &wires, program);
    if (!fine) {
        const char *in = program->folder ? " in " : "", *folder = program->folder;
        err_set(err, "cannot start %s%s%s: %s", program->command, in, folder ? folder : "",
                uv_strerror(uv_translate_sys_error(errno)));
        child_end(link);
    }
    close_three(wires.ours);
    close_three(wires.theirs);
    if (!fine)
        return NULL;
    link_listen(link);
    return link;
}

struct link *link_new_pipe(struct loop *loop, const struct program *program,
                           const struct link_events *events, void *owner, struct err *err) {
    return start(loop, program, true, events, owner, err);
}

struct link *link_new_child(struct loop *loop, const struct program *program,
                            const struct link_events *events, void *owner, struct err *err) {
    return start(loop, program, false, events, owner, err);
}
