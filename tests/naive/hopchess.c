// SPDX-License-Identifier: MIT
// Chains of hops can cycle, so the paths of a piece are without number, but the boards they lead to
// are not. A search in breadth from one piece meets every board it can make; a board here includes
// the hopping piece, and as nothing else of its colour has moved, the board also tells where that
// piece is. The first path to a board is a shortest one. It is also the smallest of those: boards
// of one length wait in the order of their paths and each is continued in the order of squares, so
// the next length comes out in order too.
//
// Two pieces can make the same board only by ending where they began (with the same captures, or
// with none). The list of results therefore is one for all pieces, and the better text stays.
#include "naive_games.h"

#include <stdlib.h>
#include <string.h>

struct hopchess {
    char board[64]; // row by row: '.', 'B', 'W'
    int moves;      // made or skipped, by both players together
    int max_hops;
    int max_moves; // per player
};

// A board met in the search from one piece.
struct node {
    char board[64];
    int square; // of the piece
    int hops;
    int parent; // index, -1 at the root
};

struct nodes {
    struct node *at;
    int count;
    int capacity;
};

// The boards of the moves listed so far: board i belongs to text i of the list.
struct results {
    char (*board)[64];
    int capacity;
    struct naive_list *list;
};

// In the order of the squares they lead to: up, left, right, down.
static const int directions[4][2] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};

static char piece_of(int player) { return player == 1 ? 'B' : 'W'; }

static void *grown(void *memory, int count, size_t size) {
    void *bigger = realloc(memory, (size_t)count * size);
    if (bigger == NULL) {
        abort();
    }
    return bigger;
}

// The square that lies the given distance away, or -1 outside the board.
static int square_at(int from, int direction, int distance) {
    const int row = from / 8 + distance * directions[direction][0];
    const int col = from % 8 + distance * directions[direction][1];
    return row < 0 || row > 7 || col < 0 || col > 7 ? -1 : row * 8 + col;
}

static int step_target(const char board[64], int from, int direction) {
    const int to = square_at(from, direction, 1);
    return to >= 0 && board[to] == '.' ? to : -1;
}

static int hop_target(const char board[64], int from, int direction) {
    const int over = square_at(from, direction, 1);
    const int to = square_at(from, direction, 2);
    return to >= 0 && board[over] != '.' && board[to] == '.' ? to : -1;
}

// Moves a piece by a step or a hop; a hop removes what it jumped if that is the opponent's.
static void carry(char board[64], int from, int to) {
    const int over_row = (from / 8 + to / 8) / 2, over_col = (from % 8 + to % 8) / 2;
    const bool is_hop = abs(from / 8 - to / 8) + abs(from % 8 - to % 8) == 2;
    const char piece = board[from];
    board[from] = '.';
    board[to] = piece;
    if (is_hop && board[over_row * 8 + over_col] != piece) {
        board[over_row * 8 + over_col] = '.';
    }
}

static bool can_move(const struct hopchess *h, int player) {
    for (int from = 0; from < 64; from++) {
        for (int d = 0; d < 4 && h->board[from] == piece_of(player); d++) {
            if (step_target(h->board, from, d) >= 0 || hop_target(h->board, from, d) >= 0) {
                return true;
            }
        }
    }
    return false;
}

static int count_pieces(const struct hopchess *h, int player, int first_col, int last_col) {
    int count = 0;
    for (int square = 0; square < 64; square++) {
        count += h->board[square] == piece_of(player) && square % 8 >= first_col &&
                 square % 8 <= last_col;
    }
    return count;
}

static int count_in_target(const struct hopchess *h, int player) {
    return player == 1 ? count_pieces(h, 1, 6, 7) : count_pieces(h, 2, 0, 1);
}

static bool is_home(const struct hopchess *h, int player) {
    const int pieces = count_pieces(h, player, 0, 7);
    return pieces > 0 && count_in_target(h, player) == pieces;
}

// The path to a node, and returns its end. Texts of one length compare as their squares do.
static char *write_path(const struct nodes *nodes, int i, char *out) {
    if (nodes->at[i].parent >= 0) {
        out = write_path(nodes, nodes->at[i].parent, out);
        *out++ = ' ';
    }
    *out++ = (char)('0' + nodes->at[i].square / 8);
    *out++ = ',';
    *out++ = (char)('0' + nodes->at[i].square % 8);
    *out = '\0';
    return out;
}

static bool is_better(const char *text, const char *than) {
    const size_t a = strlen(text), b = strlen(than);
    return a != b ? a < b : strcmp(text, than) < 0;
}

static void add_result(struct results *results, const struct nodes *nodes, int i) {
    char text[NAIVE_MOVE_MAX];
    // Four characters a square; between two of at most nine captures a shortest path visits none
    // of the 16 squares within reach twice, so this cannot happen.
    if ((nodes->at[i].hops + 1) * 4 > NAIVE_MOVE_MAX) {
        abort();
    }
    write_path(nodes, i, text);
    struct naive_list *list = results->list;
    for (int k = 0; k < list->count; k++) {
        if (memcmp(results->board[k], nodes->at[i].board, 64) == 0) {
            if (is_better(text, list->moves[k])) {
                strcpy(list->moves[k], text);
            }
            return;
        }
    }
    if (list->count == results->capacity) {
        results->capacity = results->capacity * 2 + 64;
        results->board = grown(results->board, results->capacity, sizeof results->board[0]);
    }
    memcpy(results->board[list->count], nodes->at[i].board, 64);
    naive_list_add(list, text);
}

// Appends the node that comes from moving on to a square, unless its board was met before. The root
// does not count as met: coming back to it is a move, not moving is none.
static void add_node(struct nodes *nodes, int parent, int to) {
    if (nodes->count == nodes->capacity) {
        nodes->capacity = nodes->capacity * 2 + 64;
        nodes->at = grown(nodes->at, nodes->capacity, sizeof nodes->at[0]);
    }
    struct node *node = &nodes->at[nodes->count];
    *node = nodes->at[parent];
    carry(node->board, node->square, to);
    node->square = to;
    node->hops++;
    node->parent = parent;
    for (int i = 1; i < nodes->count; i++) {
        if (memcmp(nodes->at[i].board, node->board, 64) == 0) {
            return;
        }
    }
    nodes->count++;
}

static void list_piece(const struct hopchess *h, int from, struct nodes *nodes,
                       struct results *results) {
    if (nodes->capacity == 0) {
        nodes->capacity = 64;
        nodes->at = grown(NULL, nodes->capacity, sizeof nodes->at[0]);
    }
    nodes->at[0] = (struct node){.square = from, .hops = 0, .parent = -1};
    memcpy(nodes->at[0].board, h->board, 64);
    nodes->count = 1;
    for (int i = 0; i < nodes->count; i++) {
        for (int d = 0; d < 4 && nodes->at[i].hops < h->max_hops; d++) {
            const int to = hop_target(nodes->at[i].board, nodes->at[i].square, d);
            if (to >= 0) {
                add_node(nodes, i, to);
            }
        }
    }
    // Steps come last, for nothing goes on from them; no chain of hops ends next to its start.
    for (int d = 0; d < 4; d++) {
        const int to = step_target(h->board, from, d);
        if (to >= 0) {
            add_node(nodes, 0, to);
        }
    }
    for (int i = 1; i < nodes->count; i++) {
        add_result(results, nodes, i);
    }
}

static void hopchess_start(struct naive *n, const char *const *settings) {
    static const char *const start = "B......."
                                     ".B.....W"
                                     "B.B...W."
                                     ".B...W.W"
                                     "B.B...W."
                                     ".B...W.W"
                                     "B.....W."
                                     ".......W";
    struct hopchess *h = n->state;
    memcpy(h->board, start, 64);
    h->max_hops = naive_number(settings, "max_hops", 99, 1, 1000000);
    h->max_moves = naive_number(settings, "max_moves", 200, 1, 1000000);
}

static void hopchess_legal(const struct naive *n, struct naive_list *list) {
    const struct hopchess *h = n->state;
    struct nodes nodes = {0};
    struct results results = {.list = list};
    for (int from = 0; from < 64; from++) {
        if (h->board[from] == piece_of(n->turn)) {
            list_piece(h, from, &nodes, &results);
        }
    }
    free(nodes.at);
    free(results.board);
}

static bool hopchess_scores(const struct naive *n, int scores[2]) {
    scores[0] = count_in_target(n->state, 1);
    scores[1] = count_in_target(n->state, 2);
    return true;
}

// Called when the player on turn has moved or was skipped.
static void end_move(struct naive *n) {
    struct hopchess *h = n->state;
    int scores[2];
    hopchess_scores(n, scores);
    const int winner = scores[0] > scores[1] ? 1 : scores[0] < scores[1] ? 2 : 0;
    h->moves++;
    if (is_home(h, 1) || is_home(h, 2)) {
        naive_end(n, winner, "home");
    } else if (h->moves == 2 * h->max_moves) {
        naive_end(n, winner, "moves");
    } else {
        n->turn = 3 - n->turn;
    }
}

static bool read_square(const char **text, int *square) {
    int row, col;
    if (!naive_read_pair(text, &row, &col) || row > 7 || col > 7) {
        return false;
    }
    *square = row * 8 + col;
    return true;
}

static bool is_target(const char board[64], int from, int to,
                      int (*target)(const char board[64], int from, int direction)) {
    for (int d = 0; d < 4; d++) {
        if (target(board, from, d) == to) {
            return true;
        }
    }
    return false;
}

// Follows a path on the board; false, with the board in any state, if it is not valid.
static bool follow(const struct hopchess *h, int player, const char *text, char board[64]) {
    int from, to;
    if (!read_square(&text, &from) || board[from] != piece_of(player)) {
        return false;
    }
    int hops = 0;
    bool stepped = false;
    while (*text == ' ') {
        text++;
        if (stepped || !read_square(&text, &to)) {
            return false;
        }
        if (is_target(board, from, to, hop_target)) {
            hops++;
        } else if (hops == 0 && is_target(board, from, to, step_target)) {
            stepped = true;
        } else {
            return false;
        }
        carry(board, from, to);
        from = to;
    }
    return *text == '\0' && (stepped || hops > 0) && hops <= h->max_hops;
}

static bool hopchess_play(struct naive *n, const char *text) {
    struct hopchess *h = n->state;
    if (strcmp(text, "pass") != 0) {
        char board[64];
        memcpy(board, h->board, 64);
        if (!follow(h, n->turn, text, board)) {
            return false;
        }
        memcpy(h->board, board, 64);
    }
    end_move(n);
    while (n->turn != 0 && !can_move(h, n->turn)) {
        end_move(n);
    }
    return true;
}

static const char *const keys[] = {"max_hops", "max_moves", NULL};

const struct naive_game naive_hopchess = {
    .name = "hopchess",
    .keys = keys,
    .state_size = sizeof(struct hopchess),
    .start = hopchess_start,
    .legal = hopchess_legal,
    .play = hopchess_play,
    .scores = hopchess_scores,
};
