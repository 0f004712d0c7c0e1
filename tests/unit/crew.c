// SPDX-License-Identifier: MIT
// Threads that search one tree together: every part is done once, by whoever has nothing to do, and
// what is settled is left.
#include "engine/crew.h"

#include "check.h"

enum { MEMBERS = 4, WIDTH = 5, HEIGHT = 5 };

struct tree_member {
    struct crew *crew;
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
    crew_share(m->crew, m, &node.split);
    for (int i = 0; i < WIDTH; i++)
        assert_int_equal(atomic_load(&node.begun[i]), 1);
}

static void test_every_part_once(void **unused) {
    (void)unused;
    for (int threads = 1; threads <= MEMBERS; threads++) {
        struct crew crew;
        atomic_int leaves = 0;
        struct tree_member members[MEMBERS] = {{.crew = NULL}};
        int done = 0, parts = 0, all = 1;
        for (int i = 0; i < threads; i++)
            members[i] = (struct tree_member){.crew = &crew, .leaves = &leaves};
        crew_start(&crew, members, sizeof *members, threads);
        grow(&members[0], HEIGHT);
        crew_end(&crew);
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
    struct crew *crew;
    atomic_int begun;
};

static void settling_part(void *member, struct split *split, int number) {
    struct settled *s = (struct settled *)split;
    struct split below = {.above = split};
    (void)member;
    atomic_fetch_add(&s->begun, 1);
    if (number == 0) {
        pthread_mutex_lock(&s->crew->lock);
        split_settle(split);
        pthread_mutex_unlock(&s->crew->lock);
    }
    while (!split_over(&below))
        continue;
}

static void test_settled(void **unused) {
    (void)unused;
    int members[MEMBERS];
    struct crew crew;
    crew_start(&crew, members, sizeof *members, MEMBERS);
    for (int i = 0; i < 1000; i++) {
        struct settled s = {.split = {.part = settling_part, .count = 100}, .crew = &crew};
        crew_share(&crew, members, &s.split);
        assert_true(split_over(&s.split));
        assert_in_range(atomic_load(&s.begun), 1, MEMBERS);
    }
    crew_end(&crew);
}

// Alone nobody is ever idle; a helper with nothing to do is.
static void test_idle(void **unused) {
    (void)unused;
    int members[2];
    struct crew crew;
    crew_start(&crew, members, sizeof *members, 1);
    assert_false(crew_idle(&crew));
    crew_end(&crew);
    crew_start(&crew, members, sizeof *members, 2);
    while (!crew_idle(&crew))
        continue;
    crew_end(&crew);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_part_once),
        cmocka_unit_test(test_settled),
        cmocka_unit_test(test_idle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
