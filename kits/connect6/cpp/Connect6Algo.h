// SPDX-License-Identifier: MIT
// What your AI_Algorithm_Code.cpp may use: the board, the clock, the log, and the way to answer.
#pragma once

const int width = 19;
const int height = 19;

// All of these are kept up to date for you, in Connect6Algo.cpp.
extern int board[20][20]; // board[x][y]; showBoard tells the same and minds the edge
extern int limitTime;     // the seconds you have for a turn, for both stones together
extern unsigned s_time;   // when this turn began, in milliseconds
extern int terminateAI;   // 1 once the judge has said QUIT

// What you use. x is the column from the left and y the row from the top, both from 0 to 18.
int showBoard(int x, int y); // 0 empty, 1 my stone, 2 the opponent's, 3 blocked, -1 outside
bool isFree(int x, int y);   // is it on the board and empty?
unsigned usedTime();         // milliseconds since the turn began
void domymove(int x[2], int y[2], int cnt); // answers with cnt stones and puts them on the board
void writeLog(const char *format, ...);     // adds a line to myLog.txt; used like printf

// What you write, in AI_Algorithm_Code.cpp.
extern char info[];   // "TeamName:...,Department:..."
void myturn(int cnt); // called when it is your turn: ends with domymove(x, y, cnt)

// What the judge's commands do. They are called for you; add to them if you want to know more, such
// as the opponent's last stones.
void init();                              // START: clears the board
void block(int x, int y);                 // BLOCK: nobody may play there
void opmove(int x[2], int y[2], int cnt); // TURN: the opponent's stones
void mymove(int x[2], int y[2], int cnt); // my own stones
bool setLine(char *line, int size);       // reads the next command; false: there is none any more
