// SPDX-License-Identifier: MIT
// Counts of positions against tests/data/perft/GAME.perft, and the naive rules against the same
// counts as far as they are quick enough.
#include "cli/perft.h"
#include "check.h"
#include "naive/naive.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX = 16384, ENTRIES_MAX = 200, DEPTHS_MAX = 16, NAIVE_COUNT_MAX = 200000 };

struct entry {
    const struct game *game;
    char name[64];
    char *settings[6]; // "key=value", ended by NULL
    char *moves;
    uint64_t count[DEPTHS_MAX]; // at depth 1, 2, ...
    int depths;
};

static uint64_t naive_count(struct naive *n, int depth) {
    char(*texts)[NAIVE_MOVE_MAX];
    const int count = naive_legal(n, &texts);
    if (count == 0 || depth == 1)
        return count == 0 ? 1 : (uint64_t)count;
    uint64_t leaves = 0;
    for (int i = 0; i < count; i++) {
        struct naive *next = naive_copy(n);
        assert_true(naive_play(next, texts[i]));
        leaves += naive_count(next, depth - 1);
        naive_free(next);
    }
    return leaves;
}

static void check_naive(const struct entry *e) {
    struct naive *n = naive_new(e->game->name, (const char *const *)e->settings);
    char *copy = strdup(e->moves);
    assert_non_null(copy);
    for (char *m = strtok(copy, ";"); m; m = strtok(NULL, ";"))
        assert_true(naive_play(n, m));
    for (int d = 1; d <= e->depths && e->count[d - 1] <= NAIVE_COUNT_MAX; d++)
        assert_int_equal(naive_count(n, d), e->count[d - 1]);
    free(copy);
    naive_free(n);
}

static void test_entry(void **state) {
    const struct entry *e = *state;
    struct ruleset rules;
    union game_state at;
    char why[WHY_TEXT_MAX], key[LINE_MAX], *bad;
    int ply;
    ruleset_init(&rules, e->game);
    for (int i = 0; e->settings[i]; i++) {
        strcpy(key, e->settings[i]);
        char *equals = strchr(key, '=');
        *equals = '\0';
        assert_true(ruleset_set(&rules, key, equals + 1, why));
    }
    assert_true(e->game->start(&at, &rules, NULL, why));
    char *copy = strdup(e->moves);
    assert_non_null(copy);
    assert_null(game_play_line(e->game, &at, copy, &ply, &bad));
    free(copy);
    for (int d = 1; d <= e->depths; d++)
        assert_int_equal(perft_count(e->game, &at, d), e->count[d - 1]);
    check_naive(e);
}

static char *trimmed(char *text) {
    text += strspn(text, " ");
    for (size_t n = strlen(text); n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\n'); n--)
        text[n - 1] = '\0';
    return text;
}

// "settings | moves | counts"
static void read_entry(struct entry *e, char *line) {
    char *settings = line, *moves = strchr(line, '|'), *counts = strrchr(line, '|');
    assert(moves && counts != moves);
    *moves++ = *counts++ = '\0';
    e->moves = strdup(trimmed(moves));
    int n = 0;
    settings = trimmed(settings);
    for (char *s = strtok(settings, ";"); s; s = strtok(NULL, ";"))
        e->settings[n++] = strdup(s);
    for (char *c = strtok(counts, " \n"); c; c = strtok(NULL, " \n"))
        e->count[e->depths++] = strtoull(c, NULL, 10);
    assert(e->depths > 0);
}

static int read_file(const struct game *game, struct entry *entries, int count) {
    char path[LINE_MAX], line[LINE_MAX];
    snprintf(path, sizeof path, "%s/perft/%s.perft", getenv("TEST_DATA"), game->name);
    FILE *file = fopen(path, "r");
    assert(file);
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        if (line[0] == '#')
            continue;
        struct entry *e = &entries[count++];
        e->game = game;
        snprintf(e->name, sizeof e->name, "%s.perft:%d", game->name, number);
        read_entry(e, line);
    }
    fclose(file);
    return count;
}

int main(void) {
    static struct entry entries[ENTRIES_MAX];
    static struct CMUnitTest tests[ENTRIES_MAX];
    int count = 0;
    for (int i = 0; i < game_count(); i++)
        count = read_file(game_nth(i), entries, count);
    for (int i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){
            .name = entries[i].name, .test_func = test_entry, .initial_state = &entries[i]};
    const int failed = _cmocka_run_group_tests("perft", tests, (size_t)count, NULL, NULL);
    for (int i = 0; i < count; i++) {
        free(entries[i].moves);
        for (int k = 0; entries[i].settings[k]; k++)
            free(entries[i].settings[k]);
    }
    return failed;
}
