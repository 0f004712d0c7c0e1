// SPDX-License-Identifier: MIT
// Nearly as in the standard: arguments are put into the body, and that is gone through again. Which
// of several definitions holds depends on #if lines that are not followed: it is the last one
// before the use in its file, else the longest of all. Whatever a source says, the work is bounded
// by its length: tokens from macros, arguments and definitions of one name are counted.
#include "similar/macro.h"

#include "base/mem.h"

#include <stdlib.h>

enum {
    DEPTH_MOST = 24,
    AGAIN_MOST = 4,       // a macro with arguments in its own arguments
    GROWTH_MOST = 4,      // times as many tokens as were read
    EXTRA_MOST = 1 << 14, // and so many more
    CALL_MOST = 1000,     // tokens between brackets
    SAME_MOST = 32,       // definitions of a name that are looked at
};

struct expander {
    struct tokens *from;
    const char *const *texts;
    struct macro_sum *sum;
    const struct macro *active[DEPTH_MOST];
    int depth;
    int left;          // tokens that may still come from macros
    int use;           // the token that is being expanded
    struct token span; // its place, and that of its arguments
};

static int macro_by_name(const void *a, const void *b) {
    const struct macro *x = a, *y = b;
    return x->name != y->name ? (x->name > y->name) - (x->name < y->name) : x->first - y->first;
}

static bool is_active(const struct expander *e, const struct macro *m) {
    int times = 0;
    for (int i = 0; i < e->depth; i++)
        times += e->active[i]->name == m->name;
    return times >= (m->parameters < 0 ? 1 : AGAIN_MOST);
}

static bool says_the_same(const struct tokens *t, const struct macro *a, const struct macro *b) {
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; i++)
        same = t->bodies[a->first + i].kind == t->bodies[b->first + i].kind;
    return same;
}

static struct macro *first_of(const struct tokens *t, uint64_t name) {
    int low = 0, high = t->macro_count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (t->macros[middle].name < name)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->macro_count && t->macros[low].name == name ? &t->macros[low] : NULL;
}

// The first of a name gets to know whether all say the same.
static void sort_macros(struct tokens *t) {
    qsort(t->macros, (size_t)t->macro_count, sizeof *t->macros, macro_by_name);
    for (int i = 1, first = 0; i < t->macro_count; i++) {
        if (t->macros[i].name != t->macros[first].name)
            first = i;
        t->macros[first].unsure |= !says_the_same(t, &t->macros[i], &t->macros[first]);
    }
}

// The definition that holds for the token that is being expanded.
static struct macro *choose(const struct expander *e, struct macro *first) {
    const struct tokens *t = e->from;
    struct macro *longest = first, *last = NULL, *end = t->macros + t->macro_count;
    for (struct macro *m = first; m < end && m < first + SAME_MOST && m->name == first->name; m++) {
        m->used = true;
        if (m->count > longest->count)
            longest = m;
        if (m->file == e->span.file && m->at <= e->use)
            last = m;
    }
    return last ? last : longest;
}

static bool may_be_macro(const struct expander *e, const struct token *t) {
    return (t->kind == KIND_NAME || (t->kind >= KIND_WORDS && t->kind < KIND_PARAMETER)) &&
           e->texts[t->file];
}

static struct macro *find(const struct expander *e, const struct token *t) {
    if (!may_be_macro(e, t))
        return NULL;
    const char *text = e->texts[t->file];
    struct macro *first = first_of(e->from, token_name(text + t->begin, text + t->end));
    return first && !is_active(e, first) ? first : NULL;
}

static void put(const struct expander *e, struct tokens *out, struct token token) {
    if (e->depth > 0) { // where it is used; the name stays readable by its own place until then
        token.line = e->span.line;
        token.begin = e->span.begin;
        token.end = e->span.end;
        token.file = e->span.file;
    }
    tokens_add(out, token, 0);
}

static void expand(struct expander *e, const struct token *list, int count, struct tokens *out);

// The end of the arguments that begin with the bracket at `from`: behind the closing one, or -1.
static int arguments_end(const struct token *list, int count, int from) {
    int depth = 0;
    for (int i = from; i < count && i < from + CALL_MOST && list[i].file == list[from].file; i++) {
        depth += (list[i].kind == '(') - (list[i].kind == ')');
        if (depth == 0)
            return i + 1;
    }
    return -1;
}

// Cuts what stands between the brackets at its commas into as many as there are parameters, the
// rest in the last; returns how many there are. `cuts` gets one place more.
static int cut_arguments(const struct token *list, int begin, int end, int most, int *cuts) {
    int depth = 0, count = 0;
    cuts[0] = begin;
    for (int i = begin; i < end; i++) {
        depth += (list[i].kind == '(') - (list[i].kind == ')');
        if (list[i].kind == ',' && depth == 0 && count + 1 < most)
            cuts[++count] = i + 1;
    }
    cuts[++count] = end + 1;
    return count;
}

static void add_plain(struct tokens *out, const struct token *list, int count) {
    for (int i = 0; i < count; i++)
        tokens_add(out, list[i], 0);
}

// The body with the arguments in it. A list of literals is one token, and so are as many arguments.
static void put_arguments(const struct expander *e, const struct macro *m, const struct token *list,
                          const int *cuts, int given, struct tokens *out) {
    const struct token *body = e->from->bodies + m->first;
    for (int i = 0; i < m->count && out->count < e->left; i++) {
        const int number = body[i].kind - KIND_PARAMETER;
        if (body[i].kind == '#') // names are pasted, or made text: what is beside it is one token
            continue;
        if (number >= 0 && number < given)
            add_plain(out, list + cuts[number], cuts[number + 1] - 1 - cuts[number]);
        else if (number >= 0)
            tokens_add(out, (struct token){.kind = KIND_LITERAL, .file = body[i].file}, 0);
        else
            tokens_add(out, body[i], 0);
    }
}

static void expand_body(struct expander *e, const struct macro *m, const struct token *list,
                        int count, struct tokens *out) {
    e->active[e->depth++] = m;
    expand(e, list, count, out);
    e->depth--;
}

// A use with arguments, from its bracket to `end`.
static void expand_call(struct expander *e, const struct macro *m, const struct token *list,
                        int from, int end, struct tokens *out) {
    struct tokens filled = {.at = NULL};
    int cuts[PARAMETERS_MOST + 1];
    const int most = m->parameters > 0 ? m->parameters : 1;
    const int given = cut_arguments(list, from + 1, end - 1, most, cuts);
    put_arguments(e, m, list, cuts, given, &filled);
    expand_body(e, m, filled.at, filled.count, out);
    tokens_done(&filled);
}

// The macro that this token stands for, if there is room for it.
static struct macro *macro_at(struct expander *e, const struct token *token) {
    struct macro *first = find(e, token);
    if (!first || (e->depth < DEPTH_MOST && e->left > 0))
        return first;
    e->sum->cut = true;
    return NULL;
}

// Puts a macro in; returns how many tokens its use has, 0 if it is none for want of arguments.
static int expand_use(struct expander *e, const struct macro *m, const struct token *list,
                      int count, int i, struct tokens *out) {
    if (m->parameters < 0) {
        expand_body(e, m, e->from->bodies + m->first, m->count, out);
        return 1;
    }
    const bool called = i + 1 < count && list[i + 1].kind == '(';
    const int end = called ? arguments_end(list, count, i + 1) : -1;
    if (end < 0)
        return 0;
    if (e->depth == 0)
        e->span.end = list[end - 1].end;
    expand_call(e, m, list, i + 1, end, out);
    return end - i;
}

// One token, and what belongs to it; returns how many those were.
static int expand_one(struct expander *e, const struct token *list, int count, int i,
                      struct tokens *out) {
    const int had = out->count;
    struct macro *first = macro_at(e, &list[i]);
    if (e->depth == 0)
        e->span = list[i];
    const int length = first ? expand_use(e, choose(e, first), list, count, i, out) : 0;
    if (length == 0)
        put(e, out, list[i]);
    else if (e->depth == 0 && first->unsure)
        e->sum->unsure += out->count - had;
    return length > 0 ? length : 1;
}

static void expand(struct expander *e, const struct token *list, int count, struct tokens *out) {
    for (int i = 0; i < count && (e->depth == 0 || e->left > 0);) {
        if (e->depth == 0)
            e->use = i;
        else
            e->left--;
        i += expand_one(e, list, count, i, out);
    }
}

void macros_expand(struct tokens *t, const char *const *texts, struct macro_sum *sum) {
    struct tokens out = {.at = NULL};
    struct expander e = {.from = t, .texts = texts, .sum = sum};
    if (t->macro_count == 0)
        return;
    e.left = GROWTH_MOST * t->count + EXTRA_MOST;
    sort_macros(t);
    expand(&e, t->at, t->count, &out);
    for (int i = 0; i < t->macro_count; i++)
        sum->unused += t->macros[i].used ? 0 : t->macros[i].count;
    free(t->at);
    t->at = out.at;
    t->count = out.count;
    t->room = out.room;
}
