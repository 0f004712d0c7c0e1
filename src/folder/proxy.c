// SPDX-License-Identifier: MIT
// A question is a head and its bytes: the state where there is one, then a number and texts. The
// answer has the same form. Both ends are the same program, so numbers travel as they are.
//
// The functions of struct game do not say whose they are, so there is a set of them for each of a
// many places, written by a macro.
//
// A failure is that of whoever asked. What he still asks before he notices is answered at once, so
// that rules which hang hold the server up but once; then proxy_forget begins a new turn.
#include "folder/proxy.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/fds.h"
#include "base/mem.h"
#include "base/path.h"
#include "folder/facts.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    READY_MS = 1000,  // waited for one that has just been started, by who begins a game
    ANSWER_MS = 3000, // from question to answer; the watchdog of the child is faster
    FAILURES_MAX = 3, // within this time; then the rules are not asked until it is over
    FAILURES_US = 30000000,
    MEMORY_BYTES = 1 << 30,    // of a child
    TEXT_ROOM = DRAW_TEXT_MAX, // the largest text of all
    LIST_ROOM = FACTS_MOVES_MAX * sizeof(move),
    WHYS = 16,
};

enum call {
    CALL_START,
    CALL_TURN,
    CALL_DUE,
    CALL_COUNT,
    CALL_NTH,
    CALL_MOVES,
    CALL_ILLEGAL,
    CALL_APPLY,
    CALL_OUTCOME,
    CALL_SCORES,
    CALL_WRITE_MOVE,
    CALL_READ_MOVE,
    CALL_WRITE_STATE,
    CALL_DRAW,
};

// What goes over, both ways. `text` is as long as `length` says, and may hold a list of moves.
struct proxy_message {
    uint32_t call;
    uint32_t number[2];
    uint32_t length;
    bool flag;
    unsigned char state[GAME_STATE_MAX];
    char text[LIST_ROOM];
};
_Static_assert((int)LIST_ROOM >= (int)TEXT_ROOM, "texts fit where lists do");

#define READY "+" // the first that a child says

enum { HEAD = offsetof(struct proxy_message, state) };

struct proxy_place {
    const struct game *game;
    pid_t child; // 0: there is none
    bool ready;  // it has said so: its object may have to be made first
    int socket, failures;
    int64_t failed_us[FAILURES_MAX]; // newest first; 0: it has not
    unsigned failed_turn;            // in which it has failed last, or was not ready
    char failure[256];
    char why[WHYS][WHY_TEXT_MAX];
    unsigned whys;
};

static struct proxy_place places[PROXIES_MAX];
static int place_count;
static unsigned turn = 1;

// Messages.

static bool send_message(int fd, const struct game *game, const struct proxy_message *m) {
    return fds_write(fd, m, HEAD) && fds_write(fd, m->state, game->state_size) &&
           fds_write(fd, m->text, m->length);
}

static bool take(int fd, void *bytes, size_t length, int64_t until_us) {
    for (size_t done = 0; done < length;) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        const int64_t left = until_us ? (until_us - clock_now_us()) / 1000 : -1;
        if (until_us && left <= 0)
            return false;
        if (until_us && poll(&wait, 1, (int)left) < 0 && errno != EINTR)
            return false;
        if (until_us && !wait.revents)
            continue;
        const ssize_t got = read(fd, (char *)bytes + done, length - done);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool take_message(int fd, const struct game *game, struct proxy_message *m,
                         int64_t until_us) {
    return take(fd, m, HEAD, until_us) && m->length <= sizeof m->text &&
           take(fd, m->state, game->state_size, until_us) && take(fd, m->text, m->length, until_us);
}

// The server's end.

_Noreturn static void become_host(const struct game *game, int socket, int failures) {
    char program[PATH_PROGRAM_MAX];
    dup2(socket, STDIN_FILENO);
    dup2(socket, STDOUT_FILENO);
    dup2(failures, STDERR_FILENO);
    execl(path_of_program(program), "arbiter", "game", "host", game->name, (char *)NULL);
    _exit(127);
}

static bool start_host(struct proxy_place *p) {
    int pair[2], said[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    if (pipe2(said, O_CLOEXEC | O_NONBLOCK) != 0) {
        close(pair[0]);
        close(pair[1]);
        return false;
    }
    p->child = child_fork(SIGKILL);
    if (p->child == 0)
        become_host(p->game, pair[1], said[1]);
    close(pair[1]);
    close(said[1]);
    p->socket = pair[0];
    p->failures = said[0];
    p->ready = false;
    if (p->child > 0)
        return true;
    close(pair[0]);
    close(said[0]);
    p->child = 0;
    return false;
}

static void end_host(struct proxy_place *p) {
    if (!p->child)
        return;
    kill(p->child, SIGKILL);
    child_wait(p->child);
    close(p->socket);
    close(p->failures);
    p->child = 0;
}

static void count_failure(struct proxy_place *p) {
    memmove(p->failed_us + 1, p->failed_us, (FAILURES_MAX - 1) * sizeof *p->failed_us);
    p->failed_us[0] = clock_now_us();
    p->failed_turn = turn;
}

static bool is_refused(const struct proxy_place *p) {
    const int64_t first_us = p->failed_us[FAILURES_MAX - 1];
    return first_us && clock_now_us() - first_us < FAILURES_US;
}

static void note_failure(struct proxy_place *p, bool late) {
    char said[sizeof p->failure] = "";
    const ssize_t got = p->child ? read(p->failures, said, sizeof said - 1) : 0;
    said[got > 0 ? got : 0] = '\0';
    said[strcspn(said, "\n")] = '\0';
    const char *words = strncmp(said, "arbiter: ", 9) == 0 ? said + 9 : said;
    if (*words)
        snprintf(p->failure, sizeof p->failure, "%s", words);
    else
        snprintf(p->failure, sizeof p->failure, "the rules of %.31s failed: %s", p->game->name,
                 late ? "they do not answer" : "they have ended");
    count_failure(p);
    end_host(p);
}

// Whether the child can be asked. If it takes its time it is left alone, and asked the next time. A
// game that is played waits longer: its object was made when it began.
static bool be_ready(struct proxy_place *p, bool is_played) {
    char byte;
    struct pollfd wait = {.fd = p->socket, .events = POLLIN};
    if (p->ready)
        return true;
    if (poll(&wait, 1, is_played ? ANSWER_MS : READY_MS) <= 0) {
        p->failed_turn = turn;
        snprintf(p->failure, sizeof p->failure,
                 "the rules of %.31s are being made ready on this machine; try again in a moment",
                 p->game->name);
        return false;
    }
    p->ready = read(p->socket, &byte, 1) == 1;
    if (!p->ready)
        note_failure(p, false);
    return p->ready;
}

// Asks, and waits for the answer, which is in the same message; false: the rules have failed.
static bool ask(struct proxy_place *p, struct proxy_message *m) {
    if (p->failed_turn == turn || is_refused(p))
        return false;
    if ((p->child || start_host(p)) && !be_ready(p, m->call != CALL_START))
        return false;
    const int64_t until_us = clock_now_us() + ANSWER_MS * INT64_C(1000);
    if (p->child && send_message(p->socket, p->game, m) &&
        take_message(p->socket, p->game, m, until_us))
        return true;
    note_failure(p, clock_now_us() >= until_us);
    return false;
}

static struct proxy_message *question(struct proxy_place *p, enum call call, const void *state) {
    static struct proxy_message m; // one process, one thread asks
    m.call = call;
    m.number[0] = m.number[1] = 0;
    m.length = 0;
    m.flag = false;
    if (state)
        memcpy(m.state, state, p->game->state_size);
    return &m;
}

static void put_text(struct proxy_message *m, const char *text, size_t most) {
    m->length = (uint32_t)strnlen(text, most);
    memcpy(m->text, text, m->length);
}

static void take_text(const struct proxy_message *m, char *text, size_t size) {
    const size_t length = m->length < size - 1 ? m->length : size - 1;
    memcpy(text, m->text, length);
    text[length] = '\0';
}

static const char *keep_why(struct proxy_place *p, const struct proxy_message *m) {
    char *why = p->why[p->whys++ % WHYS];
    if (m)
        take_text(m, why, WHY_TEXT_MAX);
    else
        snprintf(why, WHY_TEXT_MAX, "%.230s", p->failure);
    return why;
}

static bool ask_start(struct proxy_place *p, void *state, const struct ruleset *rules,
                      const char *position, char *why) {
    struct proxy_message *m = question(p, CALL_START, NULL);
    size_t at = 0;
    memset(m->state, 0, p->game->state_size);
    for (int i = 0; i < p->game->rule_count; i++, at += RULE_TEXT_MAX)
        memcpy(m->text + at, rules->text[i], RULE_TEXT_MAX);
    m->flag = position != NULL;
    if (position) {
        const size_t length = strnlen(position, STATE_TEXT_MAX);
        memcpy(m->text + at, position, length);
        at += length;
    }
    m->length = (uint32_t)at;
    const bool answered = ask(p, m);
    if (answered && m->flag)
        memcpy(state, m->state, p->game->state_size);
    else
        snprintf(why, WHY_TEXT_MAX, "%s", keep_why(p, answered ? m : NULL));
    return answered && m->flag;
}

static int ask_number(struct proxy_place *p, enum call call, const void *state, int without) {
    struct proxy_message *m = question(p, call, state);
    return ask(p, m) ? (int)m->number[0] : without;
}

static move ask_nth(struct proxy_place *p, const void *state, int n) {
    struct proxy_message *m = question(p, CALL_NTH, state);
    m->number[0] = (uint32_t)n;
    return ask(p, m) ? m->number[0] : 0;
}

static int ask_moves(struct proxy_place *p, const void *state, move *list) {
    struct proxy_message *m = question(p, CALL_MOVES, state);
    const int count = ask(p, m) ? (int)(m->length / sizeof *list) : 0;
    if (count > p->game->moves_max)
        return 0;
    memcpy(list, m->text, (size_t)count * sizeof *list);
    return count;
}

static const char *ask_illegal(struct proxy_place *p, const void *state, move tried) {
    struct proxy_message *m = question(p, CALL_ILLEGAL, state);
    m->number[0] = tried;
    if (!ask(p, m))
        return keep_why(p, NULL);
    return m->flag ? NULL : keep_why(p, m);
}

static void ask_apply(struct proxy_place *p, void *state, move played) {
    struct proxy_message *m = question(p, CALL_APPLY, state);
    m->number[0] = played;
    if (ask(p, m))
        memcpy(state, m->state, p->game->state_size);
}

// A game whose rules have failed is over without a winner.
static struct outcome ask_outcome(struct proxy_place *p, const void *state) {
    struct proxy_message *m = question(p, CALL_OUTCOME, state);
    if (!ask(p, m))
        return (struct outcome){.ending = p->game->ending_count - 1};
    return (struct outcome){.ending = (int)m->number[0], .winner = (int)m->number[1]};
}

static void ask_scores(struct proxy_place *p, const void *state, int scores[static 2]) {
    struct proxy_message *m = question(p, CALL_SCORES, state);
    const bool answered = ask(p, m);
    for (int i = 0; i < 2; i++)
        scores[i] = answered ? (int)m->number[i] : 0;
}

static void ask_text(struct proxy_place *p, struct proxy_message *m, char *text, size_t size) {
    if (ask(p, m))
        take_text(m, text, size);
    else
        snprintf(text, size, "?");
}

static void ask_write_move(struct proxy_place *p, const void *state, move written, char *text) {
    struct proxy_message *m = question(p, CALL_WRITE_MOVE, state);
    m->number[0] = written;
    ask_text(p, m, text, MOVE_TEXT_MAX);
}

static const char *ask_read_move(struct proxy_place *p, const void *state, const char *text,
                                 move *out) {
    struct proxy_message *m = question(p, CALL_READ_MOVE, state);
    put_text(m, text, MOVE_TEXT_MAX);
    if (!ask(p, m))
        return keep_why(p, NULL);
    if (m->flag)
        *out = m->number[0];
    return m->flag ? NULL : keep_why(p, m);
}

static void ask_draw(struct proxy_place *p, const void *state, bool colour, char *text) {
    struct proxy_message *m = question(p, CALL_DRAW, state);
    m->flag = colour;
    ask_text(p, m, text, DRAW_TEXT_MAX);
}

// The sets of functions.

#define SET(n)                                                                                     \
    static bool start_##n(void *s, const struct ruleset *r, const char *at,                        \
                          char why[static WHY_TEXT_MAX]) {                                         \
        return ask_start(&places[n], s, r, at, why);                                               \
    }                                                                                              \
    static int turn_##n(const void *s) { return ask_number(&places[n], CALL_TURN, s, 0); }         \
    static int due_##n(const void *s) { return ask_number(&places[n], CALL_DUE, s, 1); }           \
    static int count_##n(const void *s) { return ask_number(&places[n], CALL_COUNT, s, 0); }       \
    static move nth_##n(const void *s, int i) { return ask_nth(&places[n], s, i); }                \
    static int moves_##n(const void *s, move *list) { return ask_moves(&places[n], s, list); }     \
    static const char *illegal_##n(const void *s, move m) {                                        \
        return ask_illegal(&places[n], s, m);                                                      \
    }                                                                                              \
    static void apply_##n(void *s, move m) { ask_apply(&places[n], s, m); }                        \
    static struct outcome outcome_##n(const void *s) { return ask_outcome(&places[n], s); }        \
    static void scores_##n(const void *s, int out[static 2]) { ask_scores(&places[n], s, out); }   \
    static void write_move_##n(const void *s, move m, char text[static MOVE_TEXT_MAX]) {           \
        ask_write_move(&places[n], s, m, text);                                                    \
    }                                                                                              \
    static const char *read_move_##n(const void *s, const char *text, move *m) {                   \
        return ask_read_move(&places[n], s, text, m);                                              \
    }                                                                                              \
    static void write_state_##n(const void *s, char text[static STATE_TEXT_MAX]) {                 \
        ask_text(&places[n], question(&places[n], CALL_WRITE_STATE, s), text, STATE_TEXT_MAX);     \
    }                                                                                              \
    static void draw_##n(const void *s, bool colour, char text[static DRAW_TEXT_MAX]) {            \
        ask_draw(&places[n], s, colour, text);                                                     \
    }

// Numbers of two digits, so that they can be put together.
#define EACH_16(X, h)                                                                              \
    X(0x##h##0)                                                                                    \
    X(0x##h##1)                                                                                    \
    X(0x##h##2)                                                                                    \
    X(0x##h##3)                                                                                    \
    X(0x##h##4)                                                                                    \
    X(0x##h##5)                                                                                    \
    X(0x##h##6)                                                                                    \
    X(0x##h##7)                                                                                    \
    X(0x##h##8)                                                                                    \
    X(0x##h##9)                                                                                    \
    X(0x##h##a) X(0x##h##b) X(0x##h##c) X(0x##h##d) X(0x##h##e) X(0x##h##f)
#define EACH(X)                                                                                    \
    EACH_16(X, 0)                                                                                  \
    EACH_16(X, 1)                                                                                  \
    EACH_16(X, 2)                                                                                  \
    EACH_16(X, 3)                                                                                  \
    EACH_16(X, 4)                                                                                  \
    EACH_16(X, 5)                                                                                  \
    EACH_16(X, 6)                                                                                  \
    EACH_16(X, 7)                                                                                  \
    EACH_16(X, 8)                                                                                  \
    EACH_16(X, 9)                                                                                  \
    EACH_16(X, a) EACH_16(X, b) EACH_16(X, c) EACH_16(X, d) EACH_16(X, e) EACH_16(X, f)

EACH(SET)

#define ROW(n)                                                                                     \
    {.start = start_##n,                                                                           \
     .turn = turn_##n,                                                                             \
     .due = due_##n,                                                                               \
     .count = count_##n,                                                                           \
     .nth = nth_##n,                                                                               \
     .moves = moves_##n,                                                                           \
     .illegal = illegal_##n,                                                                       \
     .apply = apply_##n,                                                                           \
     .outcome = outcome_##n,                                                                       \
     .scores = scores_##n,                                                                         \
     .write_move = write_move_##n,                                                                 \
     .read_move = read_move_##n,                                                                   \
     .write_state = write_state_##n,                                                               \
     .draw = draw_##n},

static const struct game functions[] = {EACH(ROW)};
_Static_assert(sizeof functions / sizeof *functions == PROXIES_MAX, "a set for each place");

// A game that replaces one of its name takes its place, if who still holds the old one can ask
// there without harm.
bool proxy_give(struct game *game) {
    int i = 0;
    while (i < place_count && (strcmp(places[i].game->name, game->name) != 0 ||
                               places[i].game->state_size != game->state_size ||
                               places[i].game->rule_count != game->rule_count))
        i++;
    if (i == PROXIES_MAX)
        return false;
    place_count += i == place_count;
    end_host(&places[i]);
    places[i].game = game;
    places[i].failed_turn = 0;
    memset(places[i].failed_us, 0, sizeof places[i].failed_us);
    game_take_functions(game, &functions[i]);
    return true;
}

static struct proxy_place *place_of(const struct game *game) {
    for (int i = 0; i < place_count; i++)
        if (functions[i].start == game->start)
            return &places[i];
    return NULL;
}

const char *proxy_failure(const struct game *game) {
    const struct proxy_place *p = place_of(game);
    return p && (p->failed_turn == turn || is_refused(p)) ? p->failure : NULL;
}

void proxy_forget(void) { turn++; }

bool proxy_fail(const struct game *game, const char *call, const char *why) {
    struct proxy_place *p = place_of(game);
    if (!p)
        return false;
    snprintf(p->failure, sizeof p->failure, "the rules of %.31s failed: %.40s: %.150s", game->name,
             call, why);
    count_failure(p);
    return true;
}

// The child's end.

static void answer_start(const struct game *game, struct proxy_message *m) {
    struct ruleset rules;
    char why[WHY_TEXT_MAX] = "", position[STATE_TEXT_MAX + 1] = "";
    const size_t values = (size_t)game->rule_count * RULE_TEXT_MAX;
    bool good = m->length >= values;
    ruleset_init(&rules, game);
    for (int i = 0; good && i < game->rule_count; i++) {
        char *value = m->text + (size_t)i * RULE_TEXT_MAX;
        value[RULE_TEXT_MAX - 1] = '\0';
        good = ruleset_set(&rules, game->rules[i].key, value, why);
    }
    if (good && m->flag && m->length - values < sizeof position)
        memcpy(position, m->text + values, m->length - values);
    m->flag = good && game->start(m->state, &rules, m->flag ? position : NULL, why);
    put_text(m, why, sizeof why);
}

static void answer_text(struct proxy_message *m, const char *why) {
    m->flag = !why;
    m->length = 0;
    if (why)
        put_text(m, why, WHY_TEXT_MAX);
}

static void answer(const struct game *game, struct proxy_message *m) {
    const move asked = m->number[0];
    struct outcome end;
    int scores[2] = {0, 0};
    switch ((enum call)m->call) {
    case CALL_START:
        answer_start(game, m);
        return;
    case CALL_TURN:
        m->number[0] = (uint32_t)game->turn(m->state);
        break;
    case CALL_DUE:
        m->number[0] = (uint32_t)game->due(m->state);
        break;
    case CALL_COUNT:
        m->number[0] = (uint32_t)game->count(m->state);
        break;
    case CALL_NTH:
        m->number[0] = game->nth(m->state, (int)asked);
        break;
    case CALL_MOVES:
        m->length = (uint32_t)game->moves(m->state, (move *)(void *)m->text) * sizeof(move);
        return;
    case CALL_ILLEGAL:
        answer_text(m, game->illegal(m->state, asked));
        return;
    case CALL_APPLY:
        game->apply(m->state, asked);
        break;
    case CALL_OUTCOME:
        end = game->outcome(m->state);
        m->number[0] = (uint32_t)end.ending;
        m->number[1] = (uint32_t)end.winner;
        break;
    case CALL_SCORES:
        game->scores(m->state, scores);
        m->number[0] = (uint32_t)scores[0];
        m->number[1] = (uint32_t)scores[1];
        break;
    case CALL_WRITE_MOVE:
        game->write_move(m->state, asked, m->text);
        m->length = (uint32_t)strlen(m->text);
        return;
    case CALL_READ_MOVE:
        m->text[m->length < MOVE_TEXT_MAX ? m->length : MOVE_TEXT_MAX - 1] = '\0';
        answer_text(m, game->read_move(m->state, m->text, &m->number[0]));
        return;
    case CALL_WRITE_STATE:
        game->write_state(m->state, m->text);
        m->length = (uint32_t)strlen(m->text);
        return;
    case CALL_DRAW:
        game->draw(m->state, m->flag, m->text);
        m->length = (uint32_t)strlen(m->text);
        return;
    }
    m->length = 0;
}

int proxy_host(const struct game *game, int in, int out) {
    static struct proxy_message m;
    const struct rlimit memory = {MEMORY_BYTES, MEMORY_BYTES};
    if (!mem_is_sanitized())
        setrlimit(RLIMIT_AS, &memory);
    if (!fds_write(out, READY, 1))
        return 1;
    while (take_message(in, game, &m, 0)) {
        answer(game, &m);
        if (!send_message(out, game, &m))
            return 1;
    }
    return 0;
}
