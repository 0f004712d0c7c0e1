// SPDX-License-Identifier: MIT
// The rules as a WebAssembly module: one game at a time, numbers as numbers, words through a
// buffer. Only the wasm builds have this file; the rest of the folder is the same in all builds.
//
// There are two: the browser's module holds all games of the registry; that of a folder holds the
// one game that WASM_GAME names, and calls it directly, so that the compiler sees through.
// docs/adding-a-game.md lists the exports for those who write a module in another language.
#include "games/game.h"
#include "games/text.h"

enum { BUFFER_SIZE = 65536 };

#ifdef WASM_GAME
extern const struct game WASM_GAME;
#define GAME (&WASM_GAME)
#define GAMES 1
#else
#define GAME rules.game
#define GAMES game_count()
#endif

static _Alignas(move) char buffer[BUFFER_SIZE];
static struct ruleset rules;
static union game_state state;
static move last_read;

#pragma GCC visibility push(default) // these alone are exported

// Where words are read and written, ended by NUL.
char *wasm_buffer(void);
int wasm_buffer_size(void);
// Chooses a game by its number, with its name then in the buffer; -1 past the last.
int wasm_open(int game);
// What struct game says of it, a line each: a word, and its values separated by tabs.
void wasm_facts(void);
// Sets a rule: "key=value" in the buffer. Begins: a position in the buffer, or nothing. Both return
// 1, or 0 with the reason in the buffer.
int wasm_set(void);
int wasm_begin(void);
// The state, whose bytes may be taken away and put back.
void *wasm_state(void);
int wasm_turn(void);
int wasm_due(void);
int wasm_count(void);
int wasm_ending(void); // its word is then in the buffer
int wasm_winner(void);
int wasm_outcome(void); // four times the ending, and the winner
int wasm_has_scores(void);
int wasm_score(int player);
uint32_t wasm_hash(int high_half);
void wasm_position(void);
void wasm_draw(int colour);
// Moves: the n-th, all as numbers in the buffer as far as there is room, the text of one, the one
// written in the buffer (1 and wasm_last_read, or 0 and why).
move wasm_nth(int n);
int wasm_moves(void);
void wasm_write_move(move m);
int wasm_read_move(void);
move wasm_last_read(void);
int wasm_play(move m);
void wasm_apply(move m); // as struct game has it: it is known to be legal
int wasm_legal(move m);  // 1, or 0 and why

#pragma GCC visibility pop

static int refuse(const char *why) {
    text_copy(buffer, BUFFER_SIZE, why);
    return 0;
}

char *wasm_buffer(void) { return buffer; }

int wasm_buffer_size(void) { return BUFFER_SIZE; }

int wasm_open(int game) {
    if (game < 0 || game >= GAMES)
        return -1;
#ifndef WASM_GAME
    rules.game = game_nth(game);
#endif
    ruleset_init(&rules, GAME);
    text_copy(buffer, BUFFER_SIZE, GAME->name);
    return game;
}

// A line of facts: a word, and texts or numbers behind it.
static void put_text(struct text *t, const char *words) {
    text_put_char(t, '\t');
    for (; words && *words; words++)
        text_put_char(t, *words == '\t' || *words == '\n' ? ' ' : *words);
}

static void put_number(struct text *t, int n) {
    text_put_char(t, '\t');
    text_put_number(t, n);
}

static void put_rule(struct text *t, const struct rule *rule) {
    text_put(t, "rule");
    put_text(t, rule->key);
    put_text(t, rule->standard);
    put_text(t, rule->help);
    put_text(t, rule->words);
    put_number(t, rule->min);
    put_number(t, rule->max);
    put_text(t, rule->form);
    text_put_char(t, '\n');
}

void wasm_facts(void) {
    const struct {
        const char *word;
        int number;
    } numbers[] = {{"width", GAME->width},
                   {"height", GAME->height},
                   {"distinct_moves", (int)GAME->distinct_moves},
                   {"moves_max", GAME->moves_max},
                   {"plies_max", GAME->plies_max},
                   {"state_size", (int)GAME->state_size},
                   {"has_scores", GAME->has_scores},
                   {"may_pass", GAME->may_pass}};
    struct text t = text_begin(buffer, BUFFER_SIZE);
    text_put(&t, "name");
    put_text(&t, GAME->name);
    text_put(&t, "\ntitle");
    put_text(&t, GAME->title);
    text_put_char(&t, '\n');
    for (int i = 0; i < (int)(sizeof numbers / sizeof *numbers); i++) {
        text_put(&t, numbers[i].word);
        put_number(&t, numbers[i].number);
        text_put_char(&t, '\n');
    }
    for (int i = 0; i < GAME->rule_count; i++)
        put_rule(&t, &GAME->rules[i]);
    for (int i = 0; i < GAME->ending_count; i++) {
        text_put(&t, "ending");
        put_text(&t, GAME->endings[i].word);
        put_text(&t, GAME->endings[i].sentence);
        text_put_char(&t, '\n');
    }
}

void *wasm_state(void) { return &state; }

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
    return GAME->start(&state, &rules, *buffer ? buffer : NULL, why) ? 1 : refuse(why);
}

int wasm_turn(void) { return GAME->turn(&state); }

int wasm_due(void) { return GAME->due(&state); }

int wasm_count(void) { return GAME->count(&state); }

int wasm_ending(void) {
    const int ending = GAME->outcome(&state).ending;
    text_copy(buffer, BUFFER_SIZE, game_ending_word(GAME, ending));
    return ending;
}

int wasm_winner(void) { return GAME->outcome(&state).winner; }

int wasm_outcome(void) {
    const struct outcome end = GAME->outcome(&state);
    return end.ending * 4 + (end.winner & 3);
}

int wasm_has_scores(void) { return GAME->has_scores; }

int wasm_score(int player) {
    int scores[2];
    GAME->scores(&state, scores);
    return scores[player == 2];
}

uint32_t wasm_hash(int high_half) {
    return (uint32_t)(game_hash(GAME, &state) >> (high_half ? 32 : 0));
}

void wasm_position(void) { GAME->write_state(&state, buffer); }

void wasm_draw(int colour) { GAME->draw(&state, colour, buffer); }

move wasm_nth(int n) { return GAME->nth(&state, n); }

int wasm_moves(void) {
    _Static_assert(sizeof(move) == 4, "a move is a word of the module");
    if (GAME->moves_max > BUFFER_SIZE / (int)sizeof(move))
        return 0;
    return GAME->moves(&state, (move *)(void *)buffer);
}

void wasm_write_move(move m) { GAME->write_move(&state, m, buffer); }

int wasm_read_move(void) {
    const char *why = GAME->read_move(&state, buffer, &last_read);
    return why ? refuse(why) : 1;
}

move wasm_last_read(void) { return last_read; }

int wasm_play(move m) {
    const char *why = game_play(GAME, &state, m);
    return why ? refuse(why) : 1;
}

void wasm_apply(move m) { GAME->apply(&state, m); }

int wasm_legal(move m) {
    const char *why = GAME->illegal(&state, m);
    return why ? refuse(why) : 1;
}
