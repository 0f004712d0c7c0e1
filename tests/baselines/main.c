// SPDX-License-Identifier: MIT
// A baseline on the abp protocol, written from docs/protocol.md: BASELINE [SEED].
#include "baselines/baseline.h"

#include "folder/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SPARE_PERCENT = 30 }; // of the time, for the way and a busy machine

int64_t baseline_now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

uint64_t baseline_random(uint64_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static bool read_state(const struct game *game, char *settings, char *moves,
                       union game_state *state) {
    struct ruleset rules;
    char why[WHY_TEXT_MAX], *bad;
    int ply;
    ruleset_init(&rules, game);
    for (char *part; (part = strsep(&settings, ";"));) {
        char *key = part + strspn(part, " "), *value = strchr(key, '=');
        if (!value)
            continue;
        *value++ = '\0';
        for (size_t n = strlen(value); n > 0 && value[n - 1] == ' '; n--)
            value[n - 1] = '\0';
        if (!ruleset_set(&rules, key, value, why))
            return false;
    }
    return game->start(state, &rules, NULL, why) && !game_play_line(game, state, moves, &ply, &bad);
}

static void answer(const struct game *game, char *line, uint64_t *seed) {
    int id, ms, due;
    union game_state state;
    char text[MOVE_TEXT_MAX], *settings = strchr(line, '|'),
                              *moves = settings ? strchr(settings + 1, '|') : NULL;
    const int64_t begin = baseline_now_us();
    if (!moves || sscanf(line, "go id=%d time=%d due=%d", &id, &ms, &due) != 3)
        return;
    *settings++ = *moves++ = '\0';
    moves[strcspn(moves, "|")] = '\0'; // what a game adds is not needed
    if (!read_state(game, settings, moves, &state))
        return;
    const int64_t us = (ms ? ms : 1000) * INT64_C(10) * (100 - SPARE_PERCENT);
    printf("move id=%d ", id);
    for (int i = 0; i < due && !game_is_over(game, &state); i++) {
        const move m = baseline_choose(game, &state, begin + us * (i + 1) / due, seed);
        game->write_move(&state, m, text);
        game->apply(&state, m);
        printf("%s%s", i ? "; " : "", text);
    }
    printf("\n");
}

int main(int argc, char **argv) {
    const struct game *game = NULL;
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) | 1 : 1;
    char *line = NULL;
    char data[FOLDER_DATA_MAX];
    size_t room = 0;
    folder_default_data(data);
    folder_open(data, false); // it plays games that were added, too
    while (getline(&line, &room, stdin) > 0 && strcmp(line, "quit\n") != 0) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "abp 1 ", 6) == 0) {
            game = game_find(line + 6);
            printf(game ? "ready baseline\n" : "refuse no such game\n");
        } else if (game && strncmp(line, "go ", 3) == 0) {
            answer(game, line, &seed);
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
