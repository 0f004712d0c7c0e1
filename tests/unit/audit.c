// SPDX-License-Identifier: MIT
// Records that are true pass; whatever is changed in one of them is found out, also by somebody who
// makes the sum right again. That every record the referee can make passes is checked by sessions.c
// and fuzz_match.c too.
#include "referee/audit.h"

#include "base/mem.h"
#include "check.h"
#include "referee/record.h"

#include <stdlib.h>
#include <string.h>

// A game between abp players, told as events. Times count from the request before.
struct step {
    int player;
    int64_t after_us;
    const char *says; // a line; or one of the words below
};

#define DEADLINE "(deadline)"    // the time that the referee wanted is told
#define STARVED "(starved)"      // so long the player was kept from running, as deadlines tell
#define OVERSLEPT "(overslept)"  // the referee looks so late, and reads what follows
#define EXITS "(exits)"          // with code 3
#define FLOODS "(floods)"        // two million bytes
#define NEVER_READY "(unready)"  // the start time is over
#define REFUSES "refuse no such" // before the game
#define LEAVES "(leaves)"        // before the other is ready; then the match is broken off
#define RESIGNS "(resigns)"      // a person
#define AGREE "(agree)"          // two persons

struct plan {
    const char *name, *game;
    const char *sets[4];
    const char *time, *blocks; // conditions
    int opening_plies;
    const char *opening; // given
    int number;
    bool swap, human;
    bool people; // two persons play, and the limit holds for them
    struct step steps[12];
};

static const struct plan plans[] = {
    {.name = "paid", // all that is paid for by moves, and credit
     .game = "tower4",
     .sets = {"pieces=6"},
     .time = "5",
     .number = 1,
     .steps = {{1, 1000, "move id=1 2,2"},
               {1, 200, "move id=99 1,1"}, // out of turn
               {2, 1500, "move id=1 9,9"},
               {1, 250000, STARVED},
               {1, 5000000, DEADLINE},
               {1, 5250000, DEADLINE},
               {2, 2000, "move id=2 2,2"},
               {1, 500000, STARVED},
               {1, 5000000, DEADLINE},
               {1, 5300000, "move id=3 3,3"},
               {2, 70, "move id=77 1,1"}}}, // in turn
    {.name = "skipped",
     .game = "hopchess",
     .sets = {"max_moves=2", "invalid_transfer=illegal"},
     .time = "5",
     .number = 2,
     .swap = true,
     .steps = {{1, 1000, "move id=1 pass"},
               {2, 5000000, DEADLINE},
               {1, 3000, "move id=2 2,2 2,3"},
               {2, 3000, "move id=50 2,2 2,3"}}},
    {.name = "drawn", // conditions from the seed, and lost by the second stone
     .game = "connect6",
     .time = "2..7",
     .blocks = "random:4",
     .number = 5,
     .swap = true,
     .steps = {{1, 1000, "move id=1 9,9"},
               {2, 1000, "move id=1 8,8; 8,9"},
               {1, 1900000, "move id=2 10,10; 9,9"}}},
    {.name = "late",
     .game = "connect6",
     .sets = {"blocks=1,1 2,2", "size=9"},
     .time = "0.5",
     .number = 1,
     .steps = {{1, 1000, "move id=1 4,4"},
               {2, 100000, STARVED},
               {2, 500000, DEADLINE},
               {2, 600000, DEADLINE}}},
    {.name = "overslept",
     .game = "cuptactoe",
     .sets = {"max_turns=3"},
     .time = "3",
     .number = 1,
     .steps = {{1, 10, "move id=1 3 0"},
               {2, 3500000, OVERSLEPT},
               {2, 3500000, "move id=1 3 8"},
               {1, 10, "move id=2 1 1"}}},
    {.name = "aborted",
     .game = "reversi",
     .time = "5",
     .opening_plies = 4,
     .number = 9,
     .steps = {{1, 10, "move id=1 what"}}},
    {.name = "given",
     .game = "reversi",
     .sets = {"board=othello", "illegal=lose"},
     .time = "off",
     .opening = "2,3; 2,2",
     .number = 1,
     .steps = {{1, 90000000, "move id=1 0,0"}}},
    {.name = "gone",
     .game = "hopchess",
     .time = "5",
     .human = true,
     .number = 1,
     .steps = {{1, 60000000, "move id=1 2,2 2,3"}, {2, 5, EXITS}}},
    {.name = "flood", .game = "tower4", .time = "5", .number = 1, .steps = {{2, 5, FLOODS}}},
    {.name = "transfer",
     .game = "hopchess",
     .time = "5",
     .number = 1,
     .steps = {{2, 5, "move id=5 1,1"}}}, // out of turn, and it loses
    {.name = "refused", .game = "reversi", .time = "5", .number = 1, .steps = {{2, 5, REFUSES}}},
    {.name = "unready",
     .game = "reversi",
     .time = "5",
     .number = 1,
     .steps = {{0, 5, NEVER_READY}}},
    {.name = "half", .game = "reversi", .time = "5", .number = 1, .steps = {{1, 5, LEAVES}}},
    {.name = "resigned", // the first turn of each may take any time
     .game = "reversi",
     .time = "5",
     .people = true,
     .number = 1,
     .steps = {{1, 60000000, "3,3"}, {2, 70000000, "3,4"}, {1, 4000000, "3,5"}, {1, 5, RESIGNS}}},
    {.name = "agreed",
     .game = "connect6",
     .time = "off",
     .people = true,
     .number = 1,
     .steps = {{1, 10, "9,9"}, {2, 10, "8,8;8,9"}, {0, 5, AGREE}}},
    {.name = "slow",
     .game = "cuptactoe",
     .time = "5",
     .people = true,
     .number = 1,
     .steps = {{1, 9000000, "1 0"}, {2, 10, "1 8"}, {1, 5000000, DEADLINE}}},
};

enum { PLANS = sizeof plans / sizeof *plans, SEED = 7 };

struct stage {
    struct match_config config;
    struct conditions conditions;
    struct wire wire[2];
    struct match *match;
    struct lateness lateness;
    int64_t asked_us;
    char *opening;
    bool people;
};

static void set_key(struct stage *s, const char *text) {
    char key[40], why[WHY_TEXT_MAX];
    struct err err = {.set = false};
    const char *value = strchr(text, '=') + 1;
    snprintf(key, sizeof key, "%.*s", (int)(value - 1 - text), text);
    if (penalties_has(key))
        assert_true(penalties_set(&s->config.penalties, s->config.rules.game, key, value, &err));
    else
        assert_true(ruleset_set(&s->config.rules, key, value, why));
}

// As a series draws them.
static void draw(struct stage *s, const struct plan *p) {
    struct err err = {.set = false};
    struct rng rng = conditions_rng(SEED, (p->number - 1) / (p->swap ? 2 : 1));
    conditions_init(&s->conditions, s->config.rules.game);
    assert_true(conditions_time(&s->conditions, p->time, &err));
    s->conditions.random_blocks = p->blocks && conditions_blocks(&s->conditions, p->blocks, &err);
    s->conditions.opening_plies = p->opening_plies;
    s->config.time_us = conditions_draw_time(&s->conditions, &rng);
    conditions_draw_blocks(&s->conditions, &s->config.rules, NULL, &rng);
    if (p->opening_plies)
        s->opening = conditions_draw_opening(&s->conditions, &s->config.rules, &rng);
    else if (p->opening)
        s->opening = mem_text(p->opening);
    s->config.opening = s->opening;
}

static void drain(struct stage *s, int64_t now_us) {
    struct action a;
    while (match_next(s->match, &a)) {
        if (a.kind == ACTION_ASK)
            s->asked_us = now_us;
        if (a.kind != ACTION_SEND)
            continue;
        if (match_awaits(s->match) == a.player)
            s->asked_us = now_us;
        match_sent(s->match, a.player, now_us, 0);
    }
}

static void say(struct stage *s, int player, const char *line, int64_t now_us) {
    struct buf text = {.data = NULL};
    buf_format(&text, "%s\n", line);
    match_bytes(s->match, player, text.data, text.length, now_us, 250);
    buf_done(&text);
}

static void flood(struct stage *s, int player, int64_t now_us) {
    static char bytes[2000000];
    memset(bytes, '\n', sizeof bytes);
    match_bytes(s->match, player, bytes, sizeof bytes, now_us, 250);
}

static void happen(struct stage *s, const struct step *step) {
    const struct departure exit = {.exited = true, .code = 3, .closed = true};
    const int64_t now_us = s->asked_us + step->after_us;
    if (strcmp(step->says, DEADLINE) == 0 || strcmp(step->says, NEVER_READY) == 0)
        match_deadline(s->match, &s->lateness, now_us, 250);
    else if (strcmp(step->says, STARVED) == 0)
        s->lateness.cpu_wait_us = step->after_us;
    else if (strcmp(step->says, OVERSLEPT) == 0)
        match_excuse(s->match,
                     &(struct lateness){.woken_late_us = step->after_us - s->config.time_us});
    else if (strcmp(step->says, EXITS) == 0 || strcmp(step->says, LEAVES) == 0)
        match_gone(s->match, step->player, &exit, now_us);
    else if (strcmp(step->says, FLOODS) == 0)
        flood(s, step->player, now_us);
    else if (strcmp(step->says, RESIGNS) == 0)
        match_resign(s->match, step->player);
    else if (strcmp(step->says, AGREE) == 0)
        match_agree(s->match);
    else if (s->people)
        match_play(s->match, step->player, step->says, now_us);
    else
        say(s, step->player, step->says, now_us);
    drain(s, now_us);
}

// Both join; who refuses or never answers does so instead of being ready.
static void greet(struct stage *s, const struct plan *p) {
    match_start(s->match, 0);
    for (int player = 1; player <= 2; player++) {
        match_joined(s->match, player, 0);
        drain(s, 0);
    }
    if (p->people)
        return;
    const char *first = p->steps[0].says;
    for (int player = 1;
         player <= 2 && strcmp(first, NEVER_READY) != 0 && strcmp(first, LEAVES) != 0; player++)
        if (player == 1 || strcmp(first, REFUSES) != 0)
            say(s, player, "ready Somebody", 0);
    drain(s, 0);
}

// A record as it is written and read again, with a sum that is right.
static json_t *seal(json_t *take_record) {
    json_object_del(take_record, "sum");
    char *line = record_line(take_record);
    json_t *again = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(again);
    free(line);
    json_decref(take_record);
    return again;
}

static json_t *play(const struct plan *p) {
    struct stage s = {.config = {.start_us = {5, 5}, .untimed = {p->human}}, .people = p->people};
    ruleset_init(&s.config.rules, game_find(p->game));
    penalties_init(&s.config.penalties, game_find(p->game));
    for (int i = 0; i < 4 && p->sets[i]; i++)
        set_key(&s, p->sets[i]);
    draw(&s, p);
    for (int i = 0; i < 2; i++)
        wire_init(&s.wire[i], &wire_abp);
    s.match =
        p->people ? match_new(&s.config, NULL, NULL) : match_new(&s.config, &s.wire[0], &s.wire[1]);
    assert_non_null(s.match);
    greet(&s, p);
    for (const struct step *step = p->steps; step->says; step++)
        happen(&s, step);
    if (!match_is_over(s.match))
        match_abort(s.match, "enough");
    struct player_limits limits;
    player_limits_init(&limits, s.config.rules.game);
    const struct record_info info = {
        .players = {p->human || p->people ? "human" : "abp:./a", p->people ? "human" : "random"},
        .names = {"A", ""},
        .seed = SEED,
        .number = p->number,
        .swap = p->swap,
        .conditions = &s.conditions,
        .limits = &limits};
    json_t *record = record_make(s.match, &s.config, &info);
    match_free(s.match);
    wire_done(&s.wire[0]);
    wire_done(&s.wire[1]);
    free(s.opening);
    return seal(record);
}

static const struct plan *find_plan(const char *name) {
    for (int i = 0; i < PLANS; i++)
        if (strcmp(plans[i].name, name) == 0)
            return &plans[i];
    fail_msg("no plan %s", name);
    return NULL;
}

// What the plans are there for: how each game ends.
static void test_true_ones(void **state) {
    (void)state;
    static const char *const ends[][4] = {
        {"paid", "pieces", "null", "invalid-transfer"},
        {"skipped", "moves", "null", "illegal"},
        {"drawn", "forfeit", "2", "illegal"},
        {"late", "forfeit", "1", "late"},
        {"overslept", "turns", "2", ""},
        {"aborted", "aborted", "null", "illegal"},
        {"given", "forfeit", "2", "illegal"},
        {"gone", "forfeit", "1", "gone"},
        {"flood", "forfeit", "1", "flood"},
        {"transfer", "forfeit", "1", "invalid-transfer"},
        {"refused", "forfeit", "1", "refused"},
        {"unready", "forfeit", "null", "not-ready"},
        {"half", "aborted", "null", "not-ready"},
        {"resigned", "resigned", "2", ""},
        {"agreed", "agreed", "0", ""},
        {"slow", "forfeit", "2", "late"},
    };
    assert_int_equal(sizeof ends / sizeof *ends, PLANS);
    for (int i = 0; i < PLANS; i++) {
        char why[WHY_TEXT_MAX], winner[8] = "null";
        json_t *record = play(find_plan(ends[i][0]));
        const char *wrong = audit_check(record, why);
        if (wrong)
            fail_msg("%s: %s", ends[i][0], wrong);
        const json_t *won = json_object_get(record, "winner");
        if (json_is_integer(won) && (json_integer_value(won) > 0 || ends[i][2][0] == '0'))
            snprintf(winner, sizeof winner, "%d", (int)json_integer_value(won));
        assert_string_equal(json_string_value(json_object_get(record, "reason")), ends[i][1]);
        assert_string_equal(winner, ends[i][2]);
        const char *word =
            json_string_value(json_object_get(json_object_get(record, "verdict"), "word"));
        assert_string_equal(word ? word : "", ends[i][3]);
        json_decref(record);
    }
}

// One change: the place, keys and numbers separated by dots, and the value there, NULL to take it
// away. What the check says must hold the words.
struct change {
    const char *plan, *place, *value, *says;
};

static const struct change changes[] = {
    // structure and types
    {"paid", "game", "\"chess\"", "there is no game chess"},
    {"paid", "game", "7", "game is no text"},
    {"paid", "game", "null", "game is no text"},
    {"paid", "game", NULL, "there is no game"},
    {"paid", "extra", "1", "the record has a field 'extra'"},
    {"paid", "players", "null", "players is no list of 2"},
    {"paid", "players", "[\"a\"]", "players is no list of 2"},
    {"paid", "players.0", "null", "the first of players is no text"},
    {"paid", "players.1", "\"\"", "players has an empty text"},
    {"paid", "names", "null", "names is no list of 2"},
    {"paid", "names.1", "2", "the second of names is no text"},
    {"paid", "winner", "\"1\"", "winner is no whole number from 0 to 2"},
    {"paid", "winner", "3", "winner is no whole number from 0 to 2"},
    {"paid", "winner", "1.0", "winner is no whole number from 0 to 2"},
    {"paid", "scores", "[0]", "scores is no list of 2"},
    {"paid", "scores.0", "\"0\"", "a score is no whole number"},
    {"paid", "reason", "null", "reason is no text"},
    {"paid", "plies", "\"6\"", "plies is no whole number"},
    {"paid", "plies", "-1", "plies is no whole number"},
    {"paid", "plies", "1000000", "plies is no whole number"},
    {"paid", "plies", "5", "moves is no list of 5"},
    {"paid", "moves", "\"2,2\"", "moves is no list of 6"},
    {"paid", "moves.0", "2", "a move is no text"},
    {"paid", "ms", "null", "ms is no list of 6"},
    {"paid", "ms.0", "-1", "one of ms is no time"},
    {"paid", "ms.0", "\"1\"", "one of ms is no time"},
    {"paid", "ms.0", "null", "one of ms is no time"},
    {"paid", "ms.0", "1e300", "one of ms is no time"},
    {"paid", "cpu_ms", "[]", "cpu_ms is no list of 6"},
    {"paid", "cpu_ms.0", "-1", "one of cpu_ms is no time"},
    {"paid", "cpu_ms.0", "\"1\"", "one of cpu_ms is no time"},
    {"paid", "credit_ms", "[]", "credit_ms is no list of 6"},
    {"paid", "credit_ms", "[0,0,0,0,0,0]", "credit_ms holds nothing"},
    {"paid", "credit_ms.0", "-1", "one of credit_ms is no time"},
    {"paid", "by_referee", "null", "by_referee is no list"},
    {"paid", "by_referee", "[1,1]", "by_referee is no ascending list of moves"},
    {"paid", "by_referee", "[1,6]", "by_referee is no ascending list of moves"},
    {"paid", "by_referee", "[\"1\"]", "by_referee is no ascending list of moves"},
    {"paid", "settings", "null", "settings is no object"},
    {"paid", "settings.size", "9", "settings has a field 'size'"},
    {"paid", "settings.ponder", "\"think\"", "settings: ponder cannot be 'think'"},
    {"paid", "settings.ponder", NULL, "settings: ponder cannot be ''"},
    {"paid", "settings.start_time", "0", "settings: start_time is no number from 1"},
    {"paid", "settings.memory", "5", "settings: memory is neither"},
    {"paid", "settings.trail", "2", "settings has a field 'trail'"},
    {"paid", "ponder_ms", "[0,0]", "ponder_ms belongs to ponder=report"},
    {"paid", "settings.pieces", "999", "pieces cannot be"},
    {"paid", "settings.pieces", "\"6\"", "settings: pieces is no whole number"},
    {"paid", "settings.pieces", NULL, "settings: pieces is no whole number"},
    {"skipped", "settings.late", "3", "late is no text"},
    {"skipped", "settings.late", "\"wait\"", "late cannot be 'wait' in hopchess"},
    {"paid", "settings.late", "\"skip\"", "late cannot be 'skip' in tower4"},
    {"given", "settings.board", "\"square\"", "board cannot be"},
    {"late", "settings.blocks", "\"1,1\"", ""},
    {"paid", "settings.time", "\"5\"", "settings: time is neither seconds nor null"},
    {"paid", "settings.time", "-5", "settings: time is neither seconds nor null"},
    {"paid", "faults", "null", "faults is no list"},
    {"paid", "faults.0", "null", "a fault is no object"},
    {"paid", "faults.0.player", "3", "a fault: its player is neither 1 nor 2"},
    {"paid", "faults.0.player", "\"1\"", "a fault: its player is neither 1 nor 2"},
    {"paid", "faults.0.word", "\"slow\"", "a fault: 'slow' is no verdict"},
    {"paid", "faults.0.word", "\"none\"", "a fault: 'none' is no verdict"},
    {"paid", "faults.0.evidence", "null", "a fault: its word or its evidence is no text"},
    {"paid", "faults.0.ply", "\"1\"", "the ply of a fault is no whole number"},
    {"paid", "faults.0.ply", "7", "the ply of a fault is no whole number"},
    {"paid", "faults.3.ply", "1", "the ply of a fault is no whole number"}, // before another
    {"paid", "faults.0.ms", "1", "faults: who is late, and nobody else, has ms"},
    {"paid", "faults.2.ms", NULL, "faults: who is late, and nobody else, has ms"},
    {"paid", "faults.2.ms", "\"9\"", "ms of a fault is no time"},
    {"paid", "faults.2.credit_ms", "0", "credit_ms of a fault holds nothing"},
    {"paid", "faults.0.extra", "1", "a fault has a field 'extra'"},
    {"paid", "verdict", "\"late\"", "verdict is no object"},
    {"paid", "verdict.player", "0", "verdict: its player is neither 1 nor 2"},
    {"paid", "verdict.player", "\"1\"", "verdict: its player is neither 1 nor 2"},
    {"paid", "verdict.word", "\"bogus\"", "verdict: 'bogus' is no verdict"},
    {"paid", "verdict.ply", "1", "verdict has a field 'ply'"},
    {"paid", "seed", "-1", "seed is no whole number"},
    {"paid", "seed", "\"7\"", "seed is no whole number"},
    {"paid", "number", "0", "number is no whole number"},
    {"paid", "opening", "7", "opening is no whole number"},
    {"paid", "conditions", NULL, "there is no conditions"},
    {"paid", "conditions.time", "5", "conditions: time is no text"},
    {"paid", "conditions.time", "\"x\"", "conditions: a time is S seconds"},
    {"paid", "conditions.blocks", "\"random\"", "conditions: blocks is neither"},
    {"drawn", "conditions.blocks", "\"random:3\"", "conditions: blocks is neither"},
    {"drawn", "conditions.blocks", "4", "conditions: blocks is neither"},
    {"aborted", "conditions.openings", "\"random:0\"", "conditions: openings is neither"},
    {"aborted", "conditions.openings", "4", "conditions: openings is neither"},
    {"paid", "conditions.swap", "1", "conditions: swap is neither true nor false"},
    {"paid", "conditions.grace_ms", "-1", "grace_ms is no time"},
    {"paid", "conditions.extra", "1", "conditions has a field 'extra'"},
    // the moves, by the rules
    {"paid", "moves.0", "\"0,0\"", "move 1, '0,0': the column is cut off"},
    {"paid", "moves.0", "\"x\"", "move 1, 'x': "},
    {"paid", "moves.0", "\" 2,2\"", "move 1, ' 2,2', is written '2,2'"},
    {"paid", "moves.0", "\"pass\"", "move 1, 'pass': "},
    {"skipped", "moves.2", "\"pass\"", "move 3 is a pass of nobody's"},
    {"overslept", "settings.max_turns", "2", "move 3, '1 1': the game is over"},
    {"paid", "settings.pieces", "7", "it ended by aborted, not by pieces"},
    // how it ended
    {"paid", "winner", "1", "the winner is not who won"},
    {"paid", "winner", "null", "the winner is not who won"},
    {"paid", "scores", "[0,1]", "the scores are not those of the last position"},
    {"paid", "scores", "null", "the scores are not those of the last position"},
    {"late", "scores", "[0,0]", "the scores are not those of the last position"},
    {"paid", "reason", "\"six\"", "it ended by pieces, not by six"},
    {"paid", "reason", "\"forfeit\"", "it ended by pieces, not by forfeit"},
    {"paid", "reason", "\"aborted\"", "it ended by pieces, not by aborted"},
    {"overslept", "reason", "\"forfeit\"", "it ended by turns, not by forfeit"},
    {"overslept", "winner", "1", "the winner is not who won"},
    {"late", "reason", "\"aborted\"", "it ended by forfeit, not by aborted"},
    {"late", "winner", "2", "the winner is not who won"},
    {"late", "winner", "0", "the winner is not who won"},
    {"aborted", "reason", "\"forfeit\"", "it ended by aborted, not by forfeit"},
    {"aborted", "winner", "1", "the winner is not who won"},
    {"half", "winner", "2", "the winner is not who won"},
    {"unready", "reason", "\"aborted\"", "it ended by forfeit, not by aborted"},
    {"aborted", "winner", "0", "the winner is not who won"},
    {"unready", "winner", "0", "the winner is not who won"},
    {"unready", "winner", "1", "the winner is not who won"},
    // the verdict, and what faults cost
    {"paid", "verdict", "null", "there is a fault without a verdict"},
    {"overslept", "verdict", "{\"player\":1,\"word\":\"late\",\"evidence\":\"\"}",
     "there is a verdict without a fault"},
    {"paid", "verdict.player", "2", "the verdict is not the fault that decided it"},
    {"paid", "verdict.word", "\"flood\"", "the verdict is not the fault that decided it"},
    {"late", "verdict.evidence", "\"slow\"", "the verdict is not the fault that decided it"},
    {"late", "verdict.player", "1", "the verdict is not the fault that decided it"},
    {"late", "faults", "[]", "it ended by aborted, not by forfeit"},
    {"late", "faults.0.player", "1", "fault 1, late, is of the player who was not asked"},
    {"late", "faults.0.ply", "0", "fault 1, late, is of the player who was not asked"},
    {"gone", "faults.0.ply", "0", "the game goes on after fault 1, which loses it"},
    {"gone", "faults.0.player", "1", "the winner is not who won"},
    {"gone", "faults.0.word", "\"illegal\"", "fault 1 was not paid for"},
    {"gone", "faults.0.word", "\"not-ready\"", "fault 1, not-ready, comes after the first move"},
    {"refused", "faults.0.player", "1", "the winner is not who won"},
    {"unready", "faults.1.player", "1", "the game goes on after fault 1, which loses it"},
    {"unready", "faults.1.word", "\"illegal\"",
     "fault 2, illegal, is of the player who was not asked"},
    {"paid", "faults.0.word", "\"gone\"", "the game goes on after fault 1, which loses it"},
    {"paid", "faults.0.word", "\"illegal\"",
     "fault 1, illegal, is of the player who was not asked"},
    {"paid", "faults.0.player", "2", "fault 1 was not paid for"},
    {"paid", "faults.1",
     "{\"player\":1,\"word\":\"invalid-transfer\",\"evidence\":\"''\",\"ply\":1}",
     "fault 2 is noted twice"},
    {"paid", "faults.3.ply", "4", "move 6 is said to be the referee's"},
    {"paid", "settings.pieces", "5", "fault 4 is in the opening, or after the end"},
    {"aborted", "faults.0.ply", "0", "fault 1 is in the opening, or after the end"},
    {"paid", "by_referee", "[1,2]", "move 6 is not the referee's"},
    {"paid", "by_referee", "[0,1,2,5]", "move 1 is said to be the referee's"},
    {"paid", "moves.1", "\"0,3\"", "move 2 is not what its fault costs"},
    {"skipped", "moves.0", "\"2,2 2,3\"", "move 1 is not what its fault costs"},
    {"skipped", "settings.illegal", "\"first\"", "move 1 is not what its fault costs"},
    {"skipped", "settings.illegal", "\"lose\"", "the game goes on after fault 1"},
    {"paid", "settings.late", "\"lose\"", "the game goes on after fault 3"},
    {"paid", "settings.invalid_transfer", "\"lose\"", "the game goes on after fault 1"},
    {"given", "settings.illegal", "\"first\"", "fault 1 was not paid for"},
    // times
    {"paid", "ms.0", "5000.001", "move 1 took longer than the limit allows"},
    {"paid", "ms.0", "1e11", "move 1 took longer than the limit allows"},
    {"paid", "ms.2", "5249.999", "move 3 has another time than its fault"},
    {"paid", "ms.4", "5500.001", "move 5 took longer than the limit allows"},
    {"paid", "credit_ms.4", "299.999", "move 5 took longer than the limit allows"},
    {"paid", "credit_ms.0", "1", "move 1 was credited without need"},
    {"paid", "credit_ms.2", "1", "move 3 has another time than its fault"},
    {"paid", "credit_ms", NULL, "move 3 has another time than its fault"},
    {"paid", "faults.2.ms", "5249", "fault 3: late within the limit"},
    {"paid", "faults.2.ms", "5251", "fault 3: the evidence tells another time"},
    {"late", "faults.0.ms", "599.999", "fault 1: late within the limit"},
    {"late", "faults.0.credit_ms", "101", "fault 1: late within the limit"},
    {"overslept", "credit_ms", NULL, "move 2 took longer than the limit allows"},
    {"drawn", "ms.1", "1", "move 2 has a time, which only the last of a turn has"},
    {"drawn", "cpu_ms.1", "1", "move 2 has a time, which only the last of a turn has"},
    {"aborted", "ms.1", "1", "move 2 has a time, which only the last of a turn has"},
    {"gone", "players.0", "\"random\"", "move 1 took longer than the limit allows"},
    {"late", "players.1", "\"human\"", "fault 1: late without a limit"},
    {"slow", "people", NULL, "fault 1: late without a limit"},
    {"slow", "people", "false", "people is there and not true"},
    {"resigned", "ms.2", "6000", "move 3 took longer than the limit allows"},
    // persons alone resign and agree, and only before the end
    {"resigned", "players.0", "\"random\"", "move 1 took longer than the limit allows"},
    {"resigned", "winner", "0", "it ended by aborted, not by resigned"},
    {"resigned", "winner", "null", "it ended by aborted, not by resigned"},
    {"agreed", "winner", "1", "the winner is not who won"},
    {"agreed", "winner", "null", "the winner is not who won"},
    {"agreed", "players.1", "\"random\"", "it ended by aborted, not by agreed"},
    {"late", "reason", "\"resigned\"", "it ended by forfeit, not by resigned"},
    {"paid", "reason", "\"agreed\"", "it ended by pieces, not by agreed"},
    {"agreed", "at", "-1", "at is no whole number"},
    {"paid", "conditions.grace_ms", "1", "fault 3: late within the limit"},
    // what was drawn
    {"paid", "settings.time", "6", "the time is not what the conditions and the seed draw"},
    {"paid", "settings.time", "null", "the time is not what the conditions and the seed draw"},
    {"given", "settings.time", "5", "the time is not what the conditions and the seed draw"},
    {"paid", "conditions.time", "\"4\"", "the time is not what the conditions and the seed draw"},
    {"drawn", "seed", "8", "not what the conditions and the seed draw"},
    {"drawn", "number", "7", "not what the conditions and the seed draw"},
    {"drawn", "conditions.swap", "false", "not what the conditions and the seed draw"},
    {"drawn", "conditions.time", "\"2..3\"", "not what the conditions and the seed draw"},
    {"drawn", "conditions.blocks", "\"random\"", "the blocks are not what"},
    {"drawn", "conditions.blocks", "\"random:6\"", "the blocks are not what"},
    {"drawn", "settings.blocks", "\"none\"", "the blocks are not what"},
    {"drawn", "settings.blocks", "\"0,0 1,0 2,0 3,0\"", "the blocks are not what"},
    {"aborted", "seed", "8", "the opening is not what the seed draws"},
    {"aborted", "number", "8", "the opening is not what the seed draws"},
    {"aborted", "conditions.openings", "\"random:5\"", "the opening is not what the seed draws"},
    {"aborted", "conditions.openings", "null", "it has an opening, and the conditions have none"},
    {"aborted", "opening", "3", "the opening is not what the seed draws"},
    {"given", "opening", "1", "move 2 is said to be the referee's"},
    {"given", "conditions.openings", "null", "it has an opening, and the conditions have none"},
};

// Puts a value where `place` says, or takes it away.
static void change(json_t *at, const char *place, const char *value) {
    char *copy = mem_text(place), *rest = copy, *key = strsep(&rest, ".");
    for (; rest; key = strsep(&rest, "."))
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(key)) : json_object_get(at, key);
    assert_non_null(at);
    json_t *new = value ? json_loads(value, JSON_DECODE_ANY, NULL) : NULL;
    assert_true(new || !value);
    if (json_is_array(at))
        assert_int_equal(json_array_set_new(at, (size_t)atoi(key), new), 0);
    else if (new)
        json_object_set_new(at, key, new);
    else
        assert_int_equal(json_object_del(at, key), 0);
    free(copy);
}

static void test_changes(void **state) {
    (void)state;
    int missed = 0;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const struct change *c = &changes[i];
        char why[WHY_TEXT_MAX];
        json_t *record = play(find_plan(c->plan));
        change(record, c->place, c->value);
        record = seal(record);
        const char *wrong = audit_check(record, why);
        json_decref(record);
        if (wrong && strstr(wrong, c->says))
            continue;
        print_error("%s: %s=%s: %s\n", c->plan, c->place, c->value ? c->value : "",
                    wrong ? wrong : "nothing is found wrong");
        missed++;
    }
    assert_int_equal(missed, 0);
}

// Null says that something is not known, was not drawn, or had no limit: nobody can show that it
// was.
static bool may_be(const char *place, const char *value) {
    return strcmp(value, "null") == 0 &&
           (strncmp(place, "cpu_ms.", 7) == 0 || strcmp(place, "conditions.blocks") == 0 ||
            strcmp(place, "settings.memory") == 0);
}

// Puts values of other types in one place of a record; returns how many were accepted.
static int try_types(const json_t *record, const char *place, const json_t *was) {
    static const char *const values[] = {"null", "true", "7", "7.5", "\"x\"", "[]", "{}"};
    int accepted = 0;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char why[WHY_TEXT_MAX];
        json_t *value = json_loads(values[i], JSON_DECODE_ANY, NULL);
        const bool same = json_typeof(value) == json_typeof(was) ||
                          (json_is_number(value) && json_is_real(was)) ||
                          (json_is_boolean(value) && json_is_boolean(was)) ||
                          may_be(place, values[i]);
        json_decref(value);
        if (same)
            continue;
        json_t *changed = json_deep_copy(record);
        change(changed, place, values[i]);
        changed = seal(changed);
        if (!audit_check(changed, why)) {
            print_error("%s: %s=%s: nothing is found wrong\n",
                        json_string_value(json_object_get(record, "game")), place, values[i]);
            accepted++;
        }
        json_decref(changed);
    }
    return accepted;
}

// In this place and all below it. What is null is left alone: something may be known there.
static int try_all_types(const json_t *record, const char *place, const json_t *value) {
    char below[200];
    int accepted = *place && !json_is_null(value) ? try_types(record, place, value) : 0;
    const char *dot = *place ? "." : "", *key;
    size_t i;
    json_t *part;
    json_array_foreach(value, i, part) {
        snprintf(below, sizeof below, "%s%s%zu", place, dot, i);
        accepted += try_all_types(record, below, part);
    }
    json_object_foreach((json_t *)value, key, part) {
        snprintf(below, sizeof below, "%s%s%s", place, dot, key);
        accepted += strcmp(key, "sum") == 0 ? 0 : try_all_types(record, below, part);
    }
    return accepted;
}

static void test_wrong_types_everywhere(void **state) {
    (void)state;
    int accepted = 0;
    for (int i = 0; i < PLANS; i++) {
        json_t *record = play(&plans[i]);
        accepted += try_all_types(record, "", record);
        json_decref(record);
    }
    assert_int_equal(accepted, 0);
}

// Every field is needed, but those that are there only sometimes.
static void test_missing_fields(void **state) {
    (void)state;
    for (int i = 0; i < PLANS; i++) {
        json_t *record = play(&plans[i]), *ignored;
        const char *key;
        json_object_foreach(record, key, ignored) {
            char why[WHY_TEXT_MAX];
            json_t *less = json_copy(record);
            json_object_del(less, key);
            if (!audit_check(less, why))
                fail_msg("%s without %s: nothing is found wrong", plans[i].name, key);
            json_decref(less);
        }
        json_decref(record);
    }
}

// What nothing else can show, the sum does.
static void test_sum(void **state) {
    (void)state;
    static const char *const places[][2] = {
        {"seed", "8"},   {"names.0", "\"B\""}, {"players.1", "\"builtin\""},
        {"ms.0", "0.9"}, {"cpu_ms.0", "0"},    {"faults.1.evidence", "\"nothing\""},
        {"number", "2"}, {"sum", "\"0\""},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char why[WHY_TEXT_MAX];
        json_t *record = play(find_plan("paid"));
        change(record, places[i][0], places[i][1]);
        const char *wrong = audit_check(record, why);
        if (!wrong || !strstr(wrong, "it was changed after it was written"))
            fail_msg("%s: %s", places[i][0], wrong ? wrong : "nothing is found wrong");
        json_decref(record);
    }
}

static void test_no_object(void **state) {
    (void)state;
    char why[WHY_TEXT_MAX];
    json_t *list = json_array();
    assert_string_equal(audit_check(list, why), "the record is no object");
    json_decref(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_true_ones),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_wrong_types_everywhere),
        cmocka_unit_test(test_missing_fields),
        cmocka_unit_test(test_sum),
        cmocka_unit_test(test_no_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
