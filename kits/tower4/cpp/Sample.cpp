// SPDX-License-Identifier: MIT
// A player for tower4 that drops into an open column at random. Make GetStep better.
//
// Pieces fall into the columns of a 6x6 field without its corners, six to a column. Rows, columns
// and layers are counted from 0, layer 0 at the bottom.
#include "STcpClient.h"

#include <cstdlib>
#include <ctime>
#include <vector>

typedef std::vector<std::vector<std::vector<int>>> Board;

// Your part. board[layer][row][column] is 0 empty, 1 black, 2 white, -1 cut off. Return {row,
// column}; the piece falls by itself. You are asked only when you have a legal move. There are 5
// seconds.
std::vector<int> GetStep(const Board &board, bool is_black) {
    (void)is_black; // a random player does not care which colour it has
    std::vector<std::vector<int>> steps;
    for (int row = 0; row < 6; row++)
        for (int column = 0; column < 6; column++)
            if (board[5][row][column] == 0) // open as long as the uppermost cell is empty
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
