// SPDX-License-Identifier: MIT
// Talks to the judge over TCP, port 8888 of this computer. You change one number, idTeam; what you
// fill in is GetStep in Sample.cpp. 32-bit integers go over the connection:
//     we, once:           the number of our team
//     judge, at our turn: 1, the id of this message, 64 cells row by row, 1 black or 0 white
//     we, as the answer:  how many squares, the same id, then row and column of each square
//     judge, at the end:  0, any id; then we leave
#pragma once

// The number of your team goes here, in place of -1. The judge knows us by it.
static int idTeam = -1;

#include <cstdio>
#include <vector>

// What Windows and the others call differently.
#ifdef _WIN32
#ifdef _MSC_VER
#define NOMINMAX                   // or windows.h would break std::min and std::max
#pragma comment(lib, "Ws2_32.lib") // other compilers are told with -lws2_32
#endif
#include <winsock2.h>
typedef SOCKET StcpSocket;
static const int StcpFlags = 0;
static inline void StcpPause() { Sleep(50); }
static inline void StcpStartUp() { // Windows wants this before any other call
    WSADATA data;
    WSAStartup(MAKEWORD(2, 2), &data);
}
#else
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>
typedef int StcpSocket;
static const int StcpFlags = MSG_NOSIGNAL; // a lost connection shall not end the program
static inline void StcpPause() { usleep(50000); }
static inline void StcpStartUp() {}
static inline void closesocket(int socket) { close(socket); }
#endif

static StcpSocket stcpSocket;
static bool stcpConnected = false;

// Closes the connection, and waits: the judge may need a moment before it takes us again.
static inline void StcpDrop() {
    closesocket(stcpSocket);
    stcpConnected = false;
    StcpPause();
}

// Sends all the numbers. False: the connection is lost. They travel just as a PC keeps them in
// memory: four bytes each, the lowest first.
static inline bool StcpSend(const std::vector<int> &numbers) {
    const char *bytes = reinterpret_cast<const char *>(numbers.data());
    int size = int(numbers.size() * sizeof(int));
    for (int done = 0, now; done < size; done += now)
        if ((now = int(send(stcpSocket, bytes + done, size - done, StcpFlags))) <= 0)
            return false;
    return true;
}

// Fills the numbers with what the judge sends. TCP may carry it in pieces, hence the loop.
static inline bool StcpReceive(std::vector<int> &numbers) {
    char *bytes = reinterpret_cast<char *>(numbers.data());
    int size = int(numbers.size() * sizeof(int));
    for (int done = 0, now; done < size; done += now)
        if ((now = int(recv(stcpSocket, bytes + done, size - done, 0))) <= 0)
            return false;
    return true;
}

// Connects to the judge on this computer, trying until it answers, and tells it who we are.
static inline void StcpConnect() {
    while (!stcpConnected) {
        StcpStartUp();
        sockaddr_in judge = {};
        judge.sin_family = AF_INET;
        judge.sin_port = htons(8888);
        judge.sin_addr.s_addr = htonl(INADDR_LOOPBACK); // 127.0.0.1
        stcpSocket = socket(AF_INET, SOCK_STREAM, 0);
        stcpConnected =
            connect(stcpSocket, reinterpret_cast<sockaddr *>(&judge), sizeof judge) == 0 &&
            StcpSend({idTeam});
        if (!stcpConnected)
            StcpDrop();
    }
}

// Waits for your turn. True: stop, there is nothing more to play. Otherwise the board and your
// colour are filled in, and id_package is the number that SendStep needs.
static inline bool GetBoard(int &id_package, std::vector<std::vector<int>> &board, bool &is_black) {
    static bool asked = false;
    while (true) {
        StcpConnect();
        std::vector<int> head(2), body(64 + 1); // code and id; the cells and the colour
        if (StcpReceive(head) && (head[0] == 0 || StcpReceive(body))) {
            id_package = head[1];
            if (head[0] == 0)
                break;
            board.assign(8, std::vector<int>(8));
            for (int i = 0; i < 64; i++)
                board[i / 8][i % 8] = body[i];
            is_black = body[64] == 1;
            asked = true;
            return false;
        }
        StcpDrop(); // the connection is lost: the judge sends the board again on a new one
    }
    if (!asked)
        std::fprintf(stderr, "Sent away before the first move. Is idTeam %d right?\n", idTeam);
    StcpDrop();
    return true;
}

// Sends your move {{row, column}, {row, column}, ...} as the answer to the board with that id. More
// than 99 hops are against the rules; the first 99 of a good chain are a good chain too.
static inline void SendStep(int id_package, const std::vector<std::vector<int>> &step) {
    int count = step.size() > 100 ? 100 : int(step.size());
    std::vector<int> message = {count, id_package};
    for (int i = 0; i < count; i++)
        message.insert(message.end(), {step[i][0], step[i][1]});
    if (stcpConnected && !StcpSend(message))
        StcpDrop(); // GetBoard connects again
}
