// SPDX-License-Identifier: MIT
// Talks to the judge over standard input and output in abp, Arbiter's own line protocol. You need
// not change this file; what you fill in is in player.c (or player.cpp).
//
//     the judge writes                          we write
//     abp 1 reversi                             ready my-player
//     go id=17 time=5000 due=1 |  | 2,3; 3,3    move id=17 4,4
//     over winner=1 reason=no-moves
//     quit                                      (nothing: we leave)
//
// The judge reads all that you print with printf, so print nothing of your own there. What you want
// to see yourself, write to the log: fprintf(stderr, "depth %d\n", depth);
#pragma once

#define _CRT_SECURE_NO_WARNINGS // Visual Studio would refuse sscanf and strtok

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ABP_LINE_MAX = 65536, ABP_MOVES_MAX = 16384 };

// What the judge asks. It holds the whole game so far, so you need not remember anything between
// two turns, and a new game needs no word of its own.
struct abp_turn {
    char line[ABP_LINE_MAX + 2]; // the judge's line; the pointers below point into it
    char id[32];                 // the number of the request: it goes back with the answer
    int time_ms;                 // how long you may think, in milliseconds; 0: no limit
    int due;                     // how many moves the answer must hold
    char *settings;              // "key=value; key=value": where it is not the standard game
    char *moves[ABP_MOVES_MAX];  // all moves from the start of the game
    int move_count;
};

// Does the line begin with this whole word?
static inline bool abp_begins(const char *line, const char *word) {
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && (line[length] == ' ' || line[length] == '\0');
}

// Takes a line "go id=N time=N due=N | settings | moves" apart, in place. False if it is not one.
static inline bool abp_split(struct abp_turn *turn) {
    char *settings = strchr(turn->line, '|');
    char *moves = settings ? strchr(settings + 1, '|') : NULL;
    if (!moves)
        return false;
    *settings++ = '\0';
    *moves++ = '\0';
    turn->settings = settings + strspn(settings, " ");
    turn->move_count = 0;
    for (char *move = strtok(moves, ";"); move; move = strtok(NULL, ";")) {
        move += strspn(move, " ");
        if (*move && turn->move_count < ABP_MOVES_MAX)
            turn->moves[turn->move_count++] = move;
    }

    const char *id = strstr(turn->line, " id=");
    const char *time_ms = strstr(turn->line, " time=");
    const char *due = strstr(turn->line, " due=");
    turn->time_ms = time_ms ? atoi(time_ms + 6) : 0;
    turn->due = due ? atoi(due + 5) : 1;
    return id && sscanf(id, " id=%31s", turn->id) == 1;
}

// Waits for your turn. False: there will be none any more, leave.
static inline bool abp_wait(struct abp_turn *turn, const char *game, const char *name) {
    while (fgets(turn->line, sizeof turn->line, stdin)) {
        turn->line[strcspn(turn->line, "\r\n")] = '\0';
        if (abp_begins(turn->line, "abp")) {
            int version = 0;
            char asked[32] = "";
            sscanf(turn->line, "abp %d %31s", &version, asked);
            bool fits = version == 1 && strcmp(asked, game) == 0;
            if (fits)
                printf("ready %s\n", name);
            else
                printf("refuse this player knows only abp 1 and %s\n", game);
            fflush(stdout); // or the line stays in our memory and the judge waits in vain
            if (!fits)
                return false;
        } else if (abp_begins(turn->line, "go")) {
            if (abp_split(turn))
                return true;
        } else if (abp_begins(turn->line, "quit")) {
            return false;
        } // The rest is news that one may skip: who has won, how much time a move took.
    }
    return false; // the judge is gone
}

// Answers with a move; several are separated by "; ".
static inline void abp_answer(const struct abp_turn *turn, const char *moves) {
    printf("move id=%s %s\n", turn->id, moves);
    fflush(stdout);
}

// The value of a setting, up to the next ';' or the end; NULL if the standard one holds.
static inline const char *abp_setting(const struct abp_turn *turn, const char *key) {
    size_t length = strlen(key);
    for (const char *at = turn->settings; at; at = strchr(at, ';')) {
        at += strspn(at, "; ");
        if (strncmp(at, key, length) == 0 && at[length] == '=')
            return at + length + 1;
    }
    return NULL;
}
