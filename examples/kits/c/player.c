// SPDX-License-Identifier: MIT
// A player for @GAME@ that makes a legal move at random: make choose better. It speaks abp (a line
// a message, on standard input and output), and the judge tells it the position and the legal
// moves.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 1 << 20, MOVES_MAX = 16384 };

// Your part. Returns the number of the move to play, from 0. `position` is as the rules write it,
// `moves` are those played so far, separated by "; ", `player` is 1 or 2, `ms` the time (0: no
// limit).
static int choose(char **legal, int count, const char *position, const char *moves, int player,
                  int ms) {
    (void)legal, (void)position, (void)moves, (void)player, (void)ms;
    return rand() % count;
}

// What follows a word of the line up to the next bar, ended by NUL; "" if it is not there.
static char *part(char *line, const char *word) {
    char *at = strstr(line, word);
    if (!at)
        return line + strlen(line);
    return at + strlen(word);
}

static void end_at_bar(char *text) {
    char *bar = strstr(text, " |");
    if (bar)
        *bar = '\0';
}

static void answer(char *line) {
    static char *legal[MOVES_MAX];
    int id = 0, player = 0, ms = 0, count = 0;
    char *list = part(line, " | legal "), *position = part(line, " | position ");
    char *moves = part(part(line, " | "), "| ");
    sscanf(part(line, " id="), "%d", &id);
    sscanf(part(line, " player="), "%d", &player);
    sscanf(part(line, " time="), "%d", &ms);
    end_at_bar(position);
    end_at_bar(moves);
    end_at_bar(list);
    for (char *move = strtok(list, ";"); move && count < MOVES_MAX; move = strtok(NULL, ";"))
        legal[count++] = move + (*move == ' ');
    if (count > 0)
        printf("move id=%d %s\n", id, legal[choose(legal, count, position, moves, player, ms)]);
}

int main(void) {
    static char line[LINE_MAX_BYTES];
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, "abp ", 4) == 0)
            puts("ready @GAME@ kit");
        else if (strncmp(line, "go ", 3) == 0)
            answer(line);
        else if (strcmp(line, "quit") == 0)
            break;
    }
    return 0;
}
