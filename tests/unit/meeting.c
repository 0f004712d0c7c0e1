// SPDX-License-Identifier: MIT
// What a meeting needs and who has won it, game by game.
#include "contest/schedule/meeting.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { GAMES_MAX_HERE = 64 };

// A meeting of players 0 and 1, played by hand.
struct fixture {
    struct plan *plan;
    struct meeting meeting;
    struct stored_game games[GAMES_MAX_HERE]; // by leg and attempt
    int count;
    struct results results;
    struct wanted wanted;
};

static const char players[] = "players = ({name=\"a\"; start=\"random\";},"
                              " {name=\"b\"; start=\"random\";});";

static struct fixture *sit_down(const char *settings) {
    struct fixture *f = calloc(1, sizeof *f);
    struct err err = {.set = false};
    char text[1000];
    snprintf(text, sizeof text, "%s %s", settings, players);
    f->plan = plan_read("a.conf", text, &err);
    if (!f->plan)
        fail_msg("%s", err.text);
    return f;
}

static void get_up(struct fixture *f) {
    plan_free(f->plan);
    free(f->results.list);
    free(f->wanted.list);
    free(f);
}

static int compare(const void *a, const void *b) {
    const struct stored_game *x = a, *y = b;
    return x->leg != y->leg ? x->leg - y->leg : x->attempt - y->attempt;
}

static void judge(struct fixture *f) {
    f->results.count = f->wanted.count = 0;
    f->meeting = (struct meeting){.round = 2, .table = 3, .player = {0, 1}, .winner = NOBODY};
    qsort(f->games, (size_t)f->count, sizeof *f->games, compare);
    meeting_judge(f->plan, &f->meeting, f->games, f->count, &f->results, &f->wanted);
}

// The n-th game wanted is played, with this winner: 1, 2, 0 drawn, -1 nobody.
static void play_one(struct fixture *f, int n, int winner, int plies) {
    assert_true(n < f->wanted.count);
    struct stored_game *g = &f->games[f->count++];
    *g = f->wanted.list[n];
    g->state = GAME_DONE;
    g->winner = winner;
    g->plies = plies;
    g->scores[0] = winner == 1 ? 5 : 0;
}

static struct stored_game *find(struct fixture *f, int leg, int attempt) {
    for (int i = 0; i < f->count; i++)
        if (f->games[i].leg == leg && f->games[i].attempt == attempt)
            return &f->games[i];
    return NULL;
}

static void test_two_games_with_colours_swapped(void **unused) {
    (void)unused;
    struct fixture *f = sit_down("game = \"reversi\"; games = 2;");
    judge(f);
    assert_int_equal(f->wanted.count, 2);
    assert_int_equal(f->wanted.list[0].black, 0);
    assert_int_equal(f->wanted.list[1].black, 1);
    assert_int_equal(f->wanted.list[1].round, 2);
    assert_int_equal(f->wanted.list[1].table, 3);
    assert_false(f->meeting.is_over);
    play_one(f, 0, 1, 60);
    play_one(f, 1, 0, 60);
    judge(f);
    assert_int_equal(f->wanted.count, 0);
    assert_true(f->meeting.is_over);
    assert_int_equal(f->meeting.winner, 0);
    assert_int_equal(f->meeting.points[0], 3);
    assert_int_equal(f->meeting.points[1], 1);
    assert_int_equal(f->results.count, 2);
    assert_int_equal(f->results.list[0].winner, 0);
    assert_int_equal(f->results.list[0].scores[0], 5);
    assert_int_equal(f->results.list[1].winner, -1);
    get_up(f);
}

static void test_best_of_three(void **unused) {
    (void)unused;
    struct fixture *f = sit_down("game = \"reversi\"; best_of = 3;");
    judge(f);
    assert_int_equal(f->wanted.count, 2); // these two are played whatever happens
    play_one(f, 0, 1, 60);                // a as black
    play_one(f, 1, 1, 60);                // b as black
    judge(f);
    assert_int_equal(f->wanted.count, 1);
    assert_int_equal(f->wanted.list[0].leg, 2);
    assert_int_equal(f->wanted.list[0].black, 0);
    play_one(f, 0, 2, 60);
    judge(f);
    assert_true(f->meeting.is_over);
    assert_int_equal(f->meeting.winner, 1);
    assert_int_equal(f->results.count, 1); // the table counts meetings
    assert_int_equal(f->results.list[0].scores[0], 1);
    assert_int_equal(f->results.list[0].scores[1], 2);
    get_up(f);
}

static void test_two_wins_are_enough(void **unused) {
    (void)unused;
    struct fixture *f = sit_down("game = \"reversi\"; best_of = 3;");
    judge(f);
    play_one(f, 0, 1, 60);
    play_one(f, 1, 2, 60);
    judge(f);
    assert_int_equal(f->wanted.count, 0);
    assert_true(f->meeting.is_over);
    assert_int_equal(f->meeting.winner, 0);
    get_up(f);
}

// Level after three: one more at a time, six at most; then it stays level.
static void test_level_meetings_go_on(void **unused) {
    (void)unused;
    struct fixture *f = sit_down("game = \"reversi\"; best_of = 3;");
    int played = 0;
    for (judge(f); f->wanted.count > 0; judge(f), played++)
        play_one(f, 0, 0, 60);
    assert_int_equal(played, 6);
    assert_true(f->meeting.is_over);
    assert_int_equal(f->meeting.winner, NOBODY);
    get_up(f);
}

static void test_annulled_and_played_again(void **unused) {
    (void)unused;
    struct fixture *f = sit_down("game = \"reversi\"; games = 2;");
    judge(f);
    play_one(f, 0, 1, 60);
    play_one(f, 1, 1, 60);
    find(f, 0, 0)->state = GAME_ANNULLED;
    judge(f);
    assert_true(f->meeting.is_over);
    assert_int_equal(f->results.count, 1);
    assert_int_equal(f->meeting.winner, 1);
    struct stored_game again = *find(f, 0, 0);
    again.attempt = 1;
    again.state = GAME_WAITING;
    f->games[f->count++] = again;
    judge(f);
    assert_false(f->meeting.is_over);
    find(f, 0, 1)->state = GAME_DONE;
    find(f, 0, 1)->winner = 2;
    judge(f);
    assert_true(f->meeting.is_over);
    assert_int_equal(f->meeting.points[1], 4);
    get_up(f);
}

static void test_nobody_wins(void **unused) {
    (void)unused;
    struct fixture *f = sit_down("game = \"reversi\"; games = 1;");
    judge(f);
    play_one(f, 0, -1, 0);
    judge(f);
    assert_true(f->meeting.is_over);
    assert_int_equal(f->meeting.points[0] + f->meeting.points[1], 0);
    assert_int_equal(f->results.list[0].winner, RESULT_NOBODY);
    get_up(f);
}

// Of a meeting that counts as one, too: none of the games that a level one goes on with is played.
static void test_nobody_wins_a_meeting(void **unused) {
    (void)unused;
    struct fixture *f = sit_down("game = \"reversi\"; best_of = 3;");
    int played = 0;
    for (judge(f); f->wanted.count > 0; judge(f), played++)
        play_one(f, 0, -1, 0);
    assert_int_equal(played, 3);
    assert_true(f->meeting.is_over);
    assert_int_equal(f->results.count, 1);
    assert_int_equal(f->results.list[0].winner, RESULT_NOBODY);
    assert_int_equal(f->meeting.worth[0] + f->meeting.worth[1], 0);
    get_up(f);
}

static void test_an_annulled_meeting_counts_for_nobody(void **unused) {
    (void)unused;
    struct fixture *f = sit_down("game = \"reversi\"; games = 2; count = \"meetings\";");
    judge(f);
    play_one(f, 0, 1, 9);
    play_one(f, 1, 1, 9);
    f->games[0].state = f->games[1].state = GAME_ANNULLED;
    judge(f);
    assert_true(f->meeting.is_over);
    assert_int_equal(f->results.count, 0);
    assert_int_equal(f->meeting.worth[0] + f->meeting.worth[1], 0);
    get_up(f);
}

static void test_an_awaited_team_plays_here(void **unused) {
    (void)unused;
    struct err err = {.set = false};
    struct fixture *f = sit_down("game = \"reversi\";");
    plan_free(f->plan);
    f->plan = plan_read("a.conf",
                        "game = \"reversi\"; players = ({name=\"a\"; start=\"tcp:7\";},"
                        " {name=\"b\"; start=\"random\";});",
                        &err);
    assert_non_null(f->plan);
    judge(f);
    assert_string_equal(f->wanted.list[0].home, "runner");
    get_up(f);
}

// connect6: from 6 blocks to 8, to 10, then the house decides.
static struct fixture *draw_all(void) {
    struct fixture *f =
        sit_down("game = \"connect6\"; games = 1; set = { blocks = \"random:6\"; };");
    const int blocks[] = {-1, 8, 10};
    for (int attempt = 0; attempt < 3; attempt++) {
        judge(f);
        assert_int_equal(f->wanted.count, 1);
        assert_int_equal(f->wanted.list[0].attempt, attempt);
        assert_int_equal(f->wanted.list[0].blocks, blocks[attempt]);
        assert_int_equal(f->wanted.list[0].black, 0);
        play_one(f, 0, 0, 351);
    }
    judge(f);
    assert_int_equal(f->wanted.count, 2);
    return f;
}

static void test_drawn_games_are_repeated(void **unused) {
    (void)unused;
    struct fixture *f = draw_all();
    for (int side = 0; side < 2; side++) {
        const struct stored_game *g = &f->wanted.list[side];
        assert_int_equal(g->leg, HOUSE_LEG + side);
        assert_int_equal(g->black, side);
        assert_int_equal(g->white, HOUSE);
        assert_int_equal(g->blocks, BLOCKS_DRAWN_MAX);
        assert_true(job_is_paired(f->plan, g)); // both under the same conditions
    }
    assert_int_equal(job_seed(f->plan, &f->wanted.list[0]), job_seed(f->plan, &f->wanted.list[1]));
    get_up(f);
}

// As the house would have it: winner and stones of both sides' games, and who has won (-1:
// neither).
static void test_the_house_decides_by_turns(void **unused) {
    (void)unused;
    static const struct {
        int winner[2], stones[2], won;
    } cases[] = {
        {{1, 2}, {31, 31}, 0},    {{2, 1}, {31, 31}, 1},  {{1, 1}, {21, 31}, 0},
        {{1, 1}, {31, 21}, 1},    {{2, 2}, {31, 41}, 1},  {{2, 2}, {41, 31}, 0},
        {{0, 2}, {351, 41}, 0},   {{0, 1}, {351, 41}, 1}, {{1, 1}, {31, 31}, -1},
        {{0, 0}, {351, 351}, -1}, {{2, 2}, {32, 33}, -1}, // both in the 17th turn
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture *f = draw_all();
        for (int side = 0; side < 2; side++)
            play_one(f, side, cases[i].winner[side], cases[i].stones[side]);
        judge(f);
        assert_int_equal(f->wanted.count, 0);
        assert_true(f->meeting.is_over);
        assert_int_equal(f->meeting.winner, cases[i].won);
        assert_int_equal(f->results.list[0].winner, cases[i].won);
        get_up(f);
    }
}

// An annulled game against the house is no draw: nothing is compared with it.
static void test_an_annulled_house_game_decides_nothing(void **unused) {
    (void)unused;
    for (int annulled = 0; annulled < 2; annulled++) {
        struct fixture *f = draw_all();
        play_one(f, annulled, 2, 31); // the other has won
        play_one(f, 1 - annulled, 1, 31);
        find(f, HOUSE_LEG + annulled, 0)->state = GAME_ANNULLED;
        judge(f);
        assert_true(f->meeting.is_over);
        assert_int_equal(f->meeting.winner, NOBODY);
        get_up(f);
    }
}

// What the table gives: by games, or for the whole meeting.
static void test_worth(void **unused) {
    (void)unused;
    static const struct {
        const char *settings;
        int winners[3], worth[2];
    } cases[] = {
        {"games = 3; table = { win = 3; draw = 1; };", {1, 1, 0}, {4, 4}},
        {"games = 3; table = { win = 3; draw = 1; };", {1, 2, 0}, {7, 1}},
        {"games = 3; table = { win = 3; draw = 1; loss = -1; };", {1, -1, 2}, {1, 1}},
        {"games = 3; count = \"meetings\"; table = { win = 3; draw = 1; };", {1, 2, 2}, {3, 0}},
        {"games = 3; count = \"meetings\"; table = { win = 3; draw = 1; };", {0, 0, 0}, {1, 1}},
        {"games = 3; count = \"meetings\";", {1, 1, 2}, {0, 2}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "game = \"reversi\"; %s", cases[i].settings);
        struct fixture *f = sit_down(text);
        judge(f);
        for (int leg = 0; leg < 3; leg++)
            play_one(f, leg, cases[i].winners[leg], 60);
        judge(f);
        assert_int_equal(f->meeting.worth[0], cases[i].worth[0]);
        assert_int_equal(f->meeting.worth[1], cases[i].worth[1]);
        get_up(f);
    }
}

// A game that is set back is drawn as it was; one that is repeated is drawn anew.
static void test_what_is_drawn_for_another_attempt(void **unused) {
    (void)unused;
    struct fixture *f = sit_down("game = \"connect6\"; games = 2;");
    const struct stored_game first = {.round = 3, .table = 2, .leg = 1, .blocks = -1};
    struct stored_game again = first, more = first;
    again.attempt = 1;
    more.attempt = 1;
    more.blocks = 6;
    assert_true(job_seed(f->plan, &first) == job_seed(f->plan, &again));
    assert_false(job_seed(f->plan, &first) == job_seed(f->plan, &more));
    get_up(f);
}

// Conditions: the same for a pair where that is wanted, anew for every game of connect6.
static void test_conditions(void **unused) {
    (void)unused;
    struct fixture *f = sit_down("game = \"connect6\"; best_of = 3;");
    judge(f);
    assert_false(job_is_paired(f->plan, &f->wanted.list[0]));
    int seen[6] = {0};
    for (int round = 0; round < 200; round++) {
        const struct stored_game g = {.round = round, .blocks = -1};
        const int blocks = job_blocks(f->plan, &g);
        assert_int_equal(blocks % 2, 0);
        assert_in_range(blocks, 0, 10);
        seen[blocks / 2]++;
    }
    for (int i = 0; i < 6; i++)
        assert_true(seen[i] > 10);
    get_up(f);
    f = sit_down("game = \"reversi\"; openings = 4;");
    judge(f);
    assert_true(job_is_paired(f->plan, &f->wanted.list[0]));
    get_up(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_games_with_colours_swapped),
        cmocka_unit_test(test_best_of_three),
        cmocka_unit_test(test_two_wins_are_enough),
        cmocka_unit_test(test_level_meetings_go_on),
        cmocka_unit_test(test_annulled_and_played_again),
        cmocka_unit_test(test_nobody_wins),
        cmocka_unit_test(test_nobody_wins_a_meeting),
        cmocka_unit_test(test_an_annulled_meeting_counts_for_nobody),
        cmocka_unit_test(test_an_awaited_team_plays_here),
        cmocka_unit_test(test_drawn_games_are_repeated),
        cmocka_unit_test(test_the_house_decides_by_turns),
        cmocka_unit_test(test_an_annulled_house_game_decides_nothing),
        cmocka_unit_test(test_worth),
        cmocka_unit_test(test_what_is_drawn_for_another_attempt),
        cmocka_unit_test(test_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
