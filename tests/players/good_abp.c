// SPDX-License-Identifier: MIT
// good_abp: a friendly player that speaks abp (docs/protocol.md, D) and answers at once, with the
// first legal move in reversi and tower4; in connect6 with the next free cell, every second one of
// the board first. Other games it refuses. It remembers the moves it has read and, when a request
// goes on from them, reads only what is new. The file compiles as C and as C++.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 65536, SIDE_MAX = 19, CELLS_MAX = SIDE_MAX * SIDE_MAX };

struct position {
    int side;                      // cells in a row
    int mover;                     // 1 or 2
    signed char cells[CELLS_MAX];  // 0 empty, 1 and 2 the players', -1 out of play
    unsigned char high[CELLS_MAX]; // tower4: pieces in a column
};

struct rules {
    const char *name;
    void (*start)(struct position *p, const char *settings);
    int (*choose)(const struct position *p, int from); // a legal cell after `from`, or -1
    void (*play)(struct position *p, int cell);
    bool column_first; // a move is written x,y
};

// reversi

static int line_length(const struct position *p, int cell, int down, int right, int mover) {
    int r = cell / 8 + down, c = cell % 8 + right, length = 0;
    while (r >= 0 && r < 8 && c >= 0 && c < 8 && p->cells[r * 8 + c] == 3 - mover) {
        r += down;
        c += right;
        length++;
    }
    return r >= 0 && r < 8 && c >= 0 && c < 8 && p->cells[r * 8 + c] == mover ? length : 0;
}

static bool is_legal(const struct position *p, int cell, int mover) {
    if (p->cells[cell] != 0)
        return false;
    const int r = cell / 8, c = cell % 8;
    if (p->cells[0] == -1 && r >= 1 && r <= 6 && c >= 1 && c <= 6)
        return true; // the free centre of the open board
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++)
            if ((down != 0 || right != 0) && line_length(p, cell, down, right, mover) > 0)
                return true;
    return false;
}

static bool can_move(const struct position *p, int mover) {
    for (int cell = 0; cell < 64; cell++)
        if (is_legal(p, cell, mover))
            return true;
    return false;
}

static void reversi_start(struct position *p, const char *settings) {
    p->side = 8;
    if (strstr(settings, "board=othello") != NULL) {
        p->cells[27] = p->cells[36] = 2;
        p->cells[28] = p->cells[35] = 1;
    } else {
        p->cells[0] = p->cells[7] = p->cells[56] = p->cells[63] = -1;
    }
}

static int reversi_choose(const struct position *p, int from) {
    for (int cell = from + 1; cell < 64; cell++)
        if (is_legal(p, cell, p->mover))
            return cell;
    return -1;
}

static void reversi_play(struct position *p, int cell) {
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++)
            if (down != 0 || right != 0)
                for (int n = line_length(p, cell, down, right, p->mover); n > 0; n--)
                    p->cells[cell + n * (down * 8 + right)] = (signed char)p->mover;
    p->cells[cell] = (signed char)p->mover;
    if (can_move(p, 3 - p->mover))
        p->mover = 3 - p->mover;
}

// tower4

static void tower4_start(struct position *p, const char *settings) {
    const int cut = strstr(settings, "corners=1") != NULL ? 1 : 2;
    p->side = 6;
    for (int cell = 0; cell < 36; cell++) {
        const int r = cell / 6, c = cell % 6;
        if ((r < 3 ? r : 5 - r) + (c < 3 ? c : 5 - c) < cut)
            p->high[cell] = 6;
    }
}

static int tower4_choose(const struct position *p, int from) {
    for (int cell = from + 1; cell < 36; cell++)
        if (p->high[cell] < 6)
            return cell;
    return -1;
}

static void tower4_play(struct position *p, int cell) { p->high[cell]++; }

// connect6

static const char *value_of(const char *settings, const char *key) {
    const char *found = strstr(settings, key);
    return found == NULL ? "" : found + strlen(key);
}

static void connect6_start(struct position *p, const char *settings) {
    const int size = atoi(value_of(settings, "size="));
    p->side = size > 0 && size <= SIDE_MAX ? size : SIDE_MAX;
    const char *text = value_of(settings, "blocks=");
    int x, y, length;
    while (sscanf(text, " %d,%d%n", &x, &y, &length) == 2 && x >= 0 && x < p->side && y >= 0 &&
           y < p->side) {
        p->cells[y * p->side + x] = -1;
        text += length;
    }
}

static int connect6_choose(const struct position *p, int from) {
    const int count = p->side * p->side;
    const int evens = (count + 1) / 2;
    const int after = from < 0 ? 0 : (from % 2 == 0 ? 0 : evens) + from / 2 + 1;
    for (int n = after; n < count; n++) {
        const int cell = n < evens ? n * 2 : (n - evens) * 2 + 1;
        if (p->cells[cell] == 0)
            return cell;
    }
    return -1;
}

static void connect6_play(struct position *p, int cell) { p->cells[cell] = 1; }

static const struct rules games[] = {
    {"reversi", reversi_start, reversi_choose, reversi_play, false},
    {"tower4", tower4_start, tower4_choose, tower4_play, false},
    {"connect6", connect6_start, connect6_choose, connect6_play, true},
};

// The player

struct player {
    const struct rules *rules;
    struct position position;
    char known[LINE_MAX_BYTES]; // settings and moves that the position stands for, as sent
    size_t known_size;
    size_t moves_at; // where in them the moves begin
};

static void say(const char *text, size_t size) {
    while (size > 0) {
        const ssize_t written = write(STDOUT_FILENO, text, size);
        if (written <= 0)
            _exit(1);
        text += written;
        size -= (size_t)written;
    }
}

static bool greet(struct player *p, const char *game) {
    static const char ready[] = "ready good_abp\n";
    static const char refuse[] = "refuse good_abp plays reversi, tower4 and connect6\n";

    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        if (strcmp(games[i].name, game) == 0)
            p->rules = &games[i];
    if (p->rules == NULL) {
        say(refuse, sizeof refuse - 1);
        return false;
    }
    say(ready, sizeof ready - 1);
    return true;
}

// The next number of a text, which is moved behind it; 18 digits at most.
static long long read_number(const char **text) {
    long long number = 0;
    while (**text != '\0' && (**text < '0' || **text > '9'))
        (*text)++;
    for (int digits = 0; **text >= '0' && **text <= '9' && digits < 18; digits++, (*text)++)
        number = number * 10 + (**text - '0');
    return number;
}

// Brings the position to where a request, "SETTINGS | MOVES", stands.
static void follow(struct player *p, const char *request, size_t size) {
    const char *moves = strchr(request, '|');
    if (moves == NULL || size >= LINE_MAX_BYTES)
        _exit(3);
    const bool goes_on =
        p->known_size > 0 && size >= p->known_size &&
        memcmp(p->known, request, p->known_size) == 0 &&
        (request[p->known_size] == ';' || request[p->known_size] == '\0') &&
        p->known_size > p->moves_at + 2; // after an empty list of moves it is easier to begin
    const char *text = request + p->known_size;
    if (!goes_on) {
        p->moves_at = (size_t)(moves - request);
        memset(&p->position, 0, sizeof p->position);
        p->position.mover = 1;
        memcpy(p->known, request, p->moves_at);
        p->known[p->moves_at] = '\0';
        p->rules->start(&p->position, p->known);
        text = moves + 1;
    }
    while (*text != '\0' && strpbrk(text, "0123456789") != NULL) {
        const long long a = read_number(&text), b = read_number(&text);
        const int side = p->position.side;
        if (a >= side || b >= side)
            _exit(3);
        p->rules->play(&p->position, (int)(p->rules->column_first ? b * side + a : a * side + b));
    }
    memcpy(p->known, request, size + 1);
    p->known_size = size;
}

static void answer(struct player *p, const char *line) {
    const char *request = strchr(line, '|');
    const char *text = line;
    char out[128];

    if (request == NULL)
        _exit(3);
    const long long id = read_number(&text);
    read_number(&text); // the time: it needs none
    const long long due = read_number(&text);
    follow(p, request + 1, strlen(request + 1));
    size_t size = (size_t)snprintf(out, sizeof out, "move id=%lld", id);
    int cell = -1;
    for (int i = 0; i < due && i < 2; i++) {
        cell = p->rules->choose(&p->position, cell);
        const int row = cell / p->position.side, col = cell % p->position.side;
        size += (size_t)snprintf(out + size, sizeof out - size, "%s%d,%d", i > 0 ? "; " : " ",
                                 p->rules->column_first ? col : row,
                                 p->rules->column_first ? row : col);
    }
    out[size++] = '\n';
    say(out, size);
}

static bool begins(const char *line, const char *word) {
    return strncmp(line, word, strlen(word)) == 0;
}

// Obeys one line; false when it leaves.
static bool obey(struct player *p, const char *line) {
    if (begins(line, "go ") && p->rules != NULL)
        answer(p, line);
    else if (begins(line, "abp 1 "))
        return greet(p, line + 6);
    else if (strcmp(line, "quit") == 0)
        return false;
    return true;
}

int main(void) {
    static struct player p;
    static char buffer[LINE_MAX_BYTES + 1];
    size_t held = 0;

    while (held < LINE_MAX_BYTES) {
        const ssize_t got = read(STDIN_FILENO, buffer + held, LINE_MAX_BYTES - held);
        if (got <= 0)
            return 1; // the judge says quit before it closes
        held += (size_t)got;
        char *line = buffer;
        char *end;
        while ((end = (char *)memchr(line, '\n', held - (size_t)(line - buffer))) != NULL) {
            *end = '\0';
            if (!obey(&p, line))
                return 0;
            line = end + 1;
        }
        held -= (size_t)(line - buffer);
        memmove(buffer, line, held);
    }
    return 1;
}
