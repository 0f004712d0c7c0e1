// SPDX-License-Identifier: MIT
// The table, a line a player (RFC 4180).
#include "contest/report.h"

#include <string.h>

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

void report_csv(const struct report *r, struct buf *out) {
    const struct state *s = r->state;
    const struct table_rules *rules = &s->plan->stages[s->begun ? s->begun - 1 : 0].table;
    buf_text(out, "rank,name,team,played,won,drawn,lost,points");
    for (int i = 0; i < rules->break_count; i++)
        buf_format(out, ",%s", tie_break_word(rules->breaks[i]));
    buf_text(out, ",elo,elo_error,remark\r\n");
    for (int i = 0; i < r->count; i++) {
        const struct standing *x = &r->overall[i];
        buf_format(out, "%d,", x->rank);
        put_cell(out, report_name(r, x->player));
        buf_text(out, ",");
        put_cell(out, s->plan->players[x->player].team);
        buf_format(out, ",%d,%d,%d,%d,%d", x->played, x->won, x->drawn, x->lost, x->points);
        for (int k = 0; k < rules->break_count; k++)
            buf_format(out, ",%g", report_tie(x, rules->breaks[k]));
        buf_format(out, ",%.1f,%.1f,", r->ratings->elo[x->player],
                   ratings_error(r->ratings, x->player));
        put_cell(out, r->remarks[x->player]);
        buf_text(out, "\r\n");
    }
}
