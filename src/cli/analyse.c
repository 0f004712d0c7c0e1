// SPDX-License-Identifier: MIT
// `arbiter analyse`: what the built-in player thinks of a position.
#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "cli/setup.h"
#include "engine/engine.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 5 }; // to think when nothing is said

struct analysis {
    struct setup setup;
    union game_state state; // after --moves
    struct limits limits;
    struct brain *brain;
    bool all_moves, json;
};

static bool play_moves(struct analysis *a, const char *moves, struct err *err) {
    const struct game *game = a->setup.game;
    char *copy = mem_text(moves), *bad = NULL;
    int ply = 0;
    a->state = a->setup.start;
    const char *wrong = game_play_line(game, &a->state, copy, &ply, &bad);
    if (wrong)
        err_set(err, "--moves: move %d, '%.60s': %s", ply + 1, bad, wrong);
    else if (game_is_over(game, &a->state))
        err_set(err, "the game is over there: %s",
                ending_sentence(game->outcome(&a->state).ending));
    free(copy);
    return !err->set;
}

static bool read_limits(struct analysis *a, const struct args *args, struct err *err) {
    const char *time = args_value(args, "--time");
    int64_t nodes, us = SECONDS * 1000000;
    if (!args_number(args, "--nodes", 0, 1, INT64_MAX, &nodes, err) ||
        (time && !read_seconds(time, "--time", &us, err)))
        return false;
    if (time && nodes)
        return err_set(err, "--time and --nodes exclude each other");
    a->limits.nodes = (uint64_t)nodes;
    a->limits.time_us = nodes ? 0 : us;
    return true;
}

static bool read_analysis(struct analysis *a, const struct args *args, struct err *err) {
    const char *moves = args_value(args, "--moves");
    int64_t threads;
    a->all_moves = args_value(args, "--all-moves") != NULL;
    a->json = args_value(args, "--json") != NULL;
    if (!setup_read(&a->setup, args, err) || !read_limits(a, args, err) ||
        !args_number(args, "--threads", 1, 1, 64, &threads, err) ||
        !play_moves(a, moves ? moves : "", err))
        return false;
    if (!engine_find(a->setup.game->name))
        return err_set(err, "there is no engine for %s yet", a->setup.game->name);
    a->brain = brain_new(&a->setup.rules, LEVEL_STRONG, (int)threads, 1, err);
    return a->brain != NULL;
}

// The moves of a thought as texts.
static json_t *line_of(const struct analysis *a, const struct thought *t) {
    const struct game *game = a->setup.game;
    union game_state state = a->state;
    json_t *line = json_array();
    char text[MOVE_TEXT_MAX];
    for (int i = 0; i < t->length; i++) {
        game->write_move(&state, t->pv[i], text);
        json_array_append_new(line, json_text(text));
        game->apply(&state, t->pv[i]);
    }
    return line;
}

// In the unit of the game; hundredths are enough where it is no whole number.
static json_t *value_json(const struct analysis *a, int value) {
    const struct engine *engine = engine_find(a->setup.game->name);
    if (!engine->tell)
        return json_integer(value);
    return json_real(round(100 * engine_tell(engine, &a->state, value)) / 100 + 0.0);
}

static json_t *thought_json(const struct analysis *a, const struct thought *t, int64_t us) {
    json_t *pv = line_of(a, t);
    return json_pack("{s:O, s:o, s:b, s:i, s:I, s:f, s:o}", "best", json_array_get(pv, 0), "value",
                     value_json(a, t->value), "exact", t->exact, "depth", t->depth, "nodes",
                     (json_int_t)t->nodes, "ms", (double)us / 1000, "pv", pv);
}

// "7,7", or "7,7 8,8" where it takes two moves.
static json_t *threat_text(const struct analysis *a, const move pair[2]) {
    const struct game *game = a->setup.game;
    char first[MOVE_TEXT_MAX], second[MOVE_TEXT_MAX];
    game->write_move(&a->state, pair[0], first);
    if (pair[1] == MOVE_PASS)
        return json_text(first);
    game->write_move(&a->state, pair[1], second);
    return json_sprintf("%s %s", first, second);
}

// The threats of both players; NULL where the game has no such thing.
static json_t *threats_json(struct analysis *a) {
    if (!engine_find(a->setup.game->name)->threats)
        return NULL;
    json_t *both = json_array();
    for (int player = 1; player <= 2; player++) {
        move list[ENGINE_THREATS_MAX][2];
        json_t *own = json_array();
        const int count = brain_threats(a->brain, &a->state, player, list);
        for (int i = 0; i < count; i++)
            json_array_append_new(own, threat_text(a, list[i]));
        json_array_append_new(both, own);
    }
    return both;
}

struct weighed {
    int worth;
    struct thought thought;
};

static int by_worth(const void *a, const void *b) {
    const struct weighed *x = a, *y = b;
    return (x->worth < y->worth) - (x->worth > y->worth);
}

// Every move by itself, best first. The time or nodes are shared among them.
static struct weighed *weigh_all(struct analysis *a, int count) {
    const struct game *game = a->setup.game;
    move *moves = mem_new((size_t)game->moves_max, sizeof *moves);
    struct weighed *weighed = mem_new((size_t)count, sizeof *weighed);
    struct limits share = {.time_us = a->limits.time_us / count,
                           .nodes = a->limits.nodes / (uint64_t)count};
    share.nodes += a->limits.nodes && !share.nodes;
    game->moves(&a->state, moves);
    for (int i = 0; i < count; i++) {
        brain_weigh(a->brain, &a->state, moves[i], &share, &weighed[i].thought);
        weighed[i].worth = engine_worth(engine_find(game->name), weighed[i].thought.value);
    }
    qsort(weighed, (size_t)count, sizeof *weighed, by_worth);
    free(moves);
    return weighed;
}

static json_t *weighed_json(const struct analysis *a, const struct weighed *weighed, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        const struct thought *t = &weighed[i].thought;
        char text[MOVE_TEXT_MAX];
        a->setup.game->write_move(&a->state, t->pv[0], text);
        json_array_append_new(list, json_pack("{s:s, s:o, s:b}", "move", text, "value",
                                              value_json(a, t->value), "exact", t->exact));
    }
    return list;
}

// What an engine that explains says of the position, as texts.
static json_t *remarks_of(const struct analysis *a) {
    const struct engine *engine = engine_find(a->setup.game->name);
    struct buf text = {.data = NULL};
    json_t *remarks = json_array();
    engine->explain(&a->setup.rules, &a->state, &text);
    char *rest = text.data;
    for (char *line; rest && *rest && (line = strsep(&rest, "\n"));)
        json_array_append_new(remarks, json_text(line));
    buf_done(&text);
    return remarks;
}

// What is thought of the position: by itself, or what its moves come to. A value is exact then if
// those of all moves are, and the depth is that of the shallowest search.
static json_t *analyse(struct analysis *a) {
    struct thought thought;
    const int64_t begin = clock_now_us();
    if (!a->all_moves) {
        brain_think(a->brain, &a->state, &a->limits, &thought);
        return thought_json(a, &thought, clock_now_us() - begin);
    }
    const int count = a->setup.game->count(&a->state);
    struct weighed *weighed = weigh_all(a, count);
    thought = weighed[0].thought;
    for (int i = 1; i < count; i++) {
        const struct thought *t = &weighed[i].thought;
        thought.exact &= t->exact;
        thought.nodes += t->nodes;
        thought.depth = t->depth < thought.depth ? t->depth : thought.depth;
    }
    json_t *result = thought_json(a, &thought, clock_now_us() - begin);
    json_object_set_new(result, "moves", weighed_json(a, weighed, count));
    free(weighed);
    return result;
}

static void print_threats(json_t *both) {
    size_t player, i;
    json_t *own, *text;
    json_array_foreach(both, player, own) {
        if (json_array_size(own) == 0)
            continue;
        printf("%c threatens ", "XO"[player]);
        json_array_foreach(own, i, text) printf("%s%s", i ? ", " : "", json_string_value(text));
        printf("\n");
    }
}

static void print_value(json_t *value) {
    if (json_is_integer(value))
        printf("%+" JSON_INTEGER_FORMAT, json_integer_value(value));
    else
        printf("%+.2f", json_real_value(value));
}

static void print_words(const struct analysis *a, json_t *result) {
    const char *unit = engine_find(a->setup.game->name)->unit;
    char picture[DRAW_TEXT_MAX];
    size_t i;
    json_t *entry;
    a->setup.game->draw(&a->state, false, picture);
    printf("%s\nbest move  %s\n", picture, json_string_value(json_object_get(result, "best")));
    printf("value      ");
    print_value(json_object_get(result, "value"));
    printf(" %s for the player to move, %s\n", unit,
           json_is_true(json_object_get(result, "exact")) ? "exact" : "estimated");
    printf("searched   depth %" JSON_INTEGER_FORMAT ", %" JSON_INTEGER_FORMAT
           " positions, %.0f ms\nexpected  ",
           json_integer_value(json_object_get(result, "depth")),
           json_integer_value(json_object_get(result, "nodes")),
           json_real_value(json_object_get(result, "ms")));
    json_array_foreach(json_object_get(result, "pv"), i, entry)
        printf(" %s", json_string_value(entry));
    printf("\n");
    print_threats(json_object_get(result, "threats"));
    json_array_foreach(json_object_get(result, "remarks"), i, entry)
        printf("%-10s %s\n", i ? "" : "remarks", json_string_value(entry));
    json_array_foreach(json_object_get(result, "moves"), i, entry) {
        printf("  %-12s ", json_string_value(json_object_get(entry, "move")));
        print_value(json_object_get(entry, "value"));
        printf("%s\n", json_is_true(json_object_get(entry, "exact")) ? "" : " about");
    }
}

static int run(const struct args *args, struct err *err) {
    struct analysis a = {.brain = NULL};
    if (!read_analysis(&a, args, err))
        return -1;
    json_t *result = analyse(&a);
    if (engine_find(a.setup.game->name)->explain)
        json_object_set_new(result, "remarks", remarks_of(&a));
    json_t *threats = threats_json(&a);
    if (threats)
        json_object_set_new(result, "threats", threats);
    if (!a.json)
        print_words(&a, result);
    if (a.json)
        json_print_line(stdout, result);
    else
        json_decref(result);
    brain_free(a.brain);
    return 0;
}

static const struct option options[] = {
    OPTION_SET,
    OPTION_FROM,
    {"--moves", "\"M;M;...\"", "play these moves first"},
    {"--time", "S", "think for so many seconds (5)"},
    {"--nodes", "N", "or look at so many positions"},
    {"--threads", "N", "threads to think with (1)"},
    {"--all-moves", NULL, "the value of every legal move; they share the time"},
    OPTION_JSON,
};

const struct command command_analyse = {
    .name = "analyse",
    .arguments = "GAME",
    .words_min = 1,
    .words_max = 1,
    .summary = "ask the built-in player about a position",
    .help =
        "Prints the best move, its value for the player to move, and what is expected to "
        "follow.\n"
        "Values: cuptactoe plies to the end, won if positive; reversi discs; tower4 points;\n"
        "hopchess pieces home more than the other's in the end; connect6 hundredths of a stone,\n"
        "10000 less the turns to a forced end.\n"
        "Example: arbiter analyse reversi --moves \"2,3\" --time 2\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .takes_game = true,
    .run = run,
};
