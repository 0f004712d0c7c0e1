// SPDX-License-Identifier: MIT
// What all forms of a report share. Beside his place in the table a player has a remark: that he
// has left, what he did wrong and how that is known, where he had no opponent, and what the house
// has decided. What he did wrong is counted by the words of verdicts, with the evidence of the
// first.
#include "contest/report/report.h"

#include "base/mem.h"
#include "contest/schedule/knockout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OFFENCES_MAX = 16, EVIDENCE_SHOWN = 100 };

// A part of a text.
struct remark_words {
    const char *text;
    int length;
};

// What a player did wrong, told apart by the word alone.
struct offence {
    struct remark_words word, evidence; // of the first game
    int count;
    bool varies; // other games have other evidence
};

struct notes {
    struct offence offences[OFFENCES_MAX];
    int offence_count;
    int house[3]; // legs that the house decided: did better, did worse, did as well
};

static bool is_same(struct remark_words a, struct remark_words b) {
    return a.length == b.length && memcmp(a.text, b.text, (size_t)a.length) == 0;
}

// The line of a verdict that is about a seat, or an empty one: "black word: evidence".
static struct remark_words line_about(const struct stored_game *g, int seat) {
    const char *colour = seat ? "white " : "black ", *line = g->verdict;
    while (line && strncmp(line, colour, 6) != 0) {
        line = strchr(line, '\n');
        line += line != NULL;
    }
    if (!line || g->state != GAME_DONE || finish_find(g->reason) == FINISH_WALKOVER)
        return (struct remark_words){"", 0};
    return (struct remark_words){line + 6, (int)strcspn(line + 6, "\n")};
}

static void note_offence(struct notes *n, struct remark_words line, int count) {
    struct remark_words word = {line.text, (int)strcspn(line.text, ":\n")};
    struct remark_words evidence = {line.text + word.length, line.length - word.length};
    if (evidence.length > 2) { // ": "
        evidence.text += 2;
        evidence.length -= 2;
    }
    int i = 0;
    while (i < n->offence_count && !is_same(n->offences[i].word, word))
        i++;
    if (i == OFFENCES_MAX)
        return;
    struct offence *o = &n->offences[i];
    if (i == n->offence_count) {
        *o = (struct offence){.word = word, .evidence = evidence};
        n->offence_count++;
    }
    o->count += count;
    o->varies |= !is_same(o->evidence, evidence);
}

static void note_house(const struct state *s, const struct stored_game *g, struct notes *notes) {
    int winner;
    if (!state_house(s, g, &winner))
        return;
    const int players[2] = {g->black, g->white};
    for (int i = 0; i < 2; i++)
        notes[players[i]].house[winner == NOBODY ? 2 : winner != players[i]]++;
}

static void note_games(const struct state *s, struct notes *notes) {
    for (int i = 0; i < s->game_count; i++) {
        const struct stored_game *g = &s->games[i];
        for (int seat = 0; seat < 2; seat++) {
            const int player = seat ? g->white : g->black;
            const struct remark_words line = line_about(g, seat);
            if (player >= 0 && line.length > 0)
                note_offence(&notes[player], line, s->weights ? s->weights[i] : 1);
        }
        note_house(s, g, notes);
    }
}

// Cut between letters.
static int shown_length(struct remark_words w) {
    int length = w.length < EVIDENCE_SHOWN ? w.length : EVIDENCE_SHOWN;
    while (length < w.length && length > 0 && ((unsigned char)w.text[length] & 0xc0) == 0x80)
        length--;
    return length;
}

static void put_offence(const struct offence *o, struct buf *out) {
    const int shown = shown_length(o->evidence);
    buf_format(out, "%s%d x %.*s", out->length ? "; " : "", o->count, o->word.length, o->word.text);
    if (shown > 0)
        buf_format(out, "%s: %.*s%s", o->varies ? ", the first" : "", shown, o->evidence.text,
                   shown < o->evidence.length ? "..." : "");
}

static void put_byes(const struct state *s, int player, struct buf *out) {
    for (int i = 0; i < s->begun; i++) {
        const struct stage_state *stage = &s->stages[i];
        const struct schedule *schedule = stage->stage->format.schedule;
        for (int k = 0; k < stage->meetings.count; k++) {
            const struct meeting *m = &stage->meetings.list[k];
            const char *bracket = "";
            int round = m->round + 1;
            if (m->player[1] != NOBODY || m->player[0] < 0 ||
                stage->players[m->player[0]] != player)
                continue;
            if (schedule == &schedule_double)
                round = double_round(m->round, &bracket);
            buf_format(out, "%sbye in %s%sround %d", out->length ? "; " : "", bracket,
                       *bracket ? "' " : "", round);
        }
    }
}

static char *remark_on(const struct state *s, int player, const struct notes *n) {
    // Of the two that drew: better is no win, for a draw is better than a loss.
    static const char *const house[] = {"did better", "did worse", "did as well"};
    struct buf out = {.data = NULL};
    buf_text(&out, s->left[player] ? s->left[player] : "");
    for (int i = 0; i < s->decision_count; i++)
        if (s->left[player] && decision_sends_off(&s->decisions[i]) &&
            strcmp(s->decisions[i].subject, s->plan->players[player].name) == 0)
            buf_format(&out, ": %s", s->decisions[i].why);
    for (int i = 0; i < n->offence_count; i++)
        put_offence(&n->offences[i], &out);
    for (int i = 0; i < 3; i++)
        if (n->house[i] > 0)
            buf_format(&out, "%s%d x %s against the house", out.length ? "; " : "", n->house[i],
                       house[i]);
    put_byes(s, player, &out);
    return out.data;
}

static char **remarks_new(const struct state *s) {
    const size_t all = (size_t)s->plan->player_count;
    struct notes *notes = mem_new(all, sizeof *notes);
    char **remarks = mem_new(all, sizeof *remarks);
    note_games(s, notes);
    for (size_t i = 0; i < all; i++)
        remarks[i] = remark_on(s, (int)i, &notes[i]);
    free(notes);
    return remarks;
}

static void remarks_free(char **remarks, int count) {
    for (int i = 0; i < count; i++)
        free(remarks[i]);
    free(remarks);
}

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
    r->only = -1;
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

static void put_round(enum report_language language, int round, struct buf *out) {
    char number[16];
    snprintf(number, sizeof number, "%d", round);
    report_fill(out, report_word(language, "round"), (const char *const[]){number, NULL});
}

void report_put_reached(const struct report *r, int player, enum report_language language,
                        struct buf *out) {
    int stage, round;
    const enum report_reached reached = report_reached(r, player, &stage, &round);
    if (reached == REACHED_STAGE)
        buf_text(out, report_word(language, r->state->stages[stage].stage->name));
    else if (reached == REACHED_ROUND)
        put_round(language, round, out);
    else if (reached != REACHED_NOTHING)
        buf_text(out, report_word(language, report_reached_word(reached)));
}

bool report_tells(const struct report *r, int stage) { return r->only < 0 || r->only == stage; }

int report_podium(const struct report *r) {
    int count = 0;
    while (r->state->is_over && count < r->count && r->overall[count].rank <= 3 &&
           !r->state->disqualified[r->overall[count].player])
        count++;
    return count;
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
