// SPDX-License-Identifier: MIT
// Threads that search one tree together: every part is done once, by whoever has nothing to do, and
// what is settled is left.
#include "engine/squad.h"

#include "check.h"

enum { MEMBERS = 4, WIDTH = 5, HEIGHT = 5 };

struct tree_member {
    struct squad *squad;
    struct split *split; // in whose part it is
    atomic_int *leaves;
    int done; // parts
};

struct tree_node {
    struct split split;
    int height;
    atomic_int begun[WIDTH];
};

static void grow(struct tree_member *m, int height);

static void tree_part(void *member, struct split *split, int number) {
    struct tree_member *m = member;
    struct tree_node *node = (struct tree_node *)split;
    struct split *const before = m->split;
    assert_int_equal(atomic_fetch_add(&node->begun[number], 1), 0);
    m->split = split;
    m->done++;
    grow(m, node->height - 1);
    m->split = before;
}

static void grow(struct tree_member *m, int height) {
    if (height == 0) {
        atomic_fetch_add(m->leaves, 1);
        return;
    }
    struct tree_node node = {.split = {.part = tree_part, .count = WIDTH, .above = m->split},
                             .height = height};
    squad_share(m->squad, m, &node.split);
    for (int i = 0; i < WIDTH; i++)
        assert_int_equal(atomic_load(&node.begun[i]), 1);
}

static void test_every_part_once(void **unused) {
    (void)unused;
    for (int threads = 1; threads <= MEMBERS; threads++) {
        struct squad squad;
        atomic_int leaves = 0;
        struct tree_member members[MEMBERS] = {{.squad = NULL}};
        int done = 0, parts = 0, all = 1;
        for (int i = 0; i < threads; i++)
            members[i] = (struct tree_member){.squad = &squad, .leaves = &leaves};
        squad_start(&squad, members, sizeof *members, threads);
        grow(&members[0], HEIGHT);
        squad_end(&squad);
        for (int i = 0; i < HEIGHT; i++)
            parts += all *= WIDTH;
        for (int i = 0; i < threads; i++)
            done += members[i].done;
        assert_int_equal(atomic_load(&leaves), all);
        assert_int_equal(done, parts);
    }
}

// The first part settles its split; the others that have begun are told, and no more begin.
struct settled {
    struct split split;
    struct squad *squad;
    atomic_int begun;
};

static void settling_part(void *member, struct split *split, int number) {
    struct settled *s = (struct settled *)split;
    struct split below = {.above = split};
    (void)member;
    atomic_fetch_add(&s->begun, 1);
    if (number == 0) {
        pthread_mutex_lock(&s->squad->lock);
        split_settle(split);
        pthread_mutex_unlock(&s->squad->lock);
    }
    while (!split_over(&below))
        continue;
}

static void test_settled(void **unused) {
    (void)unused;
    int members[MEMBERS];
    struct squad squad;
    squad_start(&squad, members, sizeof *members, MEMBERS);
    for (int i = 0; i < 1000; i++) {
        struct settled s = {.split = {.part = settling_part, .count = 100}, .squad = &squad};
        squad_share(&squad, members, &s.split);
        assert_true(split_over(&s.split));
        assert_in_range(atomic_load(&s.begun), 1, MEMBERS);
    }
    squad_end(&squad);
}

// Alone nobody is ever idle; a helper with nothing to do is.
static void test_idle(void **unused) {
    (void)unused;
    int members[2];
    struct squad squad;
    squad_start(&squad, members, sizeof *members, 1);
    assert_false(squad_idle(&squad));
    squad_end(&squad);
    squad_start(&squad, members, sizeof *members, 2);
    while (!squad_idle(&squad))
        continue;
    squad_end(&squad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_part_once),
        cmocka_unit_test(test_settled),
        cmocka_unit_test(test_idle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
