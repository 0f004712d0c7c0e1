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

// The words of a verdict; one that is not known is shown as it is.
static const char *said_verdict(enum report_language language, const char *word) {
    char key[64];
    snprintf(key, sizeof key, "verdict %.40s", word);
    const char *words = report_word(language, key);
    return words == key ? word : words;
}

// A sum and what it counts.
static void put_times(struct buf *out, enum report_language language, const char *key, int count,
                      const char *what) {
    char number[16];
    snprintf(number, sizeof number, "%d", count);
    buf_text(out, out->length ? "; " : "");
    report_fill(out, report_word(language, key), (const char *const[]){number, what, NULL});
}

// Evidence in our own words is said in the language; what a player has said stays as it is.
static const char *said_evidence(enum report_language language, const char *evidence) {
    char key[EVIDENCE_SHOWN + 16];
    snprintf(key, sizeof key, "evidence %s", evidence);
    const char *words = report_word(language, key);
    return words == key ? evidence : words;
}

static void put_offence(const struct offence *o, enum report_language language, struct buf *out) {
    const int shown = shown_length(o->evidence);
    char word[64], evidence[EVIDENCE_SHOWN + 1];
    snprintf(word, sizeof word, "%.*s", o->word.length, o->word.text);
    snprintf(evidence, sizeof evidence, "%.*s", shown, o->evidence.text);
    put_times(out, language, "times", o->count, said_verdict(language, word));
    if (shown > 0)
        buf_format(out, "%s%s%s", report_word(language, o->varies ? "the first" : "colon"),
                   said_evidence(language, evidence), shown < o->evidence.length ? "..." : "");
}

static void put_byes(const struct state *s, int player, enum report_language language,
                     struct buf *out) {
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
            char key[32], number[16];
            snprintf(key, sizeof key, "%.15s%sbye", bracket, *bracket ? " " : "");
            snprintf(number, sizeof number, "%d", round);
            buf_text(out, out->length ? "; " : "");
            report_fill(out, report_word(language, key), (const char *const[]){number, NULL});
        }
    }
}

static bool is_about(const struct state *s, const struct kept_decision *d, int player) {
    return strcmp(d->subject, s->plan->players[player].name) == 0;
}

// That a player has left, and why; what was said before he was taken in again counts no more.
static void put_left(const struct state *s, int player, enum report_language language,
                     struct buf *out) {
    int since = 0;
    buf_text(out, s->left[player] ? report_word(language, s->left[player]) : "");
    if (!s->left[player])
        return;
    for (int i = 0; i < s->decision_count; i++)
        if (is_about(s, &s->decisions[i], player) && !decision_sends_off(&s->decisions[i]))
            since = i + 1;
    for (int i = since; i < s->decision_count; i++)
        if (is_about(s, &s->decisions[i], player))
            buf_format(out, "%s%s", report_word(language, "colon"), s->decisions[i].why);
}

void report_put_remark(const struct report *r, int player, enum report_language language,
                       struct buf *out) {
    // Of the two that drew: better is no win, for a draw is better than a loss.
    static const char *const house[] = {"did better", "did worse", "did as well"};
    const struct state *s = r->state;
    const struct notes *n = &r->notes[player];
    put_left(s, player, language, out);
    for (int i = 0; i < n->offence_count; i++)
        put_offence(&n->offences[i], language, out);
    for (int i = 0; i < 3; i++)
        if (n->house[i] > 0)
            put_times(out, language, "against the house", n->house[i],
                      report_word(language, house[i]));
    put_byes(s, player, language, out);
}

static void add_remarks(struct report *r) {
    const size_t all = (size_t)r->state->plan->player_count;
    r->notes = mem_new(all, sizeof *r->notes);
    r->remarks = mem_new(all, sizeof *r->remarks);
    note_games(r->state, r->notes);
    for (size_t i = 0; i < all; i++) {
        struct buf out = {.data = NULL};
        report_put_remark(r, (int)i, REPORT_EN, &out);
        r->remarks[i] = out.data;
    }
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
    add_remarks(r);
    if (players <= REPORT_SQUARE_MAX)
        r->cross = make_cross(state);
    free(all.list);
    return r;
}

void report_free(struct report *r) {
    if (!r)
        return;
    remarks_free(r->remarks, r->state->plan->player_count);
    free(r->notes);
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

// A line of a verdict: "black word: evidence".
static void put_line(enum report_language language, const char *line, int length, struct buf *out) {
    const int colour = (int)strcspn(line, " \n"), rest = colour + (line[colour] == ' ');
    const int word = (int)strcspn(line + rest, ":\n"), evidence = rest + word;
    char who[16], what[64];
    snprintf(who, sizeof who, "%.*s", colour, line);
    snprintf(what, sizeof what, "%.*s", word, line + rest);
    buf_format(out, "%s %s", report_word(language, who), said_verdict(language, what));
    if (evidence + 2 < length) // ": "
        buf_format(out, "%s%.*s", report_word(language, "colon"), length - evidence - 2,
                   line + evidence + 2);
}

void report_verdict(const struct report *r, const struct stored_game *g,
                    enum report_language language, struct buf *out) {
    const size_t before = out->length;
    int winner;
    for (const char *line = g->verdict; *line;) {
        const int length = (int)strcspn(line, "\n");
        buf_text(out, out->length > before ? "; " : "");
        if (language == REPORT_EN) // as it is kept
            buf_put(out, line, (size_t)length);
        else
            put_line(language, line, length, out);
        line += length + (line[length] != '\0');
    }
    if (state_house(r->state, g, &winner)) {
        const char *who = winner == NOBODY ? "still drawn" : report_name(r, winner);
        buf_text(out, out->length > before ? "; " : "");
        report_fill(out, report_word(language, "played out"),
                    (const char *const[]){winner == NOBODY || language != REPORT_EN
                                              ? report_word(language, who)
                                              : who,
                                          NULL});
    }
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
