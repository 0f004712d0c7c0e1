// SPDX-License-Identifier: MIT
// A player for reversi that plays a legal square at random. Make GetStep better.
//
// The board starts empty and has no corners. A disc goes to any empty square of the central 6x6, or
// to an empty square where it flips something. Rows and columns are counted from 0.
#include "STcpClient.h"

#include <cstdlib>
#include <ctime>
#include <vector>

typedef std::vector<std::vector<int>> Board;

// How many discs a disc of `mine` would flip in one direction: a run of the opponent's with one of
// ours behind it.
static int RunLength(const Board &board, int row, int column, int down, int right, int mine) {
    int length = 0;
    while (true) {
        row += down;
        column += right;
        if (row < 0 || row > 7 || column < 0 || column > 7)
            return 0; // the run goes over the edge
        if (board[row][column] == mine)
            return length;
        if (board[row][column] != 3 - mine) // black is 1 and white is 2, so 3 - mine is the other
            return 0;                       // an empty square, or a corner
        length++;
    }
}

static bool IsLegal(const Board &board, int row, int column, int mine) {
    if (board[row][column] != 0)
        return false;
    // Standard Othello, which the judge can play too, has its corners and no free placement.
    bool othello = board[0][0] != -1;
    if (!othello && row >= 1 && row <= 6 && column >= 1 && column <= 6)
        return true;
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++)
            if ((down || right) && RunLength(board, row, column, down, right, mine) > 0)
                return true;
    return false;
}

// Your part. board[row][column] is 0 empty, 1 black, 2 white, -1 a corner. Return {row, column}.
// You are asked only when you have a legal move. There are 5 seconds.
std::vector<int> GetStep(const Board &board, bool is_black) {
    int mine = is_black ? 1 : 2;
    std::vector<std::vector<int>> steps;
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++)
            if (IsLegal(board, row, column, mine))
                steps.push_back({row, column});
    return steps[std::rand() % steps.size()];
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
