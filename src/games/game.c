// SPDX-License-Identifier: MIT
// What all games share: the check before a move, rulesets, and the words for endings.
#include "games/game.h"

#include "games/text.h"

const char *game_ending_word(const struct game *game, int ending) {
    return game->endings[ending].word;
}

const char *game_ending_sentence(const struct game *game, int ending) {
    return game->endings[ending].sentence;
}

// What a switch accepts, in words.
static void put_accepted(struct text *t, const struct rule *rule) {
    if (rule->words) {
        text_put(t, rule->words);
    } else if (rule->form) {
        text_put(t, rule->form);
    } else {
        text_put_number(t, rule->min);
        text_put(t, "..");
        text_put_number(t, rule->max);
    }
}

static bool refuse_key(const struct game *game, const char *key, char why[static WHY_TEXT_MAX]) {
    struct text t = text_begin(why, WHY_TEXT_MAX);
    text_put(&t, game->name);
    text_put(&t, " has no rule ");
    text_put_quoted(&t, key);
    text_put(&t, game->rule_count ? "; it has " : "; it has none");
    for (int i = 0; i < game->rule_count; i++) {
        text_put(&t, i ? ", " : "");
        text_put(&t, game->rules[i].key);
    }
    return false;
}

static bool refuse_value(const struct rule *rule, const char *value, bool too_long,
                         char why[static WHY_TEXT_MAX]) {
    struct text t = text_begin(why, WHY_TEXT_MAX);
    text_put(&t, rule->key);
    text_put(&t, " cannot be ");
    text_put_quoted(&t, value);
    text_put(&t, "; accepted: ");
    put_accepted(&t, rule);
    if (too_long) {
        text_put(&t, ", in at most ");
        text_put_number(&t, RULE_TEXT_MAX - 1);
        text_put(&t, " characters");
    }
    return false;
}

static bool read_value(const struct rule *rule, const char *value, int *number) {
    if (rule->words) {
        *number = text_find_word(rule->words, value);
        return *number >= 0;
    }
    if (rule->form) // the game's start() reads it
        return true;
    return text_take_number(&value, number) && *value == '\0' && *number >= rule->min &&
           *number <= rule->max;
}

bool ruleset_set(struct ruleset *rules, const char *key, const char *value,
                 char why[static WHY_TEXT_MAX]) {
    const struct game *game = rules->game;
    for (int i = 0; i < game->rule_count; i++) {
        const struct rule *rule = &game->rules[i];
        if (!text_equal(rule->key, key))
            continue;
        int number = 0;
        const bool too_long = text_length(value) >= RULE_TEXT_MAX;
        if (too_long || !read_value(rule, value, &number))
            return refuse_value(rule, value, too_long, why);
        text_copy(rules->text[i], RULE_TEXT_MAX, value);
        rules->number[i] = number;
        return true;
    }
    return refuse_key(game, key, why);
}

void ruleset_init(struct ruleset *rules, const struct game *game) {
    *rules = (struct ruleset){.game = game};
    char why[WHY_TEXT_MAX];
    for (int i = 0; i < game->rule_count; i++)
        ruleset_set(rules, game->rules[i].key, game->rules[i].standard, why);
}

bool ruleset_is_standard(const struct ruleset *rules) {
    int i = 0;
    while (i < rules->game->rule_count &&
           text_equal(rules->text[i], rules->game->rules[i].standard))
        i++;
    return i == rules->game->rule_count;
}

void rule_describe(const struct rule *rule, char text[static WHY_TEXT_MAX]) {
    struct text t = text_begin(text, WHY_TEXT_MAX);
    put_accepted(&t, rule);
}

int game_due_one(const void *state) {
    (void)state;
    return 1;
}

void game_scores_none(const void *state, int scores[static 2]) {
    (void)state;
    scores[0] = scores[1] = 0;
}

bool game_is_over(const struct game *game, const void *state) { return game->turn(state) == 0; }

const char *game_play(const struct game *game, void *state, move m) {
    if (game_is_over(game, state))
        return "the game is over";
    if (m != MOVE_PASS || !game->may_pass) {
        const char *why = game->illegal(state, m);
        if (why)
            return why;
    }
    game->apply(state, m);
    return NULL;
}

const char *game_play_line(const struct game *game, void *state, char *line, int *ply, char **bad) {
    *ply = 0;
    while (!text_at_end(line)) {
        char *end = line;
        while (*end && *end != ';')
            end++;
        const bool last = *end == '\0';
        *end = '\0';
        while (*line == ' ' || *line == '\t')
            line++;
        *bad = line;
        move m;
        const char *why = game_is_over(game, state) ? "the game is over"
                          : text_at_end(line)       ? "there is no move between the separators"
                                                    : game->read_move(state, line, &m);
        if (!why)
            why = game_play(game, state, m);
        if (why)
            return why;
        ++*ply;
        line = last ? end : end + 1;
    }
    return NULL;
}

uint64_t game_hash(const struct game *game, const void *state) {
    // Eight bytes at a time, each mixed by multiplication and the high half folded down.
    const unsigned char *bytes = state;
    uint64_t hash = game->state_size;
    for (size_t i = 0; i < game->state_size; i += 8) {
        uint64_t word = 0;
        for (size_t k = i; k < i + 8 && k < game->state_size; k++)
            word |= (uint64_t)bytes[k] << (k - i) * 8;
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

void game_take_functions(struct game *game, const struct game *from) {
    const struct game facts = *game;
    *game = *from;
    game->name = facts.name;
    game->title = facts.title;
    game->width = facts.width;
    game->height = facts.height;
    game->distinct_moves = facts.distinct_moves;
    game->moves_max = facts.moves_max;
    game->plies_max = facts.plies_max;
    game->state_size = facts.state_size;
    game->has_scores = facts.has_scores;
    game->may_pass = facts.may_pass;
    game->rules = facts.rules;
    game->rule_count = facts.rule_count;
    game->endings = facts.endings;
    game->ending_count = facts.ending_count;
}
