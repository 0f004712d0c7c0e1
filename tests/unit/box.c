// SPDX-License-Identifier: MIT
// The box from outside: the words that start a player in it, what a player is shown, and control
// groups where this machine has them. What it refuses is in tests/e2e/box.sh.
#include "link/box.h"
#include "link/core.h"
#include "link/shell.h"
#include "referee/box_files.h"

#include "base/buf.h"
#include "base/clock.h"
#include "check.h"
#include "referee/record.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *line_of(const struct program *program, int door) {
    struct buf out = {.data = NULL};
    char **words = box_words(program, "exec ./p", door);
    for (char **w = words; *w; w++)
        buf_format(&out, "%s%s", w == words ? "" : " ", *w);
    shell_words_free(words);
    return out.data;
}

static void test_words(void **state) {
    (void)state;
    struct box box = {.level = 2, .tool = "/x/arbiter-box"};
    char *show[] = {"/a", "/b"};
    struct program p = {
        .command = "./p", .folder = "/f", .memory = 64, .frozen = true, .wine = true};
    const struct {
        const struct box *box;
        int level, door;
        const char *line;
    } cases[] = {
        {NULL, 0, -1, "sh -c exec ./p"},
        {&box, 0, -1,
         "/x/arbiter-box --level 0 --processes 128 --memory 64 --uncounted --wine --alone --begun "
         "6 --folder "
         "/f -- "
         "/bin/sh -c "
         "exec ./p"},
        {&box, 2, 3,
         "/x/arbiter-box --level 2 --processes 128 --memory 64 --uncounted --wine --alone --door 3 "
         "--begun 6 "
         "--show /a "
         "--show "
         "/b "
         "-- /bin/sh -c exec ./p"},
        {&box, 3, -1,
         "/x/arbiter-box --level 3 --processes 128 --wine --freezer 4 --begun 6 --show /a --show "
         "/b -- "
         "/bin/sh -c "
         "exec ./p"},
    };
    p.show = show;
    p.shows = 2;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        box.level = cases[i].level;
        p.box = cases[i].box;
        char *line = line_of(&p, cases[i].door);
        assert_string_equal(line, cases[i].line);
        free(line);
    }
}

static void test_choose(void **state) {
    (void)state;
    struct box box = {.best = 2, .has_tool = true};
    struct err err = {.set = false};
    assert_true(box_choose(&box, BOX_BEST, &err));
    assert_int_equal(box.level, 2);
    assert_true(box_choose(&box, 0, &err));
    assert_int_equal(box.level, 0);
    assert_false(box_choose(&box, 3, &err));
    assert_non_null(strstr(err.text, "level 3: this machine allows 2; arbiter doctor tells why"));
    err.set = box.has_tool = false;
    assert_false(box_choose(&box, 0, &err));
}

static void make_file(const char *path) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
}

// Reads both players and joins what the first is shown, without the folder all is in.
static char *shown(const char *folder, const char *first, const char *second) {
    struct player a, b;
    struct err err = {.set = false}, refusal[2] = {{.set = false}, {.set = false}};
    struct buf out = {.data = NULL};
    buf_put(&out, "", 0);
    if (!player_read(&a, first, game_find("tower4"), "arbiter", &err) ||
        !player_read(&b, second, game_find("tower4"), "arbiter", &err) ||
        !box_files_show(&a, &b, &(struct player_limits){.box = NULL}, refusal))
        fail_msg("%s", err.text);
    for (int i = 0; i < a.shows; i++)
        buf_format(&out, "%s%s", i ? " " : "", a.show[i] + strlen(folder) + 1);
    player_done(&a);
    player_done(&b);
    return out.data;
}

static void test_shown(void **state) {
    (void)state;
    char folder[] = "/tmp/arbiter-box-XXXXXX", before[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_true(mkdir("a", 0755) == 0 && mkdir("b", 0755) == 0 && mkdir("here", 0755) == 0);
    make_file("a/p");
    make_file("a/q");
    make_file("b/p");
    make_file("p");
    static const char *const cases[][3] = {
        {"abp:a/p", "abp:b/p", "a"},                   // a folder of its own, with all in it
        {"abp:a/p x", "abp:a/q", "a/p"},               // shared with the opponent: the file alone
        {"abp:./p", "abp:b/p", "./p"},                 // where we are: the file alone
        {"abp:python3 a/p ./b", "random", "a ./b"},    // all files and folders that it names
        {"abp:cd a && ./p", "random", "a"},            // the folder it goes to
        {"abp:/usr/bin/env x", "random", ""},          // the system is there in any case
        {"abp:python3 \"$(echo a/p)\"", "random", ""}, // what only the shell can read is not
        {"random", "abp:a/p", ""},                     // our own players are not boxed
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *list = shown(folder, cases[i][0], cases[i][1]);
        assert_string_equal(list, cases[i][2]);
        free(list);
    }
    assert_int_equal(chdir(before), 0);
    char command[80];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void test_windows(void **state) {
    (void)state;
    static const struct {
        int level;
        enum ponder ponder;
        enum player_kind kind;
        const char *refusal; // NULL: none
    } cases[] = {
        {BOX_GROUPS, PONDER_FREEZE, PLAYER_TEAM, NULL},
        {BOX_NAMESPACES, PONDER_REPORT, PLAYER_TEAM, NULL},
        {BOX_NAMESPACES, PONDER_FREEZE, PLAYER_CHILD, "does not let wine start its processes"},
        {BOX_FILTER, PONDER_ALLOW, PLAYER_CHILD, NULL},
        {BOX_FILTER, PONDER_ALLOW, PLAYER_TEAM, "does not let wine listen"},
        {BOX_LIMITS, PONDER_FREEZE, PLAYER_TEAM, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct player a = {.text = "abp:x.exe",
                           .command = strdup("wine x.exe"),
                           .windows = true,
                           .kind = cases[i].kind},
                      b = {.text = "abp:./b", .command = strdup("./b")};
        const struct box box = {.level = cases[i].level};
        const struct player_limits limits = {.box = &box, .ponder = cases[i].ponder};
        struct err refusal[2] = {{.set = false}, {.set = false}};
        assert_int_equal(box_files_show(&a, &b, &limits, refusal), !cases[i].refusal);
        assert_true(b.boxed && !refusal[1].set); // whatever becomes of its opponent
        if (cases[i].refusal)
            assert_non_null(strstr(refusal[0].text, cases[i].refusal));
        else
            assert_string_equal(strstr(a.command, "WINEDEBUG"), "WINEDEBUG=-all; wine x.exe");
        player_done(&a);
        player_done(&b);
    }
}

// In a process of its own: enters the group, takes some memory and works until it is killed.
static _Noreturn void work(const struct cgroup *group) {
    if (!cgroup_enter(group))
        _exit(1);
    if (!group->at->unified && write(group->enter[CGROUP_FREEZER], "0", 1) != 1)
        _exit(1);
    char *memory = malloc(8 << 20);
    memset(memory, 1, 8 << 20);
    for (;;)
        __asm__ volatile("" ::"r"(memory));
}

static int64_t wait_for_cpu(const struct cgroup *group, int64_t least_us) {
    const int64_t until = clock_now_us() + 3600000000;
    while (cgroup_cpu_us(group) < least_us && clock_now_us() < until)
        usleep(1000);
    return cgroup_cpu_us(group);
}

static void test_group(void **state) {
    (void)state;
    struct cgroups at;
    struct cgroup group;
    struct cgroup_memory memory;
    cgroups_find(&at);
    if (!at.usable) {
        print_message("no control groups here: %s\n", at.why);
        skip();
    }
    assert_true(cgroup_make(&group, &at, 64 << 20, 10));
    const int pid = cgroup_fork(&group);
    if (pid == 0)
        work(&group);
    assert_true(wait_for_cpu(&group, 20000) >= 20000);
    cgroup_freeze(&group);
    while (!cgroup_is_frozen(&group))
        usleep(1000);
    int64_t used; // when it has left its core, which may be a moment later
    do {
        used = cgroup_cpu_us(&group);
        usleep(2000);
    } while (cgroup_cpu_us(&group) != used);
    usleep(50000);
    assert_true(cgroup_cpu_us(&group) - used < 100);
    cgroup_thaw(&group);
    assert_true(wait_for_cpu(&group, used + 5000) >= used + 5000);
    cgroup_memory(&group, &memory);
    assert_in_range(memory.peak, 8 << 20, 64 << 20);
    assert_false(memory.over);
    cgroup_freeze(&group);
    cgroup_end(&group); // also while it is frozen
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    cgroup_remove(&group);
    char path[2 * CGROUP_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", at.folder[CGROUP_MEMORY], group.name);
    assert_int_not_equal(access(path, F_OK), 0);
    cgroup_close(&group);
    cgroups_done(&at);
}

// The group of who rests has none of the core where another wants it, and all of it again in its
// turn: as the kernel says.
static void test_core_of_groups(void **state) {
    (void)state;
    struct cgroups at;
    struct cgroup groups[2];
    char path[3 * CGROUP_PATH_MAX], text[2][16] = {"", ""};
    cgroups_find(&at);
    if (!at.cores) {
        print_message("control groups do not share out the core here\n");
        skip();
    }
    const bool whole = at.usable && cgroup_make(&groups[0], &at, 64 << 20, 10);
    assert_true(whole || !at.usable);
    assert_true(cgroup_make_light(&groups[1], &at));
    for (int i = whole ? 0 : 1; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", at.folder[CGROUP_CORE], groups[i].name,
                 groups[i].idle ? "cpu.idle"
                 : at.unified   ? "cpu.weight"
                                : "cpu.shares");
        for (int favoured = 0; favoured < 2; favoured++) {
            cgroup_favour(&groups[i], favoured);
            FILE *file = fopen(path, "r");
            assert_non_null(file);
            assert_non_null(fgets(text[favoured], sizeof text[favoured], file));
            fclose(file);
        }
        assert_int_equal(atoi(text[0]), groups[i].idle ? 1 : at.unified ? 1 : 2);
        assert_int_equal(atoi(text[1]), groups[i].idle ? 0 : at.unified ? 100 : 1024);
        cgroup_close(&groups[i]);
        cgroup_remove(&groups[i]);
        assert_int_not_equal(access(path, F_OK), 0);
    }
    cgroups_done(&at);
}

enum { RUNNERS = 3, ROUNDS = 2 };

// A process that starts another whenever it is told to, and says so when that is there. (What is
// just being forked shows late, as it was when the fork began: so nobody forks while all are
// changed.)
struct runner {
    int pid, tell, hear;
};

static void runner_start(struct runner *runner) {
    int orders[2], words[2];
    assert_true(pipe2(orders, O_CLOEXEC) == 0 && pipe2(words, O_CLOEXEC) == 0);
    runner->pid = fork();
    if (runner->pid == 0) {
        dup2(orders[0], 0);
        dup2(words[1], 1);
        execl("/bin/sh", "sh", "-c", "while read x; do sleep 1000 & echo; done", (char *)NULL);
        _exit(1);
    }
    close(orders[0]);
    close(words[1]);
    runner->tell = orders[1];
    runner->hear = words[0];
}

// All start one more, and all that are there have this policy and so many cores.
static void look_at(struct process_tree *family, const struct runner *runners, int policy,
                    int cores) {
    cpu_set_t set;
    char byte;
    const int before = family->count;
    for (int i = 0; i < RUNNERS; i++) {
        assert_int_equal(write(runners[i].tell, "\n", 1), 1);
        assert_int_equal(read(runners[i].hear, &byte, 1), 1);
    }
    process_tree_look(family);
    assert_int_equal(family->count, before + RUNNERS);
    for (int i = 0; i < family->count; i++) {
        assert_int_equal(sched_getscheduler(family->pid[i]), policy);
        assert_int_equal(sched_getaffinity(family->pid[i], sizeof set, &set), 0);
        assert_int_equal(CPU_COUNT(&set), cores);
    }
}

// Where no group says who has the core: every process of a family, also those that come later.
static void test_core_of_families(void **state) {
    (void)state;
    struct process_tree family;
    struct runner runners[RUNNERS];
    for (int i = 0; i < RUNNERS; i++)
        runner_start(&runners[i]);
    process_tree_init(&family, getpid(), runners[0].pid);
    for (int i = 0; i < ROUNDS && geteuid() == 0; i++) { // nobody else can lead them back
        core_set_idle(&family, true);
        look_at(&family, runners, SCHED_IDLE, core_count());
        core_set_idle(&family, false);
        look_at(&family, runners, SCHED_OTHER, core_count());
    }
    for (int i = 0; i < ROUNDS; i++) {
        core_set_apart(&family, true);
        look_at(&family, runners, SCHED_OTHER, 1);
        core_set_apart(&family, false);
        look_at(&family, runners, SCHED_OTHER, core_count());
    }
    process_tree_signal(&family, SIGKILL);
    for (int i = 0; i < RUNNERS; i++) {
        waitpid(runners[i].pid, NULL, 0);
        close(runners[i].tell);
        close(runners[i].hear);
    }
    process_tree_done(&family);
}

// What a dead program has left is removed by the next.
static void test_sweep(void **state) {
    (void)state;
    struct cgroups at;
    char path[2 * CGROUP_PATH_MAX];
    cgroups_find(&at);
    if (!at.usable)
        skip();
    const int pid = fork();
    if (pid == 0)
        _exit(0);
    waitpid(pid, NULL, 0);
    snprintf(path, sizeof path, "%s/arbiter-%d-0", at.folder[CGROUP_MEMORY], pid);
    assert_int_equal(mkdir(path, 0755), 0);
    cgroups_done(&at);
    cgroups_find(&at);
    assert_int_not_equal(access(path, F_OK), 0);
    cgroups_done(&at);
}

// Whoever has used any CPU time while he was frozen is told of, and nobody else.
static void test_frozen_words(void **unused) {
    (void)unused;
    struct record_info info = {.players = {"abp:./a", "abp:./b"}, .number = 3};
    struct buf words = {.data = NULL};
    info.usage[0] = (struct usage){.frozen_us = 0, .holds = 9};
    info.usage[1] = (struct usage){.frozen_us = -1};
    assert_false(record_frozen_words(&info, 0, &words));
    assert_false(record_frozen_words(&info, 1, &words));
    info.usage[1] = (struct usage){.frozen_us = 1, .holds = 9, .unconfirmed = 2};
    assert_true(record_frozen_words(&info, 1, &words));
    assert_string_equal(words.data, "game 3: abp:./b has used 0.000001 s of CPU time while it was "
                                    "frozen; 2 times it was not seen to stop");
    buf_done(&words);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_choose),
        cmocka_unit_test(test_shown),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_group),
        cmocka_unit_test(test_sweep),
        cmocka_unit_test(test_frozen_words),
        cmocka_unit_test(test_core_of_groups),
        cmocka_unit_test(test_core_of_families),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
