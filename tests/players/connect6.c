// SPDX-License-Identifier: MIT
// Plain connect6 players to measure the engine against: `greedy`, `alphabeta` or `tree`, by the
// first argument. They share the rules with the product, and nothing else.
//
// All know the windows of six cells: how many stones of one player are in each, blocks included,
// and none of the other. greedy puts each stone where the windows gain most. alphabeta looks two
// turns ahead, over pairs of the best cells. tree grows a tree by random games among such cells.
#include "../../kits/abp.h"
#include "games/game.h"

#include <math.h>
#include <stdint.h>
#include <time.h>

enum { SIDE_MAX = 19, CELLS = SIDE_MAX * SIDE_MAX, SIX = 6, PAIR_CELLS = 9, KIDS = 12 };

struct position {
    int size, stones;
    bool exact; // seven are no six
    char cell[CELLS];
};

static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
static const int worth[SIX + 1] = {1, 4, 16, 60, 220, 300, 100000};

static int mover(const struct position *p) { return (p->stones + 1) / 2 % 2; }
static bool turn_begins(const struct position *p) { return p->stones % 2 == 1; }
static const char marks[2] = {'X', 'O'};

static char at(const struct position *p, int x, int y) {
    return x < 0 || y < 0 || x >= p->size || y >= p->size ? '!' : p->cell[y * p->size + x];
}

// How many stones a player has in a window; -1 if the other is in it, or it would be too long.
static int window(const struct position *p, int x, int y, int d, char mark) {
    int n = 0;
    for (int i = 0; i < SIX; i++) {
        const char c = at(p, x + i * steps[d][0], y + i * steps[d][1]);
        if (c != '.' && c != '#' && c != mark)
            return -1;
        n += c != '.';
    }
    const char before = at(p, x - steps[d][0], y - steps[d][1]);
    const char after = at(p, x + SIX * steps[d][0], y + SIX * steps[d][1]);
    return p->exact && (before == mark || after == mark || before == '#' || after == '#') ? -1 : n;
}

// What a stone on a cell adds to a player's windows.
static int gain(const struct position *p, int cell, char mark) {
    int sum = 0;
    for (int d = 0; d < 4; d++)
        for (int i = 0; i < SIX; i++) {
            const int n = window(p, cell % p->size - i * steps[d][0],
                                 cell / p->size - i * steps[d][1], d, mark);
            if (n >= 0)
                sum += worth[n + 1] - worth[n];
        }
    return sum;
}

static int run(const struct position *p, int cell, int d, char mark) {
    int n = 1;
    for (int sign = -1; sign <= 1; sign += 2)
        for (int i = 1;; i++) {
            const char c = at(p, cell % p->size + sign * i * steps[d][0],
                              cell / p->size + sign * i * steps[d][1]);
            if (c != mark && c != '#')
                break;
            n++;
        }
    return n;
}

// 1: a stone there wins, -1: it loses.
static int verdict(const struct position *p, int cell, char mark) {
    bool six = false, over = false;
    for (int d = 0; d < 4; d++) {
        const int n = run(p, cell, d, mark);
        six |= n == SIX || (n > SIX && !p->exact);
        over |= n > SIX && p->exact;
    }
    return over ? -1 : six;
}

static int urgency(const struct position *p, int cell) {
    const char mine = marks[mover(p)], other = marks[1 - mover(p)];
    const int v = verdict(p, cell, mine);
    return v < 0 ? -1 : v > 0 ? 1 << 28 : 2 * gain(p, cell, mine) + gain(p, cell, other);
}

// The best cells by urgency, best first; at least one if any cell is empty.
static int best_cells(const struct position *p, int most, int *cells) {
    int value[CELLS], n = 0;
    for (int c = 0; c < p->size * p->size; c++) {
        if (p->cell[c] != '.')
            continue;
        const int u = urgency(p, c);
        if (n == most && value[n - 1] >= u)
            continue;
        int i = n < most ? n++ : most - 1;
        for (; i > 0 && value[i - 1] < u; i--) {
            value[i] = value[i - 1];
            cells[i] = cells[i - 1];
        }
        value[i] = u;
        cells[i] = c;
    }
    return n;
}

static void put(struct position *p, int cell) {
    p->cell[cell] = marks[mover(p)];
    p->stones++;
}

static void take(struct position *p, int cell) {
    p->stones--;
    p->cell[cell] = '.';
}

static int greedy(const struct position *p) {
    int cell;
    best_cells(p, 1, &cell);
    return cell;
}

// All windows, for the player who is about to move.
static int balance(const struct position *p) {
    int sum = 0;
    for (int c = 0; c < p->size * p->size; c++)
        for (int d = 0; d < 4; d++)
            for (int side = 0; side < 2; side++) {
                const int n = window(p, c % p->size, c / p->size, d, marks[side]);
                if (n > 0)
                    sum += side == mover(p) ? worth[n] : -worth[n];
            }
    return sum;
}

// Whole turns, over pairs of the best cells.
static int alphabeta(struct position *p, int turns, int alpha, int beta, int chosen[2]) {
    int cells[PAIR_CELLS], unused[2];
    if (turns == 0)
        return balance(p);
    const int n = best_cells(p, PAIR_CELLS, cells);
    if (n < 2)
        return balance(p);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            const char mine = marks[mover(p)];
            int value;
            const bool wins = verdict(p, cells[i], mine) > 0;
            put(p, cells[i]);
            const int second = verdict(p, cells[j], mine);
            put(p, cells[j]);
            value = wins || second > 0 ? 1 << 26
                    : second < 0       ? -(1 << 26)
                                       : -alphabeta(p, turns - 1, -beta, -alpha, unused);
            take(p, cells[j]);
            take(p, cells[i]);
            if (value > alpha) {
                alpha = value;
                chosen[0] = cells[i];
                chosen[1] = cells[j];
            }
            if (alpha >= beta)
                return alpha;
        }
    return alpha;
}

struct twig {
    int cell, first_kid, kids, visits;
    double won; // by the player who placed the stone
};

enum { TWIGS = 1 << 18 };

struct tree {
    struct twig *twigs;
    int count;
    uint64_t random;
};

static uint32_t draw(struct tree *t, uint32_t n) {
    t->random = t->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((t->random >> 33) % n);
}

// Plays on by the most urgent of a few cells each; returns the winner, or 2.
static int play_out(struct tree *t, struct position *p) {
    for (int length = 0; length < 10; length++) {
        int cells[4];
        const int n = best_cells(p, 4, cells);
        if (n == 0)
            return 2;
        const int cell =
            cells[verdict(p, cells[0], marks[mover(p)]) > 0 ? 0 : draw(t, (uint32_t)n)];
        const int side = mover(p), v = verdict(p, cell, marks[side]);
        if (v)
            return v > 0 ? side : 1 - side;
        put(p, cell);
    }
    const int b = balance(p);
    return b == 0 ? 2 : b > 0 ? mover(p) : 1 - mover(p);
}

static int pick(const struct tree *t, const struct twig *at) {
    double best = -1;
    int kid = at->first_kid;
    for (int i = at->first_kid; i < at->first_kid + at->kids; i++) {
        const struct twig *k = &t->twigs[i];
        const double value = k->visits == 0
                                 ? 10.0 + 1.0 / (1 + i - at->first_kid)
                                 : k->won / k->visits + 0.5 * sqrt(log(at->visits + 1) / k->visits);
        if (value > best) {
            best = value;
            kid = i;
        }
    }
    return kid;
}

static void grow(struct tree *t, struct twig *at, const struct position *p) {
    int cells[KIDS];
    if (t->count + KIDS > TWIGS)
        return;
    at->kids = best_cells(p, KIDS, cells);
    at->first_kid = t->count;
    for (int i = 0; i < at->kids; i++)
        t->twigs[t->count++] = (struct twig){.cell = cells[i]};
}

static void run_once(struct tree *t, struct position p) {
    int path[64], sides[64], length = 0, at = 0, winner = -1;
    while (winner < 0 && t->twigs[at].kids > 0 && length < 64) {
        at = pick(t, &t->twigs[at]);
        const int cell = t->twigs[at].cell, side = mover(&p), v = verdict(&p, cell, marks[side]);
        path[length] = at;
        sides[length++] = side;
        put(&p, cell);
        if (v)
            winner = v > 0 ? side : 1 - side;
    }
    if (winner < 0 && length < 64 && (at == 0 || t->twigs[at].visits > 0))
        grow(t, &t->twigs[at], &p);
    if (winner < 0)
        winner = play_out(t, &p);
    t->twigs[0].visits++;
    for (int i = 0; i < length; i++) {
        t->twigs[path[i]].visits++;
        t->twigs[path[i]].won += winner == 2 ? 0.5 : winner == sides[i];
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int tree(struct tree *t, const struct position *p, double seconds) {
    const double end = now() + seconds;
    int best = 0;
    t->count = 1;
    t->twigs[0] = (struct twig){.cell = -1};
    do
        run_once(t, *p);
    while (now() < end);
    const struct twig *root = &t->twigs[0];
    for (int i = 0; i < root->kids; i++)
        if (t->twigs[root->first_kid + i].visits > t->twigs[root->first_kid + best].visits)
            best = i;
    return t->twigs[root->first_kid + best].cell;
}

static void set_rules(struct ruleset *rules, const struct abp_turn *turn) {
    ruleset_init(rules, game_find("connect6"));
    for (int i = 0; i < rules->game->rule_count; i++) {
        char value[RULE_TEXT_MAX], why[WHY_TEXT_MAX];
        const char *set = abp_setting(turn, rules->game->rules[i].key);
        if (!set)
            continue;
        snprintf(value, sizeof value, "%.*s", (int)strcspn(set, ";"), set);
        for (size_t n = strlen(value); n > 0 && value[n - 1] == ' '; n--)
            value[n - 1] = '\0';
        ruleset_set(rules, rules->game->rules[i].key, value, why);
    }
}

// The rules play the game so far; what they show is read.
static void set_up(struct position *p, const struct abp_turn *turn) {
    struct ruleset rules;
    union game_state state;
    char why[WHY_TEXT_MAX], text[STATE_TEXT_MAX];
    const char *overline = abp_setting(turn, "overline"), *size = abp_setting(turn, "size");
    set_rules(&rules, turn);
    rules.game->start(&state, &rules, NULL, why);
    for (int i = 0; i < turn->move_count; i++) {
        move m;
        if (!rules.game->read_move(&state, turn->moves[i], &m))
            game_play(rules.game, &state, m);
    }
    rules.game->write_state(&state, text);
    *p = (struct position){.size = size ? atoi(size) : SIDE_MAX,
                           .stones = turn->move_count,
                           .exact = !overline || strncmp(overline, "win", 3) != 0};
    int n = 0;
    for (const char *c = text; *c;) {
        if (*c >= '0' && *c <= '9') {
            char *end;
            for (long empty = strtol(c, &end, 10); empty > 0; empty--)
                p->cell[n++] = '.';
            c = end;
        } else if (*c++ != '/') {
            p->cell[n++] = c[-1];
        }
    }
}

static void choose(const char *kind, struct tree *t, struct position *p, int due, double seconds,
                   int chosen[2]) {
    if (strcmp(kind, "alphabeta") == 0 && turn_begins(p) && due == 2) {
        chosen[0] = chosen[1] = -1;
        alphabeta(p, 2, -(1 << 27), 1 << 27, chosen);
        if (chosen[0] >= 0)
            return;
    }
    for (int i = 0; i < due; i++) {
        chosen[i] = strcmp(kind, "tree") == 0 ? tree(t, p, seconds / due) : greedy(p);
        put(p, chosen[i]);
    }
}

int main(int argc, char **argv) {
    static struct abp_turn turn;
    struct tree t = {.twigs = malloc(TWIGS * sizeof(struct twig)), .random = 1};
    const char *kind = argc > 1 ? argv[1] : "greedy";
    while (abp_wait(&turn, "connect6", kind)) {
        struct position p;
        char answer[64];
        int chosen[2], length = 0;
        set_up(&p, &turn);
        choose(kind, &t, &p, turn.due, turn.time_ms * 0.0006, chosen);
        for (int i = 0; i < turn.due; i++)
            length += snprintf(answer + length, sizeof answer - (size_t)length, "%s%d,%d",
                               i ? "; " : "", chosen[i] % p.size, chosen[i] / p.size);
        abp_answer(&turn, answer);
    }
    free(t.twigs);
    return 0;
}
