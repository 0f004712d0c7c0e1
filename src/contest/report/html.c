// SPDX-License-Identifier: MIT
// One page that needs nothing else: style and plot are inside. The head is a file, page/head.html.
#include "contest/report/report.h"

#include "base/embed.h"
#include "base/mem.h"
#include "contest/likeness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROW = 24, LEFT = 220, WIDTH = 640, RIGHT = 110, TOP = 30 };

static void put_words(struct buf *out, const char *text) {
    static const struct {
        char letter;
        const char *entity;
    } entities[] = {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}, {'\0', NULL}};
    for (; *text; text++) {
        int i = 0;
        while (entities[i].letter && entities[i].letter != *text)
            i++;
        if (entities[i].entity)
            buf_text(out, entities[i].entity);
        else
            buf_put(out, text, 1);
    }
}

static void put_cell(struct buf *out, const char *text) {
    buf_text(out, "<td class=\"text\">");
    put_words(out, text);
    buf_text(out, "</td>");
}

static void put_standings(const struct report *r, struct buf *out, const struct table_rules *rules,
                          const struct standing *list, int count) {
    buf_text(out, "<div class=\"wide\"><table>\n<tr><th>rank</th><th class=\"text\">name</th>"
                  "<th class=\"text\">team</th><th>played</th><th>won</th><th>drawn</th>"
                  "<th>lost</th><th>points</th>");
    for (int i = 0; i < rules->break_count; i++)
        buf_format(out, "<th>%s</th>", tie_break_word(rules->breaks[i]));
    buf_text(out, "<th>Elo</th><th class=\"text\">remark</th></tr>\n");
    for (int i = 0; i < count; i++) {
        const struct standing *s = &list[i];
        buf_format(out, "<tr><td>%d</td>", s->rank);
        put_cell(out, report_name(r, s->player));
        put_cell(out, r->state->plan->players[s->player].team);
        buf_format(out, "<td>%d</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td>", s->played,
                   s->won, s->drawn, s->lost, s->points);
        for (int k = 0; k < rules->break_count; k++)
            buf_format(out, "<td>%g</td>", report_tie(s, rules->breaks[k]));
        buf_format(out, "<td>%+.0f &plusmn; %.0f</td>", r->ratings->elo[s->player],
                   ratings_error(r->ratings, s->player));
        put_cell(out, r->remarks[s->player]);
        buf_text(out, "</tr>\n");
    }
    buf_text(out, "</table></div>\n");
}

static void put_stage(const struct report *r, struct buf *out, int number) {
    const struct stage_state *stage = &r->state->stages[number];
    struct standing *list = mem_new((size_t)stage->field.count, sizeof *list);
    for (int g = 0; g < stage->stage->format.groups; g++) {
        const int count = report_group(stage, r->state->plan, g, list);
        buf_text(out, "<h2>");
        put_words(out, stage->stage->name);
        if (stage->stage->format.groups > 1)
            buf_format(out, ", group %d", g + 1);
        buf_text(out, "</h2>\n");
        put_standings(r, out, &stage->stage->table, list, count);
    }
    free(list);
}

static void put_overall(const struct report *r, struct buf *out) {
    buf_text(out, "<h2>over all stages</h2>\n<ol>\n");
    for (int i = 0; i < r->count; i++) {
        buf_format(out, "<li value=\"%d\">", r->overall[i].rank);
        put_words(out, report_name(r, r->overall[i].player));
        buf_text(out, "</li>\n");
    }
    buf_text(out, "</ol>\n");
}

// The head of a table of everybody against everybody.
static void put_square_head(const struct report *r, const char *title, struct buf *out) {
    buf_format(
        out, "<h2>%s</h2>\n<div class=\"wide\"><table>\n<tr><th></th><th class=\"text\">name</th>",
        title);
    for (int k = 0; k < r->count; k++)
        buf_format(out, "<th>%d</th>", k + 1);
    buf_text(out, "</tr>\n");
}

static void put_cross(const struct report *r, struct buf *out) {
    put_square_head(r, "points against each other, of so many", out);
    for (int i = 0; i < r->count; i++) {
        buf_format(out, "<tr><td>%d</td>", i + 1);
        put_cell(out, report_name(r, r->overall[i].player));
        for (int k = 0; k < r->count; k++) {
            int doubled, played;
            report_cross(r, r->overall[i].player, r->overall[k].player, &doubled, &played);
            if (i == k || played == 0)
                buf_format(out, "<td%s></td>", i == k ? " class=\"none\"" : "");
            else
                buf_format(out, "<td>%g/%d</td>", doubled / 2.0, played);
        }
        buf_text(out, "</tr>\n");
    }
    buf_text(out, "</table></div>\n");
}

// The scale of the plot: Elo from the lowest to the highest end of a bar, in round hundreds.
struct scale {
    double low, high;
};

static struct scale scale_of(const struct report *r) {
    struct scale s = {0, 0};
    for (int i = 0; i < r->count; i++) {
        const int player = r->overall[i].player;
        const double elo = r->ratings->elo[player], error = ratings_error(r->ratings, player);
        s.low = fmin(s.low, elo - error);
        s.high = fmax(s.high, elo + error);
    }
    s.low = floor(s.low / 100) * 100;
    s.high = ceil(s.high / 100) * 100;
    if (s.high <= s.low)
        s.high = s.low + 100;
    return s;
}

static double x_of(const struct scale *s, double elo) {
    return LEFT + (elo - s->low) / (s->high - s->low) * WIDTH;
}

static void put_axis(struct buf *out, const struct scale *s, int rows) {
    const double span = s->high - s->low, step = span > 1600 ? 400 : span > 800 ? 200 : 100;
    for (double elo = ceil(s->low / step) * step; elo <= s->high; elo += step)
        buf_format(out,
                   "<line class=\"axis\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>"
                   "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%+.0f</text>\n",
                   x_of(s, elo), TOP - 6, x_of(s, elo), TOP + rows * ROW, x_of(s, elo), TOP - 12,
                   elo);
}

static int compare_elo(const void *a, const void *b, void *owner) {
    const struct ratings *r = owner;
    const double x = r->elo[((const struct standing *)a)->player],
                 y = r->elo[((const struct standing *)b)->player];
    return (x < y) - (x > y);
}

// A row a player, best first: a dot at his Elo, and the 95 % interval around it.
static void put_plot(const struct report *r, struct buf *out) {
    const struct scale s = scale_of(r);
    struct standing *order = mem_new((size_t)r->count + 1, sizeof *order);
    memcpy(order, r->overall, (size_t)r->count * sizeof *order);
    qsort_r(order, (size_t)r->count, sizeof *order, compare_elo, r->ratings);
    buf_format(out,
               "<h2>strength: Elo and its 95 %% interval</h2>\n<div class=\"wide\">"
               "<svg role=\"img\" aria-label=\"ratings\" width=\"%d\" height=\"%d\">\n",
               LEFT + WIDTH + RIGHT, TOP + r->count * ROW + 10);
    put_axis(out, &s, r->count);
    for (int i = 0; i < r->count; i++) {
        const int player = order[i].player, y = TOP + i * ROW + ROW / 2;
        const double elo = r->ratings->elo[player], error = ratings_error(r->ratings, player);
        buf_format(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 12, y + 4);
        put_words(out, report_name(r, player));
        buf_format(out,
                   "</text><line class=\"bar\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>"
                   "<circle class=\"dot\" cx=\"%.1f\" cy=\"%d\" r=\"4\"/>"
                   "<text x=\"%d\" y=\"%d\">%+.0f &#177; %.0f</text>\n",
                   x_of(&s, elo - error), y, x_of(&s, elo + error), y, x_of(&s, elo), y,
                   LEFT + WIDTH + 12, y + 4, elo, error);
    }
    buf_text(out, "</svg></div>\n");
    free(order);
}

static void put_superiority(const struct report *r, struct buf *out) {
    put_square_head(r, "likelihood that the one on the left is stronger, %", out);
    for (int i = 0; i < r->count; i++) {
        buf_format(out, "<tr><td>%d</td>", i + 1);
        put_cell(out, report_name(r, r->overall[i].player));
        for (int k = 0; k < r->count; k++)
            if (i == k)
                buf_text(out, "<td class=\"none\"></td>");
            else
                buf_format(out, "<td>%.0f</td>",
                           100 * ratings_superiority(r->ratings, r->overall[i].player,
                                                     r->overall[k].player));
        buf_text(out, "</tr>\n");
    }
    buf_text(out, "</table></div>\n");
}

static void put_game(const struct report *r, struct buf *out, const struct stored_game *g) {
    const bool over = g->state == GAME_DONE || g->state == GAME_ANNULLED;
    const char *winner = !over            ? stored_state_word(g->state)
                         : g->winner == 0 ? "drawn"
                         : g->winner < 0  ? "nobody"
                         : g->winner == 1 ? report_name(r, g->black)
                                          : report_name(r, g->white);
    buf_format(out, "<tr%s><td>%lld</td>", g->state == GAME_ANNULLED ? " class=\"annulled\"" : "",
               (long long)g->number);
    put_cell(out, report_name(r, g->black));
    put_cell(out, report_name(r, g->white));
    put_cell(out, winner);
    buf_format(out, "<td>%d : %d</td><td>%d</td>", g->scores[0], g->scores[1], g->plies);
    put_cell(out, over ? g->reason : "");
    struct buf verdict = {.data = NULL};
    report_verdict(r, g, &verdict);
    put_cell(out, verdict.data);
    buf_done(&verdict);
    buf_format(out, "<td>%d</td></tr>\n", g->tries);
}

static void put_games(const struct report *r, struct buf *out) {
    if (r->state->game_count > REPORT_GAMES_MAX) {
        buf_format(out,
                   "<h2>games</h2>\n<p>The %d games are left out here; contest show without "
                   "--html lists them.</p>\n",
                   r->state->game_count);
        return;
    }
    buf_text(out, "<h2>games</h2>\n<div class=\"wide\"><table>\n<tr><th>number</th>"
                  "<th class=\"text\">black</th><th class=\"text\">white</th>"
                  "<th class=\"text\">winner</th><th>scores</th><th>moves</th>"
                  "<th class=\"text\">reason</th><th class=\"text\">verdict</th><th>begun</th>"
                  "</tr>\n");
    for (int i = 0; i < r->state->game_count; i++)
        put_game(r, out, &r->state->games[i]);
    buf_text(out, "</table></div>\n");
}

static void put_decisions(const struct report *r, struct buf *out) {
    if (r->state->decision_count == 0)
        return;
    buf_text(out, "<h2>decisions of the organiser</h2>\n<div class=\"wide\"><table>\n");
    for (int i = 0; i < r->state->decision_count; i++) {
        const struct kept_decision *d = &r->state->decisions[i];
        char when[32];
        report_time(d->at_us, when);
        buf_text(out, "<tr>");
        put_cell(out, when);
        put_cell(out, d->kind);
        put_cell(out, d->subject);
        put_cell(out, d->why);
        buf_text(out, "</tr>\n");
    }
    buf_text(out, "</table></div>\n");
}

static void put_percent(struct buf *out, double percent) {
    char text[32];
    snprintf(text, sizeof text, "%.1f %%", percent);
    put_cell(out, text);
}

static void put_likeness(const struct report *r, struct buf *out) {
    const struct likeness *l = r->state->likeness;
    if (!l || l->flagged == 0)
        return;
    buf_format(out,
               "<h2>code in common, %d %% or more</h2>\n<div class=\"wide\"><table>\n<tr>"
               "<th>player</th><th>of his code</th><th>player</th><th>of his code</th></tr>\n",
               r->state->plan->similar);
    for (int i = 0; i < l->flagged; i++) {
        const struct pair *p = &l->pairs.at[i];
        buf_text(out, "<tr>");
        for (int side = 0; side < 2; side++) {
            put_cell(out, likeness_name(l, p, side));
            put_percent(out, p->percent[side]);
        }
        buf_text(out, "</tr>\n");
    }
    buf_text(out, "</table></div>\n");
}

void report_html(const struct report *r, struct buf *out) {
    const struct state *s = r->state;
    buf_put(out, report_files[0].bytes, report_files[0].size);
    buf_text(out, "<title>");
    put_words(out, s->plan->name);
    buf_text(out, "</title>\n</head>\n<body>\n<h1>");
    put_words(out, s->plan->name);
    buf_format(out, "</h1>\n<p>%s, %d players, %d of %d games%s.</p>\n", s->plan->rules.game->title,
               s->plan->player_count, s->counts[GAME_DONE], s->expected - s->counts[GAME_ANNULLED],
               s->is_over ? "" : " so far");
    for (int i = 0; i < s->begun; i++)
        put_stage(r, out, i);
    if (s->plan->stage_count > 1)
        put_overall(r, out);
    put_plot(r, out);
    if (r->cross) {
        put_cross(r, out);
        put_superiority(r, out);
    } else {
        buf_format(out,
                   "<p>The tables of everybody against everybody are left out: they would have "
                   "%d columns.</p>\n",
                   r->count);
    }
    put_games(r, out);
    put_likeness(r, out);
    put_decisions(r, out);
    buf_text(out, "</body>\n</html>\n");
}
