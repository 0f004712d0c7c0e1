// SPDX-License-Identifier: MIT
// What every schedule promises, for 2 to 65 players, with results drawn at random.
#include "base/mem.h"
#include "base/rng.h"
#include "check.h"
#include "contest/schedule/knockout.h"
#include "contest/schedule/matching.h"
#include "contest/schedule/schedule.h"

#include <stdlib.h>
#include <string.h>

enum { PLAYERS_MAX = 65 };

struct contest {
    struct format format;
    struct field field;
    struct entrant entrants[PLAYERS_MAX];
    struct meetings meetings;
    struct rng rng;
};

static void finish(struct contest *c, struct meeting *m, bool may_draw) {
    if (m->player[1] == NOBODY) {
        m->worth[0] = m->points[0] = 4;
        return;
    }
    const uint32_t points = rng_below(&c->rng, 5);
    m->worth[0] = m->points[0] = (int)points;
    m->worth[1] = m->points[1] = 4 - (int)points;
    m->winner = points > 2 ? 0 : points < 2 ? 1 : may_draw ? NOBODY : (int)rng_below(&c->rng, 2);
    m->is_over = true;
}

// Plays all of it. What is next must not depend on when it is asked: here after every meeting.
static void play(struct contest *c, const char *name, int players, bool may_draw) {
    c->format.schedule = c->format.schedule ? c->format.schedule : schedule_find(name);
    c->field = (struct field){c->entrants, players};
    assert_null(c->format.schedule->refuse(&c->format, players));
    int open = 0;
    do {
        struct meetings list = {.list = NULL};
        c->format.schedule->next(&c->format, &c->field, &c->meetings, &list);
        for (int i = 0; i < list.count; i++) {
            const struct meeting *m = &list.list[i];
            assert_null(meetings_find(&c->meetings, m->round, m->table));
            meetings_add(&c->meetings, m->round, m->table, m->player[0], m->player[1]);
        }
        meetings_done(&list);
        open = 0;
        for (int i = 0; i < c->meetings.count; i++) {
            struct meeting *m = &c->meetings.list[i];
            const bool bye = m->player[1] == NOBODY && m->points[0] == 0;
            if (bye)
                finish(c, m, may_draw);
            open += !m->is_over;
        }
        if (open > 0) {
            int k = (int)rng_below(&c->rng, (uint32_t)open);
            for (int i = 0; i < c->meetings.count; i++)
                if (!c->meetings.list[i].is_over && k-- == 0)
                    finish(c, &c->meetings.list[i], may_draw);
        }
    } while (open > 0);
}

static struct contest *begin(const char *name, int players) {
    struct contest *c = mem_new(1, sizeof *c);
    format_init(&c->format, schedule_find(name));
    c->rng.state = (uint64_t)players;
    return c;
}

static void end(struct contest *c) {
    meetings_done(&c->meetings);
    free(c);
}

static void count_pairs(const struct contest *c, int *met, int *blacks, int *byes) {
    memset(met, 0, PLAYERS_MAX * PLAYERS_MAX * sizeof *met);
    memset(blacks, 0, PLAYERS_MAX * sizeof *blacks);
    memset(byes, 0, PLAYERS_MAX * sizeof *byes);
    for (int i = 0; i < c->meetings.count; i++) {
        const int a = c->meetings.list[i].player[0], b = c->meetings.list[i].player[1];
        if (b == NOBODY) {
            byes[a]++;
            continue;
        }
        assert_int_not_equal(a, b);
        met[a * PLAYERS_MAX + b]++;
        met[b * PLAYERS_MAX + a]++;
        blacks[a]++;
        blacks[b]--;
    }
}

static int met[PLAYERS_MAX * PLAYERS_MAX], blacks[PLAYERS_MAX], byes[PLAYERS_MAX];

static void test_league(void **unused) {
    (void)unused;
    for (int cycles = 1; cycles <= 2; cycles++)
        for (int n = 2; n <= PLAYERS_MAX; n++) {
            struct contest *c = begin("league", n);
            c->format.cycles = cycles;
            play(c, "league", n, true);
            count_pairs(c, met, blacks, byes);
            assert_int_equal(c->meetings.count, c->format.schedule->total(&c->format, &c->field));
            for (int a = 0; a < n; a++) {
                assert_in_range(blacks[a] + 1, 0, 2); // balanced to one game
                if (cycles == 2)
                    assert_int_equal(blacks[a], 0);
                for (int b = 0; b < n; b++)
                    assert_int_equal(met[a * PLAYERS_MAX + b], a == b ? 0 : cycles);
            }
            // Nobody plays twice in a round.
            for (int i = 0; i < c->meetings.count; i++)
                for (int k = 0; k < i; k++) {
                    const struct meeting *x = &c->meetings.list[i], *y = &c->meetings.list[k];
                    if (x->round == y->round)
                        for (int p = 0; p < 4; p++)
                            assert_int_not_equal(x->player[p / 2], y->player[p % 2]);
                }
            end(c);
        }
}

static void test_league_in_groups(void **unused) {
    (void)unused;
    for (int groups = 2; groups <= 8; groups++)
        for (int n = 2 * groups; n <= PLAYERS_MAX; n += 7) {
            struct contest *c = begin("league", n);
            c->format.groups = groups;
            for (int i = 0; i < n; i++)
                c->entrants[i].group = i % groups;
            play(c, "league", n, true);
            count_pairs(c, met, blacks, byes);
            assert_int_equal(c->meetings.count, c->format.schedule->total(&c->format, &c->field));
            for (int a = 0; a < n; a++)
                for (int b = 0; b < n; b++)
                    assert_int_equal(met[a * PLAYERS_MAX + b], a != b && a % groups == b % groups);
            end(c);
        }
}

static void test_gauntlet(void **unused) {
    (void)unused;
    for (int challengers = 1; challengers <= 3; challengers++)
        for (int n = challengers + 1; n <= PLAYERS_MAX; n++) {
            struct contest *c = begin("gauntlet", n);
            c->format.challengers = challengers;
            play(c, "gauntlet", n, true);
            count_pairs(c, met, blacks, byes);
            assert_int_equal(c->meetings.count, c->format.schedule->total(&c->format, &c->field));
            for (int a = 0; a < n; a++)
                for (int b = 0; b < n; b++)
                    assert_int_equal(met[a * PLAYERS_MAX + b],
                                     (a < challengers) != (b < challengers));
            for (int a = 0; a < challengers; a++)
                assert_in_range(blacks[a] + 1, 0, 2);
            end(c);
        }
}

static void test_swiss(void **unused) {
    (void)unused;
    for (int full = 0; full <= 1; full++)
        for (int n = 2; n <= PLAYERS_MAX; n++) {
            struct contest *c = begin("swiss", n);
            c->format.rounds = full ? (n + n % 2) / 2 : 0;
            play(c, "swiss", n, true);
            count_pairs(c, met, blacks, byes);
            assert_int_equal(c->meetings.count, c->format.schedule->total(&c->format, &c->field));
            for (int a = 0; a < n; a++) {
                assert_in_range(byes[a], 0, n % 2); // nobody rests twice
                assert_in_range(blacks[a] + 2, 0, 4);
                for (int b = 0; b < n; b++)
                    assert_in_range(met[a * PLAYERS_MAX + b], 0, 1);
            }
            end(c);
        }
}

// Equals are those who are equal in the table, whatever games they have won.
static void test_swiss_pairs_by_the_table(void **unused) {
    (void)unused;
    struct contest *c = begin("swiss", 4);
    struct meetings next = {.list = NULL};
    c->format.schedule = schedule_find("swiss");
    c->format.rounds = 2;
    c->field = (struct field){c->entrants, 4};
    for (int table = 0; table < 2; table++) { // 2 and 1 have won, 0 and 1 have more points of games
        meetings_add(&c->meetings, 0, table, table, table + 2);
        struct meeting *m = &c->meetings.list[table];
        m->is_over = true;
        m->points[0] = 4;
        m->worth[1 - table] = 3;
    }
    c->format.schedule->next(&c->format, &c->field, &c->meetings, &next);
    assert_int_equal(next.count, 2);
    assert_int_equal(next.list[0].player[0] + next.list[0].player[1], 3);
    assert_true(next.list[0].player[0] == 1 || next.list[0].player[0] == 2);
    meetings_done(&next);
    end(c);
}

// The best seed wins all: the final is between 0 and 1, and seeds fall in their order.
static void test_knockout_by_seeds(void **unused) {
    (void)unused;
    for (int n = 2; n <= PLAYERS_MAX; n++) {
        const int rounds = bracket_rounds(n);
        bool seen[128] = {false};
        for (int place = 0; place < 1 << rounds; place += 2) {
            const int a = bracket_entrant(place, rounds, 1 << rounds),
                      b = bracket_entrant(place + 1, rounds, 1 << rounds);
            assert_int_equal(a + b, (1 << rounds) - 1);
            assert_false(seen[a] || seen[b]);
            seen[a] = seen[b] = true;
        }
        for (int half = 0; half < 2; half++) // of four, 0 and 3 on one side, 1 and 2 on the other
            for (int place = 0; rounds > 1 && place < 1 << (rounds - 1); place++) {
                const int seed =
                    bracket_entrant((half << (rounds - 1)) + place, rounds, 1 << rounds);
                if (seed < 4)
                    assert_int_equal(seed == 1 || seed == 2, half);
            }
    }
}

static void test_knockout(void **unused) {
    (void)unused;
    for (int n = 2; n <= PLAYERS_MAX; n++) {
        struct contest *c = begin("knockout", n);
        int lost[PLAYERS_MAX] = {0}, unbeaten = 0;
        c->format.third = n % 2;
        play(c, "knockout", n, false);
        assert_int_equal(c->meetings.count, c->format.schedule->total(&c->format, &c->field));
        for (int i = 0; i < c->meetings.count; i++) {
            const struct meeting *m = &c->meetings.list[i];
            const bool third = m->round == bracket_rounds(n) - 1 && m->table == 1;
            if (m->player[1] != NOBODY && !third)
                lost[bracket_loser(m)]++;
        }
        for (int a = 0; a < n; a++) {
            assert_in_range(lost[a], 0, 1);
            unbeaten += lost[a] == 0;
        }
        assert_int_equal(unbeaten, 1);
        end(c);
    }
}

static void test_double_elimination(void **unused) {
    (void)unused;
    for (int n = 2; n <= PLAYERS_MAX; n++) {
        struct contest *c = begin("double", n);
        int lost[PLAYERS_MAX] = {0}, left = 0;
        play(c, "double", n, false);
        assert_true(c->meetings.count <= c->format.schedule->total(&c->format, &c->field));
        for (int i = 0; i < c->meetings.count; i++) {
            const struct meeting *m = &c->meetings.list[i];
            if (m->player[0] != NOBODY && m->player[1] != NOBODY)
                lost[bracket_loser(m)]++;
        }
        for (int a = 0; a < n; a++) {
            assert_in_range(lost[a], 0, 2);
            left += lost[a] < 2;
        }
        assert_int_equal(left, 1);
        end(c);
    }
}

// Who has left is not paired any more; the others are, and nobody of them rests twice.
static void test_swiss_with_leavers(void **unused) {
    (void)unused;
    for (int n = 6; n <= PLAYERS_MAX; n++)
        for (int leaves = 1; leaves <= 3; leaves++) {
            struct contest *c = begin("swiss", n);
            c->entrants[n / 2].leaves = c->entrants[1].leaves = leaves;
            play(c, "swiss", n, true);
            count_pairs(c, met, blacks, byes);
            for (int i = 0; i < c->meetings.count; i++) {
                const struct meeting *m = &c->meetings.list[i];
                for (int p = 0; p < 2; p++)
                    if (m->player[p] == 1 || m->player[p] == n / 2)
                        assert_true(m->round < leaves - 1);
            }
            for (int a = 0; a < n; a++) {
                assert_in_range(byes[a], 0, 1);
                for (int b = 0; b < n; b++)
                    assert_in_range(met[a * PLAYERS_MAX + b], 0, 1);
            }
            end(c);
        }
}

static void test_refusals(void **unused) {
    (void)unused;
    for (const struct schedule *const *s = schedules; *s; s++) {
        struct format format;
        format_init(&format, *s);
        assert_non_null((*s)->refuse(&format, 1));
        assert_null((*s)->refuse(&format, 2));
    }
    struct format format;
    format_init(&format, schedule_find("swiss"));
    format.rounds = 4;
    assert_non_null(format.schedule->refuse(&format, 6));
    assert_null(schedule_find("nothing"));
}

struct graph {
    int count;
    uint32_t edges[12];
};

static bool joined(const void *owner, int a, int b) {
    const struct graph *g = owner;
    return g->edges[a] >> b & 1;
}

static bool pairs_off(const struct graph *g, uint32_t left) {
    if (!left)
        return true;
    const int a = __builtin_ctz(left);
    for (int b = a + 1; b < g->count; b++)
        if ((left >> b & 1) && joined(g, a, b) &&
            pairs_off(g, left & ~(UINT32_C(1) << a) & ~(UINT32_C(1) << b)))
            return true;
    return false;
}

// Against trying everything, on random graphs, thin and thick.
static void test_matching(void **unused) {
    (void)unused;
    struct rng rng = {3};
    for (int i = 0; i < 3000; i++) {
        struct graph g = {.count = 2 + 2 * (int)rng_below(&rng, 5)};
        const uint32_t thick = 10 + rng_below(&rng, 60);
        for (int a = 0; a < g.count; a++)
            for (int b = 0; b < a; b++)
                if (rng_below(&rng, 100) < thick) {
                    g.edges[a] |= UINT32_C(1) << b;
                    g.edges[b] |= UINT32_C(1) << a;
                }
        struct matching *m = matching_new(g.count, joined, &g);
        assert_int_equal(matching_complete(m), pairs_off(&g, (UINT32_C(1) << g.count) - 1));
        matching_remove(m, 0);
        matching_remove(m, 1);
        assert_int_equal(matching_complete(m), pairs_off(&g, (UINT32_C(1) << g.count) - 4));
        matching_free(m);
    }
}

// Meetings of one are as many as promised; of a double elimination the last final may be missing.
static void test_byes(void **unused) {
    (void)unused;
    static const char *const names[] = {"league", "gauntlet", "swiss", "knockout", "double"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int n = 2; n <= PLAYERS_MAX; n++) {
            struct contest *c = begin(names[i], n);
            int met_by_two = 0;
            play(c, names[i], n, false);
            for (int k = 0; k < c->meetings.count; k++)
                met_by_two += c->meetings.list[k].player[1] != NOBODY;
            const struct schedule *s = c->format.schedule;
            const int expected = s->total(&c->format, &c->field) - s->byes(&c->format, &c->field);
            assert_in_range(expected - met_by_two, 0, strcmp(names[i], "double") == 0);
            end(c);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_league),
        cmocka_unit_test(test_league_in_groups),
        cmocka_unit_test(test_gauntlet),
        cmocka_unit_test(test_swiss),
        cmocka_unit_test(test_swiss_pairs_by_the_table),
        cmocka_unit_test(test_swiss_with_leavers),
        cmocka_unit_test(test_knockout_by_seeds),
        cmocka_unit_test(test_knockout),
        cmocka_unit_test(test_double_elimination),
        cmocka_unit_test(test_byes),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_matching),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
