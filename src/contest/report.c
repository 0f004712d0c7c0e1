// SPDX-License-Identifier: MIT
#include "contest/report.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// What a player did wrong, told apart by the words after his colour, with how often.
struct offence {
    const char *words;
    int count;
};

enum { OFFENCES_MAX = 16 };

static void note_offence(struct offence *list, const char *words, int count) {
    int i = 0;
    while (i < OFFENCES_MAX - 1 && list[i].words && strcmp(list[i].words, words) != 0)
        i++;
    list[i].words = words;
    list[i].count += count;
}

// The words of a game's verdict that are about the player of a seat, or NULL.
static const char *about(const struct stored_game *g, int seat) {
    const char *colour = seat ? "white " : "black ";
    return g->state == GAME_DONE && strcmp(g->reason, "walkover") != 0 &&
                   strncmp(g->verdict, colour, 6) == 0
               ? g->verdict + 6
               : NULL;
}

static char *remark_on(const struct state *s, int player) {
    struct offence offences[OFFENCES_MAX] = {{NULL, 0}};
    struct buf out = {.data = NULL};
    for (int i = 0; i < s->game_count; i++)
        for (int seat = 0; seat < 2; seat++) {
            const struct stored_game *g = &s->games[i];
            const char *words = (seat ? g->white : g->black) == player ? about(g, seat) : NULL;
            if (words)
                note_offence(offences, words, s->weights ? s->weights[i] : 1);
        }
    buf_text(&out, s->left[player] ? s->left[player] : "");
    for (int i = 0; i < s->decision_count; i++)
        if (s->left[player] && strcmp(s->decisions[i].subject, s->plan->players[player].name) == 0)
            buf_format(&out, ": %s", s->decisions[i].why);
    for (int i = 0; i < OFFENCES_MAX && offences[i].words; i++)
        buf_format(&out, "%s%d x %s", out.length ? "; " : "", offences[i].count, offences[i].words);
    return out.data;
}

struct report *report_new(const struct state *state) {
    struct report *r = mem_new(1, sizeof *r);
    const size_t players = (size_t)state->plan->player_count;
    struct results all = state_games(state);
    r->state = state;
    r->overall = mem_new(players, sizeof *r->overall);
    r->count = state_overall(state, r->overall);
    r->ratings = ratings_new(all.list, all.count, (int)players);
    r->remarks = mem_new(players, sizeof *r->remarks);
    for (size_t i = 0; i < players; i++)
        r->remarks[i] = remark_on(state, (int)i);
    free(all.list);
    return r;
}

void report_free(struct report *r) {
    if (!r)
        return;
    for (int i = 0; i < r->state->plan->player_count; i++)
        free(r->remarks[i]);
    free(r->remarks);
    free(r->overall);
    ratings_free(r->ratings);
    free(r);
}

void report_cross(const struct report *r, int player, int other, int *doubled, int *played) {
    *doubled = *played = 0;
    for (int s = 0; s < r->state->begun; s++) {
        const struct results *results = &r->state->stages[s].results;
        for (int i = 0; i < results->count; i++) {
            const struct result *x = &results->list[i];
            const int seat = x->player[0] == player && x->player[1] == other   ? 0
                             : x->player[1] == player && x->player[0] == other ? 1
                                                                               : -1;
            if (seat < 0)
                continue;
            *played += x->more + 1;
            *doubled += (x->more + 1) * (x->winner < 0 ? 1 : x->winner == seat ? 2 : 0);
        }
    }
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
