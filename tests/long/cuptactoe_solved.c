// SPDX-License-Identifier: MIT
// Cup-Tac-Toe solved as a whole by `arbiter solve`: 443 million values, held against the rules and
// the search. Takes 40 s of CPU and, with a copy of the table, 900 MB; the sanitizers would need
// many times that, and leave it out.
#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/rng.h"
#include "engine/cuptactoe/retro.h"
#include "engine/cuptactoe/solved.h"
#include "engine/engine.h"
#include "engine/share.h"
#include "engine/simple.h"
#include "games/registry.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

struct whole {
    char folder[SOLVED_PATH_MAX / 2], path[SOLVED_PATH_MAX];
    struct atlas *atlas;
    int8_t *values; // a copy of the table's
    json_t *told;   // by the program that made it
};

// Runs `arbiter solve cuptactoe` after these words of the shell; returns its exit code, with what
// it prints in two files of the folder.
static int run_solve(const struct whole *w, const char *before) {
    char command[2 * SOLVED_PATH_MAX];
    snprintf(command, sizeof command,
             "%s exec \"$ARBITER\" solve cuptactoe --json >'%s/out' 2>'%s/errors'", before,
             w->folder, w->folder);
    const int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static json_t *read_told(const struct whole *w) {
    char path[SOLVED_PATH_MAX];
    snprintf(path, sizeof path, "%s/out", w->folder);
    return json_load_file(path, 0, NULL);
}

// The table is made where the player looks for it, below a folder of its own.
static int solve(void **state) {
    struct whole *w = mem_new(1, sizeof *w);
    struct err err = {.set = false};
    struct solved solved;
    *state = w;
    if (!getcwd(w->folder, sizeof w->folder - 32))
        return -1;
    strcat(w->folder, "/solved-XXXXXX");
    if (!mkdtemp(w->folder) || setenv("XDG_DATA_HOME", w->folder, 1) != 0 ||
        !solved_path(w->path) || run_solve(w, "") != 0 || !(w->told = read_told(w)) ||
        !solved_open(&solved, w->path, &err))
        return -1;
    w->atlas = atlas_new();
    w->values = mem_new(SLOTS, 1);
    memcpy(w->values, solved.values, SLOTS);
    solved_close(&solved);
    return 0;
}

// Fails if there is anything else in the folder.
static int forget(void **state) {
    struct whole *w = *state;
    char path[SOLVED_PATH_MAX];
    unlink(w->path);
    *strrchr(w->path, '/') = '\0';
    rmdir(w->path);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", w->folder, i ? "out" : "errors");
        unlink(path);
    }
    const int left = rmdir(w->folder);
    json_decref(w->told);
    free(w->values);
    free(w->atlas);
    free(w);
    return left;
}

static bool is_end(int value) { return value == VALUE_LOST || value == VALUE_WON; }

static int value_of(const struct whole *w, const struct cups *state) {
    const struct cupboard board = cupboard_of(state);
    int symmetry;
    return w->values[atlas_slot(w->atlas, &board, &symmetry)];
}

// The position of a slot, with so many turns taken and left.
static struct cups position_of(const struct whole *w, size_t slot, int turns, int left) {
    const struct atlas *a = w->atlas;
    const int layers[CUPS_SIZES] = {(int)(slot % LAYERS), (int)(slot / LAYERS % LAYERS),
                                    a->layer_of_shape[slot / LAYERS / LAYERS]};
    struct cups state = {.turns = (uint8_t)turns, .max_turns = (uint8_t)(turns + left)};
    for (int size = 0; size < CUPS_SIZES; size++) {
        state.cup[turns % 2][size] = a->cells[a->own[layers[size]]];
        state.cup[1 - turns % 2][size] = a->cells[a->other[layers[size]]];
    }
    return state;
}

static size_t random_slot(const struct whole *w, struct rng *rng) {
    for (;;) {
        const size_t slot = rng_next(rng) % SLOTS;
        if (!is_end(w->values[slot]))
            return slot;
    }
}

static uint64_t told_number(const struct whole *w, const char *key) {
    const json_t *number = json_object_get(w->told, key);
    assert_true(json_is_integer(number));
    return (uint64_t)json_integer_value(number);
}

// Adds up a list of counts, and holds each against the values.
static uint64_t told_counts(const struct whole *w, const char *key, int sign) {
    const json_t *list = json_object_get(w->told, key), *number;
    uint64_t counted[VALUE_LONGEST + 1] = {0}, sum = 0;
    size_t i;
    for (size_t slot = 0; slot < SLOTS; slot++) {
        const int plies = sign * w->values[slot];
        if (plies > 0 && plies <= VALUE_LONGEST)
            counted[plies] += w->atlas->weight[slot / LAYERS / LAYERS];
    }
    assert_int_equal(json_array_size(list), VALUE_LONGEST);
    json_array_foreach(list, i, number) {
        assert_int_equal(json_integer_value(number), counted[i + 1]);
        sum += counted[i + 1];
    }
    return sum;
}

// What the program says of the table is so, and counts every position once.
static void test_told(void **state) {
    const struct whole *w = *state;
    const struct cups start = {.turns = 0};
    char sum[24];
    snprintf(sum, sizeof sum, "%016llx", (unsigned long long)solved_sum(w->values));
    assert_string_equal(json_string_value(json_object_get(w->told, "checksum")), sum);
    assert_true(json_is_true(json_object_get(w->told, "new")));
    assert_int_equal(told_number(w, "longest"), VALUE_LONGEST);
    assert_int_equal(value_of(w, &start), 13);
    assert_int_equal(told_counts(w, "won", 1) + told_counts(w, "lost", -1) +
                         told_number(w, "never") + told_number(w, "over"),
                     (uint64_t)LAYERS * LAYERS * LAYERS);
    assert_int_equal(json_object_size(json_object_get(w->told, "openings")), 27);
    assert_true(told_number(w, "peak_kb") < 500000000 / 1024);
}

// A table that is there is not made again.
static void test_there(void **state) {
    const struct whole *w = *state;
    assert_int_equal(run_solve(w, ""), 0);
    json_t *again = read_told(w);
    assert_true(json_is_false(json_object_get(again, "new")));
    for (int i = 0; i < 4; i++) {
        static const char *const same[] = {"checksum", "won", "lost", "openings"};
        assert_true(json_equal(json_object_get(again, same[i]), json_object_get(w->told, same[i])));
    }
    json_decref(again);
}

static void flip_a_bit(const char *path) {
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, 123456789, SEEK_SET), 0);
    const int byte = fgetc(file);
    assert_int_equal(fseek(file, 123456789, SEEK_SET), 0);
    assert_int_equal(fputc(byte ^ 1, file), byte ^ 1);
    assert_int_equal(fclose(file), 0);
}

// One bit wrong is noticed. To make the table anew is refused here for want of room.
static void test_damaged(void **state) {
    const struct whole *w = *state;
    char command[2 * SOLVED_PATH_MAX];
    flip_a_bit(w->path);
    assert_int_equal(run_solve(w, "ulimit -f 1000; trap '' XFSZ;"), 2);
    snprintf(command, sizeof command,
             "grep -q 'is damaged' '%s/errors' && grep -q 'cannot have' '%s/errors'", w->folder,
             w->folder);
    assert_int_equal(system(command), 0);
    flip_a_bit(w->path);
}

static void ignore_share(void *context, const char *what, double done) {
    (void)context;
    (void)what;
    (void)done;
}

// One value of each kind is changed by as little as can be.
static void test_check_finds_damage(void **state) {
    const struct whole *w = *state;
    enum { KINDS = 12 };
    static const struct {
        int value, instead;
    } kinds[KINDS] = {{1, 3},   {2, 1},  {5, 6}, {9, 0},  {-1, -2},         {-2, -4},
                      {-8, -6}, {-6, 0}, {0, 7}, {0, -8}, {VALUE_LOST, -2}, {VALUE_WON, 1}};
    const struct progress silent = {.share = ignore_share};
    struct rng rng = {3};
    size_t slots[KINDS];
    for (int i = 0; i < KINDS; i++) {
        size_t slot = rng_next(&rng) % SLOTS;
        while (w->values[slot] != kinds[i].value)
            slot = (slot + 1) % SLOTS;
        w->values[slot] = (int8_t)kinds[i].instead;
        slots[i] = slot;
    }
    assert_true(retro_check(w->atlas, w->values, share_processors(), &silent) >= KINDS);
    for (int i = KINDS - 1; i >= 0; i--)
        w->values[slots[i]] = (int8_t)kinds[i].value;
}

// Wins sooner before later ones, losses later before sooner ones.
static int worth(int value) { return value == 0 ? 0 : value > 0 ? 1000 - value : -1000 - value; }

// What the rules and the values after each move say of a position.
static int value_by_rules(const struct whole *w, const struct cups *state) {
    move moves[64];
    const int count = game_cuptactoe.moves(state, moves), mover = game_cuptactoe.turn(state);
    int best = 0;
    for (int i = 0; i < count; i++) {
        struct cups next = *state;
        game_cuptactoe.apply(&next, moves[i]);
        const int then = next.ending == ENDING_RUNNING ? value_of(w, &next) : 0;
        const int value = next.ending != ENDING_RUNNING ? (next.winner == mover ? 1 : -1)
                          : then == 0                   ? 0
                          : then > 0                    ? -then - 1
                                                        : -then + 1;
        best = i == 0 || worth(value) > worth(best) ? value : best;
    }
    return best;
}

static void test_rules(void **state) {
    const struct whole *w = *state;
    struct rng rng = {7};
    for (int i = 0; i < 200000; i++) {
        const size_t slot = random_slot(w, &rng);
        const struct cups position = position_of(w, slot, i % 2, 90);
        assert_int_equal(w->values[slot], value_of(w, &position));
        assert_int_equal(w->values[slot], value_by_rules(w, &position));
    }
}

// The value with so many turns left; the second player wins what is not won by then.
static int limited(int value, int left, int mover) {
    return value != VALUE_NEVER && abs(value) <= left ? value : mover == 2 ? left : -left;
}

static struct brain *new_brain(void) {
    struct ruleset rules;
    ruleset_init(&rules, &game_cuptactoe);
    struct brain *brain = brain_new(&rules, LEVEL_STRONG, 1, 1);
    assert_non_null(brain);
    return brain;
}

static void check_answer(const struct whole *w, struct brain *brain, size_t slot, int turns,
                         int left) {
    const struct limits no_limits = {.nodes = 0};
    const struct cups position = position_of(w, slot, turns, left);
    const int right = limited(w->values[slot], left, turns % 2 + 1);
    struct thought t;
    brain_think(brain, &position, &no_limits, &t);
    if (!t.exact || t.value != right) {
        char text[STATE_TEXT_MAX];
        game_cuptactoe.write_state(&position, text);
        fail_msg("%s of %d turns: value %d, exact %d, right is %d", text, position.max_turns,
                 t.value, t.exact, right);
    }
    struct cups after = position; // the move keeps the value
    assert_null(game_play(&game_cuptactoe, &after, t.pv[0]));
    if (after.ending == ENDING_RUNNING)
        assert_int_equal(limited(value_of(w, &after), left - 1, 2 - turns % 2),
                         right > 0 ? 1 - right : -1 - right);
    else
        assert_int_equal(after.winner == turns % 2 + 1 ? 1 : -1, right);
}

// Every value far from the end, some that nobody wins, and any others, in games of all lengths.
static void check_many(const struct whole *w, struct brain *brain, int any) {
    struct rng rng = {13};
    for (int i = 0; i < any; i++) {
        const int turns = (int)rng_below(&rng, 8), left = 1 + (int)rng_below(&rng, 35);
        check_answer(w, brain, random_slot(w, &rng), turns, left);
    }
    size_t never = 0;
    for (size_t slot = 0; slot < SLOTS; slot++) {
        const int value = w->values[slot];
        const bool far = !is_end(value) && abs(value) >= 20;
        if (far || (value == VALUE_NEVER && never++ % 500 == 0))
            check_answer(w, brain, slot, (int)(slot % 2), 1 + (int)rng_below(&rng, 35));
    }
}

static void test_search(void **state) {
    const struct whole *w = *state;
    setenv("XDG_DATA_HOME", "/nowhere", 1);
    struct brain *brain = new_brain();
    check_many(w, brain, 5000);
    brain_free(brain);
}

static int64_t time_of_answer(struct brain *brain, const struct cups *position) {
    const struct limits no_limits = {.nodes = 0};
    struct thought t;
    const int64_t begin = clock_cpu_us();
    brain_think(brain, position, &no_limits, &t);
    assert_true(t.nodes <= 54); // looked up, not searched
    return clock_cpu_us() - begin;
}

static void check_time(const struct whole *w, struct brain *brain) {
    struct rng rng = {23};
    int64_t sum = 0;
    for (int i = 0; i < 1000; i++) {
        const struct cups position = position_of(w, random_slot(w, &rng), i % 2, 30);
        sum += time_of_answer(brain, &position);
    }
    assert_true(sum / 1000 < 1000);
}

static void test_table(void **state) {
    const struct whole *w = *state;
    setenv("XDG_DATA_HOME", w->folder, 1);
    struct brain *brain = new_brain();
    check_many(w, brain, 5000);
    check_time(w, brain);
    brain_free(brain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_told),    cmocka_unit_test(test_there),
        cmocka_unit_test(test_damaged), cmocka_unit_test(test_check_finds_damage),
        cmocka_unit_test(test_rules),   cmocka_unit_test(test_table),
        cmocka_unit_test(test_search),
    };
    if (SANITIZED) {
        printf("1..0 # SKIP the whole game is too large for the sanitizers\n");
        return 0;
    }
    return cmocka_run_group_tests_name("cuptactoe_solved", tests, solve, forget);
}
