// SPDX-License-Identifier: MIT
// A player for @GAME@ that makes a legal move at random: make choose better. It speaks abp (a line
// a message, on standard input and output), and the judge tells it the position and the legal
// moves.
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

struct Question {
    int player = 0;                 // 1 or 2: who you are; 1 has begun
    int ms = 0;                     // for the answer; 0: no limit
    std::string position;           // as the rules write it
    std::string moves;              // those played so far, separated by "; "
    std::vector<std::string> legal; // the legal moves
};

// Your part. Returns the number of the move to play, from 0.
static std::size_t choose(const Question &question) { return std::rand() % question.legal.size(); }

// What follows a word of the line, up to an end; "" if it is not there.
static std::string part(const std::string &line, const std::string &word, const std::string &end) {
    const std::size_t at = line.find(word);
    if (at == std::string::npos)
        return "";
    const std::size_t from = at + word.size(), to = line.find(end, from);
    return line.substr(from, to == std::string::npos ? to : to - from);
}

static void answer(const std::string &line) {
    Question question;
    const std::string settings = part(line, " | ", " |");
    question.player = std::atoi(part(line, " player=", " ").c_str());
    question.ms = std::atoi(part(line, " time=", " ").c_str());
    question.position = part(line, " | position ", " |");
    question.moves = part(line, " | " + settings + " | ", " |");
    std::string list = part(line, " | legal ", " |");
    for (std::size_t from = 0; from < list.size();) {
        const std::size_t to = std::min(list.find("; ", from), list.size());
        question.legal.push_back(list.substr(from, to - from));
        from = to + 2;
    }
    if (!question.legal.empty())
        std::cout << "move id=" << part(line, " id=", " ") << ' '
                  << question.legal[choose(question)] << std::endl;
}

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        if (line.compare(0, 4, "abp ") == 0)
            std::cout << "ready @GAME@ kit" << std::endl;
        else if (line.compare(0, 3, "go ") == 0)
            answer(line);
        else if (line == "quit")
            break;
    }
}
