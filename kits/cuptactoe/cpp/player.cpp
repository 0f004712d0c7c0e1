// SPDX-License-Identifier: MIT
// A player for cuptactoe that makes a legal move at random. Make choose() better: it does not even
// see that lifting a cup may uncover a line of the opponent, which loses at once.
//
// A move is "A B": A is 1, 2 or 3 for a new small, medium or large cup, or 90 to 98 for the cup on
// cell 0 to 8; B is the cell it goes to.
#include "abp.h"

#include <ctime>
#include <string>
#include <vector>

enum { X = 1, O = 2 };

struct Cup {
    int owner; // X or O
    int size;  // 1, 2 or 3
};

struct Move {
    int a, b; // as they are written
};

struct Position {
    std::vector<Cup> stack[9]; // the cups of each cell, the one on top last
    int hand[3][4] = {};       // [player][size]: how many such cups are not yet on the board
    int mover = X;             // X or O; the other one is 3 - mover

    Position() {
        for (int size = 1; size <= 3; size++)
            hand[X][size] = hand[O][size] = 2;
    }

    // A cup may go where there is none, or onto a smaller one of either player.
    bool may_go(int size, int cell) const {
        return stack[cell].empty() || stack[cell].back().size < size;
    }

    std::vector<Move> moves() const {
        std::vector<Move> list;
        for (int cell = 0; cell < 9; cell++) {
            for (int size = 1; size <= 3; size++) // new cups
                if (hand[mover][size] > 0 && may_go(size, cell))
                    list.push_back({size, cell});
            for (int from = 0; from < 9; from++) // cups of ours that nothing covers
                if (!stack[from].empty() && stack[from].back().owner == mover &&
                    may_go(stack[from].back().size, cell))
                    list.push_back({90 + from, cell});
        }
        return list;
    }

    // Makes a move and passes the turn on.
    void play(Move move) {
        Cup cup = {mover, move.a};
        if (move.a >= 90) {
            cup = stack[move.a - 90].back();
            stack[move.a - 90].pop_back();
        } else {
            hand[mover][cup.size]--;
        }
        stack[move.b].push_back(cup);
        mover = 3 - mover;
    }
};

// Your part. There is always a legal move: four large cups cannot close nine cells.
static Move choose(const Position &position) {
    std::vector<Move> moves = position.moves();
    return moves[std::rand() % moves.size()];
}

int main() {
    static abp_turn turn; // static, for it is large
    std::srand((unsigned)std::time(nullptr));
    while (abp_wait(&turn, "cuptactoe", "cuptactoe-kit-cpp")) {
        Position position;
        for (int i = 0; i < turn.move_count; i++) {
            Move move;
            if (std::sscanf(turn.moves[i], "%d %d", &move.a, &move.b) == 2)
                position.play(move);
        }
        Move move = choose(position);
        abp_answer(&turn, (std::to_string(move.a) + " " + std::to_string(move.b)).c_str());
    }
    return 0;
}
