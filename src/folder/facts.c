// SPDX-License-Identifier: MIT
#include "folder/facts.h"

#include "base/mem.h"
#include "base/plain.h"
#include "base/whole.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS_MAX = 8 };

// A line, cut at its tabs.
struct fields {
    const char *at[FIELDS_MAX];
    int count;
};

struct reading {
    struct game *game;
    struct rule *rules;
    struct ending *endings;
    struct err *err;
};

bool facts_is_name(const char *name) {
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return length > 0 && length < FACTS_NAME_MAX && !name[length] && name[0] >= 'a';
}

static bool is_word(const char *word) {
    const size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    return length > 0 && length < FACTS_NAME_MAX && !word[length];
}

static bool take_number(struct reading *r, const struct fields *line, int64_t most, int64_t *out) {
    return (line->count == 2 && text_whole(line->at[1], 1, most, out)) ||
           err_set(r->err, "%.40s is %.40s; accepted: 1..%lld", line->at[0],
                   line->count > 1 ? line->at[1] : "missing", (long long)most);
}

// The facts that are numbers; false: the line is about something else, or wrong.
static bool read_number_fact(struct reading *r, const struct fields *line) {
    struct game *g = r->game;
    const struct {
        const char *word;
        int64_t most;
        int *place;
    } numbers[] = {{"width", FACTS_SIDE_MAX, &g->width},
                   {"height", FACTS_SIDE_MAX, &g->height},
                   {"moves_max", FACTS_MOVES_MAX, &g->moves_max},
                   {"plies_max", FACTS_PLIES_MAX, &g->plies_max}};
    int64_t number;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(line->at[0], numbers[i].word) == 0) {
            if (!take_number(r, line, numbers[i].most, &number))
                return false;
            *numbers[i].place = (int)number;
            return true;
        }
    if (strcmp(line->at[0], "distinct_moves") == 0 && take_number(r, line, 1 << 30, &number))
        g->distinct_moves = (uint32_t)number;
    else if (strcmp(line->at[0], "state_size") == 0 &&
             take_number(r, line, GAME_STATE_MAX, &number))
        g->state_size = (size_t)number;
    else
        return false;
    return true;
}

static const char *optional(const char *text) { return *text ? text : NULL; }

static bool read_rule(struct reading *r, const struct fields *line) {
    struct rule *rule = &r->rules[r->game->rule_count];
    int64_t min, max;
    if (r->game->rule_count == GAME_RULES_MAX)
        return err_set(r->err, "it has more than %d switches", GAME_RULES_MAX);
    if (line->count != FIELDS_MAX || !is_word(line->at[1]) || !line->at[3][0] ||
        !text_whole(line->at[5], INT32_MIN, INT32_MAX, &min) ||
        !text_whole(line->at[6], INT32_MIN, INT32_MAX, &max) || min > max)
        return err_set(r->err,
                       "the switch '%.40s' has no name of small letters, no help, or a range "
                       "that is none",
                       line->count > 1 ? line->at[1] : "");
    *rule = (struct rule){.key = line->at[1],
                          .standard = line->at[2],
                          .help = line->at[3],
                          .words = optional(line->at[4]),
                          .min = (int)min,
                          .max = (int)max,
                          .form = optional(line->at[7])};
    if (strlen(rule->standard) >= RULE_TEXT_MAX)
        return err_set(r->err, "the standard value of '%.40s' is too long", rule->key);
    if (!rule->words && !min && !max && !rule->form)
        return err_set(r->err, "the switch '%.40s' says neither words, nor a range, nor a form",
                       rule->key);
    r->game->rule_count++;
    return true;
}

static bool read_ending(struct reading *r, const struct fields *line) {
    const int n = r->game->ending_count;
    if (n == FACTS_ENDINGS_MAX)
        return err_set(r->err, "it has more than %d endings", FACTS_ENDINGS_MAX - 1);
    if (line->count != 3 || (n == 0 ? line->at[1][0] != '\0' : !is_word(line->at[1])) ||
        !line->at[2][0])
        return err_set(r->err, n == 0 ? "the first of its endings is not ENDING_RUNNING_WORDS"
                                      : "an ending has a word of small letters and a sentence");
    r->endings[n] = (struct ending){line->at[1], line->at[2]};
    r->game->ending_count++;
    return true;
}

static bool read_line(struct reading *r, const struct fields *line) {
    const char *word = line->at[0];
    struct game *g = r->game;
    if (strcmp(word, "name") == 0 && line->count == 2 && facts_is_name(line->at[1]))
        g->name = line->at[1];
    else if (strcmp(word, "title") == 0 && line->count == 2 && line->at[1][0])
        g->title = line->at[1];
    else if (strcmp(word, "has_scores") == 0 && line->count == 2)
        g->has_scores = strcmp(line->at[1], "0") != 0;
    else if (strcmp(word, "may_pass") == 0 && line->count == 2)
        g->may_pass = strcmp(line->at[1], "0") != 0;
    else if (strcmp(word, "rule") == 0)
        return read_rule(r, line);
    else if (strcmp(word, "ending") == 0)
        return read_ending(r, line);
    else if (!read_number_fact(r, line))
        return err_set(r->err, "%.40s is '%.60s', which cannot be", word,
                       line->count > 1 ? line->at[1] : "");
    return true;
}

static struct fields cut(char *line) {
    struct fields f = {.count = 0};
    for (char *at = line, *tab; at && f.count < FIELDS_MAX; at = tab) {
        tab = strchr(at, '\t');
        if (tab)
            *tab++ = '\0';
        plain_clean(at);
        f.at[f.count++] = at;
    }
    return f;
}

// Every standard value must be one that the switch accepts.
static bool check_rules(const struct game *game, struct err *err) {
    struct ruleset rules;
    char why[WHY_TEXT_MAX];
    rules.game = game;
    for (int i = 0; i < game->rule_count; i++) {
        for (int j = 0; j < i; j++)
            if (strcmp(game->rules[i].key, game->rules[j].key) == 0)
                return err_set(err, "two switches are called '%.40s'", game->rules[i].key);
        if (!ruleset_set(&rules, game->rules[i].key, game->rules[i].standard, why))
            return err_set(err, "a standard value: %s", why);
    }
    return true;
}

static bool check(const struct game *g, struct err *err) {
    const char *missing = !g->name              ? "name"
                          : !g->title           ? "title"
                          : !g->width           ? "width"
                          : !g->height          ? "height"
                          : !g->distinct_moves  ? "distinct_moves"
                          : !g->moves_max       ? "moves_max"
                          : !g->plies_max       ? "plies_max"
                          : !g->state_size      ? "state_size"
                          : g->ending_count < 2 ? "way to end"
                                                : NULL;
    return missing ? err_set(err, "struct game has no %s", missing) : check_rules(g, err);
}

bool facts_read(struct facts *facts, const char *text, struct game *game, struct err *err) {
    struct reading r = {.game = game, .rules = facts->rules, .endings = facts->endings, .err = err};
    bool good = true;
    assert(!facts->text);
    facts->text = mem_text(text);
    *game = (struct game){.rules = r.rules, .endings = r.endings};
    for (char *line = facts->text, *end; good && *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        const struct fields fields = cut(line);
        good = read_line(&r, &fields);
    }
    return good && check(game, err);
}

void facts_done(struct facts *facts) {
    free(facts->text);
    facts->text = NULL;
}
