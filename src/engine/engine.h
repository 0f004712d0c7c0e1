// SPDX-License-Identifier: MIT
// The built-in players. An engine is a constant per game; a brain is one player's use of it.
// A brain belongs to one thread of its caller; it works only while it is called, keeps its table
// from one move to the next, and stays below 1 GB.
#pragma once

#include "base/buf.h"
#include "base/json.h"
#include "base/rungs.h"
#include "games/game.h"

#include <assert.h>
#include <string.h>

enum { PV_MAX = 64, ENGINE_THREATS_MAX = 64 };

// When a brain must have answered; what is 0 does not limit. With no limit at all it answers when
// it knows the value, or has searched as deep as it ever does.
struct limits {
    int64_t time_us; // from the call to the return
    // Positions looked at, by each thread. With one thread the same position and number give the
    // same answer, whatever was thought before: a mind forgets when it gets such a limit.
    uint64_t nodes;
    bool curious; // thinks as long of a position where there is nothing to choose
    // Answers that are not to be considered, of which there must be another: a move, or the two of
    // a turn in any order; where the second is MOVE_PASS, every turn that holds the first.
    const move (*except)[2];
    int except_count;
};

// Whether an answer of one move, or of two if the second is not MOVE_PASS, is not to be considered.
static inline bool limits_except(const struct limits *limits, move a, move b) {
    for (int i = 0; i < limits->except_count; i++) {
        const move x = limits->except[i][0], y = limits->except[i][1];
        if (y == MOVE_PASS ? a == x || b == x : (a == x && b == y) || (a == y && b == x))
            return true;
    }
    return false;
}

struct thought {
    move pv[PV_MAX]; // the best move, and what is expected to follow; moves of either player
    int length;      // at least 1
    int value;       // for the player to move; the engine tells it to people
    bool exact;      // the value is proven under the rules
    int depth;       // plies searched; of the last full search
    uint64_t nodes;
};

// What is counted, in words: "piece", "pieces".
struct counted {
    const char *one, *many;
    int in_one; // of the units of a value
};

struct engine {
    const char *game; // NULL: any
    const char *unit; // of what people are told of a value
    struct counted counted;
    bool counts_plies; // a value is the plies to the end, + won, - lost
    int win;           // a value of so much, less the turns of both until then: won; or 0
    bool thinks_turns; // a thought holds all moves of a turn, so one gets all its time

    // A mind for one ruleset; thinks with so many threads.
    void *(*new)(const struct ruleset *rules, int threads);
    void (*free)(void *mind);
    // Gives a new mind what was learned of a game, with the checksum of its rules. False with an
    // error if it cannot be used. NULL where nothing can be given.
    bool (*teach)(void *mind, const char *sum, const void *bytes, size_t size, struct err *err);
    // Fills in the thought. The game is not over. If `only` is not MOVE_PASS it is the one move to
    // consider: the value is then what it is worth.
    void (*think)(void *mind, const void *state, const struct limits *limits, move only,
                  struct thought *thought);
    // What a player threatens to win by at once: moves, or pairs of moves, of one turn; the second
    // is MOVE_PASS if one is enough. Fills in up to ENGINE_THREATS_MAX, returns how many. NULL
    // where the game has no such thing.
    int (*threats)(void *mind, const void *state, int player, move (*list)[2]);
    // A value of a position in the unit of the game. NULL where it is in that unit already.
    double (*tell)(const void *state, int value);
    // What there is to say of a position besides its value, for people: a line of text each. NULL
    // where there is nothing.
    void (*explain)(const struct ruleset *rules, const void *state, struct buf *out);
    // The same for programs: an object whose members stand in what `analyse --json` prints. NULL
    // where explain is.
    json_t *(*facts)(const struct ruleset *rules, const void *state);
};

// Those of one game, ended by NULL.
extern const struct engine *const engines[];
// The engine of that game; NULL: it has none of its own.
const struct engine *engine_find(const char *game);
// What plays a game: its own engine, or the general one.
const struct engine *engine_for(const struct game *game);

// What a rule of the game is set to.
static inline const char *engine_rule(const struct ruleset *rules, const char *key) {
    int i = 0;
    while (i < rules->game->rule_count && strcmp(rules->game->rules[i].key, key) != 0)
        i++;
    assert(i < rules->game->rule_count);
    return rules->text[i];
}
// As the engine's tell.
double engine_tell(const struct engine *engine, const void *state, int value);
// Of two values of an engine, the one with the greater worth is better for the player to move.
int engine_worth(const struct engine *engine, int value);

struct brain;

// Plays by the rung of that level, and draws what it misses from the seed.
struct brain *brain_new(const struct ruleset *rules, enum level level, int threads, uint64_t seed);
// The same, but by the general engine and the rungs of any game, whatever this one has of its own.
struct brain *brain_new_general(const struct ruleset *rules, enum level level, int threads,
                                uint64_t seed);
void brain_free(struct brain *brain);
// Another rung than that of its level.
void brain_set_rung(struct brain *brain, const struct rung *rung);
const struct engine *brain_engine(const struct brain *brain); // NULL: it plays at random
// As the engine's teach; before it has thought. False, without an error, where it cannot be taught.
bool brain_teach(struct brain *brain, const char *sum, const void *bytes, size_t size,
                 struct err *err);
void brain_seed(struct brain *brain, uint64_t seed); // from now on it draws from this one
// The game must not be over. The level is observed.
void brain_think(struct brain *brain, const void *state, const struct limits *limits,
                 struct thought *thought);
// As brain_think, at full strength, of one move alone.
void brain_weigh(struct brain *brain, const void *state, move only, const struct limits *limits,
                 struct thought *thought);
// As the engine's threats; 0 where there is no such thing.
int brain_threats(struct brain *brain, const void *state, int player, move (*list)[2]);
// What to think with when the judge waits for so long: less what the way there and back takes.
int64_t brain_time_us(int64_t judged_us);
