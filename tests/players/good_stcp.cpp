// SPDX-License-Identifier: MIT
// good_stcp GAME [TEAM]: a friendly player that speaks stcp (docs/protocol.md, A), in the manner of
// a contestant's C++: it reads an integer at a time. It plays the last legal move it finds, in
// hopchess the longest chain of hops, and connects to 127.0.0.1, port 8888 or $ARBITER_PORT.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>

using Move = std::vector<std::vector<int>>;

struct Board {
    std::vector<int> cells;
    int mover;
    int side;

    int at(int row, int col) const {
        const bool inside = row >= 0 && row < side && col >= 0 && col < side;
        return inside ? cells[static_cast<size_t>(row * side + col)] : -1;
    }
};

static bool turns_a_disc(const Board &board, int row, int col) {
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++) {
            int r = row + down, c = col + right, length = 0;
            while ((down != 0 || right != 0) && board.at(r, c) == 3 - board.mover) {
                r += down;
                c += right;
                length++;
            }
            if (length > 0 && board.at(r, c) == board.mover)
                return true;
        }
    return false;
}

static Move play_reversi(const Board &board) {
    Move move;
    const bool open = board.at(0, 0) == -1;
    for (int row = 0; row < 8; row++)
        for (int col = 0; col < 8; col++) {
            const bool centre = row >= 1 && row <= 6 && col >= 1 && col <= 6;
            if (board.at(row, col) == 0 && ((open && centre) || turns_a_disc(board, row, col)))
                move = {{row, col}};
        }
    return move;
}

static Move play_tower4(const Board &board) {
    Move move;
    for (int column = 0; column < 36; column++)
        if (board.cells[static_cast<size_t>(180 + column)] == 0)
            move = {{column / 6, column % 6}};
    return move;
}

// Goes on hopping from the end of the path, over no piece twice, and keeps the longest path.
static void hop(Board &board, Move path, Move &longest) {
    static const int ways[4][2] = {{0, 1}, {1, 0}, {-1, 0}, {0, -1}};

    if (path.size() > longest.size())
        longest = path;
    if (path.size() >= 7)
        return;
    for (const auto &way : ways) {
        const int row = path.back()[0], col = path.back()[1];
        const int over_row = row + way[0], over_col = col + way[1];
        const int piece = board.at(over_row, over_col);
        if (piece <= 0 || board.at(row + 2 * way[0], col + 2 * way[1]) != 0)
            continue;
        int &cell = board.cells[static_cast<size_t>(over_row * 8 + over_col)];
        Move next = path;
        next.push_back({row + 2 * way[0], col + 2 * way[1]});
        cell = -1;
        hop(board, next, longest);
        cell = piece;
    }
}

static Move play_hopchess(const Board &board) {
    Move move;
    const int ahead = board.mover == 1 ? 1 : -1;
    for (int row = 0; row < 8; row++)
        for (int col = 0; col < 8; col++) {
            if (board.at(row, col) != board.mover)
                continue;
            Board rest = board;
            rest.cells[static_cast<size_t>(row * 8 + col)] = -1;
            Move path;
            hop(rest, {{row, col}}, path);
            if (path.size() > 1 && path.size() > move.size())
                move = path;
            for (const std::vector<int> &to :
                 Move{{row, col - ahead}, {row - 1, col}, {row + 1, col}, {row, col + ahead}})
                if (move.size() <= 2 && board.at(to[0], to[1]) == 0)
                    move = {{row, col}, to};
        }
    return move;
}

class Judge {
  public:
    explicit Judge(std::int32_t team_id) : team(team_id) { connect_again(); }
    ~Judge() { close(fd); }

    // True when told to stop.
    bool get_board(std::int32_t &id, Board &board) {
        for (;;) {
            std::int32_t number = 0;
            bool fine = get(number);
            if (fine && number == 0)
                return true;
            fine = fine && get(id);
            for (size_t i = 0; fine && i < board.cells.size(); i++) {
                fine = get(number);
                board.cells[i] = number;
            }
            if (fine && get(number)) {
                board.mover = number == 1 ? 1 : 2;
                return false;
            }
            close(fd);
            connect_again();
        }
    }

    void send_move(std::int32_t id, const Move &move) {
        std::vector<std::int32_t> numbers{static_cast<std::int32_t>(move.size()), id};
        for (const auto &pair : move)
            numbers.insert(numbers.end(), pair.begin(), pair.end());
        send(fd, numbers.data(), numbers.size() * sizeof(std::int32_t), MSG_NOSIGNAL);
    }

  private:
    bool get(std::int32_t &number) {
        return recv(fd, &number, sizeof number, 0) == static_cast<ssize_t>(sizeof number);
    }

    void connect_again() {
        const char *port = std::getenv("ARBITER_PORT");
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port ? std::atoi(port) : 8888));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        for (int tries = 0; tries < 1000; tries++) {
            fd = socket(AF_INET, SOCK_STREAM, 0);
            if (connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0) {
                send(fd, &team, sizeof team, MSG_NOSIGNAL);
                return;
            }
            close(fd);
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        std::cerr << "no judge listens\n";
        std::exit(1);
    }

    std::int32_t team;
    int fd = -1;
};

int main(int argc, char **argv) {
    struct Game {
        size_t cells;
        int side;
        std::function<Move(const Board &)> play;
    };
    const std::map<std::string, Game> games = {
        {"reversi", {64, 8, play_reversi}},
        {"tower4", {216, 6, play_tower4}},
        {"hopchess", {64, 8, play_hopchess}},
    };
    const auto found = games.find(argc > 1 ? argv[1] : "");
    if (found == games.end()) {
        std::cerr << "usage: good_stcp reversi|tower4|hopchess [TEAM]\n";
        return 2;
    }
    const Game &game = found->second;
    Judge judge(argc > 2 ? std::atoi(argv[2]) : 1);
    Board board{std::vector<int>(game.cells), 1, game.side};
    std::int32_t id = 0;
    while (!judge.get_board(id, board))
        judge.send_move(id, game.play(board));
    return 0;
}
