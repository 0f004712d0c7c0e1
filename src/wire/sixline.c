// SPDX-License-Identifier: MIT
// docs/protocol.md, section B.
#include "games/text.h"
#include "wire/lines.h"
#include "wire/wire.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { STEP_START, STEP_INFO, STEP_BLOCKS };

// The blocked cells of the ruleset as they are written there, "x,y x,y"; "" for none.
static const char *blocks_of(const struct ruleset *rules) {
    for (int i = 0; i < rules->game->rule_count; i++)
        if (strcmp(rules->game->rules[i].key, "blocks") == 0 && strcmp(rules->text[i], "none") != 0)
            return rules->text[i];
    return "";
}

static void sixline_greet(struct wire *w, struct buf *out) {
    w->step = STEP_START;
    buf_text(out, "START\n");
}

// "TeamName:NAME,Department:DEPT", blanks after colons and comma.
static bool read_info(struct wire *w, const char *line) {
    static const char team[] = "TeamName", department[] = "Department";
    if (strncasecmp(line, team, sizeof team - 1) != 0)
        return false;
    const char *name = strchr(line, ':'), *comma = strchr(line, ',');
    if (!name || !comma || name > comma)
        return false;
    const char *second = comma + 1 + strspn(comma + 1, " ");
    if (strncasecmp(second, department, sizeof department - 1) != 0 || !strchr(second, ':'))
        return false;
    name += 1 + strspn(name + 1, " ");
    while (comma > name && comma[-1] == ' ')
        comma--;
    wire_set_text(w->name, name, (size_t)(comma - name));
    second = strchr(second, ':') + 1;
    second += strspn(second, " ");
    wire_set_text(w->department, second, strlen(second));
    return true;
}

// The next of the blocked cells, or the end of the greeting. `step` counts those that were told.
static enum wire_event tell_block(struct wire *w, struct buf *out) {
    const char *at = blocks_of(w->rules);
    int x = 0, y = 0;
    for (int step = STEP_BLOCKS; step <= w->step; step++) {
        text_take_blanks(&at);
        if (!text_take_pair(&at, &x, &y))
            return WIRE_READY;
    }
    buf_format(out, "BLOCK %d,%d\n", x, y);
    w->step++;
    return WIRE_SKIPPED;
}

static enum wire_event refuse(struct wire *w, const char *why) {
    struct buf line = w->words;
    w->words = (struct buf){.data = NULL};
    buf_format(&w->words, "%s: %.200s", why, line.data);
    buf_done(&line);
    return WIRE_REFUSED;
}

static enum wire_event take_greeting(struct wire *w, struct buf *out) {
    const char *line = w->words.data;
    if (w->step == STEP_INFO) {
        if (!read_info(w, line))
            return refuse(w, "INFO is wrong");
        if (w->time_us > 0)
            buf_format(out, "LimitTime %lld\n", (long long)((w->time_us + 999999) / 1000000));
        w->step = STEP_BLOCKS;
        return tell_block(w, out);
    }
    if (strcasecmp(line, "OK") != 0)
        return refuse(w, w->step == STEP_START ? "not a valid AI file, START was answered by"
                                               : "BLOCK was answered by");
    if (w->step != STEP_START)
        return tell_block(w, out);
    buf_text(out, "INFO\n");
    w->step = STEP_INFO;
    return WIRE_SKIPPED;
}

static void sixline_ask(struct wire *w, const struct wire_request *request, struct buf *out) {
    wire_read_all(w); // what came before the question is no answer to it
    if (!*request->last) {
        buf_text(out, "BEGIN\n");
        return;
    }
    buf_text(out, "TURN ");
    for (const char *c = request->last; *c; c++)
        if (*c != ';')
            buf_put(out, c, 1);
    buf_text(out, "\n");
}

// A coordinate; negative ones too, so that the rules refuse them and not the reader.
static bool read_number(const char **at, long *n) {
    char *end;
    *n = strtol(*at, &end, 10);
    if (end == *at)
        return false;
    *at = end + strspn(end, " ");
    return true;
}

static enum wire_event take_move(struct wire *w) {
    struct buf moves = {.data = NULL};
    const char *at = w->words.data;
    for (int i = 0; i < w->due; i++) {
        long x, y;
        if (!read_number(&at, &x) || *at++ != ',' || !read_number(&at, &y))
            break;
        buf_format(&moves, "%s%ld,%ld", i ? ";" : "", x, y);
    }
    if (moves.length == 0)
        return WIRE_NO_MOVE;
    buf_done(&w->words); // fewer than due are for the referee to judge: the first may have decided
    w->words = moves;
    return WIRE_ANSWER;
}

static enum wire_event sixline_take(struct wire *w, struct buf *out) {
    if (!wire_take_line(w))
        return WIRE_NOTHING;
    if (w->words.length == 0 || strncasecmp(w->words.data, "ERROR", 5) == 0)
        return WIRE_SKIPPED;
    if (!w->greeted)
        return take_greeting(w, out);
    return w->asked ? take_move(w) : WIRE_SKIPPED;
}

static void sixline_quit(struct wire *w, struct buf *out) {
    (void)w;
    buf_text(out, "QUIT\n");
}

const struct wire_protocol wire_sixline = {
    .name = "sixline",
    .own = true,
    .one_game = true,
    .greet = sixline_greet,
    .ask = sixline_ask,
    .take = sixline_take,
    .quit = sixline_quit,
};
