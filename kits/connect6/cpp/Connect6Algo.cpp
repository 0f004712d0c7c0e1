// SPDX-License-Identifier: MIT
// Reads the judge's commands from standard input, one a line, keeps the board, and answers on
// standard output. You need not change this file; what you fill in is AI_Algorithm_Code.cpp.
//
//     the judge writes                        we write
//     START                                   OK
//     INFO                                    TeamName:...,Department:...
//     LimitTime 5                             (nothing)
//     BLOCK 3,4                               OK
//     BEGIN                                   9,9           black's first stone
//     TURN 9,9  or  TURN 8,8 8,9              10,9 10,10    the opponent's stones, and our answer
//     QUIT                                    (nothing: we leave)
//
// The judge reads all that you print with printf, so print nothing of your own there: use writeLog.
#define _CRT_SECURE_NO_WARNINGS // Visual Studio would refuse fopen, sprintf and sscanf

#include "Connect6Algo.h"

#include <cctype>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstring>

enum { OUTSIDE = -1, EMPTY = 0, MINE = 1, OPPONENT = 2, BLOCKED = 3 };

int board[20][20];
int limitTime = 5;
unsigned s_time;
int terminateAI;

static bool isInside(int x, int y) { return x >= 0 && x < width && y >= 0 && y < height; }

int showBoard(int x, int y) { return isInside(x, y) ? board[x][y] : OUTSIDE; }

bool isFree(int x, int y) { return showBoard(x, y) == EMPTY; }

static unsigned now() {
    using namespace std::chrono;
    return (unsigned)duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

unsigned usedTime() { return now() - s_time; }

void writeLog(const char *format, ...) {
    FILE *file = fopen("myLog.txt", "a"); // opened anew for every line, so that a crash loses none
    if (!file)
        return; // a player without a log is better than no player
    va_list values;
    va_start(values, format);
    vfprintf(file, format, values);
    va_end(values);
    fputc('\n', file);
    fclose(file);
}

// Answers the judge with a line. Without fflush it stays in our memory and the judge waits in vain.
static void reply(const char *line) {
    writeLog("we: %s", line);
    puts(line);
    fflush(stdout);
}

void init() { memset(board, 0, sizeof board); }

void block(int x, int y) {
    if (isInside(x, y))
        board[x][y] = BLOCKED;
}

void opmove(int x[2], int y[2], int cnt) {
    for (int i = 0; i < cnt; i++)
        if (isInside(x[i], y[i]))
            board[x[i]][y[i]] = OPPONENT;
}

void mymove(int x[2], int y[2], int cnt) {
    for (int i = 0; i < cnt; i++) {
        if (isFree(x[i], y[i]))
            board[x[i]][y[i]] = MINE;
        else
            reply("ERROR one of our stones is not on a free cell"); // the judge skips such lines
    }
}

void domymove(int x[2], int y[2], int cnt) {
    char line[64];
    mymove(x, y, cnt);
    if (cnt == 1)
        sprintf(line, "%d,%d", x[0], y[0]);
    else
        sprintf(line, "%d,%d %d,%d", x[0], y[0], x[1], y[1]);
    reply(line);
}

bool setLine(char *line, int size) {
    if (!fgets(line, size, stdin))
        return false;
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}

// Does the line begin with this command, in capitals or not? Then returns what follows it.
static const char *after(const char *line, const char *command) {
    for (; *command; line++, command++)
        if (toupper((unsigned char)*line) != toupper((unsigned char)*command))
            return nullptr;
    return line;
}

static void obey(const char *line) {
    int x[2], y[2];
    const char *rest;
    s_time = now();
    if (after(line, "START")) {
        init();
        reply("OK");
    } else if (after(line, "INFO")) {
        reply(info);
    } else if ((rest = after(line, "LIMITTIME"))) {
        sscanf(rest, "%d", &limitTime);
    } else if ((rest = after(line, "BLOCK"))) {
        if (sscanf(rest, "%d,%d", &x[0], &y[0]) == 2)
            block(x[0], y[0]);
        reply("OK");
    } else if (after(line, "BEGIN")) {
        myturn(1);
    } else if ((rest = after(line, "TURN"))) {
        int numbers = sscanf(rest, "%d,%d %d,%d", &x[0], &y[0], &x[1], &y[1]);
        opmove(x, y, numbers / 2);
        myturn(2);
    } else if (after(line, "QUIT")) {
        terminateAI = 1;
    } // a command we do not know is none of our business
}

int main() {
    char line[1024];
    while (!terminateAI && setLine(line, sizeof line)) {
        writeLog("judge: %s", line);
        obey(line);
    }
    return 0;
}
