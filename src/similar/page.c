// SPDX-License-Identifier: MIT
// The page stands alone: no script, no file beside it, and whatever the sources hold is text
// there. Stretches in common are links to each other, "pNaT" on the left side of pair N and "pNbT"
// on the right, in colours that repeat.
#include "similar/page.h"

#include "similar/tiles.h"

#include <stdlib.h>
#include <string.h>

enum { COLOURS = 8 };

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
    "<title>Similar submissions</title><style>\n"
    ":root{color-scheme:light dark;--line:#d4d8dd;--soft:#f3f5f7;--text:#1c2126}\n"
    "@media(prefers-color-scheme:dark){:root{--line:#3a4149;--soft:#20262c;--text:#e6e9ec}}\n"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:1500px;margin:2rem auto;padding:0 1rem;"
    "color:var(--text)}\n"
    "table{border-collapse:collapse}td,th{padding:.25rem .75rem;text-align:left;"
    "border-bottom:1px solid "
    "var(--line)}.wide{overflow-x:auto}td.n{white-space:nowrap;text-align:right;font-variant-"
    "numeric:tabular-nums}\n"
    ".sides{display:grid;grid-template-columns:1fr 1fr;gap:1rem}\n"
    ".sides>div{min-width:0}@media(max-width:800px){.sides{grid-template-columns:1fr}}\n"
    "pre{background:var(--soft);border:1px solid var(--line);padding:.75rem;overflow:auto;"
    "max-height:80vh;font:12px/1.45 ui-monospace,monospace}\n"
    "a.m{color:inherit;text-decoration:none;border-radius:2px}a.m:target{outline:2px solid}\n"
    ".c0{background:#f2b8b577}.c1{background:#b5d3f277}.c2{background:#b9e4b477}"
    ".c3{background:#f2e0a577}.c4{background:#d9b8f277}.c5{background:#a8e2dd77}"
    ".c6{background:#f2c79f77}.c7{background:#c3c8d177}\n"
    "</style></head><body>\n";

// Any bytes as text of a page: what is no printable ASCII and no UTF-8 becomes "?".
static void put_text(struct buf *out, const char *text, size_t size) {
    static const struct {
        char c;
        const char *as;
    } special[] = {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    for (size_t i = 0; i < size; i++) {
        const char *as = NULL;
        for (size_t k = 0; k < sizeof special / sizeof *special; k++)
            as = text[i] == special[k].c ? special[k].as : as;
        const unsigned char c = (unsigned char)text[i];
        if (as)
            buf_text(out, as);
        else
            buf_put(out, (c >= ' ' && c != 127) || c == '\n' || c == '\t' ? &text[i] : "?", 1);
    }
}

static void put_name(struct buf *out, const struct submission *s) {
    put_text(out, s->name, strlen(s->name));
    if (s->outside)
        buf_text(out, " (outside)");
}

static bool is_flagged(const struct page *page, int pair) {
    return pair_most(&page->pairs->at[pair]) >= page->flagged;
}

static void put_table(const struct page *page, struct buf *out) {
    buf_text(out, "<div class=\"wide\"><table><tr><th>pair</th><th></th><th>of its "
                  "code</th><th></th><th>of its "
                  "code</th></tr>\n");
    for (int i = 0; i < page->pairs->count && (i < PAGE_PAIRS || is_flagged(page, i)); i++) {
        const struct pair *p = &page->pairs->at[i];
        const bool shown = is_flagged(page, i) && i < PAGE_PAIRS;
        buf_format(out,
                   shown ? "<tr><td><a href=\"#p%1$d\">%1$d</a></td><td>" : "<tr><td>%1$d</td><td>",
                   i + 1);
        put_name(out, &page->list[p->a]);
        buf_format(out, "</td><td class=\"n\">%.1f %%</td><td>", p->percent[0]);
        put_name(out, &page->list[p->b]);
        buf_format(out, "</td><td class=\"n\">%.1f %%</td></tr>\n", p->percent[1]);
    }
    buf_text(out, "</table></div>\n");
}

static void put_groups(const struct page *page, struct buf *out) {
    buf_text(out, "<h2>Who hangs together</h2>\n<ul>\n");
    for (int i = 0; i < page->count; i++) {
        int members = 0;
        for (int k = i; k < page->count; k++)
            members += page->group[k] == i;
        if (members < 2)
            continue;
        buf_text(out, "<li>");
        for (int k = i, first = 1; k < page->count; k++)
            if (page->group[k] == i) {
                buf_text(out, first ? "" : ", ");
                put_name(out, &page->list[k]);
                first = 0;
            }
        buf_text(out, "</li>\n");
    }
    buf_text(out, "</ul>\n");
}

static void put_remarks(const struct page *page, struct buf *out) {
    if (page->remark_count == 0)
        return;
    buf_text(out, "<h2>To be looked at by hand</h2>\n<ul>\n");
    for (int i = 0; i < page->remark_count; i++) {
        const struct page_remark *r = &page->remarks[i];
        buf_text(out, "<li>");
        put_text(out, r->name, strlen(r->name));
        buf_text(out, ": ");
        put_text(out, r->text, strlen(r->text));
        buf_text(out, "</li>\n");
    }
    buf_text(out, "</ul>\n");
}

// One side of a pair: the text of a submission, tiles in colour.
struct page_view {
    struct tile_side side;
    int pair;
    struct buf *out;
};

static void page_put_part(void *owner, const char *text, size_t length, int tile) {
    const struct page_view *v = owner;
    const int which = v->side.which;
    if (tile >= 0)
        buf_format(v->out, "<a class=\"m c%d\" id=\"p%d%c%d\" href=\"#p%d%c%d\">", tile % COLOURS,
                   v->pair, "ab"[which], tile, v -> pair, "ba"[which], tile);
    put_text(v->out, text, length);
    if (tile >= 0)
        buf_text(v->out, "</a>");
}

static void put_source(struct page_view *v, int file) {
    const struct source *source = &v->side.of->sources[file];
    buf_text(v->out, "<h4>");
    put_text(v->out, source->path, strlen(source->path));
    buf_text(v->out, "</h4><pre>");
    tiles_walk(&v->side, file, page_put_part, v);
    buf_text(v->out, "</pre>\n");
}

static void put_side(struct page_view *v, double percent) {
    buf_text(v->out, "<div><h3>");
    put_name(v->out, v->side.of);
    buf_format(v->out, ": %.1f %%</h3>\n", percent);
    for (int i = 0; i < v->side.of->source_count; i++)
        put_source(v, i);
    buf_text(v->out, "</div>\n");
}

static void put_pair(const struct page *page, int number, struct buf *out) {
    const struct pair *p = &page->pairs->at[number];
    struct tile *tiles;
    const int count = tiles_find(&page->list[p->a], &page->list[p->b], &tiles);
    buf_format(out, "<h2 id=\"p%d\">Pair %d</h2>\n<div class=\"sides\">\n", number + 1, number + 1);
    for (int i = 0; i < 2; i++)
        put_side(
            &(struct page_view){{&page->list[i ? p->b : p->a], tiles, count, i}, number + 1, out},
            p->percent[i]);
    buf_text(out, "</div>\n");
    free(tiles);
}

void page_write(const struct page *page, struct buf *out) {
    buf_text(out, head);
    buf_format(out,
               "<h1>Similar submissions</h1>\n<p>%d compared. Names, literals, comments and "
               "layout do not count. Pairs of %.0f %% or more are flagged.</p>\n",
               page->count, page->flagged);
    put_table(page, out);
    put_groups(page, out);
    put_remarks(page, out);
    for (int i = 0; i < page->pairs->count && i < PAGE_PAIRS && is_flagged(page, i); i++)
        put_pair(page, i, out);
    buf_text(out, "</body></html>\n");
}
