// SPDX-License-Identifier: MIT
// Whole sessions between the referee's state machine and two players, as text with a fake clock:
// tests/data/sessions/*.txt. A session begins with "== title" and goes on a line a step:
//   game NAME, set KEY=VALUE (rules and penalties), time SECONDS|off, start SECONDS [SECONDS],
//   grace SECONDS, opening MOVES, wire NAME NAME, freeze, untimed P, whole
//                          before the first of the following
//   @ SECONDS              the time is now this; deadlines that have passed are told
//   @@ SECONDS             the same, but the referee has slept so long: no deadline is told, and
//                          what is read now may have come before
//   @~ SECONDS             the same, but the deadlines are told only after what comes now
//   starved SECONDS [SECONDS [SECONDS]]  so long the player whose answer is due has been kept from
//                          running, of that while its opponent ran, and so much more it may be
//   waiting P SECONDS [SECONDS [SECONDS]]  the same of a player that gets ready
//   deadline SECONDS|none  when the referee wants to be told that a time has passed
//   join P                 the player can be reached
//   < P TEXT               the player sends TEXT and \n
//   << P TEXT              the player sends TEXT alone; \n \r \t \\ and \xNN are understood
//   <# P N N ...           the player sends 32-bit integers; "N*COUNT" is N so many times
//   flood P COUNT TEXT     the player sends TEXT so many times, as "<<" does
//   > P TEXT               the referee sends TEXT and \n, exactly
//   >> P TEXT              the referee sends TEXT alone
//   ># P board ID COLOUR   the referee sends a board with this id (stcp); or: stop
//   hold P, release P      the referee holds or releases the player
//   gone P exit N|signal N|closed|process N    "process": it exits, its connection stays
//   gone P memory N           it wanted more than it may have, and had N bytes; -1: not known
//   abort
//   quit P                 the player is told to leave, which is what follows
//   again [swapped]        another game for the same players, who are still connected
//   = WINNER REASON VERDICT   the end: winner 0..2, reason, "none" or PLAYER:word
//   evidence REGEX            of the verdict
//   platform P REGEX          whom a fault of the platform has befallen, and its evidence
//   fault N PLAYER:word PLY   the N-th that was noted, from 1
//   faults N                  how many were noted
//   moves TEXT                all moves, separated by "; "
//   times SECONDS ...         of every move; "-" where the referee played it
//   credits SECONDS ...       of every move: what was not charged to the player
//   late SECONDS SECONDS      how long the turn of the verdict took, and what was not charged
//   name P TEXT               what the player calls itself
// Every step but those of expectation fails if the referee has done something that was not yet
// expected. Whatever has happened, the record made of it must pass its check. All sessions run
// twice, the second time with the players' bytes coming one by one; but not those marked "whole".
#include "check.h"
#include "referee/audit.h"
#include "referee/record.h"
#include "stories.h"

#include <assert.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = STORY_LINE_SIZE, BYTES_SIZE = 1 << 16, SESSIONS_MAX = 400 };

struct run {
    const struct story *session;
    bool by_bytes; // what players send comes byte by byte
    char title[300];
};

struct stage {
    const struct story *session;
    bool by_bytes;
    int at;
    struct match_config config;
    char opening[LINE_SIZE];
    const struct wire_protocol *protocol[2];
    struct wire wire[2];
    int black; // the wire of player 1
    struct match *match;
    int64_t now, deadline;
    struct lateness lateness, start[2];
    bool asleep;               // until now
    struct action pending[64]; // actions not yet expected by a line
    char *bytes[64];
    int count;
    bool ended;
};

static void complain(const struct stage *s, const char *what) {
    fail_msg("%s:%d: %s: %s", s->session->file, s->session->first_number + s->at + 1,
             s->session->line[s->at], what);
}

// Collects the actions that the match wants; deadlines and ends are obeyed at once.
static void collect(struct stage *s) {
    struct action a;
    while (match_next(s->match, &a)) {
        if (a.kind == ACTION_DEADLINE) {
            s->deadline = a.at_us;
        } else if (a.kind == ACTION_END) {
            assert_false(s->ended);
            s->ended = true;
        } else {
            assert_false(s->ended);
            assert_true(s->count < 64);
            s->bytes[s->count] = NULL;
            if (a.kind == ACTION_SEND) {
                s->bytes[s->count] = malloc(a.length + 1);
                memcpy(s->bytes[s->count], a.bytes, a.length);
            }
            s->pending[s->count++] = a;
            if (a.kind == ACTION_SEND)
                match_sent(s->match, a.player, s->now, s->now / 2);
        }
    }
}

static void begin(struct stage *s) {
    if (s->match)
        return;
    for (int i = 0; i < 2; i++)
        if (!s->wire[i].protocol)
            wire_init(&s->wire[i], s->protocol[i]);
    if (*s->opening)
        s->config.opening = s->opening;
    s->match = match_new(&s->config, &s->wire[s->black], &s->wire[1 - s->black]);
    if (!s->match)
        complain(s, "no match can begin so");
    match_start(s->match, s->now);
    collect(s);
}

static struct action take_pending(struct stage *s, char **bytes) {
    if (s->count == 0)
        complain(s, "the referee does nothing");
    const struct action a = s->pending[0];
    *bytes = s->bytes[0];
    s->count--;
    memmove(s->pending, s->pending + 1, (size_t)s->count * sizeof *s->pending);
    memmove(s->bytes, s->bytes + 1, (size_t)s->count * sizeof *s->bytes);
    return a;
}

static size_t unescape(const char *text, char *out) {
    size_t n = 0;
    for (; *text; text++) {
        if (*text != '\\') {
            out[n++] = *text;
            continue;
        }
        const char c = *++text;
        if (c == 'x') {
            const char hex[] = {text[1], text[2], '\0'};
            out[n++] = (char)strtol(hex, NULL, 16);
            text += 2;
        } else {
            out[n++] = c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
        }
    }
    return n;
}

static void expect_bytes(struct stage *s, int player, const char *text, bool line) {
    char wanted[LINE_SIZE], shown[LINE_SIZE], *bytes;
    size_t length = unescape(text, wanted);
    if (line)
        wanted[length++] = '\n';
    const struct action a = take_pending(s, &bytes);
    if (a.kind != ACTION_SEND || a.player != player || a.length != length ||
        memcmp(bytes, wanted, length) != 0) {
        snprintf(shown, sizeof shown, "the referee does %d to %d: %.*s", (int)a.kind, a.player,
                 a.kind == ACTION_SEND ? (int)a.length : 0, bytes ? bytes : "");
        complain(s, shown);
    }
    free(bytes);
}

static int integer(const char *bytes, int i) {
    int n;
    memcpy(&n, bytes + 4 * i, 4); // the tests run on little-endian machines
    return n;
}

static void expect_ints(struct stage *s, int player, const char *text) {
    char *bytes, shown[LINE_SIZE];
    const struct action a = take_pending(s, &bytes);
    if (a.kind != ACTION_SEND || a.player != player)
        complain(s, "the referee does something else");
    const int count = (int)a.length / 4;
    if (integer(bytes, 0) == 0)
        snprintf(shown, sizeof shown, "stop");
    else
        snprintf(shown, sizeof shown, "board %d %d", integer(bytes, 1), integer(bytes, count - 1));
    if (strcmp(shown, text) != 0)
        complain(s, shown);
    free(bytes);
}

static struct lateness lateness_of(const struct stage *s, int64_t woken_late_us) {
    return (struct lateness){.woken_late_us = woken_late_us,
                             .cpu_wait_us = s->lateness.cpu_wait_us,
                             .sure_us = s->lateness.sure_us,
                             .rival_us = s->lateness.rival_us,
                             .maybe_us = s->lateness.maybe_us,
                             .load = 0.5};
}

static void feed(struct stage *s, int player, const char *bytes, size_t length) {
    const size_t part = s->by_bytes ? 1 : length;
    for (; length > 0; bytes += part, length -= part) {
        const bool overdue = match_awaits(s->match) == player && match_is_overdue(s->match, s->now);
        if ((s->asleep || s->lateness.maybe_us > 0) && overdue) {
            const struct lateness lateness =
                lateness_of(s, s->now > s->deadline ? s->now - s->deadline : 0);
            match_excuse(s->match, &lateness);
        }
        match_bytes(s->match, player, bytes, part, s->now, s->now / 2);
        collect(s);
    }
}

static void feed_ints(struct stage *s, int player, char *text) {
    static char bytes[BYTES_SIZE];
    size_t length = 0;
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        char *times;
        const int n = (int)strtoll(word, &times, 0);
        for (int i = *times == '*' ? atoi(times + 1) : 1; i > 0; i--) {
            assert_true(length + 4 <= sizeof bytes);
            memcpy(bytes + length, &n, 4);
            length += 4;
        }
    }
    feed(s, player, bytes, length);
}

// In chunks as a link hands them over.
static void flood(struct stage *s, int player, char *text) {
    static char bytes[BYTES_SIZE];
    char piece[LINE_SIZE], *rest;
    long count = strtol(text, &rest, 10);
    const size_t length = unescape(rest + 1, piece);
    while (count > 0) {
        size_t used = 0;
        for (; count > 0 && used + length <= sizeof bytes; count--, used += length)
            memcpy(bytes + used, piece, length);
        feed(s, player, bytes, used);
    }
}

static int64_t microseconds(const char *text) { return (int64_t)(atof(text) * 1e6 + 0.5); }

// `how` is the mark after the @, if there is one.
static void pass_time(struct stage *s, const char *text, char how) {
    const int64_t until = microseconds(text);
    const struct lateness lateness = lateness_of(s, 100);
    s->asleep = how == '@';
    while (!how && s->deadline > 0 && s->deadline <= until) {
        s->now = s->deadline;
        s->deadline = 0;
        for (int i = 0; i < 2 && match_awaits(s->match) == 0; i++)
            if (s->start[i].cpu_wait_us > 0)
                match_excuse_start(s->match, i + 1, &s->start[i], s->now / 2);
        match_deadline(s->match, &lateness, s->now, s->now / 2);
        collect(s);
    }
    s->now = until;
}

static void read_starved(struct lateness *lateness, const char *text) {
    const char *rival = strchr(text, ' '), *maybe = rival ? strchr(rival + 1, ' ') : NULL;
    *lateness = (struct lateness){.cpu_wait_us = microseconds(text),
                                  .sure_us = microseconds(text),
                                  .rival_us = rival ? microseconds(rival) : 0,
                                  .maybe_us = maybe ? microseconds(maybe) : 0,
                                  .load = 0.5};
}

static void leave(struct stage *s, int player, const char *how) {
    struct departure d = {.closed = true};
    if (sscanf(how, "exit %d", &d.code) == 1 || sscanf(how, "signal %d", &d.signal) == 1)
        d.exited = true;
    if (sscanf(how, "process %d", &d.code) == 1)
        d = (struct departure){.exited = true, .code = d.code};
    long long peak;
    if (sscanf(how, "memory %lld", &peak) == 1)
        d = (struct departure){.over = true, .limit = 64 << 20, .peak = peak};
    match_gone(s->match, player, &d, s->now);
    collect(s);
}

static void quit(struct stage *s, int player) {
    struct buf bye = {.data = NULL};
    wire_quit(&s->wire[player == 1 ? s->black : 1 - s->black], &bye);
    s->pending[s->count] =
        (struct action){.kind = ACTION_SEND, .player = player, .length = bye.length};
    s->bytes[s->count++] = bye.data;
}

// Whatever happens, the record of it must be found true.
static void check_record(struct stage *s) {
    struct conditions conditions = {.time_low_us = s->config.time_us,
                                    .time_high_us = s->config.time_us};
    struct player_limits limits;
    player_limits_init(&limits, s->config.rules.game);
    const struct record_info info = {
        .players = {s->config.untimed[0] ? "human" : "a", s->config.untimed[1] ? "human" : "b"},
        .names = {s->wire[s->black].name, s->wire[1 - s->black].name},
        .number = 1,
        .conditions = &conditions,
        .limits = &limits,
    };
    char why[WHY_TEXT_MAX];
    json_t *made = record_make(s->match, &s->config, &info);
    char *line = record_line(made);
    json_t *record = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    const char *wrong = audit_check(record, why);
    json_decref(record);
    json_decref(made);
    free(line);
    if (wrong)
        complain(s, wrong);
}

static void play_again(struct stage *s, const char *text) {
    if (!s->ended)
        complain(s, "the game goes on");
    check_record(s);
    if (strcmp(text, "swapped") == 0)
        s->black = 1 - s->black;
    match_free(s->match);
    s->match = NULL;
    s->ended = false;
    begin(s);
    for (int player = 1; player <= 2; player++)
        match_joined(s->match, player, s->now);
    collect(s);
}

static void expect_end(struct stage *s, const char *text) {
    char shown[LINE_SIZE];
    const struct fault *f = match_verdict(s->match);
    if (!s->ended || !match_is_over(s->match))
        complain(s, "the game goes on");
    int used =
        snprintf(shown, sizeof shown, "%d %s ", match_winner(s->match), match_reason(s->match));
    if (f)
        snprintf(shown + used, sizeof shown - (size_t)used, "%d:%s", f->player,
                 verdict_word(f->verdict));
    else
        strcpy(shown + used, "none");
    if (strcmp(shown, text) != 0)
        complain(s, shown);
}

static void expect_words(struct stage *s, const char *words, const char *pattern) {
    regex_t regex;
    if (!words || regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        complain(s, "no verdict, or no pattern");
    const bool found = regexec(&regex, words, 0, NULL, 0) == 0;
    regfree(&regex);
    if (!found)
        complain(s, words);
}

static void expect_evidence(struct stage *s, const char *pattern) {
    const struct fault *f = match_verdict(s->match);
    expect_words(s, f ? f->evidence : NULL, pattern);
}

static void expect_platform(struct stage *s, const char *text) {
    int player;
    const char *words = match_platform_fault(s->match, &player);
    if (player != *text - '0')
        complain(s, "it befell somebody else, or nobody");
    expect_words(s, words, text + 2);
}

static void expect_hold(struct stage *s, enum action_kind kind, int player) {
    char *bytes;
    const struct action a = take_pending(s, &bytes);
    free(bytes);
    if (a.kind != kind || a.player != player)
        complain(s, "the referee does something else");
}

static void expect_deadline(struct stage *s, const char *text) {
    char shown[64];
    snprintf(shown, sizeof shown, s->deadline ? "%.9g" : "none", (double)s->deadline / 1e6);
    if (strcmp(shown, text) != 0)
        complain(s, shown);
}

static void expect_fault(struct stage *s, const char *text) {
    const struct fault *faults = NULL;
    char shown[LINE_SIZE];
    const int n = atoi(text);
    if (n < 1 || n > match_faults(s->match, &faults))
        complain(s, "there are not so many");
    const struct fault *f = &faults[n - 1];
    snprintf(shown, sizeof shown, "%d %d:%s %d", n, f->player, verdict_word(f->verdict), f->ply);
    if (strcmp(shown, text) != 0)
        complain(s, shown);
}

static void expect_times(struct stage *s, const char *text) {
    const struct match_move *moves;
    const char *all;
    char shown[LINE_SIZE] = "";
    const int count = match_moves(s->match, &moves, &all);
    for (int i = 0, used = 0; i < count; i++) {
        const size_t room = sizeof shown - (size_t)used;
        if (moves[i].by_referee)
            used += snprintf(shown + used, room, "%s-", i ? " " : "");
        else
            used += snprintf(shown + used, room, "%s%.9g", i ? " " : "", (double)moves[i].us / 1e6);
    }
    if (strcmp(shown, text) != 0)
        complain(s, shown);
}

static void expect_credits(struct stage *s, const char *text) {
    const struct match_move *moves;
    const char *all;
    char shown[LINE_SIZE] = "";
    const int count = match_moves(s->match, &moves, &all);
    for (int i = 0, used = 0; i < count; i++)
        used += snprintf(shown + used, sizeof shown - (size_t)used, "%s%g", i ? " " : "",
                         (double)moves[i].credit_us / 1e6);
    if (strcmp(shown, text) != 0)
        complain(s, shown);
}

static void expect_late(struct stage *s, const char *text) {
    const struct fault *f = match_verdict(s->match);
    char shown[LINE_SIZE];
    snprintf(shown, sizeof shown, "%.9g %.9g", f ? (double)f->us / 1e6 : 0,
             f ? (double)f->credit_us / 1e6 : 0);
    if (strcmp(shown, text) != 0)
        complain(s, shown);
}

static void expect_name(struct stage *s, const char *text) {
    char wanted[LINE_SIZE];
    const int player = *text - '0';
    const char *name = s->wire[player == 1 ? s->black : 1 - s->black].name;
    wanted[unescape(text[1] ? text + 2 : "", wanted)] = '\0';
    if (strcmp(name, wanted) != 0)
        complain(s, name);
}

static void set_rule(struct stage *s, char *text) {
    char why[WHY_TEXT_MAX], *value = strchr(text, '=');
    struct err err = {.set = false};
    *value++ = '\0';
    if (penalties_has(text)) {
        if (!penalties_set(&s->config.penalties, s->config.rules.game, text, value, &err))
            complain(s, err.text);
    } else if (!ruleset_set(&s->config.rules, text, value, why)) {
        complain(s, why);
    }
}

static const struct wire_protocol *find_protocol(const char *name) {
    static const struct wire_protocol *const all[] = {&wire_stcp, &wire_sixline, &wire_pybot,
                                                      &wire_abp};
    for (int i = 0; i < 4; i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}

static bool prepare(struct stage *s, const char *word, char *text) {
    char first[32], second[32];
    if (strcmp(word, "game") == 0) {
        ruleset_init(&s->config.rules, game_find(text));
        penalties_init(&s->config.penalties, game_find(text));
    } else if (strcmp(word, "set") == 0) {
        set_rule(s, text);
    } else if (strcmp(word, "time") == 0) {
        s->config.time_us = strcmp(text, "off") == 0 ? 0 : microseconds(text);
    } else if (strcmp(word, "start") == 0) {
        const char *other = strchr(text, ' ');
        s->config.start_us[0] = microseconds(text);
        s->config.start_us[1] = microseconds(other ? other : text);
    } else if (strcmp(word, "grace") == 0) {
        s->config.grace_us = microseconds(text);
    } else if (strcmp(word, "untimed") == 0) {
        s->config.untimed[*text - '1'] = true;
    } else if (strcmp(word, "whole") == 0) {
        return true; // which is_whole has seen
    } else if (strcmp(word, "opening") == 0) {
        strcpy(s->opening, text);
    } else if (strcmp(word, "freeze") == 0) {
        s->config.freeze = true;
    } else if (strcmp(word, "wire") == 0 && sscanf(text, "%31s %31s", first, second) == 2) {
        s->protocol[0] = find_protocol(first);
        s->protocol[1] = find_protocol(second);
        assert(s->protocol[0] && s->protocol[1]);
    } else {
        return false;
    }
    return true;
}

static void expect_moves(struct stage *s, const char *text) {
    const struct match_move *moves;
    const char *all;
    match_moves(s->match, &moves, &all);
    if (strcmp(all, text) != 0)
        complain(s, all);
}

static void expect_faults(struct stage *s, const char *text) {
    const struct fault *faults = NULL;
    if (match_faults(s->match, &faults) != atoi(text))
        complain(s, "there are more or fewer");
}

// What is said of the state of things, when all that the referee did was expected.
static bool expect_state(struct stage *s, const char *word, const char *text) {
    static const struct {
        const char *word;
        void (*expect)(struct stage *s, const char *text);
    } steps[] = {
        {"=", expect_end},         {"evidence", expect_evidence}, {"fault", expect_fault},
        {"faults", expect_faults}, {"moves", expect_moves},       {"times", expect_times},
        {"name", expect_name},     {"deadline", expect_deadline}, {"credits", expect_credits},
        {"late", expect_late},     {"platform", expect_platform},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (strcmp(steps[i].word, word) == 0) {
            steps[i].expect(s, text);
            return true;
        }
    return false;
}

// What the referee did, one thing after the other.
static bool expect_action(struct stage *s, const char *word, int player, const char *text) {
    if (strcmp(word, ">") == 0 || strcmp(word, ">>") == 0)
        expect_bytes(s, player, text, word[1] == '\0');
    else if (strcmp(word, ">#") == 0)
        expect_ints(s, player, text);
    else if (strcmp(word, "hold") == 0)
        expect_hold(s, ACTION_HOLD, player);
    else if (strcmp(word, "release") == 0)
        expect_hold(s, ACTION_RELEASE, player);
    else
        return false;
    return true;
}

static void happen(struct stage *s, const char *word, int player, char *text) {
    char bytes[LINE_SIZE];
    if (strcmp(word, "@") == 0 || strcmp(word, "@@") == 0 || strcmp(word, "@~") == 0) {
        pass_time(s, text, word[1]);
    } else if (strcmp(word, "starved") == 0) {
        read_starved(&s->lateness, text);
    } else if (strcmp(word, "waiting") == 0) {
        read_starved(&s->start[player - 1], text);
    } else if (strcmp(word, "join") == 0) {
        match_joined(s->match, player, s->now);
        collect(s);
    } else if (strcmp(word, "<") == 0 || strcmp(word, "<<") == 0) {
        size_t length = unescape(text, bytes);
        if (word[1] == '\0')
            bytes[length++] = '\n';
        feed(s, player, bytes, length);
    } else if (strcmp(word, "<#") == 0) {
        feed_ints(s, player, text);
    } else if (strcmp(word, "flood") == 0) {
        flood(s, player, text);
    } else if (strcmp(word, "gone") == 0) {
        leave(s, player, text);
    } else if (strcmp(word, "abort") == 0) {
        match_abort(s->match, text);
        collect(s);
    } else if (strcmp(word, "quit") == 0) {
        quit(s, player);
    } else if (strcmp(word, "again") == 0) {
        play_again(s, text);
    } else {
        complain(s, "no such step");
    }
}

static void run_step(struct stage *s) {
    char line[LINE_SIZE];
    snprintf(line, sizeof line, "%s", s->session->line[s->at]);
    if (!*line)
        return;
    char *text = strchr(line, ' ');
    if (text)
        *text++ = '\0';
    else
        text = line + strlen(line);
    if (prepare(s, line, text))
        return;
    begin(s);
    const bool named =
        *line != '@' && strcmp(line, "starved") != 0 && (*text == '1' || *text == '2');
    const int player = named ? *text - '0' : 0;
    char *rest = player ? text + 1 + (text[1] == ' ') : text;
    if (expect_action(s, line, player, rest))
        return;
    if (s->count > 0)
        complain(s, "the referee has done more than was expected");
    if (!expect_state(s, line, text))
        happen(s, line, player, rest);
}

static void test_session(void **state) {
    const struct run *run = *state;
    struct stage s = {.session = run->session,
                      .by_bytes = run->by_bytes,
                      .config = {.start_us = {10000000, 10000000}},
                      .protocol = {&wire_abp, &wire_abp}};
    for (; s.at < s.session->lines; s.at++)
        run_step(&s);
    s.at--;
    if (!s.ended || s.count > 0)
        complain(&s, "the session ends before the game");
    check_record(&s);
    match_free(s.match);
    for (int i = 0; i < 2; i++)
        wire_done(&s.wire[i]);
}

// Sessions of which a part of what comes would be something else.
static bool is_whole(const struct story *session) {
    for (int i = 0; i < session->lines; i++)
        if (strcmp(session->line[i], "whole") == 0)
            return true;
    return false;
}

static int add_run(struct run *run, const struct story *session, bool by_bytes) {
    *run = (struct run){.session = session, .by_bytes = by_bytes};
    snprintf(run->title, sizeof run->title, "%.250s%s", session->title,
             by_bytes ? ", byte by byte" : "");
    return 1;
}

int main(void) {
    static struct story sessions[SESSIONS_MAX];
    static struct run runs[2 * SESSIONS_MAX];
    static struct CMUnitTest tests[2 * SESSIONS_MAX];
    const int count = stories_read("sessions", sessions, SESSIONS_MAX);
    int run_count = 0;
    for (int i = 0; i < count; i++) {
        run_count += add_run(&runs[run_count], &sessions[i], false);
        if (!is_whole(&sessions[i]))
            run_count += add_run(&runs[run_count], &sessions[i], true);
    }
    for (int i = 0; i < run_count; i++)
        tests[i] = (struct CMUnitTest){
            .name = runs[i].title, .test_func = test_session, .initial_state = &runs[i]};
    const int failed = _cmocka_run_group_tests("sessions", tests, (size_t)run_count, NULL, NULL);
    stories_free(sessions, count);
    return failed;
}
