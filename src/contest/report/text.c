// SPDX-License-Identifier: MIT
// The report for people at a terminal, in columns, and its table as CSV (RFC 4180), a line a
// player.
#include "contest/report/report.h"

#include "base/mem.h"
#include "contest/likeness.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CROSS_MAX = 24, NAME_MAX_COLUMNS = 40 };

// How many columns of a terminal a text takes: two for the wide letters of East Asia.
static int columns_of(const char *text) {
    int columns = 0;
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if ((*c & 0xc0) != 0x80) // the beginning of a letter
            columns += *c >= 0xe1 && *c < 0xf5 && !(*c == 0xe2) ? 2 : 1;
    return columns;
}

static void put_padded(struct buf *out, const char *text, int width) {
    buf_format(out, "%s%*s", text, width > columns_of(text) ? width - columns_of(text) : 0, "");
}

// Columns of names and teams; no team: 0.
struct widths {
    int name, team;
};

static int name_width(const struct report *r) {
    int width = 4;
    for (int i = 0; i < r->state->plan->player_count; i++) {
        const int columns = columns_of(r->state->plan->players[i].name);
        width = columns > width ? columns : width;
    }
    return width < NAME_MAX_COLUMNS ? width : NAME_MAX_COLUMNS;
}

static int team_width(const struct report *r) {
    int width = 0;
    for (int i = 0; i < r->state->plan->player_count; i++) {
        const int columns = columns_of(r->state->plan->players[i].team);
        width = columns > width ? columns : width;
    }
    return width == 0 ? 0 : width < 4 ? 4 : width < NAME_MAX_COLUMNS ? width : NAME_MAX_COLUMNS;
}

static void put_team(struct buf *out, const char *team, int width) {
    if (width == 0)
        return;
    buf_text(out, "  ");
    put_padded(out, team, width);
}

static void put_heading(struct buf *out, const struct table_rules *rules,
                        const struct widths *widths) {
    buf_text(out, "rank  ");
    put_padded(out, "name", widths->name);
    put_team(out, "team", widths->team);
    buf_text(out, "  played   won drawn  lost  points");
    for (int i = 0; i < rules->break_count; i++)
        buf_format(out, "  %10s", tie_break_word(rules->breaks[i]));
    buf_text(out, "        Elo\n");
}

static void put_standing(const struct report *r, struct buf *out, const struct table_rules *rules,
                         const struct standing *s, const struct widths *widths) {
    buf_format(out, "%4d  ", s->rank);
    put_padded(out, report_name(r, s->player), widths->name);
    put_team(out, r->state->plan->players[s->player].team, widths->team);
    buf_format(out, "  %6d %5d %5d %5d  %6d", s->played, s->won, s->drawn, s->lost, s->points);
    for (int i = 0; i < rules->break_count; i++)
        buf_format(out, "  %10g", report_tie(s, rules->breaks[i]));
    buf_format(out, "  %+5.0f +-%-4.0f", r->ratings->elo[s->player],
               ratings_error(r->ratings, s->player));
    buf_format(out, "%s%s\n", *r->remarks[s->player] ? "  " : "", r->remarks[s->player]);
}

static void put_stage(const struct report *r, struct buf *out, int number) {
    const struct stage_state *stage = &r->state->stages[number];
    const struct plan *plan = r->state->plan;
    const struct format *format = &stage->stage->format;
    struct standing *list = mem_new((size_t)stage->field.count, sizeof *list);
    const struct widths widths = {name_width(r), team_width(r)};
    for (int group = 0; group < format->groups; group++) {
        const int count = report_group(stage, plan, group, list);
        if (plan->stage_count > 1 || format->groups > 1)
            buf_format(out, "%s%s", number || group ? "\n" : "", stage->stage->name);
        if (format->groups > 1)
            buf_format(out, ", group %d", group + 1);
        if (plan->stage_count > 1 || format->groups > 1)
            buf_text(out, "\n");
        put_heading(out, &stage->stage->table, &widths);
        for (int i = 0; i < count; i++)
            put_standing(r, out, &stage->stage->table, &list[i], &widths);
    }
    free(list);
}

static void put_likeness(const struct report *r, struct buf *out) {
    const struct likeness *l = r->state->likeness;
    for (int i = 0; l && i < l->flagged; i++) {
        const struct pair *p = &l->pairs.at[i];
        if (i == 0)
            buf_format(out, "\ncode in common, %d %% or more\n", r->state->plan->similar);
        buf_format(out, "%5.1f %% of %s, %.1f %% of %s\n", p->percent[0], likeness_name(l, p, 0),
                   p->percent[1], likeness_name(l, p, 1));
    }
}

static void put_overall(const struct report *r, struct buf *out) {
    const int width = name_width(r);
    if (!report_is_by_bracket(r))
        return;
    buf_text(out, "\nfinal order\nrank  name\n");
    for (int i = 0; i < r->count; i++) {
        buf_format(out, "%4d  ", r->overall[i].rank);
        put_padded(out, report_name(r, r->overall[i].player), width);
        buf_text(out, "  ");
        report_put_reached(r, r->overall[i].player, REPORT_EN, out);
        buf_text(out, "\n");
    }
}

static void put_podium(const struct report *r, struct buf *out) {
    for (int i = 0; i < report_podium(r); i++)
        buf_format(out, "%d. %s\n", r->overall[i].rank, report_name(r, r->overall[i].player));
    if (report_podium(r) > 0)
        buf_text(out, "\n");
}

void report_table(const struct report *r, struct buf *out) {
    put_podium(r, out);
    for (int i = 0; i < r->state->begun; i++)
        if (report_tells(r, i))
            put_stage(r, out, i);
    put_overall(r, out);
    put_likeness(r, out);
}

static void put_superiority(const struct report *r, struct buf *out) {
    buf_text(out, "\nlikelihood that each is stronger than the next, by all games\n");
    for (int i = 0; i + 1 < r->count; i++)
        buf_format(
            out, "%4.0f %%  %s - %s\n",
            100 * ratings_superiority(r->ratings, r->overall[i].player, r->overall[i + 1].player),
            report_name(r, r->overall[i].player), report_name(r, r->overall[i + 1].player));
}

static void put_cross(const struct report *r, struct buf *out) {
    const int width = name_width(r);
    if (r->count > CROSS_MAX) {
        buf_format(out, "\nThe cross table of %d players is %s.\n", r->count,
                   r->cross ? "in --html and --json" : "left out; --json has all games");
        return;
    }
    buf_text(out, "\npoints against each other, of so many\n      ");
    put_padded(out, "", width);
    for (int k = 0; k < r->count; k++)
        buf_format(out, " %7d", k + 1);
    buf_text(out, "\n");
    for (int i = 0; i < r->count; i++) {
        buf_format(out, "%4d  ", i + 1);
        put_padded(out, report_name(r, r->overall[i].player), width);
        for (int k = 0; k < r->count; k++) {
            char cell[24] = "-";
            int doubled, played;
            report_cross(r, r->overall[i].player, r->overall[k].player, &doubled, &played);
            if (played > 0)
                snprintf(cell, sizeof cell, "%g/%d", doubled / 2.0, played);
            buf_format(out, " %7s", i == k ? "" : cell);
        }
        buf_text(out, "\n");
    }
}

static void put_game(const struct report *r, struct buf *out, const struct stored_game *g) {
    const char *winner = g->winner == 1 ? report_name(r, g->black) : report_name(r, g->white);
    buf_format(out, "%4lld  %s - %s: ", (long long)g->number, report_name(r, g->black),
               report_name(r, g->white));
    if (g->state == GAME_WAITING || g->state == GAME_PLAYING) {
        buf_format(out, "%s\n", stored_state_word(g->state));
        return;
    }
    if (g->winner == 0)
        buf_text(out, "drawn");
    else
        buf_format(out, "%s%s", g->winner < 0 ? "nobody" : winner, " wins");
    buf_format(out, ", %s", g->reason);
    if (r->state->plan->rules.game->has_scores && finish_find(g->reason) != FINISH_WALKOVER)
        buf_format(out, ", %d : %d", g->scores[0], g->scores[1]);
    struct buf verdict = {.data = NULL};
    report_verdict(r, g, REPORT_EN, &verdict);
    if (verdict.length > 0)
        buf_format(out, "; %s", verdict.data);
    buf_done(&verdict);
    if (g->tries > 1)
        buf_format(out, "; begun %d times", g->tries);
    if (g->state == GAME_ANNULLED)
        buf_text(out, "; annulled");
    buf_text(out, "\n");
}

static int compare_numbers(const void *a, const void *b) {
    const struct stored_game *const *x = a, *const *y = b;
    return ((*x)->number > (*y)->number) - ((*x)->number < (*y)->number);
}

static void put_games(const struct report *r, struct buf *out) {
    const struct state *s = r->state;
    const struct stored_game **order = mem_new((size_t)s->game_count + 1, sizeof *order);
    for (int i = 0; i < s->game_count; i++)
        order[i] = &s->games[i];
    qsort(order, (size_t)s->game_count, sizeof *order, compare_numbers);
    buf_text(out, "\ngames, black first\n");
    for (int i = 0; i < s->game_count; i++)
        if (report_tells(r, order[i]->stage))
            put_game(r, out, order[i]);
    free(order);
}

static void put_decisions(const struct report *r, struct buf *out) {
    for (int i = 0; i < r->state->decision_count; i++) {
        const struct kept_decision *d = &r->state->decisions[i];
        char when[32];
        report_time(d->at_us, when);
        buf_format(out, "%s%s  %s %s: %s%s%s\n", i ? "" : "\ndecisions of the organiser\n", when,
                   d->kind, d->subject, d->why, *d->by ? ", by " : "", d->by);
    }
}

struct crew_member {
    const char *name; // of the state's, which keeps each once
    int64_t speed;
    int games;
};

static void put_workers(const struct report *r, struct buf *out) {
    const struct state *s = r->state;
    struct crew_member *crew = NULL;
    int count = 0;
    for (int i = 0; i < s->game_count; i++) {
        const struct stored_game *g = &s->games[i];
        int k = 0;
        if (!*g->worker || g->state != GAME_DONE)
            continue;
        while (k < count && crew[k].name != g->worker)
            k++;
        if (k == count) {
            crew = mem_resize(crew, (size_t)(count + 1) * sizeof *crew);
            crew[count++] = (struct crew_member){.name = g->worker, .speed = g->speed};
        }
        crew[k].games++;
    }
    if (count > 1)
        buf_text(out, "\nworkers: games, positions a millisecond of a fixed search\n");
    for (int i = 0; count > 1 && i < count; i++)
        buf_format(out, "%s: %d, %lld\n", crew[i].name, crew[i].games, (long long)crew[i].speed);
    free(crew);
}

void report_text(const struct report *r, struct buf *out) {
    const struct state *s = r->state;
    buf_format(out, "%s: %s, %d players, %d of %d games%s\n\n", s->plan->name,
               s->plan->rules.game->name, s->plan->player_count, s->counts[GAME_DONE],
               s->expected - s->counts[GAME_ANNULLED], s->is_over ? "" : " so far");
    report_table(r, out);
    put_superiority(r, out);
    put_cross(r, out);
    put_games(r, out);
    put_decisions(r, out);
    put_workers(r, out);
}

// A text that a spreadsheet would take for a formula is made a text by an apostrophe.
static void put_cell(struct buf *out, const char *text) {
    const char *guard = *text && strchr("=+-@\t", *text) ? "'" : "";
    if (!text[strcspn(text, ",\"\r\n")]) {
        buf_format(out, "%s%s", guard, text);
        return;
    }
    buf_format(out, "\"%s", guard);
    for (; *text; text++)
        buf_format(out, "%s%c", *text == '"' ? "\"" : "", *text);
    buf_text(out, "\"");
}

static void put_points(struct buf *out, const struct table_rules *rules, const struct standing *x) {
    buf_format(out, "%d,%d,%d,%d,%d", x->played, x->won, x->drawn, x->lost, x->points);
    for (int k = 0; k < rules->break_count; k++)
        buf_format(out, ",%g", report_tie(x, rules->breaks[k]));
}

static void put_reached(const struct report *r, int player, struct buf *out) {
    struct buf words = {.data = NULL};
    buf_text(&words, "");
    report_put_reached(r, player, REPORT_EN, &words);
    put_cell(out, words.data);
    buf_done(&words);
}

static void put_end(const struct report *r, const struct standing *x, struct buf *out) {
    buf_format(out, ",%.1f,%.1f,", r->ratings->elo[x->player],
               ratings_error(r->ratings, x->player));
    put_cell(out, r->remarks[x->player]);
    buf_text(out, "\r\n");
}

static void put_begin(const struct report *r, const struct standing *x, struct buf *out) {
    buf_format(out, "%d,", x->rank);
    put_cell(out, report_name(r, x->player));
    buf_text(out, ",");
    put_cell(out, r->state->plan->players[x->player].team);
    buf_text(out, ",");
}

static void put_points_head(struct buf *out, const struct table_rules *rules) {
    buf_text(out, "played,won,drawn,lost,points");
    for (int i = 0; i < rules->break_count; i++)
        buf_format(out, ",%s", tie_break_word(rules->breaks[i]));
}

// The table of a stage, group by group.
static void put_csv_stage(const struct report *r, const struct stage_state *stage,
                          struct buf *out) {
    const struct table_rules *rules = &stage->stage->table;
    struct standing *list = mem_new((size_t)stage->field.count, sizeof *list);
    buf_text(out, "rank,name,team,group,");
    put_points_head(out, rules);
    buf_text(out, ",elo,elo_error,remark\r\n");
    for (int g = 0; g < stage->stage->format.groups; g++) {
        const int count = report_group(stage, r->state->plan, g, list);
        for (int i = 0; i < count; i++) {
            put_begin(r, &list[i], out);
            buf_format(out, "%d,", g + 1);
            put_points(out, rules, &list[i]);
            put_end(r, &list[i], out);
        }
    }
    free(list);
}

void report_csv(const struct report *r, struct buf *out) {
    const struct state *s = r->state;
    const struct table_rules *rules = &s->plan->stages[s->begun ? s->begun - 1 : 0].table;
    const bool whole = s->plan->stage_count == 1; // else points stand with their stages alone
    if (r->only >= 0) {
        put_csv_stage(r, &s->stages[r->only], out);
        return;
    }
    buf_text(out, "rank,name,team,");
    if (whole)
        put_points_head(out, rules);
    else
        buf_text(out, "reached");
    buf_text(out, ",elo,elo_error,remark\r\n");
    for (int i = 0; i < r->count; i++) {
        const struct standing *x = &r->overall[i];
        put_begin(r, x, out);
        if (whole)
            put_points(out, rules, x);
        else
            put_reached(r, x->player, out);
        put_end(r, x, out);
    }
}
