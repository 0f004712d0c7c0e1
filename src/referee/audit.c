// SPDX-License-Identifier: MIT
// The moves are played one by one. Before each, the faults that were noted there are weighed: one
// that loses must be the last thing that happened; one that costs a move, or the turn, must be
// followed by just that; an invalid transfer out of turn is only noted. A move of the referee's
// belongs to the opening or to such a fault. What is left at the end decides.
#include "referee/audit.h"

#include "base/buf.h"
#include "referee/record.h"
#include "referee/sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOBODY = 0, BOTH = 3 };

struct audit {
    const struct record_read *d;
    union game_state state;
    int ply;
    int turn_left;                        // moves of the turn, this one included
    int fault;                            // the next one to weigh
    const struct record_read_fault *paid; // what the move that follows is the price of
    int loser;                            // by a fault: NOBODY, 1, 2 or BOTH
    int decisive;                         // the fault that lost it, the last if there are two
    bool moved[2];                        // each side has
};

static bool is_person(const struct record_read *d, int player) {
    return strcmp(d->players[player - 1], "human") == 0;
}

// The limit of the turn that a player has now; 0: none. That of a person may hold, but not for the
// first.
static int64_t limit_us(const struct audit *a, int player) {
    const bool free = !a->d->people || !a->moved[player - 1];
    return is_person(a->d, player) && free ? 0 : a->d->time_us;
}

static bool is_last_here(const struct record_read *d, int i) {
    return i + 1 == d->fault_count || d->faults[i + 1].ply != d->faults[i].ply;
}

// While players get ready, one that has failed waits for the other, who may fail, too.
static bool waits_for_other(const struct record_read *d, int i) {
    for (int k = i + 1; k < d->fault_count; k++)
        if (d->faults[k].player == d->faults[i].player)
            return false;
    return d->plies == d->opening;
}

static bool weigh_loss(struct audit *a, int i) {
    const struct record_read *d = a->d;
    const struct record_read_fault *f = &d->faults[i];
    const bool greeting = f->verdict == VERDICT_NOT_READY || f->verdict == VERDICT_REFUSED;
    if (f->ply < d->plies || (i + 1 < d->fault_count && !waits_for_other(d, i)))
        return record_wrong(a->d, "the game goes on after fault %d, which loses it", i + 1);
    if (greeting && f->ply != d->opening)
        return record_wrong(a->d, "fault %d, %s, comes after the first move", i + 1,
                            verdict_word(f->verdict));
    a->loser = a->loser ? BOTH : f->player;
    a->decisive = i;
    return true;
}

static bool weigh_note(struct audit *a, int i) {
    const struct record_read_fault *f = &a->d->faults[i];
    if (f->verdict != VERDICT_INVALID_TRANSFER)
        return record_wrong(a->d, "fault %d, %s, is of the player who was not asked", i + 1,
                            verdict_word(f->verdict));
    for (const struct record_read_fault *g = f - 1; g >= a->d->faults && g->ply == f->ply; g--)
        if (g->player == f->player)
            return record_wrong(a->d, "fault %d is noted twice", i + 1);
    return true;
}

// A turn that was late, in spite of all that was not charged.
static bool check_late(struct audit *a, int i) {
    const struct record_read_fault *f = &a->d->faults[i];
    const int64_t limit = limit_us(a, f->player);
    char begin[80];
    snprintf(begin, sizeof begin, "%.6f s of %.6f s, ", (double)f->us / 1e6, (double)limit / 1e6);
    if (limit == 0)
        return record_wrong(a->d, "fault %d: late without a limit", i + 1);
    if (f->us < limit + a->d->grace_us + f->credit_us)
        return record_wrong(a->d, "fault %d: late within the limit", i + 1);
    return strncmp(f->evidence, begin, strlen(begin)) == 0 ||
           record_wrong(a->d, "fault %d: the evidence tells another time", i + 1);
}

// Invalid transfers of the player to move are only noted as long as it has not been asked, which
// shows at the first move alone.
static bool is_asked(const struct audit *a, int i) {
    const struct record_read *d = a->d;
    const struct record_read_fault *f = &d->faults[i];
    if (f->player != d->game->turn(&a->state))
        return false;
    return f->verdict != VERDICT_INVALID_TRANSFER || f->ply > d->opening ||
           (is_last_here(d, i) && f->ply < d->plies && d->moves[f->ply].by_referee);
}

static bool weigh_fault(struct audit *a, int i) {
    const struct record_read *d = a->d;
    const struct record_read_fault *f = &d->faults[i];
    if (f->ply < d->opening || game_is_over(d->game, &a->state))
        return record_wrong(a->d, "fault %d is in the opening, or after the end", i + 1);
    if (f->verdict == VERDICT_LATE && !check_late(a, i))
        return false;
    const bool asked = is_asked(a, i);
    if (!asked && (f->verdict == VERDICT_ILLEGAL || f->verdict == VERDICT_LATE))
        return weigh_note(a, i);
    if (penalties_cost(&d->penalties, f->verdict) == COST_LOSE)
        return weigh_loss(a, i);
    if (!asked)
        return weigh_note(a, i);
    if (!is_last_here(d, i) || f->ply == d->plies)
        return record_wrong(a->d, "fault %d was not paid for", i + 1);
    a->paid = f;
    return true;
}

// All faults that were noted before the move that is due.
static bool weigh_faults(struct audit *a) {
    bool good = true;
    a->paid = NULL;
    for (; good && a->fault < a->d->fault_count && a->d->faults[a->fault].ply == a->ply; a->fault++)
        good = weigh_fault(a, a->fault);
    return good;
}

// A turn's times stand on its last move, and hold to the limit unless it was late.
static bool check_times(struct audit *a, int mover, bool ends_turn) {
    const struct record_read *d = a->d;
    const struct record_read_move *m = &d->moves[a->ply];
    const int64_t limit = limit_us(a, mover), strict = limit + d->grace_us;
    const bool late = a->paid && a->paid->verdict == VERDICT_LATE;
    if (a->ply < d->opening && d->opening_given) // a game that was gone on with keeps its times
        return (m->cpu_us == -1 && m->credit_us == 0) ||
               record_wrong(a->d, "move %d is of the opening and was measured", a->ply + 1);
    if (a->ply < d->opening || !ends_turn)
        return (m->us == 0 && m->cpu_us == -1 && m->credit_us == 0) ||
               record_wrong(a->d, "move %d has a time, which only the last of a turn has",
                            a->ply + 1);
    if (late && (m->us != a->paid->us || m->credit_us != a->paid->credit_us))
        return record_wrong(a->d, "move %d has another time than its fault", a->ply + 1);
    if (m->credit_us > 0 && (limit == 0 || m->us < strict))
        return record_wrong(a->d, "move %d was credited without need", a->ply + 1);
    return late || limit == 0 || m->us <= strict + m->credit_us ||
           record_wrong(a->d, "move %d took longer than the limit allows", a->ply + 1);
}

// Who played it: the player whose turn it was, or the referee with a reason, and then just this
// move.
static bool check_who(struct audit *a, move m) {
    const struct record_read *d = a->d;
    const bool forced = a->ply < d->opening || a->paid;
    if (d->moves[a->ply].by_referee != forced)
        return record_wrong(a->d, "move %d is %s the referee's, and the faults say otherwise",
                            a->ply + 1, forced ? "not" : "said to be");
    if (!a->paid)
        return m != MOVE_PASS || record_wrong(a->d, "move %d is a pass of nobody's", a->ply + 1);
    const move price = penalties_cost(&d->penalties, a->paid->verdict) == COST_SKIP
                           ? MOVE_PASS
                           : d->game->nth(&a->state, 0);
    return m == price || record_wrong(a->d, "move %d is not what its fault costs", a->ply + 1);
}

static bool play_move(struct audit *a) {
    const struct game *game = a->d->game;
    const char *text = a->d->moves[a->ply].text;
    char again[MOVE_TEXT_MAX] = "";
    const int mover = game->turn(&a->state);
    move m = 0;
    if (a->turn_left == 0)
        a->turn_left = game->due(&a->state);
    const char *refusal =
        game_is_over(game, &a->state) ? "the game is over" : game->read_move(&a->state, text, &m);
    const bool passes = m == MOVE_PASS && game->may_pass;
    if (!refusal && !passes)
        refusal = game->illegal(&a->state, m);
    if (refusal)
        return record_wrong(a->d, "move %d, '%.60s': %s", a->ply + 1, text, refusal);
    game->write_move(&a->state, m, again);
    if (strcmp(text, again) != 0)
        return record_wrong(a->d, "move %d, '%.60s', is written '%.60s'", a->ply + 1, text, again);
    if (!check_who(a, m))
        return false;
    game->apply(&a->state, m);
    a->turn_left = a->ply < a->d->opening || game_is_over(game, &a->state) ? 0 : a->turn_left - 1;
    const bool good = check_times(a, mover, a->turn_left == 0);
    a->moved[mover - 1] |= a->turn_left == 0;
    return good;
}

// The first moves as one text, as openings are written; freed by the caller.
static char *opening_of(const struct record_read *d) {
    struct buf out = {.data = NULL};
    buf_put(&out, "", 0);
    for (int i = 0; i < d->opening; i++)
        buf_format(&out, "%s%s", i ? "; " : "", d->moves[i].text);
    return out.data;
}

static bool check_opening(struct audit *a, const struct ruleset *rules, struct rng *rng) {
    const struct record_read *d = a->d;
    if (d->conditions.opening_plies == 0)
        return d->opening_given || d->opening == 0 ||
               record_wrong(a->d, "it has an opening, and the conditions have none");
    char *drawn = conditions_draw_opening(&d->conditions, rules, rng), *played = opening_of(d);
    const bool same = drawn && strcmp(drawn, played) == 0;
    free(drawn);
    free(played);
    return same || record_wrong(a->d, "the opening is not what the seed draws");
}

// Draws the conditions as they were drawn before the game.
static bool check_conditions(struct audit *a) {
    const struct record_read *d = a->d;
    struct rng rng = conditions_rng(d->seed, (d->number - 1) / (d->swap ? 2 : 1));
    struct ruleset rules = d->rules;
    if (conditions_draw_time(&d->conditions, &rng) != d->time_us)
        return record_wrong(a->d, "the time is not what the conditions and the seed draw");
    char *given = d->opening_given ? opening_of(d) : NULL;
    const bool drawn = conditions_draw_blocks(&d->conditions, &rules, given, &rng);
    free(given);
    if (!drawn || memcmp(rules.text, d->rules.text, sizeof rules.text) != 0)
        return record_wrong(a->d, "the blocks are not what the conditions and the seed draw");
    return check_opening(a, &rules, &rng);
}

static bool is_same(const struct record_read_fault *a, const struct record_read_fault *b) {
    return a->player == b->player && a->verdict == b->verdict &&
           strcmp(a->evidence, b->evidence) == 0;
}

// The verdict is what decided the game, or else the first fault.
static bool check_verdict(struct audit *a) {
    const struct record_read *d = a->d;
    const int which = a->loser == 1 || a->loser == 2 ? a->decisive : 0;
    if (d->has_verdict != (d->fault_count > 0))
        return record_wrong(a->d, d->has_verdict ? "there is a verdict without a fault"
                                                 : "there is a fault without a verdict");
    return !d->has_verdict || is_same(&d->verdict, &d->faults[which]) ||
           record_wrong(a->d, "the verdict is not the fault that decided it");
}

// Broken off while one had failed and the other was not ready yet: nobody has lost.
static bool is_broken_off(const struct audit *a) {
    const struct record_read *d = a->d;
    const bool ended = finish_find(d->reason) == FINISH_ABORTED || d->platform_fault;
    if (!ended || d->plies > d->opening || a->loser == BOTH)
        return false;
    const enum verdict verdict = d->faults[a->decisive].verdict;
    return verdict != VERDICT_LATE && verdict != VERDICT_ILLEGAL; // those come in a turn
}

// Only persons resign and agree, and only in a game that is under way.
static bool is_given_up(const struct record_read *d) {
    const enum finish how = finish_find(d->reason);
    if (how == FINISH_RESIGNED)
        return d->winner >= 1 && is_person(d, side_other(d->winner));
    return how == FINISH_AGREED && is_person(d, 1) && is_person(d, 2);
}

// How it must have ended: by the rules, by a fault, by persons, or not at all.
static bool check_end(struct audit *a) {
    const struct record_read *d = a->d;
    const struct outcome end = d->game->outcome(&a->state);
    const bool ruled = end.ending != ENDING_RUNNING;
    const bool lost = a->loser != NOBODY && !is_broken_off(a);
    const enum finish how = ruled               ? FINISH_RULES
                            : lost              ? FINISH_FORFEIT
                            : d->platform_fault ? FINISH_PLATFORM
                            : is_given_up(d)    ? finish_find(d->reason)
                                                : FINISH_ABORTED;
    const char *reason = ruled ? game_ending_word(d->game, end.ending) : finish_word(how);
    const int winner = ruled                      ? end.winner
                       : lost && a->loser != BOTH ? side_other(a->loser)
                       : how == FINISH_RESIGNED   ? d->winner
                       : how == FINISH_AGREED     ? 0
                                                  : -1;
    if (strcmp(d->reason, reason) != 0)
        return record_wrong(a->d, "it ended by %s, not by %.60s", reason, d->reason);
    return d->winner == winner || record_wrong(a->d, "the winner is not who won");
}

static bool check_scores(struct audit *a) {
    const struct record_read *d = a->d;
    int scores[2];
    d->game->scores(&a->state, scores);
    const bool same = d->has_scores == d->game->has_scores &&
                      (!d->has_scores || memcmp(scores, d->scores, sizeof scores) == 0);
    return same || record_wrong(a->d, "the scores are not those of the last position");
}

static bool check_all(struct audit *a, const json_t *record) {
    const struct record_read *d = a->d;
    d->game->start(&a->state, &d->rules, NULL, a->d->why);
    bool good = check_conditions(a);
    for (a->ply = 0; good && a->ply < d->plies; a->ply++)
        good = weigh_faults(a) && play_move(a);
    return good && weigh_faults(a) && check_end(a) && check_scores(a) && check_verdict(a) &&
           (record_is_whole(record) ||
            record_wrong(a->d, "it was changed after it was written: the sum"));
}

const char *audit_check(const json_t *record, char why[static WHY_TEXT_MAX]) {
    struct record_read d;
    struct audit a = {.d = &d};
    const bool good = record_read(&d, record, why) && check_all(&a, record);
    record_read_done(&d);
    return good ? NULL : why;
}
