// SPDX-License-Identifier: MIT
// good_stcp GAME [TEAM]: a friendly player that speaks stcp (docs/protocol.md, A) and answers at
// once with the first legal move it finds. It connects to 127.0.0.1, port 8888 or $ARBITER_PORT.
// Integers go out as they are: little-endian machines only. The file compiles as C and as C++.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CELLS_MAX = 216, TRIES = 1000, PAUSE_US = 10000 };

struct message {
    int32_t code, id;
    int32_t cells[CELLS_MAX + 1]; // as many as the game has, and then 1 if the player is black
};

struct reply {
    int32_t count, id;
    int32_t pairs[2][2];
};

struct rules {
    const char *name;
    int cells;
    int (*choose)(const int32_t *cells, int mover, int32_t pairs[2][2]); // the count of pairs
};

// The cell at a row and column of 8x8, -1 outside.
static int at(const int32_t *cells, int row, int col) {
    return row >= 0 && row < 8 && col >= 0 && col < 8 ? cells[row * 8 + col] : -1;
}

static bool flips(const int32_t *cells, int mover, int row, int col, int down, int right) {
    int length = 0;
    do {
        row += down;
        col += right;
        length++;
    } while (at(cells, row, col) == 3 - mover);
    return length > 1 && at(cells, row, col) == mover;
}

static bool reversi_is_legal(const int32_t *cells, int mover, int row, int col) {
    if (at(cells, row, col) != 0)
        return false;
    if (cells[0] == -1 && row >= 1 && row <= 6 && col >= 1 && col <= 6)
        return true; // the free centre of the open board
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++)
            if ((down != 0 || right != 0) && flips(cells, mover, row, col, down, right))
                return true;
    return false;
}

static int reversi_choose(const int32_t *cells, int mover, int32_t pairs[2][2]) {
    for (int n = 0; n < 64; n++)
        if (reversi_is_legal(cells, mover, n / 8, n % 8)) {
            pairs[0][0] = n / 8;
            pairs[0][1] = n % 8;
            return 1;
        }
    return 0;
}

static int tower4_choose(const int32_t *cells, int mover, int32_t pairs[2][2]) {
    (void)mover;
    for (int n = 0; n < 36; n++)
        if (cells[180 + n] == 0) {
            pairs[0][0] = n / 6;
            pairs[0][1] = n % 6;
            return 1;
        }
    return 0;
}

static int hopchess_choose(const int32_t *cells, int mover, int32_t pairs[2][2]) {
    static const int ways[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};

    for (int way = 0; way < 4; way++)
        for (int n = 0; n < 64; n++) {
            // forwards first: black goes right, white left
            const int down = ways[way][0], right = mover == 1 ? ways[way][1] : -ways[way][1];
            const int row = n / 8, col = n % 8;
            const int beside = at(cells, row + down, col + right);
            const int far = beside > 0 ? 2 : 1;
            if (cells[n] != mover || at(cells, row + far * down, col + far * right) != 0)
                continue;
            pairs[0][0] = row;
            pairs[0][1] = col;
            pairs[1][0] = row + far * down;
            pairs[1][1] = col + far * right;
            return 2;
        }
    return 0;
}

static const struct rules games[] = {
    {"reversi", 64, reversi_choose},
    {"tower4", 216, tower4_choose},
    {"hopchess", 64, hopchess_choose},
};

static void say(int fd, const void *data, size_t size) {
    const char *next = (const char *)data;
    while (size > 0) {
        const ssize_t written = send(fd, next, size, MSG_NOSIGNAL);
        if (written <= 0)
            return; // the next read tells
        next += written;
        size -= (size_t)written;
    }
}

// Connects and says the team; does not return without a judge.
static int dial(int32_t team) {
    const char *port = getenv("ARBITER_PORT");
    const int on = 1;
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)atoi(port == NULL ? "8888" : port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0; i < TRIES; i++) {
        const int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) == 0) {
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            say(fd, &team, sizeof team);
            return fd;
        }
        close(fd);
        usleep(PAUSE_US);
    }
    fputs("no judge listens\n", stderr);
    exit(1);
}

// Reads a whole message; 1 a board, 0 the stop, -1 when the connection is lost.
static int listen_to(int fd, struct message *m, size_t size) {
    size_t held = 0;
    while (held < size) {
        const ssize_t got = recv(fd, (char *)m + held, size - held, 0);
        if (got <= 0)
            return -1;
        held += (size_t)got;
        if (held >= sizeof m->code && m->code == 0)
            return 0;
    }
    return 1;
}

static void play(const struct rules *game, int32_t team) {
    static struct message m;
    static struct reply reply;
    const size_t size = ((size_t)game->cells + 3) * sizeof m.code;
    int fd = dial(team);
    int heard;

    while ((heard = listen_to(fd, &m, size)) != 0) {
        if (heard < 0) {
            close(fd);
            fd = dial(team);
            continue;
        }
        const int mover = m.cells[game->cells] == 1 ? 1 : 2;
        reply.id = m.id;
        reply.count = game->choose(m.cells, mover, reply.pairs);
        say(fd, &reply, (2 + 2 * (size_t)reply.count) * sizeof reply.id);
    }
    close(fd);
}

int main(int argc, char **argv) {
    for (size_t i = 0; argc > 1 && i < sizeof games / sizeof games[0]; i++)
        if (strcmp(games[i].name, argv[1]) == 0) {
            play(&games[i], argc > 2 ? atoi(argv[2]) : 1);
            return 0;
        }
    fputs("usage: good_stcp reversi|tower4|hopchess [TEAM]\n", stderr);
    return 2;
}
