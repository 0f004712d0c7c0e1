// SPDX-License-Identifier: MIT
// A player for connect6 that puts its stones on free cells at random. Make myturn better.
//
// Six in a line wins, seven or more lose. Black begins with one stone, then each turn is two.
// Blocked cells count as a stone of both.
#include "Connect6Algo.h"

#include <cstdlib>
#include <ctime>

// The names of your team and your school; change them, but not what stands around them.
char info[] = {"TeamName:Kit,Department:Kit"};

// Your part. You are to place cnt stones, 1 or 2. Fill in x and y and end with domymove.
//
// On the way, showBoard(x, y) tells what is on a cell, usedTime() how many of the limitTime * 1000
// milliseconds have gone, and writeLog("seen %d cells", n) writes to myLog.txt.
void myturn(int cnt) {
    static bool seeded = false;
    if (!seeded)
        srand((unsigned)time(nullptr));
    seeded = true;

    int free_x[width * height], free_y[width * height], free_count = 0;
    for (int i = 0; i < width; i++)
        for (int j = 0; j < height; j++)
            if (isFree(i, j)) {
                free_x[free_count] = i;
                free_y[free_count] = j;
                free_count++;
            }

    int x[2] = {0, 0}, y[2] = {0, 0};
    for (int i = 0; i < cnt && free_count > 0; i++) {
        int chosen = rand() % free_count;
        x[i] = free_x[chosen];
        y[i] = free_y[chosen];
        free_count--; // the last free cell takes the place of the one that is used up now
        free_x[chosen] = free_x[free_count];
        free_y[chosen] = free_y[free_count];
    }
    domymove(x, y, cnt);
}
