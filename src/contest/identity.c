// SPDX-License-Identifier: MIT
// Two machines may have one host name, and containers of one machine may have one process number
// each, so neither says who somebody is. The kernel draws a random id when it boots, and numbers
// the spaces of processes; together they tell machines and containers apart.
//
// How fast a machine is, is measured by what it shall do: the rules of a game.
#include "contest/identity.h"

#include "base/clock.h"
#include "base/sha256.h"
#include "games/game.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MACHINE_MAX = 9, DEPTH = 6, RUNS = 5, MOVES_MAX = 64 };

static void read_machine(char machine[static MACHINE_MAX]) {
    char boot[64] = "", all[128], sum[SHA256_HEX_MAX];
    struct stat space = {.st_ino = 0};
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (file && !fgets(boot, sizeof boot, file))
        boot[0] = '\0';
    if (file)
        fclose(file);
    stat("/proc/self/ns/pid", &space);
    const int length = snprintf(all, sizeof all, "%s %llu", boot, (unsigned long long)space.st_ino);
    sha256_hex(all, (size_t)length, sum);
    snprintf(machine, MACHINE_MAX, "%.8s", sum);
}

// When a process began, in ticks since the system did; 0 if there is none.
static unsigned long long read_start(long pid) {
    char path[40], line[1024];
    unsigned long long start = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    const char *after = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    for (int field = 2; after && field < 22; field++) // its name, the second, may hold blanks
        after = strchr(after + 1, ' ');
    if (after)
        start = strtoull(after, NULL, 10);
    if (file)
        fclose(file);
    return start;
}

void identity_name(char name[static IDENTITY_MAX]) {
    char host[65] = "unknown", machine[MACHINE_MAX];
    const long pid = (long)getpid();
    gethostname(host, sizeof host - 1);
    read_machine(machine);
    snprintf(name, IDENTITY_MAX, "%s/%ld/%s-%llu", host, pid, machine, read_start(pid));
}

bool identity_is_dead(const char *name) {
    char machine[MACHINE_MAX], theirs[MACHINE_MAX];
    long pid;
    unsigned long long start;
    const char *slash = strchr(name, '/');
    read_machine(machine);
    return slash && sscanf(slash, "/%ld/%8[0-9a-f]-%llu", &pid, theirs, &start) == 3 &&
           strcmp(machine, theirs) == 0 && read_start(pid) != start;
}

static int64_t count_positions(const struct game *game, const union game_state *state, int depth) {
    move list[MOVES_MAX];
    const int count = game->moves(state, list);
    int64_t sum = 1;
    for (int i = 0; depth > 0 && i < count; i++) {
        union game_state next;
        memcpy(&next, state, game->state_size);
        game->apply(&next, list[i]);
        sum += count_positions(game, &next, depth - 1);
    }
    return sum;
}

int64_t identity_speed(void) {
    const struct game *game = game_find("reversi");
    struct ruleset rules;
    union game_state start;
    char why[WHY_TEXT_MAX];
    int64_t best = 0;
    assert(game->moves_max <= MOVES_MAX);
    ruleset_init(&rules, game);
    if (!ruleset_set(&rules, "board", "othello", why) || !game->start(&start, &rules, NULL, why))
        return 0;
    for (int i = 0; i < RUNS; i++) {
        const int64_t before = clock_cpu_us();
        const int64_t positions = count_positions(game, &start, DEPTH);
        const int64_t used = clock_cpu_us() - before;
        const int64_t speed = positions * 1000 / (used > 0 ? used : 1);
        best = speed > best ? speed : best;
    }
    return best;
}
