// SPDX-License-Identifier: MIT
#include "contest/report.h"

#include "base/mem.h"
#include "contest/remark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Points and games of each pair of the field, by place there.
struct report_cell {
    int doubled, played;
};

static struct report_cell *make_cross(const struct state *s) {
    const int all = s->plan->player_count;
    struct report_cell *cells = mem_new((size_t)all * (size_t)all, sizeof *cells);
    for (int stage = 0; stage < s->begun; stage++)
        for (int i = 0; i < s->stages[stage].results.count; i++) {
            const struct result *x = &s->stages[stage].results.list[i];
            for (int seat = 0; seat < 2 && x->player[1] >= 0; seat++) {
                struct report_cell *c = &cells[x->player[seat] * all + x->player[1 - seat]];
                c->played += x->more + 1;
                c->doubled += (x->more + 1) * (x->winner < 0 ? 1 : x->winner == seat ? 2 : 0);
            }
        }
    return cells;
}

struct report *report_new(const struct state *state) {
    struct report *r = mem_new(1, sizeof *r);
    const size_t players = (size_t)state->plan->player_count;
    struct results all = state_games(state);
    r->state = state;
    r->overall = mem_new(players, sizeof *r->overall);
    r->count = state_overall(state, r->overall);
    r->ratings = ratings_new(all.list, all.count, (int)players);
    r->remarks = remarks_new(state);
    if (players <= REPORT_SQUARE_MAX)
        r->cross = make_cross(state);
    free(all.list);
    return r;
}

void report_free(struct report *r) {
    if (!r)
        return;
    remarks_free(r->remarks, r->state->plan->player_count);
    free(r->cross);
    free(r->overall);
    ratings_free(r->ratings);
    free(r);
}

void report_cross(const struct report *r, int player, int other, int *doubled, int *played) {
    const struct report_cell *cell = &r->cross[player * r->state->plan->player_count + other];
    *doubled = cell->doubled;
    *played = cell->played;
}

void report_verdict(const struct report *r, const struct stored_game *g, struct buf *out) {
    const size_t before = out->length;
    int winner;
    for (const char *line = g->verdict; *line;) {
        const int length = (int)strcspn(line, "\n");
        buf_format(out, "%s%.*s", out->length > before ? "; " : "", length, line);
        line += length + (line[length] != '\0');
    }
    if (state_house(r->state, g, &winner))
        buf_format(out, "%splayed out against the house: %s", out->length > before ? "; " : "",
                   winner == NOBODY ? "still drawn" : report_name(r, winner));
    if (out->length == before)
        buf_text(out, "");
}

const char *report_name(const struct report *r, int player) {
    return player == HOUSE ? "(the house)" : r->state->plan->players[player].name;
}

int report_group(const struct stage_state *stage, const struct plan *plan, int group,
                 struct standing *list) {
    int count = 0;
    for (int i = 0, last = 0; i < stage->field.count; i++) {
        const struct standing *s = &stage->standings[i];
        if (stage->stage->format.groups > 1 && plan->players[s->player].group != group)
            continue;
        list[count] = *s;
        list[count].rank = count > 0 && s->rank == last ? list[count - 1].rank : count + 1;
        last = s->rank;
        count++;
    }
    return count;
}

double report_tie(const struct standing *s, enum tie_break t) {
    return t == TIE_BREAK_BUCHHOLZ || t == TIE_BREAK_SONNEBORN ? s->tie[t] / 2.0 : s->tie[t];
}

void report_time(int64_t at_us, char text[static 32]) {
    const time_t seconds = (time_t)(at_us / 1000000);
    struct tm parts;
    gmtime_r(&seconds, &parts);
    strftime(text, 32, "%Y-%m-%d %H:%M UTC", &parts);
}
