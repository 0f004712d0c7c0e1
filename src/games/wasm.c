// SPDX-License-Identifier: MIT
// The rules as a WebAssembly module: one game at a time, numbers as numbers, words through a
// buffer. Only the wasm build has this file; the rest of the folder is the same in both builds.
#include "games/game.h"
#include "games/text.h"

enum { BUFFER_SIZE = 65536 };

static char buffer[BUFFER_SIZE];
static struct ruleset rules;
static union game_state state;
static move last_read;

// Where words are read and written, ended by NUL.
char *wasm_buffer(void);
int wasm_buffer_size(void);
// Chooses a game by its number, with its name then in the buffer; -1 past the last.
int wasm_open(int game);
// Sets a rule: "key=value" in the buffer. Begins: a position in the buffer, or nothing. Both return
// 1, or 0 with the reason in the buffer.
int wasm_set(void);
int wasm_begin(void);
// The state.
int wasm_turn(void);
int wasm_due(void);
int wasm_count(void);
int wasm_ending(void); // its word is then in the buffer
int wasm_winner(void);
int wasm_has_scores(void);
int wasm_score(int player);
uint32_t wasm_hash(int high_half);
void wasm_position(void);
void wasm_draw(void);
// Moves: the n-th, its text, the one written in the buffer (1 and wasm_last_read, or 0 and why).
move wasm_nth(int n);
void wasm_write_move(move m);
int wasm_read_move(void);
move wasm_last_read(void);
int wasm_play(move m);
int wasm_legal(move m); // 1, or 0 and why

static int refuse(const char *why) {
    text_copy(buffer, BUFFER_SIZE, why);
    return 0;
}

char *wasm_buffer(void) { return buffer; }

int wasm_buffer_size(void) { return BUFFER_SIZE; }

int wasm_open(int game) {
    if (game < 0 || game >= game_count())
        return -1;
    ruleset_init(&rules, game_nth(game));
    text_copy(buffer, BUFFER_SIZE, game_nth(game)->name);
    return game;
}

int wasm_set(void) {
    char *value = buffer, why[WHY_TEXT_MAX];
    while (*value && *value != '=')
        value++;
    if (!*value)
        return refuse("a rule is set by key=value");
    *value++ = '\0';
    return ruleset_set(&rules, buffer, value, why) ? 1 : refuse(why);
}

int wasm_begin(void) {
    char why[WHY_TEXT_MAX];
    return rules.game->start(&state, &rules, *buffer ? buffer : NULL, why) ? 1 : refuse(why);
}

int wasm_turn(void) { return rules.game->turn(&state); }

int wasm_due(void) { return rules.game->due(&state); }

int wasm_count(void) { return rules.game->count(&state); }

int wasm_ending(void) {
    const int ending = rules.game->outcome(&state).ending;
    text_copy(buffer, BUFFER_SIZE, game_ending_word(rules.game, ending));
    return ending;
}

int wasm_winner(void) { return rules.game->outcome(&state).winner; }

int wasm_has_scores(void) { return rules.game->has_scores; }

int wasm_score(int player) {
    int scores[2];
    rules.game->scores(&state, scores);
    return scores[player == 2];
}

uint32_t wasm_hash(int high_half) {
    return (uint32_t)(game_hash(rules.game, &state) >> (high_half ? 32 : 0));
}

void wasm_position(void) { rules.game->write_state(&state, buffer); }

void wasm_draw(void) { rules.game->draw(&state, false, buffer); }

move wasm_nth(int n) { return rules.game->nth(&state, n); }

void wasm_write_move(move m) { rules.game->write_move(&state, m, buffer); }

int wasm_read_move(void) {
    const char *why = rules.game->read_move(&state, buffer, &last_read);
    return why ? refuse(why) : 1;
}

move wasm_last_read(void) { return last_read; }

int wasm_play(move m) {
    const char *why = game_play(rules.game, &state, m);
    return why ? refuse(why) : 1;
}

int wasm_legal(move m) {
    const char *why = rules.game->illegal(&state, m);
    return why ? refuse(why) : 1;
}
