// SPDX-License-Identifier: MIT
// With one job the games are played here. With more, each job is a worker process that takes the
// games of every jobs-th pair (or game), pinned to a core of its own, and writes their records into
// a pipe; this process puts them in order. Workers with TCP players get a network namespace each,
// because players know only port 8888.
#include "cli/series.h"

#include "base/buf.h"
#include "base/mem.h"
#include "cli/human.h"
#include "referee/record.h"
#include "referee/table.h"

#include <errno.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS_MAX = 256 };

// One process's part of a series.
struct part {
    struct series *series;
    int first, step; // units (pairs or games): first, first + step, ...
    int index;       // the game under way
    struct loop *loop;
    struct lobby *lobby;
    struct table *table;
    struct match_config config;
    char *opening;
    bool (*ended)(struct part *part, json_t *record);
    int out; // a worker's pipe
    bool interrupted, stopped;
    struct err *err;
};

static int unit_size(const struct series *s) { return s->swap ? 2 : 1; }

// The game after this one of the part, or -1.
static int next_index(const struct part *part, int index) {
    const int size = unit_size(part->series);
    int next = index + 1;
    if (next % size == 0)
        next += (part->step - 1) * size;
    return next < part->series->games ? next : -1;
}

static void draw_conditions(struct part *part) {
    struct series *s = part->series;
    const int unit = part->index / unit_size(s);
    struct rng rng = conditions_rng(s->seed, unit);
    struct match_config *c = &part->config;
    *c = (struct match_config){
        .rules = s->rules, .penalties = s->penalties, .grace_us = s->grace_us};
    c->freeze = s->terms.ponder == PONDER_FREEZE;
    c->time_us = conditions_draw_time(&s->conditions, &rng);
    conditions_draw_blocks(&s->conditions, &c->rules, &rng);
    free(part->opening);
    part->opening = NULL;
    if (s->conditions.opening_plies > 0)
        part->opening = conditions_draw_opening(&s->conditions, &c->rules, &rng);
    else if (s->opening_count > 0)
        part->opening = mem_text(s->openings[unit % s->opening_count]);
    c->opening = part->opening;
}

static bool begin_game(struct part *part) {
    struct series *s = part->series;
    draw_conditions(part);
    const int black = s->swap ? part->index % 2 : 0;
    for (int i = 0; i < 2; i++) {
        const struct player *p = &s->player[i == 0 ? black : 1 - black];
        const bool awaited = p->kind == PLAYER_TEAM && !p->command;
        part->config.start_us[i] = awaited ? s->wait_us : s->start_us;
        part->config.untimed[i] = p->kind == PLAYER_HUMAN;
        if (awaited && part->index == part->first * unit_size(s)) {
            char words[120];
            snprintf(words, sizeof words, "waiting for team %d on port %d", p->team, s->port);
            s->note(s->owner, words);
        }
    }
    return table_play(part->table, &part->config, black, part->err);
}

static int opening_plies(const struct match *match) {
    const struct match_move *moves;
    const char *text;
    const int count = match_moves(match, &moves, &text);
    int n = 0;
    while (n < count && moves[n].by_referee && moves[n].us == 0)
        n++;
    return n;
}

// How the players were kept, and what they did in each other's turns.
static void add_terms(struct part *part, json_t *record, int black) {
    const struct series *s = part->series;
    terms_put(&s->terms, s->rules.game, json_object_get(record, "settings"));
    if (s->terms.ponder != PONDER_REPORT)
        return;
    struct buf words = {.data = NULL};
    json_t *ms = json_array();
    buf_format(&words, "game %d: CPU time in the other's turns:", part->index + 1);
    for (int i = 0; i < 2; i++) {
        const int seat = i == 0 ? black : 1 - black;
        const int64_t us = table_ponder_us(part->table, seat);
        json_array_append_new(ms, us < 0 ? json_null() : json_real((double)us / 1000));
        buf_format(&words, "%s %.60s ", i ? "," : "", s->player[seat].text);
        buf_format(&words, us < 0 ? "not known" : "%.3f s", (double)us / 1e6);
    }
    json_object_set_new(record, "ponder_ms", ms);
    s->note(s->owner, words.data);
    buf_done(&words);
}

static void over(void *owner, const struct match *match) {
    struct part *part = owner;
    struct series *s = part->series;
    const int black = s->swap ? part->index % 2 : 0;
    const struct record_info info = {
        .players = {s->player[black].text, s->player[1 - black].text},
        .names = {table_name(part->table, black), table_name(part->table, 1 - black)},
        .seed = s->seed,
        .number = part->index + 1,
        .opening_plies = part->opening ? opening_plies(match) : 0,
    };
    json_t *record = record_make(match, &part->config, &info);
    add_terms(part, record, black);
    const bool more = part->ended(part, record);
    part->index = next_index(part, part->index);
    part->stopped |= !more || part->interrupted || part->index < 0 || !begin_game(part);
    if (part->stopped)
        loop_stop(part->loop);
}

static void moved(void *owner, const struct match *match) {
    struct part *part = owner;
    if (part->series->moved)
        part->series->moved(part->series->owner, match);
}

static void asked(void *owner, int seat, const char *request) {
    struct part *part = owner;
    struct buf line = {.data = NULL};
    if (!human_answer(&part->config.rules, request, &line)) {
        part->interrupted = true;
        table_abort(part->table, "the person has left");
    } else if (line.length > 0) {
        table_type(part->table, seat, line.data);
    }
    buf_done(&line);
}

static void lobby_note(void *owner, const char *words) {
    struct part *part = owner;
    part->series->note(part->series->owner, words);
}

static void interrupted(void *owner) {
    struct part *part = owner;
    sigset_t more;
    sigemptyset(&more); // a second one must not end us before the record is written and said
    sigaddset(&more, SIGINT);
    sigaddset(&more, SIGTERM);
    sigprocmask(SIG_BLOCK, &more, NULL);
    part->interrupted = true;
    table_abort(part->table, "interrupted");
    loop_stop(part->loop);
}

static bool has_teams(const struct series *s) {
    return s->player[0].kind == PLAYER_TEAM || s->player[1].kind == PLAYER_TEAM;
}

// Plays the games of one part.
static bool play_part(struct part *part) {
    static const struct table_events events = {.moved = moved, .over = over, .ask = asked};
    struct series *s = part->series;
    struct log *log = s->log ? log_new(s->log) : NULL;
    part->index = part->first * unit_size(s);
    for (int i = 0; i < 2; i++) { // so that no two parts play the same games
        struct rng rng = conditions_rng(s->seed, -1 - 2 * part->first - i);
        player_seed(&s->player[i], rng_next(&rng) >> 2);
    }
    part->loop = loop_new(part->err);
    if (part->loop && has_teams(s))
        part->lobby = lobby_new(part->loop, s->address, s->port, lobby_note, part, part->err);
    bool good = part->loop && (part->lobby || !has_teams(s));
    if (good && part->index < s->games) {
        part->table = table_new(part->loop, &s->player[0], &s->player[1], &s->terms, part->lobby,
                                log, &events, part);
        loop_on_interrupt(part->loop, interrupted, part);
        good = begin_game(part);
        if (good && !part->stopped)
            loop_run(part->loop);
        good = good && !part->err->set;
        table_free(part->table);
    }
    if (part->lobby)
        lobby_free(part->lobby);
    if (part->loop)
        loop_free(part->loop);
    log_free(log);
    free(part->opening);
    return good;
}

static void pin_to_cores(int job, int cores) {
    cpu_set_t available, chosen;
    CPU_ZERO(&chosen);
    if (sched_getaffinity(0, sizeof available, &available) != 0)
        return;
    const int count = CPU_COUNT(&available);
    if (cores >= count)
        return;
    for (int k = 0; k < cores; k++) {
        int skip = (job * cores + k) % count;
        size_t core = 0;
        while (!CPU_ISSET(core, &available) || skip-- > 0)
            core++;
        CPU_SET(core, &chosen);
    }
    sched_setaffinity(0, sizeof chosen, &chosen);
}

// A network of its own, with nothing but loopback.
static bool enter_network(struct err *err) {
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

static bool ended_here(struct part *part, json_t *record) {
    return part->series->ended(part->series->owner, part->index, record);
}

// One line for the parent: the index and the record.
static bool ended_in_worker(struct part *part, json_t *record) {
    json_t *line = json_pack("{s:i, s:o}", "index", part->index, "record", record);
    char *text = json_dumps(line, JSON_LINE);
    json_decref(line);
    bool good = text != NULL;
    for (size_t done = 0, length = good ? strlen(text) : 0; good && done <= length;) {
        if (done < length)
            text[length] = '\n'; // in the place of the NUL, which is not needed any more
        const ssize_t n = write(part->out, text + done, length + 1 - done);
        good = n > 0 || (n < 0 && errno == EINTR);
        done += n > 0 ? (size_t)n : 0;
    }
    free(text);
    return good;
}

static void run_worker(struct series *s, int job, int out) {
    struct err err = {.set = false};
    struct part part = {.series = s,
                        .first = job,
                        .step = s->jobs,
                        .ended = ended_in_worker,
                        .out = out,
                        .err = &err};
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    pin_to_cores(job, s->cores);
    s->moved = NULL;
    bool good = !has_teams(s) || s->jobs == 1 || enter_network(&err);
    good = good && play_part(&part);
    if (!good)
        dprintf(out, "{\"index\":-1,\"error\":\"%s\"}\n", err.text);
    _exit(good ? 0 : 1);
}

// The parent's side of the workers.
struct crew {
    struct series *series;
    pid_t pid[JOBS_MAX];
    struct pollfd pipe[JOBS_MAX];
    struct buf in[JOBS_MAX];
    int alive;
    json_t **waiting; // records that came before their turn
    int next;
    bool stopped;
    struct err *err;
};

// Hands on the records whose turn has come.
static void hand_on(struct crew *crew) {
    struct series *s = crew->series;
    while (!crew->stopped && crew->next < s->games && crew->waiting[crew->next]) {
        json_t *record = crew->waiting[crew->next];
        crew->waiting[crew->next] = NULL;
        crew->stopped = !s->ended(s->owner, crew->next++, record);
    }
}

static void take_lines(struct crew *crew, int job) {
    struct buf *in = &crew->in[job];
    for (char *end; in->length && (end = memchr(in->data, '\n', in->length));) {
        json_t *line = json_loadb(in->data, (size_t)(end - in->data), 0, NULL);
        const int index = (int)json_integer_value(json_object_get(line, "index"));
        const char *error = json_string_value(json_object_get(line, "error"));
        if (error)
            err_set(crew->err, "%s", error);
        else if (index >= 0 && index < crew->series->games && !crew->waiting[index])
            crew->waiting[index] = json_incref(json_object_get(line, "record"));
        json_decref(line);
        buf_drop(in, (size_t)(end - in->data) + 1);
    }
    hand_on(crew);
}

static void listen_to_crew(struct crew *crew) {
    char bytes[65536];
    while (crew->alive > 0 && !crew->stopped) {
        if (poll(crew->pipe, (nfds_t)crew->series->jobs, -1) < 0 && errno != EINTR)
            return;
        for (int job = 0; job < crew->series->jobs; job++) {
            if (!crew->pipe[job].revents)
                continue;
            const ssize_t n = read(crew->pipe[job].fd, bytes, sizeof bytes);
            if (n > 0) {
                buf_put(&crew->in[job], bytes, (size_t)n);
                take_lines(crew, job);
            } else if (n == 0) {
                crew->pipe[job].fd = -1 - crew->pipe[job].fd; // poll passes over it
                crew->pipe[job].revents = 0;
                crew->alive--;
            }
        }
    }
}

static bool play_with_crew(struct series *s, bool *was_interrupted, struct err *err) {
    struct crew *crew = mem_new(1, sizeof *crew);
    *crew = (struct crew){.series = s, .err = err};
    crew->waiting = mem_new((size_t)s->games, sizeof *crew->waiting);
    fflush(NULL);
    signal(SIGINT, SIG_IGN); // the workers hear it; this process collects what they say
    for (int job = 0; job < s->jobs; job++) {
        int ends[2];
        if (pipe(ends) != 0)
            break;
        crew->pid[job] = fork();
        if (crew->pid[job] == 0) {
            close(ends[0]);
            run_worker(s, job, ends[1]);
        }
        close(ends[1]);
        crew->pipe[job] = (struct pollfd){.fd = ends[0], .events = POLLIN};
        crew->alive += crew->pid[job] > 0;
    }
    listen_to_crew(crew);
    for (int job = 0; job < s->jobs; job++) {
        if (crew->stopped && crew->pid[job] > 0)
            kill(crew->pid[job], SIGTERM);
        if (crew->pid[job] > 0)
            waitpid(crew->pid[job], NULL, 0);
        close(crew->pipe[job].fd < 0 ? -1 - crew->pipe[job].fd : crew->pipe[job].fd);
        buf_done(&crew->in[job]);
    }
    *was_interrupted = !crew->stopped && crew->next < s->games && !err->set;
    for (int i = crew->next; i < s->games && !crew->stopped; i++)
        if (crew->waiting[i]) { // finished, though one before it was not
            s->ended(s->owner, i, crew->waiting[i]);
            crew->waiting[i] = NULL;
        }
    for (int i = 0; i < s->games; i++)
        json_decref(crew->waiting[i]);
    free(crew->waiting);
    free(crew);
    return !err->set;
}

bool series_play(struct series *s, bool *was_interrupted, struct err *err) {
    const int units = (s->games + unit_size(s) - 1) / unit_size(s);
    if (s->jobs > units)
        s->jobs = units;
    if (s->jobs > 1)
        return play_with_crew(s, was_interrupted, err);
    struct part part = {.series = s, .step = 1, .ended = ended_here, .err = err};
    cpu_set_t before;
    const bool known = sched_getaffinity(0, sizeof before, &before) == 0;
    pin_to_cores(0, s->cores);
    const bool good = play_part(&part);
    if (known)
        sched_setaffinity(0, sizeof before, &before);
    *was_interrupted = part.interrupted;
    return good;
}
