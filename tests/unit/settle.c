// SPDX-License-Identifier: MIT
// Contests whose players are handed in (src/contest/plan/settle.h).
#include "contest/plan/settle.h"
#include "check.h"

#include <string.h>

static const char draft_text[] =
    "name = \"오픈 컵\"; game = \"reversi\"; time = 2; seed = 5;\nplayers = (\n"
    "  { name = \"Red \\\"7\\\"\"; team = \"<b>\"; handed_in = true; },\n"
    "  { name = \"紅隊\"; handed_in = true; },\n"
    "  { name = \"House\"; start = \"builtin:easy\"; },\n"
    "  { name = \"Late\"; handed_in = true; }\n);\n";

// By place: whether something counts of that player, or why it does not.
struct handed {
    bool counts[4];
    const char *trouble[4];
};

static bool find(void *owner, int player, struct settle_entry *entry) {
    const struct handed *h = owner;
    buf_format(&entry->folder, "x.teams/%d/3", player + 1);
    buf_text(&entry->start, "abp:./player --name \"a b\"");
    if (h->trouble[player])
        buf_text(&entry->absent, h->trouble[player]);
    return h->counts[player] || h->trouble[player];
}

// Who has handed in what does not build is there, with the reason.
static void keeps_whose_program_does_not_build(void **unused) {
    (void)unused;
    struct handed handed = {{true}, {NULL, "does not build: a.c:1: error: \"x\"", NULL, NULL}};
    struct err err = {.set = false};
    struct buf out = {.data = NULL};
    struct plan *draft = plan_read("x", draft_text, &err);
    assert_true(settle_write(draft, find, &handed, &out, &err));
    struct plan *plan = plan_read("x", out.data, &err);
    assert_non_null(plan);
    assert_int_equal(plan_find_open(plan), NOBODY);
    assert_int_equal(plan->player_count, 3);
    assert_string_equal(plan->players[1].name, "紅隊");
    assert_string_equal(plan->players[1].absent, "does not build: a.c:1: error: \"x\"");
    assert_null(plan->players[1].start);
    assert_null(plan->players[1].folder);
    plan_free(plan);
    plan_free(draft);
    buf_done(&out);
}

static void puts_players_in_their_places(void **unused) {
    (void)unused;
    struct handed handed = {.counts = {true, true, false, false}};
    struct err err = {.set = false};
    struct buf out = {.data = NULL};
    struct plan *draft = plan_read("x", draft_text, &err);
    assert_non_null(draft);
    assert_int_equal(plan_find_open(draft), 0);
    assert_true(settle_write(draft, find, &handed, &out, &err));
    struct plan *plan = plan_read("x", out.data, &err);
    assert_non_null(plan);
    assert_int_equal(plan_find_open(plan), NOBODY);
    assert_string_equal(plan->name, "오픈 컵");
    assert_int_equal(plan->seed, 5);
    assert_int_equal(plan->player_count, 3); // who handed in nothing takes no part
    assert_string_equal(plan->players[0].name, "Red \"7\"");
    assert_string_equal(plan->players[0].team, "<b>");
    assert_string_equal(plan->players[0].folder, "x.teams/1/3");
    assert_string_equal(plan->players[0].start, "abp:./player --name \"a b\"");
    assert_string_equal(plan->players[1].name, "紅隊");
    assert_string_equal(plan->players[1].folder, "x.teams/2/3");
    assert_string_equal(plan->players[2].start, "builtin:easy");
    plan_free(plan);
    plan_free(draft);
    buf_done(&out);
}

static void needs_two(void **unused) {
    (void)unused;
    struct handed handed = {.counts = {false}};
    struct err err = {.set = false};
    struct buf out = {.data = NULL};
    struct plan *draft = plan_read("x", draft_text, &err);
    assert_false(settle_write(draft, find, &handed, &out, &err));
    assert_string_equal(err.text, "only 1 of the players can take part; a contest needs two");
    plan_free(draft);
    buf_done(&out);
}

static void refuses_what_says_two_things(void **unused) {
    (void)unused;
    struct err err = {.set = false};
    assert_null(plan_read("x",
                          "game = \"reversi\"; players = ( { name = \"a\"; start = \"random\"; "
                          "handed_in = true; }, { name = \"b\"; start = \"random\"; } );",
                          &err));
    assert_non_null(strstr(err.text, "no start and no folder"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puts_players_in_their_places),
        cmocka_unit_test(keeps_whose_program_does_not_build),
        cmocka_unit_test(needs_two),
        cmocka_unit_test(refuses_what_says_two_things),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
