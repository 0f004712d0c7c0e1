// SPDX-License-Identifier: MIT
// A player for hopchess that makes a step or a single hop at random. Make GetStep better: a move
// may also be a chain of hops, {{1, 0}, {1, 2}, {3, 2}}, at most 99 of them.
//
// Black wants to get to columns 6 and 7, white to columns 0 and 1. Rows and columns are counted
// from 0.
#include "STcpClient.h"

#include <cstdlib>
#include <ctime>
#include <vector>

typedef std::vector<std::vector<int>> Board;
typedef std::vector<std::vector<int>> Path; // {{row, column}, ...}: the start, then every stop

static bool IsEmpty(const Board &board, int row, int column) {
    return row >= 0 && row < 8 && column >= 0 && column < 8 && board[row][column] == 0;
}

// The steps and single hops of all pieces of a colour.
static std::vector<Path> ListPaths(const Board &board, int mine) {
    static const int sides[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    std::vector<Path> paths;
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++)
            for (const auto &side : sides) {
                if (board[row][column] != mine)
                    continue;
                // Next to us is an empty square: step. Otherwise it is a piece, or the edge: hop,
                // if the square behind is empty. A piece of the opponent is then taken.
                int reach = IsEmpty(board, row + side[0], column + side[1]) ? 1 : 2;
                int to_row = row + reach * side[0], to_column = column + reach * side[1];
                if (IsEmpty(board, to_row, to_column))
                    paths.push_back({{row, column}, {to_row, to_column}});
            }
    return paths;
}

// Your part. board[row][column] is 0 empty, 1 black, 2 white. Return the path of one piece. An
// invalid move, or one after more than 5 seconds, is skipped: then the other one moves.
Path GetStep(const Board &board, bool is_black) {
    std::vector<Path> paths = ListPaths(board, is_black ? 1 : 2);
    if (paths.empty())
        return Path(); // never so when the judge asks; an empty path passes the turn
    return paths[std::rand() % paths.size()];
}

int main() {
    int id_package;
    Board board;
    bool is_black;
    std::srand((unsigned)std::time(nullptr));
    while (!GetBoard(id_package, board, is_black))
        SendStep(id_package, GetStep(board, is_black));
    return 0;
}
