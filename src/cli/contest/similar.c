// SPDX-License-Identifier: MIT
// `arbiter contest similar`: which players of a contest have code in common.
#include "base/embed.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/plain.h"
#include "cli/contest/contest.h"
#include "contest/likeness.h"
#include "contest/state.h"
#include "similar/page.h"
#include "similar/tiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *pair_json(const struct likeness *l, int number) {
    const struct pair *p = &l->pairs.at[number];
    return json_pack("{s:[o, o], s:[f, f], s:b}", "players", json_text(likeness_name(l, p, 0)),
                     json_text(likeness_name(l, p, 1)), "percent", p->percent[0], p->percent[1],
                     "flagged", number < l->flagged);
}

static json_t *remarks_json(const struct contest *c, const struct likeness *l) {
    json_t *list = json_array();
    for (int i = 0; i < l->remark_count; i++)
        json_array_append_new(list,
                              json_pack("{s:o, s:o}", "player",
                                        json_text(c->plan->players[l->remarks[i].player].name),
                                        "remark", json_text(l->remarks[i].text)));
    return list;
}

// {"percent": of flagged pairs, "players": [names with sources], "pairs": [..], "clusters": [[..]],
// "remarks": [{"player", "remark"}]}
static json_t *likeness_json(const struct contest *c, const struct likeness *l) {
    json_t *players = json_array(), *pairs = json_array();
    for (int i = 0; i < l->count; i++)
        json_array_append_new(players, json_text(l->list[i].name));
    for (int i = 0; i < l->pairs.count; i++)
        json_array_append_new(pairs, pair_json(l, i));
    return json_pack("{s:i, s:o, s:o, s:o, s:o}", "percent", c->plan->similar, "players", players,
                     "pairs", pairs, "clusters", pairs_groups(l->list, l->count, l->group),
                     "remarks", remarks_json(c, l));
}

// Two players side by side.

static void contest_similar_put_part(void *parts, const char *bytes, size_t length, int tile) {
    char *text = strndup(bytes, length);
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' && *c != '\n' && *c != '\t')
            *c = '?';
    if (length > 0)
        json_array_append_new(parts,
                              json_pack("{s:o, s:i}", "text", json_text(text), "tile", tile));
    free(text);
}

// The files in parts: the number of the stretch that is in common, or -1.
static json_t *side_json(const struct tile_side *s) {
    json_t *files = json_array();
    for (int i = 0; i < s->of->source_count; i++) {
        json_t *parts = json_array();
        tiles_walk(s, i, contest_similar_put_part, parts);
        json_array_append_new(files, json_pack("{s:o, s:o}", "file",
                                               json_text(s->of->sources[i].path), "parts", parts));
    }
    return files;
}

static json_t *sides_json(const struct likeness *l, int number) {
    const struct pair *p = &l->pairs.at[number];
    const struct submission *of[] = {&l->list[p->a], &l->list[p->b]};
    struct tile *tiles;
    const int count = tiles_find(of[0], of[1], &tiles);
    json_t *pair = pair_json(l, number), *sides = json_array();
    for (int i = 0; i < 2; i++)
        json_array_append_new(sides, side_json(&(struct tile_side){of[i], tiles, count, i}));
    json_object_set_new(pair, "sides", sides);
    free(tiles);
    return pair;
}

// The two players of --pair; their number is 0 if it is not given, else it must be two.
static int pair_names(const struct args *args, const char *names[2], struct err *err) {
    int count = 0;
    for (int i = 0; i < args->options; i++) {
        if (strcmp(args->given[i].option->name, "--pair") != 0)
            continue;
        if (count < 2)
            names[count] = args->given[i].value;
        count++;
    }
    if (count != 0 && count != 2)
        err_set(err, "--pair is given twice, for two players");
    return count;
}

static int find_pair(const struct likeness *l, const char *const names[2], struct err *err) {
    for (int i = 0; i < l->pairs.count; i++)
        for (int turn = 0; turn < 2; turn++)
            if (strcmp(likeness_name(l, &l->pairs.at[i], 0), names[turn]) == 0 &&
                strcmp(likeness_name(l, &l->pairs.at[i], 1), names[!turn]) == 0)
                return i;
    err_set(err, "%.60s and %.60s have no code in common that is worth telling", names[0],
            names[1]);
    return -1;
}

static bool print_json(const struct contest *c, const struct likeness *l, struct err *err) {
    const char *names[2];
    const int count = pair_names(c->args, names, err);
    const int pair = count && !err->set ? find_pair(l, names, err) : -1;
    if (!err->set)
        json_print_line(stdout, count ? sides_json(l, pair) : likeness_json(c, l));
    return !err->set;
}

static void print_pairs(const struct contest *c, const struct likeness *l) {
    for (int i = 0; i < l->pairs.count; i++) {
        const struct pair *p = &l->pairs.at[i];
        plain_print(stdout, "%s %5.1f %% of %s, %5.1f %% of %s\n", i < l->flagged ? "!" : " ",
                    p->percent[0], likeness_name(l, p, 0), p->percent[1], likeness_name(l, p, 1));
    }
    for (int i = 0; i < l->remark_count; i++)
        plain_print(stdout, "%s: %s\n", c->plan->players[l->remarks[i].player].name,
                    l->remarks[i].text);
    plain_print(stdout, "%d players with sources, %d pair%s flagged (%d %% or more)\n", l->count,
                l->flagged, l->flagged == 1 ? "" : "s", c->plan->similar);
}

static void print_page(const struct contest *c, const struct likeness *l) {
    struct buf out = {.data = NULL};
    struct page_remark *remarks = mem_new((size_t)l->remark_count + 1, sizeof *remarks);
    for (int i = 0; i < l->remark_count; i++)
        remarks[i] =
            (struct page_remark){c->plan->players[l->remarks[i].player].name, l->remarks[i].text};
    page_write(&(struct page){.list = l->list,
                              .count = l->count,
                              .pairs = &l->pairs,
                              .group = l->group,
                              .flagged = c->plan->similar,
                              .remarks = remarks,
                              .remark_count = l->remark_count},
               &out);
    plain_write(stdout, out.data, out.length);
    free(remarks);
    buf_done(&out);
}

static void contest_similar_print_progress(int done, int of) {
    json_print_line(stdout, json_pack("{s:i, s:i}", "done", done, "of", of));
    fflush(stdout);
}

int contest_similar(struct contest *c, struct err *err) {
    struct likeness l = {.told = args_value(c->args, "--progress") ? contest_similar_print_progress
                                                                   : NULL};
    bool good = (!c->store || state_is_of(c->plan, c->store, err)) &&
                likeness_find(&l, c->plan, c->store, c->base, kit_files, err);
    if (good && args_value(c->args, "--json"))
        good = print_json(c, &l, err);
    else if (good && args_value(c->args, "--html"))
        print_page(c, &l);
    else if (good)
        print_pairs(c, &l);
    likeness_done(&l);
    return good ? 0 : -1;
}
