// SPDX-License-Identifier: MIT
// From the last position that is known, a move of our own and one of the opponent mostly lead to
// the next board. Where nothing leads there (an opening, a game that was under way) the board is
// taken as it is, and what it does not show is guessed.
#include "cli/bot/follow.h"

#include "spec/spec.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { WORTHY_LINES = 100 }; // the k-th line of tower4 is worth so many points, by k

static bool shows(const struct bot_follower *f, const void *state, const struct stcp_board *board) {
    const struct game *game = f->game;
    int cells[STCP_CELLS_MAX];
    if (game->turn(state) != (board->is_black ? 1 : 2))
        return false;
    stcp_cells(game, state, cells);
    return memcmp(cells, board->cells, (size_t)stcp_cell_count(game) * sizeof *cells) == 0;
}

// Whether a board is this position, or one move of the opponent away; then goes there.
static bool reach(const struct bot_follower *f, union game_state *state,
                  const struct stcp_board *board) {
    const struct game *game = f->game;
    const int me = board->is_black ? 1 : 2, turn = game->turn(state);
    if (turn != side_other(me))
        return shows(f, state, board);
    const int count = game->count(state);
    for (int i = game->may_pass ? -1 : 0; i < count; i++) {
        union game_state next;
        memcpy(&next, state, game->state_size);
        game->apply(&next, i < 0 ? MOVE_PASS : game->nth(state, i));
        if (!shows(f, &next, board))
            continue;
        *state = next;
        return true;
    }
    return false;
}

// The same, of the positions that the game may have come to since the last request: as we answered,
// as if nothing had happened, or with what the judge played for us.
static bool follow(struct bot_follower *f, const struct stcp_board *board,
                   union game_state *state) {
    const struct game *game = f->game;
    char why[WHY_TEXT_MAX];
    *state = f->answered;
    if (f->known && reach(f, state, board))
        return true;
    *state = f->asked;
    if (f->known && shows(f, state, board)) {
        f->requests--; // it is the same turn
        return true;
    }
    for (int skip = 0; skip <= game->may_pass && f->known; skip++) {
        *state = f->asked;
        game->apply(state, skip ? MOVE_PASS : game->nth(state, 0));
        if (reach(f, state, board))
            return true;
    }
    if (!game->start(state, &f->rules, NULL, why) || !reach(f, state, board))
        return false;
    f->requests = 0;
    return true;
}

static int count_cells(const struct game *game, const struct stcp_board *board, int value) {
    int n = 0;
    for (int i = 0; i < stcp_cell_count(game); i++)
        n += board->cells[i] == value;
    return n;
}

static void set_rule(struct ruleset *rules, const char *key, int value) {
    char why[WHY_TEXT_MAX], text[16];
    snprintf(text, sizeof text, "%d", value);
    ruleset_set(rules, key, text, why);
}

static int rule_number(const struct ruleset *rules, const char *key) {
    int i = 0;
    while (strcmp(rules->game->rules[i].key, key) != 0)
        i++;
    return rules->number[i];
}

// Whether the cells outside the board are those of the first position under these rules.
static bool has_shape(const struct ruleset *rules, const struct stcp_board *board) {
    const struct game *game = rules->game;
    union game_state start;
    int cells[STCP_CELLS_MAX], i = 0;
    char why[WHY_TEXT_MAX];
    if (!game->start(&start, rules, NULL, why))
        return false;
    stcp_cells(game, &start, cells);
    while (i < stcp_cell_count(game) && (cells[i] == -1) == (board->cells[i] == -1))
        i++;
    return i == stcp_cell_count(game);
}

// Finds the value of a switch with which the board has its shape; else it stays as it was.
static bool find_value(struct ruleset *rules, const struct rule *rule,
                       const struct stcp_board *board) {
    char words[RULE_TEXT_MAX], why[WHY_TEXT_MAX], *rest = words;
    const struct ruleset before = *rules;
    snprintf(words, sizeof words, "%s", rule->words ? rule->words : "");
    for (char *word; rule->words && (word = strsep(&rest, "|"));)
        if (ruleset_set(rules, rule->key, word, why) && has_shape(rules, board))
            return true;
    for (int n = rule->min; n <= rule->max && rule->max > 0; n++) {
        set_rule(rules, rule->key, n);
        if (has_shape(rules, board))
            return true;
    }
    *rules = before;
    return false;
}

// The rules that a board shows.
static void read_rules(const struct game *game, const struct stcp_board *board,
                       struct ruleset *rules) {
    const struct spec *spec = spec_of(game);
    const int cells = stcp_cell_count(game) - count_cells(game, board, -1);
    ruleset_init(rules, game);
    bool found = has_shape(rules, board);
    for (int i = 0; i < game->rule_count && !found; i++)
        found = find_value(rules, &game->rules[i], board);
    if (spec->length_key && spec->length_times == 1 && // each move lays a piece
        cells - count_cells(game, board, 0) >= rule_number(rules, spec->length_key))
        set_rule(rules, spec->length_key, cells); // more than usual: until the board is full
}

static bool start_with_points(const struct bot_follower *f, const char *position, int black,
                              int white, union game_state *state) {
    char why[WHY_TEXT_MAX];
    struct buf text = {.data = NULL};
    buf_format(&text, "%s %d %d", position, black, white);
    const bool good = f->game->start(state, &f->rules, text.data, why);
    buf_done(&text);
    return good;
}

// The worth of the first so many lines of tower4; those after the hundredth are worth nothing.
static int worth_of(int lines) {
    int worth = 0;
    for (int k = 1; k <= lines; k++)
        worth += WORTHY_LINES / k;
    return worth;
}

// tower4: points that fit the lines on the board. Which do is a range, whose upper end is the worth
// of black's lines if they were the first. Of those tried that fit, the middle.
static bool guess_points(const struct bot_follower *f, const char *position,
                         union game_state *state) {
    int first = -1, last = -1, worth = 0;
    for (int all = 0; all <= WORTHY_LINES && first < 0; all++) {
        worth = worth_of(all);
        for (int own = 0; own <= all; own++) {
            const int points = worth_of(own);
            if (!start_with_points(f, position, points, worth - points, state))
                continue;
            first = first < 0 ? points : first;
            last = points;
        }
    }
    const int middle = (first + last) / 2;
    return first >= 0 && start_with_points(f, position, middle, worth - middle, state);
}

// The board as it is, and a guess at what it does not show.
static bool take_board(const struct bot_follower *f, const struct stcp_board *board,
                       union game_state *state) {
    const struct game *game = f->game;
    struct buf text = {.data = NULL};
    char why[WHY_TEXT_MAX];
    stcp_write_position(game, board, &text);
    const enum stcp_tail tail = spec_of(game)->tail;
    if (tail == STCP_TAIL_MOVES)
        buf_format(&text, " %d", 2 * f->requests + !board->is_black);
    else if (tail == STCP_TAIL_SIDE)
        buf_format(&text, " %c", board->is_black ? 'X' : 'O');
    const bool good = tail == STCP_TAIL_POINTS ? guess_points(f, text.data, state)
                                               : game->start(state, &f->rules, text.data, why);
    buf_done(&text);
    return good && shows(f, state, board);
}

// Pieces grow fewer in hopchess and more in the other games, and nobody changes colour.
static void notice_new_game(struct bot_follower *f, const struct stcp_board *board) {
    const int pieces = count_cells(f->game, board, 1) + count_cells(f->game, board, 2);
    const bool backwards = f->game->may_pass ? pieces > f->pieces : pieces < f->pieces;
    if (backwards || board->is_black != f->is_black)
        f->requests = 0;
    f->pieces = pieces;
    f->is_black = board->is_black;
}

void bot_follow_init(struct bot_follower *f, const struct game *game) {
    *f = (struct bot_follower){.game = game};
    ruleset_init(&f->rules, game);
}

bool bot_follow_board(struct bot_follower *f, const struct stcp_board *board,
                      union game_state *state) {
    struct ruleset rules;
    read_rules(f->game, board, &rules);
    f->known &= memcmp(&rules, &f->rules, sizeof rules) == 0;
    f->rules = rules;
    notice_new_game(f, board);
    f->known = follow(f, board, state) || take_board(f, board, state);
    f->requests++;
    f->asked = f->answered = *state;
    return f->known;
}

void bot_follow_answer(struct bot_follower *f, const union game_state *state) {
    assert(f->known);
    f->answered = *state;
}
