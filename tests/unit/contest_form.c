// SPDX-License-Identifier: MIT
// Contest files from the form of the page: what it does not say is as the game's contest has it.
#include "web/contest_form.h"
#include "check.h"
#include "contest/job.h"
#include "contest/plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The contest that comes of a form, given as JSON with ' for "; NULL: it is refused.
static struct plan *plan_read_form(const char *form, struct err *err) {
    char *text = strdup(form);
    struct buf out = {.data = NULL};
    const struct services services = {.players = "/nowhere", .program = "arbiter"};
    for (char *c = text; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    contest_form_write(&out, json, &services, err);
    struct plan *plan = err->set ? NULL : plan_read("form", out.data, err);
    json_decref(json);
    buf_done(&out);
    free(text);
    return plan;
}

static struct plan *plan_of(const char *form) {
    struct err err = {.set = false};
    struct plan *plan = plan_read_form(form, &err);
    if (!plan)
        fail_msg("%s", err.text);
    return plan;
}

#define FIELD                                                                                      \
    "'players': [{'name': 'a', 'player': 'builtin:easy'}, {'name': 'b', 'player': 'builtin'}]"

static void connect6_is_as_its_document_says(void **state) {
    (void)state;
    struct plan *plan = plan_of("{'game': 'connect6', 'seed': 5, " FIELD "}");
    assert_int_equal(plan->conditions.time_low_us, 2000000);
    assert_int_equal(plan->conditions.time_high_us, 7000000);
    assert_true(plan->conditions.random_blocks && plan->conditions.blocks < 0);
    assert_false(plan->same_conditions);
    assert_int_equal(plan->limits.memory, 6LL << 30);
    plan_free(plan);
}

// Limit and blocks of so many games: drawn anew for every one.
static void conditions_are_drawn_for_every_game(void **state) {
    (void)state;
    enum { GAMES = 40 };
    struct plan *plan = plan_of("{'game': 'connect6', 'seed': 5, " FIELD "}");
    int limits = 0, layouts = 0, counts = 0;
    char seen_blocks[GAMES][RULE_TEXT_MAX];
    for (int leg = 0; leg < GAMES; leg++) {
        const struct stored_game game = {.number = 1 + leg, .leg = leg, .white = 1, .blocks = -1};
        struct deal deal;
        struct err err = {.set = false};
        assert_true(job_deal(plan, &game, &deal, &err));
        free(deal.opening);
        const struct ruleset rules = deal.rules;
        const int64_t time_us = deal.time_us;
        assert_true(time_us >= 2000000 && time_us <= 7000000 && time_us % 1000000 == 0);
        limits |= 1 << (time_us / 1000000);
        char *blocks = seen_blocks[leg];
        for (int i = 0; i < rules.game->rule_count; i++)
            if (strcmp(rules.game->rules[i].key, "blocks") == 0)
                strcpy(blocks, rules.text[i]);
        int cells = 0;
        for (const char *at = blocks; (at = strchr(at, ',')); at++)
            cells++;
        assert_true(cells <= 10 && cells % 2 == 0);
        counts |= 1 << cells;
        bool old = false;
        for (int i = 0; i < leg; i++)
            old |= strcmp(seen_blocks[i], blocks) == 0;
        layouts += !old;
    }
    assert_int_equal(limits, 0xfc);       // 2..7
    assert_int_equal(counts, 0x555);      // 0, 2, .. 10
    assert_true(layouts > GAMES * 3 / 4); // none is drawn now and then
    plan_free(plan);
}

static void what_the_form_says_counts(void **state) {
    (void)state;
    struct plan *plan = plan_of("{'game': 'connect6', 'time': '0.5', 'set': {'blocks': 'random:4', "
                                "'memory': '1G'}, " FIELD "}");
    assert_int_equal(plan->conditions.time_high_us, 500000);
    assert_int_equal(plan->conditions.blocks, 4);
    assert_int_equal(plan->limits.memory, 1LL << 30);
    assert_true(plan->limits.memory_own);
    plan_free(plan);
    plan = plan_of("{'game': 'hopchess', " FIELD "}");
    assert_int_equal(plan->conditions.time_low_us, 5000000);
    assert_int_equal(plan->limits.memory, 2LL << 30);
    plan_free(plan);
}

// What a form says is taken as it is said, or refused by the name of the field.
static void nothing_is_dropped(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"'time': 1.5", "time"},
        {"'time': -1", "time"},
        {"'time': 9223372036854775807", "time"},
        {"'time': [1]", "time"},
        {"'time': true", "time"},
        {"'time': '0x10'", "0x10"},
        {"'set': 5", "set"},
        {"'set': 'x'", "set"},
        {"'set': {'size': 9}", "size"},
        {"'set': {'Size': '9'}", "Size"},
        {"'format': 5", "format"},
        {"'format': 'x'", "league"},
        {"'takes': 'x'", "takes"},
        {"'takes': 1", "takes"},
        {"'league': 'nonsense'", "league"},
        {"'league': {}", "league"},
        {"'jobs': 1.5", "jobs"},
        {"'seed': 4294967297", "seed"},
        {"'wins': '2'", "wins"},
        {"'name': 7", "name"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char form[400];
        struct err err = {.set = false};
        snprintf(form, sizeof form, "{'game': 'reversi', %s, " FIELD "}", wrong[i][0]);
        struct plan *plan = plan_read_form(form, &err);
        if (plan || !strstr(err.text, wrong[i][1]))
            fail_msg("%s: %s", wrong[i][0], plan ? "taken" : err.text);
    }
    plan_free(plan_of("{'game': 'reversi', 'time': null, 'set': {}, 'format': '', 'takes': "
                      "'contest', 'league': 'only', " FIELD "}"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connect6_is_as_its_document_says),
        cmocka_unit_test(conditions_are_drawn_for_every_game),
        cmocka_unit_test(what_the_form_says_counts),
        cmocka_unit_test(nothing_is_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
