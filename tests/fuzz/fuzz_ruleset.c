// SPDX-License-Identifier: MIT
// Input: game, then lines KEY=VALUE as for --set.
#include "fuzz.h"

// Whether `value` is one of the words "a|b|c", told in another way than the program does.
static bool is_word(const char *words, const char *value) {
    char *list = strdup(words), *rest = list, *word;
    bool found = false;
    while ((word = strsep(&rest, "|")))
        found |= strcmp(word, value) == 0;
    free(list);
    return found;
}

static void check_rules(const struct ruleset *rules) {
    for (int i = 0; i < rules->game->rule_count; i++) {
        const struct rule *rule = &rules->game->rules[i];
        assert(memchr(rules->text[i], '\0', RULE_TEXT_MAX));
        if (rule->words)
            assert(is_word(rule->words, rules->text[i]));
        else if (!rule->form)
            assert(rules->number[i] >= rule->min && rules->number[i] <= rule->max &&
                   rules->number[i] == atoi(rules->text[i]));
    }
}

static void set_rule(struct ruleset *rules, const char *assignment) {
    struct ruleset before = *rules;
    struct err err = {.set = false};
    memset(err.text, 'Z', sizeof err.text);
    if (setup_rule(rules, assignment, &err)) {
        check_rules(rules);
        return;
    }
    assert(err.set && memcmp(rules, &before, sizeof before) == 0);
    check_why(err.text, sizeof err.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input in = {data, size};
    struct setup setup;
    fuzz_setup(&setup, input_byte(&in), 0);
    while (in.left) {
        char *line = input_line(&in);
        set_rule(&setup.rules, line);
        free(line);
    }
    void *state = state_start(&setup, NULL);
    if (!state)
        return 0;
    move *list = mem_new((size_t)setup.game->moves_max, sizeof *list);
    struct rng rng = {1};
    check_state(&setup, state, list, &rng);
    free(list);
    free(state);
    return 0;
}
