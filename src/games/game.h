// SPDX-License-Identifier: MIT
// What a game is: a constant with facts and functions. A state is plain memory without pointers,
// copied and compared by its bytes; a move is a number.
// The caller owns every state, array and text; nothing here allocates or keeps a pointer.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t move;

// Who is who: black begins. Where it may be neither, 0 is nobody.
enum side { BLACK = 1, WHITE = 2 };

static inline int side_other(int side) { return BLACK + WHITE - side; }

#define MOVE_PASS UINT32_MAX // a turn skipped by the referee; never listed as legal

// Bounds of all games; what others than ours would need is measured in
// docs/decisions/0022-bounds.md. States are copied by the game's own state_size, so room costs
// nothing but memory.
enum {
    GAME_RULES_MAX = 16,   // switches of one game
    GAME_STATE_MAX = 8192, // bytes of the largest state
    RULE_TEXT_MAX = 256,   // a switch's value
    MOVE_TEXT_MAX = 640,   // the longest move: a hopchess path of 100 squares
    STATE_TEXT_MAX = 8192, // the longest position
    DRAW_TEXT_MAX = 32768, // the largest picture, in colour
    WHY_TEXT_MAX = 240,    // a refusal
};

// A way in which the rules of a game can end it.
struct ending {
    const char *word;     // for machines
    const char *sentence; // for people
};

enum { ENDING_RUNNING = 0 }; // the first of every game: it goes on
#define ENDING_RUNNING_WORDS                                                                       \
    { "", "the game goes on" }

struct outcome {
    int ending; // a place among the game's endings
    int winner; // 1 or 2; 0 for a draw and for a running game
};

// One switch of a game's rules, as in --set key=value.
struct rule {
    const char *key;
    const char *standard; // the value when nothing is said
    const char *help;
    const char *words; // the values accepted, "a|b|c"; NULL for a number
    int min, max;      // the numbers accepted; both 0 for a text that the game itself reads
    const char *form;  // of such a text: what is accepted
};

// A value for every switch of a game: its number (or place among the words), and its text.
struct ruleset {
    const struct game *game;
    int number[GAME_RULES_MAX];
    char text[GAME_RULES_MAX][RULE_TEXT_MAX];
};

struct game {
    const char *name;         // one word, as on the command line
    const char *title;        // for people
    int width, height;        // of the board under standard rules
    uint32_t distinct_moves;  // every move but MOVE_PASS is below this
    int moves_max;            // legal moves of any position, at most
    int plies_max;            // moves of any game, at most, under any ruleset
    size_t state_size;        // bytes of a state, at most GAME_STATE_MAX
    bool has_scores;          // scores mean something
    bool may_pass;            // the referee may skip a turn: MOVE_PASS can be applied
    const struct rule *rules; // the switches, in the order of struct ruleset
    int rule_count;
    const struct ending *endings; // the first is ENDING_RUNNING_WORDS
    int ending_count;

    // Lays the first position, or the one written in `position` unless it is NULL. Returns false
    // and says why when the values do not fit together or the position is not one.
    bool (*start)(void *state, const struct ruleset *rules, const char *position,
                  char why[static WHY_TEXT_MAX]);
    // Who moves: 1 or 2; 0 when the game is over. Whoever moves has at least one legal move.
    int (*turn)(const void *state);
    // How many moves the rest of the turn holds, at least 1; 1 when the game is over.
    int (*due)(const void *state);
    // How many legal moves; 0 exactly when the game is over.
    int (*count)(const void *state);
    // The n-th of them from 0, in ascending order, without listing them.
    move (*nth)(const void *state, int n);
    // Lists them, ascending and distinct, into an array of moves_max; returns their count.
    int (*moves)(const void *state, move *list);
    // Why this move cannot be played now, or NULL if it is legal. Takes any number.
    const char *(*illegal)(const void *state, move m);
    // Plays a move known to be legal, or MOVE_PASS where turns may be skipped.
    void (*apply)(void *state, move m);
    struct outcome (*outcome)(const void *state);
    // The score of both players as it stands; zeros where the game has none.
    void (*scores)(const void *state, int scores[static 2]);
    // A legal move as text, and back. Reading takes any text and returns why it is no move, or
    // NULL; what it reads may still be illegal.
    void (*write_move)(const void *state, move m, char text[static MOVE_TEXT_MAX]);
    const char *(*read_move)(const void *state, const char *text, move *m);
    // The position in one line; start() under the same rules gives back the same bytes.
    void (*write_state)(const void *state, char text[static STATE_TEXT_MAX]);
    // The board as a picture of several lines, with ANSI colours if asked for.
    void (*draw)(const void *state, bool colour, char text[static DRAW_TEXT_MAX]);
};

// The fields of a struct game for which a file has something of the same name. The others it names
// itself: the facts, what games share (due, scores), and what variants change (start, outcome).
#define GAME_BY_NAME                                                                               \
    .endings = endings, .ending_count = sizeof endings / sizeof *endings, .turn = turn,            \
    .count = count, .nth = nth, .moves = moves, .illegal = illegal, .apply = apply,                \
    .write_move = write_move, .read_move = read_move, .write_state = write_state, .draw = draw

// A state of any game, for a caller's variable; copied by memcpy of state_size bytes.
union game_state {
    uint64_t align;
    unsigned char bytes[GAME_STATE_MAX];
};

// The games there are: how many, the n-th from 0, and the one of a name; NULL if there is none.
int game_count(void);
const struct game *game_nth(int n);
const struct game *game_find(const char *name);
// Games that come from outside of this program, behind those of the list. The n-th may be one
// whose functions must not be called until it was found by its name.
struct game_source {
    int (*count)(void);
    const struct game *(*nth)(int n);
    const struct game *(*find)(const char *name);
};
void game_set_source(const struct game_source *source);
// Puts the functions of another in the place of a game's own; its facts stay.
void game_take_functions(struct game *game, const struct game *from);

// All switches at their standard values; then one changed, or refused with what is accepted.
void ruleset_init(struct ruleset *rules, const struct game *game);
bool ruleset_set(struct ruleset *rules, const char *key, const char *value,
                 char why[static WHY_TEXT_MAX]);
// Whether every switch is as the game has it when nothing is said.
bool ruleset_is_standard(const struct ruleset *rules);
// What a switch accepts, in words.
void rule_describe(const struct rule *rule, char text[static WHY_TEXT_MAX]);

// Plays a move if it is legal (or a pass where turns may be skipped); returns why not, or NULL.
const char *game_play(const struct game *game, void *state, move m);
// Plays moves separated by ';' until one is refused; an empty text or last part is no move. Cuts
// `line` at the separators, counts the moves in `ply`, and leaves the refused one in `bad`.
const char *game_play_line(const struct game *game, void *state, char *line, int *ply, char **bad);
bool game_is_over(const struct game *game, const void *state);
// The `due` of games whose turns hold one move, and the `scores` of games that have none.
int game_due_one(const void *state);
void game_scores_none(const void *state, int scores[static 2]);
// A 64-bit key of a state: equal states have equal keys.
uint64_t game_hash(const struct game *game, const void *state);
const char *game_ending_word(const struct game *game, int ending);
const char *game_ending_sentence(const struct game *game, int ending);
