// SPDX-License-Identifier: MIT
// Judges positions of four-in-a-row (7x6), for bench/general: solve4 COUNT SEED. Prints a line for
// each of so many different positions of random games, plies 8 to 30 in turn: the moves that lead
// there, what the game is worth to the player to move, and for each column + if that is kept by
// dropping there, - if it is lost, . if the column is full. Shares nothing with the program.
//
// Alpha-beta on two words, with a table. A column has seven bits, the highest always clear; `own`
// are the discs of who is to move, `all` those of both.
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS = 7,
    ROWS = 6,
    HIGH = ROWS + 1,
    CELLS = COLUMNS * ROWS,
    LOW_PLIES = 8,
    HIGH_PLIES = 30
};
enum { ENTRIES = 1 << 24 };

struct four_table {
    uint64_t key; // own + all + the bottom, unlike for unlike positions, and what is wanted
    bool reached;
};

static struct four_table *table;

static uint64_t bottom(void) {
    uint64_t all = 0;
    for (int c = 0; c < COLUMNS; c++)
        all |= UINT64_C(1) << c * HIGH;
    return all;
}

static uint64_t column_of(int c) { return ((UINT64_C(1) << ROWS) - 1) << c * HIGH; }

static bool has_four(uint64_t set) {
    static const int ways[] = {1, HIGH - 1, HIGH, HIGH + 1};
    for (int i = 0; i < 4; i++) {
        const uint64_t pairs = set & set >> ways[i];
        if (pairs & pairs >> 2 * ways[i])
            return true;
    }
    return false;
}

// Where the next disc of each column falls.
static uint64_t places(uint64_t all) {
    uint64_t full = 0;
    for (int c = 0; c < COLUMNS; c++)
        full |= column_of(c);
    return (all + bottom()) & full;
}

// Empty cells that would make four of a set, in one of the ways that are not upright.
static uint64_t makes_four(uint64_t set, int way) {
    const uint64_t above = set << way & set << 2 * way, below = set >> way & set >> 2 * way;
    return (above & set << 3 * way) | (above & set >> way) | (below & set << way) |
           (below & set >> 3 * way);
}

static uint64_t wins_of(uint64_t set, uint64_t all) {
    uint64_t full = 0;
    for (int c = 0; c < COLUMNS; c++)
        full |= column_of(c);
    const uint64_t upright = set << 1 & set << 2 & set << 3;
    return (upright | makes_four(set, HIGH - 1) | makes_four(set, HIGH) |
            makes_four(set, HIGH + 1)) &
           full & ~all;
}

// The moves that do not lose at once; 0: all do.
static uint64_t safe_places(uint64_t own, uint64_t all) {
    const uint64_t wins = wins_of(all ^ own, all), forced = places(all) & wins;
    if (forced & (forced - 1))
        return 0;
    return (forced ? forced : places(all)) & ~(wins >> 1);
}

// The moves, those that make most places to win first.
static int list_places(uint64_t own, uint64_t all, uint64_t list[static COLUMNS]) {
    static const int order[COLUMNS] = {3, 2, 4, 1, 5, 0, 6};
    const uint64_t safe = safe_places(own, all);
    int count = 0, threats[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
        const uint64_t place = safe & column_of(order[i]);
        if (!place)
            continue;
        const int made = __builtin_popcountll(wins_of(own | place, all | place));
        int at = count++;
        for (; at > 0 && threats[at - 1] < made; at--) {
            list[at] = list[at - 1];
            threats[at] = threats[at - 1];
        }
        list[at] = place;
        threats[at] = made;
    }
    return count;
}

// Whether the game is worth at least `wanted` to who is to move.
static bool reaches(uint64_t own, uint64_t all, int wanted) {
    uint64_t list[COLUMNS];
    if (places(all) & wins_of(own, all))
        return true;
    if (__builtin_popcountll(all) == CELLS)
        return wanted <= 0;
    const uint64_t key = (own + all + bottom()) * 4 + (uint64_t)(wanted + 1);
    struct four_table *entry = &table[key * UINT64_C(0x9e3779b97f4a7c15) >> 40];
    if (entry->key == key)
        return entry->reached;
    bool reached = false;
    const int count = list_places(own, all, list);
    for (int i = 0; i < count && !reached; i++)
        reached = !reaches(all ^ own, all | list[i], 1 - wanted);
    *entry = (struct four_table){key, reached};
    return reached;
}

// What the game is worth to who is to move: 1, 0 or -1.
static int value(uint64_t own, uint64_t all) {
    return reaches(own, all, 1) ? 1 : reaches(own, all, 0) ? 0 : -1;
}

static uint64_t draw(uint64_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed >> 11;
}

struct four_game {
    uint64_t own, all;
    char moves[3 * CELLS];
};

// A random game of so many plies; false: it was over before.
static bool wander(struct four_game *g, int plies, uint64_t *seed) {
    *g = (struct four_game){.own = 0};
    for (int i = 0; i < plies; i++) {
        uint64_t place = 0;
        int c = 0;
        while (!place) {
            c = (int)(draw(seed) % COLUMNS);
            place = places(g->all) & column_of(c);
        }
        if (has_four(g->own | place))
            return false;
        g->own ^= g->all;
        g->all |= place;
        sprintf(g->moves + strlen(g->moves), "%s%d", i ? ";" : "", c);
    }
    return true;
}

static void print_judged(const struct four_game *g) {
    const int v = value(g->own, g->all);
    printf("%s %s ", g->moves, v > 0 ? "won" : v < 0 ? "lost" : "drawn");
    for (int c = 0; c < COLUMNS; c++) {
        const uint64_t place = places(g->all) & column_of(c);
        bool kept = place && (v < 0 || has_four(g->own | place));
        if (place && !kept)
            kept = !reaches(g->all ^ g->own, g->all | place, 1 - v);
        putchar(!place ? '.' : kept ? '+' : '-');
    }
    putchar('\n');
    fflush(stdout);
}

int main(int argc, char **argv) {
    const int count = argc > 1 ? atoi(argv[1]) : 500;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : 1;
    uint64_t *seen = calloc((size_t)count, sizeof *seen);
    table = calloc(ENTRIES, sizeof *table);
    printf("# solve4 %d %" PRIu64 "\n", count, seed);
    for (int n = 0; n < count;) {
        struct four_game g;
        const int plies = LOW_PLIES + n % (HIGH_PLIES - LOW_PLIES + 1); // as many of each
        bool known = false;
        while (!wander(&g, plies, &seed)) {
        }
        for (int i = 0; i < n; i++)
            known |= seen[i] == g.own + g.all;
        if (known)
            continue;
        seen[n++] = g.own + g.all;
        print_judged(&g);
    }
    free(seen);
    free(table);
    return 0;
}
