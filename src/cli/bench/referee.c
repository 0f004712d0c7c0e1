// SPDX-License-Identifier: MIT
// `arbiter bench referee`: what refereeing costs a move, beside a bare ping-pong of the same bytes
// in the same run. The players know one game of tower4 by heart and answer at once, so what is
// measured is the referee and the kernel. `arbiter bench player` is such a player.
#include "cli/bench/bench.h"

#include "base/clock.h"
#include "base/cores.h"
#include "base/path.h"
#include "base/rng.h"
#include "cli/match/series.h"
#include "referee/record.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PLIES = 64,
    SIDE = 6, // columns in a row, and pieces in a column
    COLUMNS = SIDE * SIDE,
    CELLS = COLUMNS * SIDE,
    BOARD_BYTES = 4 * (CELLS + 3),
    STEP_BYTES = 16,
    ABP_REQUEST_BYTES = 200, // about the mean of a game
    ABP_ANSWER_BYTES = 16,
    TEAM = 1,
};

// The game that the players know: 16 columns in turn. If the referee has played something else, one
// of them may be full: then the next.
static void script_move(const int height[COLUMNS], int *row, int *col) {
    static const int columns[][2] = {{0, 2}, {0, 3}, {1, 1}, {1, 2}, {1, 3}, {1, 4},
                                     {2, 0}, {2, 1}, {2, 2}, {2, 3}, {2, 4}, {2, 5},
                                     {3, 0}, {3, 1}, {3, 2}, {3, 3}};
    int ply = 0;
    for (int i = 0; i < COLUMNS; i++)
        ply += height[i];
    do {
        *row = columns[ply % 16][0];
        *col = columns[ply % 16][1];
        ply++;
    } while (height[*row * SIDE + *col] >= SIDE);
}

// Takes its time before an answer: asleep, or at work.
static void take_time(int64_t sleep_us, int64_t think_us) {
    if (sleep_us > 0)
        usleep((useconds_t)sleep_us);
    for (const int64_t until = clock_cpu_us() + think_us; think_us > 0 && clock_cpu_us() < until;)
        ;
}

// How many pieces stand on every column after moves "r,c; r,c".
static void count_moves(const char *moves, int height[COLUMNS]) {
    for (const char *p = moves;
         p && p[0] >= '0' && p[0] < '0' + SIDE && p[2] >= '0' && p[2] < '0' + SIDE;) {
        height[(p[0] - '0') * SIDE + p[2] - '0']++;
        p = strchr(p, ';');
        p = p ? p + 2 : NULL;
    }
}

// Answers abp requests.
static int play_abp(int64_t sleep_us, int64_t think_us) {
    static char line[1 << 16];
    setvbuf(stdin, NULL, _IOFBF, sizeof line);
    while (fgets(line, sizeof line, stdin)) {
        char out[64];
        int length = 0, row, col, id;
        if (strncmp(line, "abp", 3) == 0)
            length = snprintf(out, sizeof out, "ready script\n");
        else if (strncmp(line, "quit", 4) == 0)
            return 0;
        else if (strncmp(line, "go id=", 6) == 0) {
            int height[COLUMNS] = {0};
            count_moves(strrchr(line, '|') + 2, height);
            id = atoi(line + 6);
            take_time(sleep_us, think_us);
            script_move(height, &row, &col);
            length = snprintf(out, sizeof out, "move id=%d %d,%d\n", id, row, col);
        }
        if (length > 0 && write(STDOUT_FILENO, out, (size_t)length) != length)
            return 1;
    }
    return 0;
}

static bool read_whole(int fd, void *bytes, size_t length) {
    for (size_t done = 0; done < length;) {
        const ssize_t n = read(fd, (char *)bytes + done, length - done);
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

static int connect_to(int port) {
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    while (connect(fd, (const struct sockaddr *)&to, sizeof to) != 0)
        usleep(1000);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return fd;
}

// Answers stcp boards.
static int play_stcp(int port) {
    const int fd = connect_to(port);
    int32_t team = TEAM, board[CELLS + 3];
    bool good = write(fd, &team, sizeof team) == sizeof team;
    while (good && read_whole(fd, board, 8) && board[0] != 0) {
        int height[COLUMNS] = {0}, row, col;
        good = read_whole(fd, board + 2, BOARD_BYTES - 8);
        for (int i = 0; i < CELLS; i++)
            height[i % COLUMNS] += board[2 + i] > 0;
        script_move(height, &row, &col);
        const int32_t step[] = {1, board[1], row, col};
        good = good && write(fd, step, sizeof step) == sizeof step;
    }
    close(fd);
    return 0;
}

int bench_player(const struct args *args, struct err *err) {
    int64_t port, sleep_ms, think_ms;
    if (!args_number(args, (struct number_option){"--port", 8888, 1, 65535}, &port, err) ||
        !args_number(args, (struct number_option){"--sleep", 0, 0, 60000}, &sleep_ms, err) ||
        !args_number(args, (struct number_option){"--think", 0, 0, 60000}, &think_ms, err))
        return -1;
    return args_value(args, "--tcp") ? play_stcp((int)port)
                                     : play_abp(sleep_ms * 1000, think_ms * 1000);
}

struct toll {
    double cpu_us, wall_us; // of a move
    int faults;
};

// Both ends of two pipes, or of a loopback connection.
static bool open_ends(bool tcp, int near[2], int far[2]) {
    int a[2], b[2];
    if (!tcp) {
        if (pipe(a) != 0 || pipe(b) != 0)
            return false;
        near[0] = a[0];
        far[1] = a[1];
        far[0] = b[0];
        near[1] = b[1];
        return true;
    }
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    const int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    if (bind(listener, (struct sockaddr *)&at, size) != 0 || listen(listener, 1) != 0 ||
        getsockname(listener, (struct sockaddr *)&at, &size) != 0)
        return false;
    far[0] = far[1] = connect_to(ntohs(at.sin_port));
    near[0] = near[1] = accept(listener, NULL, NULL);
    setsockopt(near[0], IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    close(listener);
    return near[0] >= 0;
}

// The floor: a request and an answer of the same sizes, with poll, nothing else.
static struct toll ping_pong(bool tcp, int moves) {
    const size_t ask = tcp ? BOARD_BYTES : ABP_REQUEST_BYTES,
                 answer = tcp ? STEP_BYTES : ABP_ANSWER_BYTES;
    char bytes[BOARD_BYTES] = {0};
    int near[2], far[2];
    if (!open_ends(tcp, near, far))
        return (struct toll){0};
    const pid_t child = fork();
    if (child == 0) {
        close(near[0]);
        close(near[1]);
        while (read_whole(far[0], bytes, ask) && write(far[1], bytes, answer) == (ssize_t)answer)
            ;
        _exit(0);
    }
    close(far[0]);
    if (!tcp)
        close(far[1]);
    struct pollfd wait = {.fd = near[0], .events = POLLIN};
    const int64_t wall = clock_now_us(), cpu = clock_cpu_us();
    bool good = true;
    for (int i = 0; i < moves && good; i++)
        good = write(near[1], bytes, ask) == (ssize_t)ask && poll(&wait, 1, -1) == 1 &&
               read_whole(near[0], bytes, answer);
    const struct toll cost = {.cpu_us = (double)(clock_cpu_us() - cpu) / moves,
                              .wall_us = (double)(clock_now_us() - wall) / moves};
    close(near[0]);
    close(near[1]);
    waitpid(child, NULL, 0);
    return cost;
}

static bool counted(void *owner, int index, json_t *record) {
    struct toll *cost = owner;
    (void)index;
    cost->faults += !json_is_null(json_object_get(record, "verdict"));
    json_t *line = json_deep_copy(record); // the record costs what it costs when it is written
    free(record_line(line));
    json_decref(line);
    json_decref(record);
    return true;
}

static void say_nothing(void *owner, const char *words) {
    (void)owner;
    (void)words;
}

static bool referee(bool tcp, int moves, int port, struct toll *cost, struct err *err) {
    const struct game *game = game_find("tower4");
    char program[PATH_PROGRAM_MAX], first[PATH_PROGRAM_MAX + 100], second[PATH_PROGRAM_MAX + 100];
    path_of_program(program);
    if (tcp)
        snprintf(first, sizeof first, "tcp:%d=%s bench player --tcp --port %d", TEAM, program,
                 port);
    else
        snprintf(first, sizeof first, "abp:%s bench player", program);
    strcpy(second, first);
    struct series s = {.games = moves / PLIES,
                       .jobs = 1,
                       .cores = 1,
                       .config = {.seed = 1, .wait_us = 10000000},
                       .address = "127.0.0.1",
                       .port = port,
                       .ended = counted,
                       .note = say_nothing,
                       .owner = cost};
    bool interrupted;
    ruleset_init(&s.config.rules, game);
    penalties_init(&s.config.penalties, game);
    conditions_init(&s.config.conditions, game);
    player_limits_init(&s.config.limits, game);
    bool good = player_read(&s.player[0], first, game, program, err) &&
                player_read(&s.player[1], second, game, program, err);
    const int64_t wall = clock_now_us(), cpu = clock_cpu_us();
    good = good && series_play(&s, &interrupted, err);
    const double played = s.games * PLIES;
    cost->cpu_us = (double)(clock_cpu_us() - cpu) / played;
    cost->wall_us = (double)(clock_now_us() - wall) / played;
    player_done(&s.player[0]);
    player_done(&s.player[1]);
    return good;
}

int bench_referee(const struct args *args, struct err *err) {
    int moves, port;
    if (!args_int(args, (struct number_option){"--games", 1000, 1, 1000000}, &moves, err) ||
        !args_int(args, (struct number_option){"--port", 8888, 1, 65535}, &port, err))
        return -1;
    moves *= PLIES;
    printf("refereeing tower4, %d moves, referee and players on one core, µs a move\n"
           "%-6s %10s %10s %12s %12s %8s %8s\n",
           moves, "", "CPU", "wall", "bare CPU", "bare wall", "ratio", "faults");
    cores_pin(0, 1);
    for (int tcp = 0; tcp < 2; tcp++) {
        struct toll cost = {0};
        if (!referee(tcp, moves, port, &cost, err))
            return -1;
        const struct toll bare = ping_pong(tcp, moves);
        printf("%-6s %10.2f %10.2f %12.2f %12.2f %8.2f %8d\n", tcp ? "TCP" : "pipes", cost.cpu_us,
               cost.wall_us, bare.cpu_us, bare.wall_us, cost.wall_us / bare.wall_us, cost.faults);
        fflush(stdout);
    }
    return 0;
}
