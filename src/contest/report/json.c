// SPDX-License-Identifier: MIT
// {"contest":..,"game":..,"over":bool,"by_bracket":bool,"standings":[{"rank","name","reached",..}],
// "podium":[{"rank","name"}],"stages":[..],
// "cross":[[..]],"superiority":[[..]],"games":[..],"decisions":[..],"similar":[..]}; the two square
// ones are null where there are too many players. A game to decide another has "house":true and
// that one's leg.
#include "contest/report/report.h"

#include "base/mem.h"
#include "contest/likeness.h"
#include "contest/schedule/knockout.h"

#include <stdlib.h>
#include <string.h>

static json_t *standing_of(const struct report *r, const struct table_rules *rules,
                           const struct standing *s) {
    const struct plan_player *p = &r->state->plan->players[s->player];
    json_t *o = json_pack("{s:i, s:o, s:i, s:o, s:i, s:i, s:i, s:i}", "rank", s->rank, "name",
                          json_text(p->name), "points", s->points, "team", json_text(p->team),
                          "played", s->played, "won", s->won, "drawn", s->drawn, "lost", s->lost);
    for (int i = 0; i < rules->break_count; i++)
        json_object_set_new(o, tie_break_word(rules->breaks[i]),
                            json_real(report_tie(s, rules->breaks[i])));
    json_object_set_new(o, "elo", json_real(r->ratings->elo[s->player]));
    json_object_set_new(o, "elo_error", json_real(ratings_error(r->ratings, s->player)));
    json_object_set_new(o, "remark", json_text(r->remarks[s->player]));
    return o;
}

// A place of the final order. Where a bracket decides, points stand with their stages alone.
static json_t *place_of(const struct report *r, const struct table_rules *rules,
                        const struct standing *s) {
    static const char *const of_stage[] = {"played", "won", "drawn", "lost", "points"};
    int stage, round;
    json_t *o = standing_of(r, rules, s);
    const enum report_reached reached = report_reached(r, s->player, &stage, &round);
    json_object_set_new(o, "reached", json_string(report_reached_word(reached)));
    json_object_set_new(o, "stage", json_integer(stage + 1));
    if (round > 0)
        json_object_set_new(o, "round", json_integer(round));
    if (r->state->plan->stage_count == 1)
        return o;
    for (size_t i = 0; i < sizeof of_stage / sizeof *of_stage; i++)
        json_object_del(o, of_stage[i]);
    for (int i = 0; i < rules->break_count; i++)
        json_object_del(o, tie_break_word(rules->breaks[i]));
    return o;
}

static json_t *podium_of(const struct report *r) {
    json_t *list = json_array();
    for (int i = 0; i < report_podium(r); i++)
        json_array_append_new(list, json_pack("{s:i, s:o}", "rank", r->overall[i].rank, "name",
                                              json_text(report_name(r, r->overall[i].player))));
    return list;
}

static json_t *stage_of(const struct report *r, int number) {
    const struct stage_state *stage = &r->state->stages[number];
    struct standing *list = mem_new((size_t)stage->field.count, sizeof *list);
    json_t *groups = json_array();
    for (int g = 0; g < stage->stage->format.groups; g++) {
        const int count = report_group(stage, r->state->plan, g, list);
        json_t *rows = json_array();
        for (int i = 0; i < count; i++)
            json_array_append_new(rows, standing_of(r, &stage->stage->table, &list[i]));
        json_array_append_new(groups, rows);
    }
    free(list);
    return json_pack("{s:o, s:s, s:b, s:o}", "name", json_text(stage->stage->name), "format",
                     stage->stage->format.schedule->name, "over", stage->is_over, "groups", groups);
}

// Points against each other, in the order of the standings; null where they have not met.
static json_t *cross_of(const struct report *r) {
    if (!r->cross)
        return json_null();
    json_t *rows = json_array();
    for (int i = 0; i < r->count; i++) {
        json_t *row = json_array();
        for (int k = 0; k < r->count; k++) {
            int doubled, played;
            report_cross(r, r->overall[i].player, r->overall[k].player, &doubled, &played);
            json_array_append_new(row, played && i != k ? json_pack("[f, i]", doubled / 2.0, played)
                                                        : json_null());
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *superiority_of(const struct report *r) {
    if (!r->cross)
        return json_null();
    json_t *rows = json_array();
    for (int i = 0; i < r->count; i++) {
        json_t *row = json_array();
        for (int k = 0; k < r->count; k++)
            json_array_append_new(
                row, i == k ? json_null()
                            : json_real(ratings_superiority(r->ratings, r->overall[i].player,
                                                            r->overall[k].player)));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *game_of(const struct report *r, const struct stored_game *g) {
    const bool over = g->state == GAME_DONE || g->state == GAME_ANNULLED;
    const bool house = g->leg >= HOUSE_LEG;
    const bool twice = r->state->plan->stages[g->stage].format.schedule == &schedule_double;
    const char *bracket = NULL;
    json_t *o = json_pack(
        "{s:I, s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:s}", "number", (json_int_t)g->number, "stage",
        g->stage + 1, "round", twice ? double_round(g->round, &bracket) : g->round + 1, "table",
        g->table + 1, "leg", house ? (g->leg - HOUSE_LEG) / 2 : g->leg, "attempt", g->attempt,
        "black", json_text(report_name(r, g->black)), "white", json_text(report_name(r, g->white)),
        "state", stored_state_word(g->state));
    if (house)
        json_object_set_new(o, "house", json_true());
    if (bracket)
        json_object_set_new(o, "bracket", json_string(bracket));
    if (!over)
        return o;
    json_object_set_new(o, "winner", g->winner < 0 ? json_null() : json_integer(g->winner));
    json_object_set_new(o, "scores", json_pack("[i, i]", g->scores[0], g->scores[1]));
    json_object_set_new(o, "plies", json_integer(g->plies));
    json_object_set_new(o, "reason", json_text(g->reason));
    struct buf verdict = {.data = NULL};
    report_verdict(r, g, REPORT_EN, &verdict);
    json_object_set_new(o, "verdict", json_text(verdict.data));
    buf_done(&verdict);
    json_object_set_new(o, "tries", json_integer(g->tries));
    json_object_set_new(o, "worker", json_text(g->worker));
    json_object_set_new(o, "speed", json_integer(g->speed));
    json_object_set_new(o, "ended_ms",
                        g->ended_us ? json_integer(g->ended_us / 1000) : json_null());
    return o;
}

static json_t *decisions_of(const struct state *s) {
    json_t *list = json_array();
    for (int i = 0; i < s->decision_count; i++) {
        const struct kept_decision *d = &s->decisions[i];
        char when[32];
        report_time(d->at_us, when);
        json_array_append_new(list, json_pack("{s:s, s:I, s:o, s:o, s:o, s:o}", "time", when,
                                              "at_ms", (json_int_t)(d->at_us / 1000), "kind",
                                              json_text(d->kind), "subject", json_text(d->subject),
                                              "why", json_text(d->why), "by", json_text(d->by)));
    }
    return list;
}

// NULL, which is left out: not compared.
static json_t *likeness_of(const struct state *s) {
    const struct likeness *l = s->likeness;
    json_t *list = l ? json_array() : NULL;
    for (int i = 0; l && i < l->flagged; i++) {
        const struct pair *p = &l->pairs.at[i];
        json_array_append_new(list, json_pack("{s:[o, o], s:[f, f]}", "players",
                                              json_text(likeness_name(l, p, 0)),
                                              json_text(likeness_name(l, p, 1)), "percent",
                                              p->percent[0], p->percent[1]));
    }
    return list;
}

json_t *report_json(const struct report *r) {
    const struct state *s = r->state;
    const struct table_rules *rules = &s->plan->stages[s->begun ? s->begun - 1 : 0].table;
    json_t *standings = json_array(), *stages = json_array(), *list = json_array();
    for (int i = 0; i < r->count; i++)
        json_array_append_new(standings, place_of(r, rules, &r->overall[i]));
    for (int i = 0; i < s->begun; i++)
        if (report_tells(r, i))
            json_array_append_new(stages, stage_of(r, i));
    for (int i = 0; i < s->game_count; i++)
        if (report_tells(r, s->games[i].stage))
            json_array_append_new(list, game_of(r, &s->games[i]));
    return json_pack("{s:o, s:s, s:b, s:b, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o*}",
                     "contest", json_text(s->plan->name), "game", s->plan->rules.game->name,
                     "by_bracket", report_is_by_bracket(r), "over", s->is_over, "done",
                     s->counts[GAME_DONE], "expected", s->expected - s->counts[GAME_ANNULLED],
                     "standings", standings, "podium", podium_of(r), "stages", stages, "cross",
                     cross_of(r), "superiority", superiority_of(r), "games", list, "decisions",
                     decisions_of(s), "similar", likeness_of(s));
}
