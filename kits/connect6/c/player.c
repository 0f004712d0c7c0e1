// SPDX-License-Identifier: MIT
// A player for connect6 that puts its stones on empty cells at random. Make choose() better.
//
// Six in a line wins, seven or more lose. Cells are written x,y from 0: x is the column from the
// left, y the row from the top. Blocked cells count as a stone of both.
#include "abp.h"

#include <time.h>

enum { EMPTY = 0, BLACK = 1, WHITE = 2, BLOCKED = 3 };

struct position {
    int board[19][19]; // [x][y]
    int size;          // cells in a row, 19 in contests
    int stones;        // on the board
};

struct cell {
    int x, y;
};

// Black places one stone, then it goes by twos: white, white, black, black, white, ...
static int mover(const struct position *p) { return (p->stones + 1) / 2 % 2 == 0 ? BLACK : WHITE; }

static void play(struct position *p, int x, int y) {
    p->board[x][y] = mover(p);
    p->stones++;
}

static void set_up(struct position *p, const struct abp_turn *turn) {
    memset(p, 0, sizeof *p);
    const char *size = abp_setting(turn, "size");
    p->size = size ? atoi(size) : 19;

    int x, y, length;
    const char *blocks = abp_setting(turn, "blocks"); // "3,4 10,11", or nothing
    for (; blocks && sscanf(blocks, " %d,%d%n", &x, &y, &length) == 2; blocks += length)
        p->board[x][y] = BLOCKED;
    for (int i = 0; i < turn->move_count; i++)
        if (sscanf(turn->moves[i], "%d,%d", &x, &y) == 2)
            play(p, x, y);
}

// Your part: one stone. It is called again for the second one, with the first on the board. There
// is always an empty cell when the judge asks.
static struct cell choose(const struct position *p) {
    struct cell empty[19 * 19];
    int count = 0;
    for (int x = 0; x < p->size; x++)
        for (int y = 0; y < p->size; y++)
            if (p->board[x][y] == EMPTY)
                empty[count++] = (struct cell){x, y};
    return empty[rand() % count];
}

int main(void) {
    static struct abp_turn turn; // static, for it is large
    srand((unsigned)time(NULL));
    while (abp_wait(&turn, "connect6", "connect6-kit-c")) {
        struct position p;
        char answer[64];
        int length = 0;
        set_up(&p, &turn);
        for (int i = 0; i < turn.due && i < 2; i++) {
            struct cell stone = choose(&p);
            play(&p, stone.x, stone.y);
            length += snprintf(answer + length, sizeof answer - (size_t)length, "%s%d,%d",
                               i > 0 ? "; " : "", stone.x, stone.y);
        }
        abp_answer(&turn, answer);
    }
    return 0;
}
