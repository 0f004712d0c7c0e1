// SPDX-License-Identifier: MIT
// docs/protocol.md, section D.
#include "base/mem.h"
#include "spec/spec.h"
#include "wire/lines.h"
#include "wire/wire.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void abp_greet(struct wire *w, struct buf *out) {
    buf_format(out, "abp 1 %s\n", w->rules->game->name);
}

// The settings that are not standard.
static void put_settings(const struct ruleset *rules, struct buf *out) {
    const char *between = "";
    for (int i = 0; i < rules->game->rule_count; i++) {
        const struct rule *rule = &rules->game->rules[i];
        if (strcmp(rules->text[i], rule->standard) == 0)
            continue;
        buf_text(out, between);
        buf_text(out, rule->key);
        buf_text(out, "=");
        buf_text(out, rules->text[i]);
        between = "; ";
    }
}

// For players that have no rules of their own, in games whose row says so.
static void put_position(const struct game *game, const void *state, struct buf *out) {
    const struct spec *spec = spec_of(game);
    if (spec->tells_position) {
        char text[STATE_TEXT_MAX];
        game->write_state(state, text);
        buf_format(out, " | position %s", text);
    }
    if (!spec->tells_legal)
        return;
    move *list = mem_new((size_t)game->moves_max, sizeof *list);
    const int count = game->moves(state, list);
    buf_text(out, " | legal ");
    for (int i = 0; i < count; i++) {
        char text[MOVE_TEXT_MAX];
        game->write_move(state, list[i], text);
        buf_format(out, "%s%s", i ? "; " : "", text);
    }
    free(list);
}

static void abp_ask(struct wire *w, const struct wire_request *request, struct buf *out) {
    char head[120];
    int length = snprintf(head, sizeof head, "go id=%d time=%lld due=%d player=%d", w->id,
                          (long long)((request->time_us + 999) / 1000), request->due, w->seat);
    if (request->seed)
        length +=
            snprintf(head + length, sizeof head - (size_t)length, " seed=%" PRIu32, request->seed);
    buf_put(out, head, (size_t)length);
    if (w->used_us >= 0)
        buf_format(out, " used=%.3f", (double)w->used_us / 1000);
    buf_text(out, " | ");
    put_settings(w->rules, out);
    buf_text(out, " | ");
    buf_text(out, request->moves);
    put_position(w->rules->game, request->state, out);
    buf_text(out, "\n");
}

// Leaves `text`, which stands inside the words, as the words.
static void keep(struct wire *w, const char *text) {
    buf_drop(&w->words, (size_t)(text - w->words.data));
}

static enum wire_event take_greeting(struct wire *w) {
    const char *line = w->words.data, *name = wire_after(line, "ready"),
               *why = wire_after(line, "refuse");
    if (why) {
        keep(w, why);
        return WIRE_REFUSED;
    }
    if (!name)
        return WIRE_SKIPPED;
    wire_set_text(w->name, name, strlen(name));
    return WIRE_READY;
}

static enum wire_event abp_take(struct wire *w, struct buf *out) {
    (void)out;
    if (!wire_take_line(w))
        return WIRE_NOTHING;
    if (!w->greeted)
        return take_greeting(w);
    const char *answer = wire_after(w->words.data, "move");
    if (!answer)
        return WIRE_SKIPPED;
    char *end;
    const char *id = strncmp(answer, "id=", 3) == 0 ? answer + 3 : "";
    const long number = strtol(id, &end, 10);
    const bool well_formed = end != id && (*end == ' ' || *end == '\0');
    if (well_formed && (number < 1 || number > w->id))
        return WIRE_FOUL;
    if (!w->asked || (well_formed && number != w->id))
        return WIRE_SKIPPED;
    if (!well_formed)
        return WIRE_NO_MOVE;
    keep(w, end + (*end == ' '));
    return WIRE_ANSWER;
}

static void abp_over(struct wire *w, int winner, const char *reason, struct buf *out) {
    (void)w;
    buf_format(out, "over winner=%d reason=%s\n", winner, reason);
}

static void abp_quit(struct wire *w, struct buf *out) {
    (void)w;
    buf_text(out, "quit\n");
}

const struct wire_protocol wire_abp = {
    .name = "abp",
    .greet = abp_greet,
    .ask = abp_ask,
    .take = abp_take,
    .over = abp_over,
    .quit = abp_quit,
};
