// SPDX-License-Identifier: MIT
#include "contest/remark.h"

#include "base/buf.h"
#include "base/mem.h"
#include "contest/schedules.h"

#include <stdlib.h>
#include <string.h>

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
        if (s->left[player] && strcmp(s->decisions[i].subject, s->plan->players[player].name) == 0)
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

char **remarks_new(const struct state *s) {
    const size_t all = (size_t)s->plan->player_count;
    struct notes *notes = mem_new(all, sizeof *notes);
    char **remarks = mem_new(all, sizeof *remarks);
    note_games(s, notes);
    for (size_t i = 0; i < all; i++)
        remarks[i] = remark_on(s, (int)i, &notes[i]);
    free(notes);
    return remarks;
}

void remarks_free(char **remarks, int count) {
    for (int i = 0; i < count; i++)
        free(remarks[i]);
    free(remarks);
}
