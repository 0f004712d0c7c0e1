// SPDX-License-Identifier: MIT
// One page that needs nothing else: style and plot are inside. The head is a file, page/head.html.
#include "contest/report/report.h"

#include "base/embed.h"
#include "base/mem.h"
#include "contest/likeness.h"
#include "contest/schedule/knockout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

// A report on its way to a page, in a language.
struct html {
    const struct report *report;
    enum report_language language;
    struct buf *out;
};

static const char *word(const struct html *h, const char *key) {
    return report_word(h->language, key);
}

// Built-in players are named by what starts them.
static const char *html_name(const struct html *h, int player) {
    return word(h, report_name(h->report, player));
}

static void put_heading(const struct html *h, const char *key) {
    buf_format(h->out, "<h2>%s</h2>\n", word(h, key));
}

// The head of a table: columns by their keys, those of texts with a dot before.
static void put_columns(const struct html *h, const char *const *keys) {
    for (; *keys; keys++)
        buf_format(h->out, **keys == '.' ? "<th class=\"text\">%s</th>" : "<th>%s</th>",
                   word(h, *keys + (**keys == '.')));
}

static void put_cell(struct buf *out, const char *text) {
    buf_text(out, "<td class=\"text\">");
    put_words(out, text);
    buf_text(out, "</td>");
}

static void put_standings(const struct html *h, const struct table_rules *rules,
                          const struct standing *list, int count) {
    const struct report *r = h->report;
    struct buf *out = h->out;
    buf_text(out, "<div class=\"wide\"><table>\n<tr>");
    put_columns(h, (const char *const[]){"rank", ".name", ".team", "played", "won", "drawn", "lost",
                                         "points", NULL});
    for (int i = 0; i < rules->break_count; i++)
        buf_format(out, "<th>%s</th>", word(h, tie_break_word(rules->breaks[i])));
    put_columns(h, (const char *const[]){"Elo", ".remark", NULL});
    buf_text(out, "</tr>\n");
    for (int i = 0; i < count; i++) {
        const struct standing *s = &list[i];
        buf_format(out, "<tr><td>%d</td>", s->rank);
        put_cell(out, html_name(h, s->player));
        put_cell(out, r->state->plan->players[s->player].team);
        buf_format(out, "<td>%d</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td>", s->played,
                   s->won, s->drawn, s->lost, s->points);
        for (int k = 0; k < rules->break_count; k++)
            buf_format(out, "<td>%g</td>", report_tie(s, rules->breaks[k]));
        buf_format(out, "<td>%+.0f &plusmn; %.0f</td>", r->ratings->elo[s->player],
                   ratings_error(r->ratings, s->player));
        struct buf remark = {.data = NULL};
        buf_text(&remark, "");
        report_put_remark(r, s->player, h->language, &remark);
        put_cell(out, remark.data);
        buf_done(&remark);
        buf_text(out, "</tr>\n");
    }
    buf_text(out, "</table></div>\n");
}

// A pair of a bracket: two rows, the winner bold.
static void put_pair(const struct html *h, const struct stage_state *stage,
                     const struct meeting *m) {
    buf_text(h->out, "<table class=\"pair\">");
    for (int i = 0; i < 2; i++) {
        const int player = m->player[i] < 0 ? NOBODY : stage->players[m->player[i]];
        const bool won = m->is_over && bracket_winner(m) == m->player[i];
        buf_format(h->out, "<tr%s>", won ? " class=\"won\"" : "");
        put_cell(h->out, player < 0 ? "\xe2\x80\x93" : html_name(h, player));
        buf_format(h->out, "<td>%g</td></tr>", m->points[i] / 2.0);
    }
    buf_text(h->out, "</table>");
}

static void put_round_name(const struct html *h, int round, int rounds) {
    static const char *const keys[] = {"", "final", "semifinal", "quarterfinal"};
    char number[16];
    snprintf(number, sizeof number, "%d", round + 1);
    if (rounds - round <= 3)
        put_words(h->out, word(h, keys[rounds - round]));
    else
        report_fill(h->out, word(h, "round"), (const char *const[]){number, NULL});
}

// A column a round, from the first to the final, with the match for the third place below it.
static void put_bracket(const struct html *h, const struct stage_state *stage) {
    const int rounds = bracket_rounds(stage->field.count);
    if (stage->stage->format.schedule != &schedule_knockout)
        return;
    put_heading(h, "bracket");
    buf_text(h->out, "<div class=\"wide\"><div class=\"bracket\">\n");
    for (int round = 0; round < rounds; round++) {
        buf_text(h->out, "<div class=\"round\"><h3>");
        put_round_name(h, round, rounds);
        buf_text(h->out, "</h3>");
        for (int i = 0; i < stage->meetings.count; i++) {
            const struct meeting *m = &stage->meetings.list[i];
            if (m->round != round)
                continue;
            if (round == rounds - 1 && m->table == 1)
                buf_format(h->out, "<h3>%s</h3>", word(h, "third match"));
            put_pair(h, stage, m);
        }
        buf_text(h->out, "</div>\n");
    }
    buf_text(h->out, "</div></div>\n");
}

static void put_stage(const struct html *h, int number) {
    const struct state *s = h->report->state;
    const struct stage_state *stage = &s->stages[number];
    struct standing *list = mem_new((size_t)stage->field.count, sizeof *list);
    put_bracket(h, stage);
    for (int g = 0; g < stage->stage->format.groups; g++) {
        const int count = report_group(stage, s->plan, g, list);
        buf_text(h->out, "<h2>");
        put_words(h->out, word(h, stage->stage->name));
        if (stage->stage->format.groups > 1)
            buf_format(h->out, ", %s %d", word(h, "group"), g + 1);
        buf_text(h->out, "</h2>\n");
        put_standings(h, &stage->stage->table, list, count);
    }
    free(list);
}

static void put_podium(const struct html *h) {
    const struct report *r = h->report;
    const int count = report_podium(r);
    if (count == 0)
        return;
    buf_text(h->out, "<ol class=\"podium\">\n");
    for (int i = 0; i < count; i++) {
        buf_format(h->out, "<li value=\"%d\">", r->overall[i].rank);
        put_words(h->out, html_name(h, r->overall[i].player));
        buf_text(h->out, "</li>\n");
    }
    buf_text(h->out, "</ol>\n");
}

static void put_overall(const struct html *h) {
    const struct report *r = h->report;
    put_heading(h, "final order");
    buf_text(h->out, "<div class=\"wide\"><table>\n<tr>");
    put_columns(h, (const char *const[]){"rank", ".name", ".how far", NULL});
    buf_text(h->out, "</tr>\n");
    for (int i = 0; i < r->count; i++) {
        struct buf how = {.data = NULL};
        buf_text(&how, "");
        report_put_reached(r, r->overall[i].player, h->language, &how);
        buf_format(h->out, "<tr><td>%d</td>", r->overall[i].rank);
        put_cell(h->out, html_name(h, r->overall[i].player));
        put_cell(h->out, how.data);
        buf_text(h->out, "</tr>\n");
        buf_done(&how);
    }
    buf_text(h->out, "</table></div>\n");
}

// The head of a table of everybody against everybody.
static void put_square_head(const struct html *h, const char *title) {
    put_heading(h, title);
    buf_text(h->out, "<div class=\"wide\"><table>\n<tr><th></th>");
    put_columns(h, (const char *const[]){".name", NULL});
    for (int k = 0; k < h->report->count; k++)
        buf_format(h->out, "<th>%d</th>", k + 1);
    buf_text(h->out, "</tr>\n");
}

static void put_cross(const struct html *h) {
    const struct report *r = h->report;
    struct buf *out = h->out;
    put_square_head(h, "cross");
    for (int i = 0; i < r->count; i++) {
        buf_format(out, "<tr><td>%d</td>", i + 1);
        put_cell(out, html_name(h, r->overall[i].player));
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
static void put_plot(const struct html *h) {
    const struct report *r = h->report;
    struct buf *out = h->out;
    const struct scale s = scale_of(r);
    struct standing *order = mem_new((size_t)r->count + 1, sizeof *order);
    memcpy(order, r->overall, (size_t)r->count * sizeof *order);
    qsort_r(order, (size_t)r->count, sizeof *order, compare_elo, r->ratings);
    put_heading(h, "strength");
    buf_format(out,
               "<div class=\"wide\">"
               "<svg role=\"img\" aria-label=\"ratings\" width=\"%d\" height=\"%d\">\n",
               LEFT + WIDTH + RIGHT, TOP + r->count * ROW + 10);
    put_axis(out, &s, r->count);
    for (int i = 0; i < r->count; i++) {
        const int player = order[i].player, y = TOP + i * ROW + ROW / 2;
        const double elo = r->ratings->elo[player], error = ratings_error(r->ratings, player);
        buf_format(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 12, y + 4);
        put_words(out, html_name(h, player));
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

static void put_superiority(const struct html *h) {
    const struct report *r = h->report;
    struct buf *out = h->out;
    put_square_head(h, "superiority");
    for (int i = 0; i < r->count; i++) {
        buf_format(out, "<tr><td>%d</td>", i + 1);
        put_cell(out, html_name(h, r->overall[i].player));
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

static void put_game(const struct html *h, const struct stored_game *g) {
    const struct report *r = h->report;
    struct buf *out = h->out;
    const bool over = g->state == GAME_DONE || g->state == GAME_ANNULLED;
    const char *winner = !over            ? word(h, stored_state_word(g->state))
                         : g->winner == 0 ? word(h, "a draw")
                         : g->winner < 0  ? word(h, "nobody")
                         : g->winner == 1 ? html_name(h, g->black)
                                          : html_name(h, g->white);
    buf_format(out, "<tr%s><td>%lld</td>", g->state == GAME_ANNULLED ? " class=\"annulled\"" : "",
               (long long)g->number);
    put_cell(out, html_name(h, g->black));
    put_cell(out, html_name(h, g->white));
    put_cell(out, winner);
    if (r->state->plan->rules.game->has_scores && over && finish_find(g->reason) != FINISH_WALKOVER)
        buf_format(out, "<td>%d : %d</td>", g->scores[0], g->scores[1]);
    else if (r->state->plan->rules.game->has_scores)
        buf_text(out, "<td></td>");
    buf_format(out, "<td>%d</td>", g->plies);
    put_cell(out, over ? word(h, g->reason) : "");
    struct buf verdict = {.data = NULL};
    report_verdict(r, g, h->language, &verdict);
    put_cell(out, verdict.data);
    buf_done(&verdict);
    char when[32] = "";
    if (over && g->ended_us > 0)
        report_time(g->ended_us, when);
    buf_format(out, "<td>%d</td>", g->tries);
    put_cell(out, when);
    buf_text(out, "</tr>\n");
}

// A paragraph of words with numbers in its gaps.
static void put_counted(const struct html *h, const char *key, int count) {
    char number[16];
    snprintf(number, sizeof number, "%d", count);
    buf_text(h->out, "<p>");
    report_fill(h->out, word(h, key), (const char *const[]){number, NULL});
    buf_text(h->out, "</p>\n");
}

static void put_games(const struct html *h) {
    const struct state *s = h->report->state;
    put_heading(h, "games");
    if (s->game_count > REPORT_GAMES_MAX) {
        put_counted(h, "too many games", s->game_count);
        return;
    }
    buf_text(h->out, "<div class=\"wide\"><table>\n<tr>");
    put_columns(h, (const char *const[]){"number", ".black", ".white", ".winner", NULL});
    if (s->plan->rules.game->has_scores)
        put_columns(h, (const char *const[]){"scores", NULL});
    put_columns(h, (const char *const[]){"moves", ".reason", ".verdict", "begun", ".ended", NULL});
    buf_text(h->out, "</tr>\n");
    for (int i = 0; i < s->game_count; i++)
        if (report_tells(h->report, s->games[i].stage))
            put_game(h, &s->games[i]);
    buf_text(h->out, "</table></div>\n");
}

static void put_decisions(const struct html *h) {
    const struct state *s = h->report->state;
    if (s->decision_count == 0)
        return;
    put_heading(h, "decisions");
    buf_text(h->out, "<div class=\"wide\"><table>\n");
    for (int i = 0; i < s->decision_count; i++) {
        const struct kept_decision *d = &s->decisions[i];
        struct buf what = {.data = NULL};
        char when[32];
        report_time(d->at_us, when);
        report_fill(&what, word(h, d->kind), (const char *const[]){word(h, d->subject), NULL});
        buf_text(h->out, "<tr>");
        put_cell(h->out, when);
        put_cell(h->out, what.data);
        put_cell(h->out, d->why);
        put_cell(h->out, d->by);
        buf_text(h->out, "</tr>\n");
        buf_done(&what);
    }
    buf_text(h->out, "</table></div>\n");
}

static void put_percent(struct buf *out, double percent) {
    char text[32];
    snprintf(text, sizeof text, "%.1f %%", percent);
    put_cell(out, text);
}

static void put_likeness(const struct html *h) {
    const struct likeness *l = h->report->state->likeness;
    char percent[16];
    if (!l || l->flagged == 0)
        return;
    snprintf(percent, sizeof percent, "%d", h->report->state->plan->similar);
    buf_text(h->out, "<h2>");
    report_fill(h->out, word(h, "in common"), (const char *const[]){percent, NULL});
    buf_text(h->out, "</h2>\n<div class=\"wide\"><table>\n<tr>");
    put_columns(h, (const char *const[]){"player", "of his code", "player", "of his code", NULL});
    buf_text(h->out, "</tr>\n");
    for (int i = 0; i < l->flagged; i++) {
        const struct pair *p = &l->pairs.at[i];
        buf_text(h->out, "<tr>");
        for (int side = 0; side < 2; side++) {
            put_cell(h->out, likeness_name(l, p, side));
            put_percent(h->out, p->percent[side]);
        }
        buf_text(h->out, "</tr>\n");
    }
    buf_text(h->out, "</table></div>\n");
}

// When the games were played that are told of: from the end of the first to that of the last.
static void put_dates(const struct html *h) {
    const struct state *s = h->report->state;
    int64_t first_us = 0, last_us = 0;
    for (int i = 0; i < s->game_count; i++) {
        const int64_t at_us = s->games[i].ended_us;
        if (at_us <= 0 || !report_tells(h->report, s->games[i].stage))
            continue;
        first_us = first_us == 0 || at_us < first_us ? at_us : first_us;
        last_us = at_us > last_us ? at_us : last_us;
    }
    if (last_us == 0)
        return;
    char first[32], last[32];
    report_time(first_us, first);
    report_time(last_us, last);
    report_fill(h->out, word(h, "played on"), (const char *const[]){first, last, NULL});
    buf_text(h->out, " ");
}

// What the contest is, how far it has come, when it was played and when that is told.
static void put_facts(const struct html *h) {
    const struct state *s = h->report->state;
    char players[16], done[16], all[16], now[32];
    snprintf(players, sizeof players, "%d", s->plan->player_count);
    snprintf(done, sizeof done, "%d", s->counts[GAME_DONE]);
    snprintf(all, sizeof all, "%d", s->expected - s->counts[GAME_ANNULLED]);
    report_time((int64_t)time(NULL) * 1000000, now);
    buf_text(h->out, "<p>");
    report_fill(h->out, word(h, "facts"),
                (const char *const[]){word(h, s->plan->rules.game->title), players, done, all,
                                      s->is_over ? "" : word(h, "so far"), NULL});
    buf_text(h->out, " ");
    put_dates(h);
    report_fill(h->out, word(h, "made"), (const char *const[]){now, NULL});
    buf_text(h->out, "</p>\n");
}

// The tables of everybody against everybody, and what follows from all games.
static void put_strength(const struct html *h) {
    put_plot(h);
    if (h->report->cross) {
        put_cross(h);
        put_superiority(h);
    } else {
        put_counted(h, "too wide", h->report->count);
    }
}

// The head of the file says that it is in English.
static void put_head(const struct html *h) {
    static const char english[] = "lang=\"en\"";
    const char *head = report_files[0].bytes, *at = strstr(head, english);
    if (at) {
        buf_put(h->out, head, (size_t)(at - head));
        buf_format(h->out, "lang=\"%s\"", report_language_word(h->language));
        head = at + strlen(english);
    }
    buf_text(h->out, head);
}

void report_html(const struct report *r, enum report_language language, struct buf *out) {
    const struct state *s = r->state;
    const struct html h = {r, language, out};
    put_head(&h);
    buf_text(out, "<title>");
    put_words(out, s->plan->name);
    buf_text(out, "</title>\n</head>\n<body>\n<h1>");
    put_words(out, s->plan->name);
    buf_text(out, "</h1>\n");
    put_facts(&h);
    if (r->only < 0)
        put_podium(&h);
    if (r->only < 0 && report_is_by_bracket(r))
        put_overall(&h);
    for (int i = s->begun - 1; i >= 0; i--)
        if (report_tells(r, i))
            put_stage(&h, i);
    if (r->only < 0)
        put_strength(&h);
    put_games(&h);
    put_likeness(&h);
    put_decisions(&h);
    buf_text(out, "</body>\n</html>\n");
}
