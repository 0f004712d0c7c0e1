// SPDX-License-Identifier: MIT
// `arbiter contest similar`: which players of a contest have code in common.
#include "base/embed.h"
#include "base/json.h"
#include "cli/contest.h"
#include "contest/likeness.h"
#include "contest/state.h"
#include "similar/page.h"

#include <stdio.h>

static json_t *pairs_json(const struct likeness *l) {
    json_t *list = json_array();
    for (int i = 0; i < l->pairs.count; i++) {
        const struct pair *p = &l->pairs.at[i];
        json_array_append_new(
            list, json_pack("{s:[o, o], s:[f, f], s:b}", "players",
                            json_text(likeness_name(l, p, 0)), json_text(likeness_name(l, p, 1)),
                            "percent", p->percent[0], p->percent[1], "flagged", i < l->flagged));
    }
    return list;
}

static void print_pairs(const struct likeness *l, int percent) {
    for (int i = 0; i < l->pairs.count; i++) {
        const struct pair *p = &l->pairs.at[i];
        printf("%s %5.1f %% of %s, %5.1f %% of %s\n", i < l->flagged ? "!" : " ", p->percent[0],
               likeness_name(l, p, 0), p->percent[1], likeness_name(l, p, 1));
    }
    printf("%d players with sources, %d pair%s flagged (%d %% or more)\n", l->count, l->flagged,
           l->flagged == 1 ? "" : "s", percent);
}

static void print_page(const struct likeness *l, int percent) {
    struct buf out = {.data = NULL};
    page_write(&(struct page){.list = l->list,
                              .count = l->count,
                              .pairs = &l->pairs,
                              .group = l->group,
                              .flagged = percent},
               &out);
    fwrite(out.data, 1, out.length, stdout);
    buf_done(&out);
}

int contest_similar(struct contest *c, struct err *err) {
    struct likeness l = {.count = 0};
    const bool good = state_is_of(c->plan, c->store, err) &&
                      likeness_find(&l, c->plan, c->store, c->base, kit_files, err);
    if (good && args_value(c->args, "--json"))
        json_print_line(stdout, pairs_json(&l));
    else if (good && args_value(c->args, "--html"))
        print_page(&l, c->plan->similar);
    else if (good)
        print_pairs(&l, c->plan->similar);
    likeness_done(&l);
    return good ? 0 : -1;
}
