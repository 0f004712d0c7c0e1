// SPDX-License-Identifier: MIT
// What there is to tell of a contest: tables, cross table, ratings, games, the organiser's
// decisions. A report borrows its state.
#pragma once

#include "base/buf.h"
#include "base/json.h"
#include "contest/report/words.h"
#include "contest/state.h"

// Of more players the tables of everybody against everybody are left out: nobody reads them.
enum { REPORT_SQUARE_MAX = 200, REPORT_GAMES_MAX = 20000 };

struct report {
    const struct state *state;
    struct standing *overall; // the whole field, best first
    int count;
    struct ratings *ratings;   // of all games
    char **remarks;            // by player, in English; "" if there is nothing to say
    struct notes *notes;       // what they are made of
    struct report_cell *cross; // NULL where there are too many players
    int only;                  // the stage that alone is told of, from 0; -1: all
};

struct report *report_new(const struct state *state);
void report_free(struct report *report);

// Points that a player has from the games against another, doubled so that a draw is 1, and how
// many these were; over all stages. Not where there are too many players.
void report_cross(const struct report *report, int player, int other, int *doubled, int *played);
// What is said of a player besides his place, if anything. What a player has said himself stays as
// it is.
void report_put_remark(const struct report *report, int player, enum report_language language,
                       struct buf *out);
// What is said of a game: its verdict, and that the house has decided it.
void report_verdict(const struct report *report, const struct stored_game *game,
                    enum report_language language, struct buf *out);
// How far a player came, in the words of reports; with the last stage he was in (from 0, or -1) and
// the round in which he went out, from 1.
#define REPORT_REACHES(X)                                                                          \
    X(NOTHING, "")                                                                                 \
    X(CHAMPION, "champion")                                                                        \
    X(FINALIST, "finalist")                                                                        \
    X(THIRD, "third")                                                                              \
    X(FOURTH, "fourth")                                                                            \
    X(SEMIFINAL, "semifinal")                                                                      \
    X(QUARTERFINAL, "quarterfinal")                                                                \
    X(ROUND, "round") /* so many rounds of a knock-out */                                          \
    X(STAGE, "stage") /* he did not go on from a stage */

enum report_reached {
#define REPORT_REACHED_CONSTANT(id, word) REACHED_##id,
    REPORT_REACHES(REPORT_REACHED_CONSTANT)
#undef REPORT_REACHED_CONSTANT
};
enum report_reached report_reached(const struct report *report, int player, int *stage, int *round);
const char *report_reached_word(enum report_reached reached);
// The same for people; nothing is added where there is nothing to say.
void report_put_reached(const struct report *report, int player, enum report_language language,
                        struct buf *out);
// Whether a stage is told of.
bool report_tells(const struct report *report, int stage);
// Whether the final order is that of a knock-out or of several stages: points do not tell it then.
bool report_is_by_bracket(const struct report *report);
// How many of the order stand on the podium: the first three places, once all is over.
int report_podium(const struct report *report);
// Names for people: of a player or the house, of a stage's tie-break, of how a game stands.
const char *report_name(const struct report *report, int player);
// The members of a group of a stage in the order of its table; returns how many.
int report_group(const struct stage_state *stage, const struct plan *plan, int group,
                 struct standing *list);
// A tie-break as it is shown: Buchholz and Sonneborn-Berger come in halves.
double report_tie(const struct standing *standing, enum tie_break tie_break);
// The time of a decision, "2026-11-16 05:18 UTC".
void report_time(int64_t at_us, char text[static 32]);

// The report as text for people, as one JSON object, as CSV of the table, or as one page of HTML
// that needs nothing else. Texts are put behind what is in `out`.
void report_text(const struct report *report, struct buf *out);
json_t *report_json(const struct report *report);
void report_csv(const struct report *report, struct buf *out);
void report_html(const struct report *report, enum report_language language, struct buf *out);
// The table alone, for the terminal.
void report_table(const struct report *report, struct buf *out);
