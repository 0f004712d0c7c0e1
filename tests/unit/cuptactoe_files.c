// SPDX-License-Identifier: MIT
// The numbers of Cup-Tac-Toe positions, and the file of the solved game where it does not fit.
#include "base/mem.h"
#include "base/rng.h"
#include "engine/cuptactoe/solved.h"
#include "games/bits.h"

#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// Cups anywhere, also where play would not bring them.
static struct cupboard random_board(const struct atlas *a, struct rng *rng) {
    struct cupboard b;
    for (int size = 0; size < CUPS_SIZES; size++) {
        const uint32_t layer = rng_below(rng, LAYERS);
        b.own[size] = a->cells[a->own[layer]];
        b.other[size] = a->cells[a->other[layer]];
    }
    return b;
}

static uint16_t turned_cells(const struct atlas *a, int symmetry, uint16_t cells) {
    uint16_t turned = 0;
    for (int cell = 0; cell < CUPS_CELLS; cell++)
        if (cells >> cell & 1)
            turned |= (uint16_t)bit(a->cell[symmetry][cell]);
    return turned;
}

static struct cupboard turned_board(const struct atlas *a, int symmetry, const struct cupboard *b) {
    struct cupboard turned;
    for (int size = 0; size < CUPS_SIZES; size++) {
        turned.own[size] = turned_cells(a, symmetry, b->own[size]);
        turned.other[size] = turned_cells(a, symmetry, b->other[size]);
    }
    return turned;
}

static struct cupboard board_of_slot(const struct atlas *a, size_t slot) {
    const int layers[CUPS_SIZES] = {(int)(slot % LAYERS), (int)(slot / LAYERS % LAYERS),
                                    a->layer_of_shape[slot / LAYERS / LAYERS]};
    struct cupboard b;
    for (int size = 0; size < CUPS_SIZES; size++) {
        b.own[size] = a->cells[a->own[layers[size]]];
        b.other[size] = a->cells[a->other[layers[size]]];
    }
    return b;
}

// Turned positions share a slot, and the slot's own position is one of them.
static void test_slots(void **state) {
    (void)state;
    struct atlas *a = atlas_new();
    struct rng rng = {1};
    for (int i = 0; i < 20000; i++) {
        const struct cupboard b = random_board(a, &rng);
        int by;
        const size_t slot = atlas_slot(a, &b, &by);
        assert_true(slot < SLOTS);
        const struct cupboard kept = board_of_slot(a, slot), carried = turned_board(a, by, &b);
        assert_memory_equal(&kept, &carried, sizeof kept);
        for (int symmetry = 0; symmetry < SYMMETRIES; symmetry++) {
            const struct cupboard turned = turned_board(a, symmetry, &b);
            int unused;
            assert_int_equal(atlas_slot(a, &turned, &unused), slot);
        }
    }
    free(a);
}

static void test_symmetries(void **state) {
    (void)state;
    struct atlas *a = atlas_new();
    for (int i = 0; i < SYMMETRIES; i++)
        for (int k = 0; k < CUPS_LINES; k++) {
            const unsigned turned = turned_cells(a, i, cups_lines[k]);
            assert_true(cups_has_line(turned)); // lines stay lines
            for (int other = 0; other < i; other++)
                assert_memory_not_equal(a->cell[i], a->cell[other], sizeof a->cell[i]);
        }
    int layers = 0;
    for (int shape = 0; shape < SHAPES; shape++)
        layers += a->weight[shape];
    assert_int_equal(layers, LAYERS);
    free(a);
}

// The board as a state of the rules that is not over, with turns for all cups; false if it is none.
static bool state_of(const struct cupboard *b, int mover, struct cups *state) {
    const struct game *game = game_find("cuptactoe");
    struct ruleset rules;
    char text[STATE_TEXT_MAX], why[WHY_TEXT_MAX];
    *state = (struct cups){.turns = (uint8_t)(12 + mover)};
    memcpy(state->cup[mover], b->own, sizeof b->own);
    memcpy(state->cup[1 - mover], b->other, sizeof b->other);
    game->write_state(state, text);
    ruleset_init(&rules, game);
    return game->start(state, &rules, text, why) && state->ending == ENDING_RUNNING;
}

static void check_step(const struct cups *state, move m, const struct cup_step *step) {
    struct cups next = *state;
    game_find("cuptactoe")->apply(&next, m);
    const struct cupboard after = cupboard_of(&next);
    assert_int_equal(step->move, m);
    assert_int_equal(step->end, next.ending == ENDING_RUNNING ? STEP_ON
                                : next.ending == ENDING_LINE  ? STEP_LINE
                                                              : STEP_LIFT);
    if (step->end != STEP_LIFT) // there the cup stays in the air
        assert_memory_equal(&after, &step->next, sizeof after);
}

// Steps are the moves of the rules, in their order, with all they lead to.
static void check_steps(const struct cupboard *b, const struct cups *state,
                        const struct threes *threes) {
    struct cup_step steps[STEPS_MAX];
    move moves[STEPS_MAX];
    const int count = cupboard_steps(b, threes, steps);
    bool wins = false, must_lift = true;
    assert_int_equal(count, game_find("cuptactoe")->moves(state, moves));
    for (int i = 0; i < count; i++) {
        check_step(state, moves[i], &steps[i]);
        wins |= steps[i].end == STEP_LINE;
        must_lift &= steps[i].end == STEP_LIFT;
    }
    assert_int_equal(cupboard_wins_now(b, threes), wins);
    assert_int_equal(cupboard_must_lift(b, threes), must_lift);
}

static void test_steps(void **unused) {
    (void)unused;
    struct atlas *a = atlas_new();
    struct threes threes;
    struct rng rng = {2};
    int compared = 0;
    threes_init(&threes);
    for (int i = 0; i < 20000; i++) {
        const struct cupboard b = random_board(a, &rng);
        struct cups state;
        if (state_of(&b, i % 2, &state)) {
            check_steps(&b, &state, &threes);
            compared++;
        }
    }
    assert_true(compared > 5000);
    free(a);
}

struct folder {
    char path[64], file[128];
};

static int make_folder(void **state) {
    struct folder *f = mem_new(1, sizeof *f);
    snprintf(f->path, sizeof f->path, "/tmp/arbiter-files-XXXXXX");
    *state = f;
    if (!mkdtemp(f->path))
        return -1;
    snprintf(f->file, sizeof f->file, "%s/table", f->path);
    return 0;
}

// Fails if anything is left in the folder.
static int remove_folder(void **state) {
    struct folder *f = *state;
    const int left = rmdir(f->path);
    free(f);
    return left;
}

static void write_text(const char *path, const char *text, off_t size) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    if (size)
        assert_int_equal(truncate(path, size), 0);
}

static void check_refused(const char *path, const char *says) {
    struct err err = {.set = false};
    struct solved solved;
    assert_false(solved_open(&solved, path, &err));
    assert_null(solved.values);
    assert_non_null(strstr(err.text, path));
    assert_non_null(strstr(err.text, says));
}

static void test_what_is_no_table(void **state) {
    const struct folder *f = *state;
    check_refused(f->file, "cannot open");
    check_refused(f->path, "not a table");
    write_text(f->file, "something else\n", 0);
    check_refused(f->file, "not a table");
    write_text(f->file, "something else\n", (off_t)(64 + SLOTS)); // a hole of the right length
    check_refused(f->file, "not a table");
    assert_int_equal(unlink(f->file), 0);
}

// A table that was begun and given up is not there, and no part of it.
static void test_abandoned(void **state) {
    const struct folder *f = *state;
    struct err err = {.set = false};
    struct solved_part *part = mem_new(1, sizeof *part);
    assert_true(solved_begin(part, f->file, &err));
    solved_abandon(part);
    free(part);
}

// Where there is no room for it, that is said before the work.
static void test_no_room(void **state) {
    const struct folder *f = *state;
    struct err err = {.set = false};
    struct solved_part *part = mem_new(1, sizeof *part);
    struct rlimit old, low;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    low = (struct rlimit){.rlim_cur = 1 << 20, .rlim_max = old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    const bool begun = solved_begin(part, f->file, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_false(begun);
    assert_non_null(strstr(err.text, f->file));
    free(part);
}

static void test_no_folder(void **state) {
    (void)state;
    struct err err = {.set = false};
    struct solved_part *part = mem_new(1, sizeof *part);
    assert_false(solved_begin(part, "/proc/nowhere/table", &err));
    assert_non_null(strstr(err.text, "/proc/nowhere"));
    free(part);
}

static void test_path(void **state) {
    (void)state;
    char path[SOLVED_PATH_MAX];
    setenv("XDG_DATA_HOME", "/data", 1);
    assert_true(solved_path(path));
    assert_string_equal(path, "/data/arbiter/cuptactoe.table");
    unsetenv("XDG_DATA_HOME");
    setenv("HOME", "/me", 1);
    assert_true(solved_path(path));
    assert_string_equal(path, "/me/.local/share/arbiter/cuptactoe.table");
    unsetenv("HOME");
    assert_false(solved_path(path));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slots),
        cmocka_unit_test(test_symmetries),
        cmocka_unit_test(test_steps),
        cmocka_unit_test_setup_teardown(test_what_is_no_table, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_abandoned, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_no_room, make_folder, remove_folder),
        cmocka_unit_test(test_no_folder),
        cmocka_unit_test(test_path),
    };
    return cmocka_run_group_tests_name("cuptactoe_files", tests, NULL, NULL);
}
