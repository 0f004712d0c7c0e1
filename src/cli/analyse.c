// SPDX-License-Identifier: MIT
// `arbiter analyse`: what the built-in player thinks of a position.
#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "cli/setup.h"
#include "cli/teach.h"
#include "engine/engine.h"
#include "engine/finish.h"
#include "engine/several.h"
#include "engine/told.h"

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
    const struct engine *engine;
    struct brain *brain;
    bool all_moves, json;
    int lines; // how many answers are told
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
                game_ending_sentence(game, game->outcome(&a->state).ending));
    free(copy);
    return !err->set;
}

static bool read_limits(struct analysis *a, const struct args *args, struct err *err) {
    const char *time = args_value(args, "--time");
    int64_t nodes, us = SECONDS * 1000000;
    if (!args_number(args, (struct number_option){"--nodes", 0, 1, INT64_MAX}, &nodes, err) ||
        (time && !read_seconds(time, "--time", &us, err)))
        return false;
    if (time && nodes)
        return err_set(err, "--time and --nodes exclude each other");
    a->limits.nodes = (uint64_t)nodes;
    a->limits.time_us = nodes ? 0 : us;
    a->limits.curious = true;
    return true;
}

static bool read_analysis(struct analysis *a, const struct args *args, struct err *err) {
    const char *moves = args_value(args, "--moves");
    int threads;
    a->all_moves = args_value(args, "--all-moves") != NULL;
    a->json = args_value(args, "--json") != NULL;
    if (!setup_read(&a->setup, args, err) || !read_limits(a, args, err) ||
        !args_int(args, (struct number_option){"--threads", 1, 1, 64}, &threads, err) ||
        !args_int(args, (struct number_option){"--lines", 1, 1, SEVERAL_MAX}, &a->lines, err) ||
        !play_moves(a, moves ? moves : "", err))
        return false;
    if (a->all_moves && a->lines > 1)
        return err_set(err, "--all-moves and --lines exclude each other");
    a->engine = engine_for(a->setup.game);
    a->brain = brain_new(&a->setup.rules, LEVEL_STRONG, threads, 1);
    struct err why = {.set = false};
    if (!teach_brain(a->brain, a->setup.game, &why))
        fprintf(stderr, "arbiter: %s\n", why.text);
    return true;
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
static double value_told(const struct analysis *a, int value) {
    return round(100 * engine_tell(a->engine, &a->state, value)) / 100 + 0.0;
}

static json_t *value_json(const struct analysis *a, int value) {
    const bool whole = !a->engine->tell;
    return whole ? json_integer(value) : json_real(value_told(a, value));
}

// The same by turns, where a turn is of several moves: who moves, and the moves.
static json_t *turns_of(const struct analysis *a, const struct thought *t) {
    const struct game *game = a->setup.game;
    union game_state state = a->state;
    json_t *turns = json_array(), *moves = NULL;
    for (int i = 0, before = 0; i < t->length; i++) {
        const int player = game->turn(&state);
        char text[MOVE_TEXT_MAX];
        if (player != before)
            json_array_append_new(
                turns, json_pack("{s:i, s:o}", "player", player, "moves", moves = json_array()));
        before = player;
        game->write_move(&state, t->pv[i], text);
        json_array_append_new(moves, json_text(text));
        game->apply(&state, t->pv[i]);
    }
    return turns;
}

// Who wins by force and in how many turns of the winner; NULL if no end is in sight.
static json_t *forced_json(const struct analysis *a, const struct thought *t) {
    const int player = a->setup.game->turn(&a->state);
    const int turns = a->engine->win ? engine_turns_left(a->engine, t->value) : 0;
    if (!turns)
        return NULL;
    return json_pack("{s:i, s:i, s:b}", "winner", t->value > 0 ? player : side_other(player),
                     "turns", turns, "proven", t->exact);
}

// What follows by turns, and who wins by force, where there is such a thing.
static void add_course(const struct analysis *a, const struct thought *t, json_t *result) {
    json_t *forced = forced_json(a, t);
    if (a->engine->thinks_turns)
        json_object_set_new(result, "turns", turns_of(a, t));
    if (forced)
        json_object_set_new(result, "forced", forced);
}

static json_t *thought_json(const struct analysis *a, const struct thought *t, int64_t us) {
    json_t *pv = line_of(a, t);
    json_t *result =
        json_pack("{s:O, s:o, s:b, s:i, s:I, s:f, s:o}", "best", json_array_get(pv, 0), "value",
                  value_json(a, t->value), "exact", t->exact, "depth", t->depth, "nodes",
                  (json_int_t)t->nodes, "ms", (double)us / 1000, "pv", pv);
    add_course(a, t, result);
    return result;
}

// One of several lines.
static json_t *line_json(const struct analysis *a, const struct thought *t) {
    struct buf words = {.data = NULL};
    thought_put_words(a->engine, &a->state, t, &words);
    json_t *line = json_pack("{s:o, s:b, s:s, s:i, s:I, s:o}", "value", value_json(a, t->value),
                             "exact", t->exact, "words", words.data, "depth", t->depth, "nodes",
                             (json_int_t)t->nodes, "pv", line_of(a, t));
    add_course(a, t, line);
    buf_done(&words);
    return line;
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
    if (!a->engine->threats)
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
    double told; // what people see of its value
    int worth;   // to the player
    bool first;  // what a thought of the whole position chose
    struct thought thought;
};

// The better move for the player comes first.
static int by_worth(const struct weighed *x, const struct weighed *y) {
    return x->worth != y->worth ? (x->worth < y->worth) - (x->worth > y->worth)
                                : (int)y->first - (int)x->first;
}

// What is shown comes in its order. A chance to win by much is shown before a small win for
// certain, though the player prefers that.
static int by_told(const void *a, const void *b) {
    const struct weighed *x = a, *y = b;
    return x->told != y->told ? (x->told < y->told) - (x->told > y->told) : by_worth(x, y);
}

// What one of so many moves gets of the time until then, or of all nodes.
static struct limits share_of(const struct analysis *a, int64_t until_us, int moves, int left) {
    const int64_t rest_us = until_us - clock_now_us();
    const uint64_t nodes = a->limits.nodes / (uint64_t)moves;
    if (a->limits.nodes)
        return (struct limits){.nodes = nodes ? nodes : 1};
    return (struct limits){.time_us = rest_us > left ? rest_us / left : 1};
}

// Where an end by force may be known, the whole position comes first, with a quarter of all: what
// is proven of its best move is not lost when the moves are weighed alone.
static void think_first(struct analysis *a, struct thought *thought) {
    enum { SHARE = 4 };
    struct limits share = {.time_us = a->limits.time_us / SHARE, .nodes = a->limits.nodes / SHARE};
    *thought = (struct thought){.length = 0};
    if (!a->engine->win)
        return;
    share.nodes += a->limits.nodes && !share.nodes;
    brain_think(a->brain, &a->state, &share, thought);
}

static void rate(const struct analysis *a, struct weighed *w) {
    w->worth = engine_worth(a->engine, w->thought.value);
    w->told = a->engine->tell ? value_told(a, w->thought.value) : w->worth;
}

// Every move by itself, in the order of what is shown. They share the time or the nodes.
static struct weighed *weigh_all(struct analysis *a, int count) {
    const struct game *game = a->setup.game;
    const int64_t until_us = clock_now_us() + a->limits.time_us;
    move *moves = mem_new((size_t)game->moves_max, sizeof *moves);
    struct weighed *weighed = mem_new((size_t)count, sizeof *weighed);
    struct thought first;
    think_first(a, &first);
    game->moves(&a->state, moves);
    for (int i = 0; i < count; i++) {
        struct weighed *w = &weighed[i];
        const struct limits share = share_of(a, until_us, count, count - i);
        brain_weigh(a->brain, &a->state, moves[i], &share, &w->thought);
        w->first = first.length > 0 && moves[i] == first.pv[0];
        if (w->first && first.exact)
            w->thought = first;
        rate(a, w);
    }
    qsort(weighed, (size_t)count, sizeof *weighed, by_told);
    free(moves);
    return weighed;
}

static json_t *weighed_json(const struct analysis *a, const struct weighed *weighed, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        const struct thought *t = &weighed[i].thought;
        json_t *forced = forced_json(a, t), *entry;
        char text[MOVE_TEXT_MAX];
        a->setup.game->write_move(&a->state, t->pv[0], text);
        entry = json_pack("{s:s, s:o, s:b}", "move", text, "value", value_json(a, t->value),
                          "exact", t->exact);
        if (forced)
            json_object_set_new(entry, "forced", forced);
        json_array_append_new(list, entry);
    }
    return list;
}

// What an engine that explains says of the position, as texts.
static json_t *remarks_of(const struct analysis *a) {
    struct buf text = {.data = NULL};
    json_t *remarks = json_array();
    a->engine->explain(&a->setup.rules, &a->state, &text);
    char *rest = text.data;
    for (char *line; rest && *rest && (line = strsep(&rest, "\n"));)
        json_array_append_new(remarks, json_text(line));
    buf_done(&text);
    return remarks;
}

// In words, and as members of their own.
static void add_explanation(const struct analysis *a, json_t *result) {
    if (!a->engine->explain)
        return;
    json_t *facts = a->engine->facts(&a->setup.rules, &a->state);
    json_object_set_new(result, "remarks", remarks_of(a));
    json_object_update(result, facts);
    json_decref(facts);
}

// Whoever wins by force need not know what the other moves are worth.
static bool is_won(const struct analysis *a, const struct thought *t) {
    json_t *forced = forced_json(a, t);
    const bool ends = forced != NULL;
    json_decref(forced);
    return ends && t->exact && t->value > 0;
}

// What the moves of a position come to: what the player would choose. The value is exact if it is a
// win by force, or those of all moves are; the depth is that of the shallowest search.
static struct thought sum_up(const struct analysis *a, const struct weighed *weighed, int count) {
    const struct weighed *best = weighed;
    for (int i = 1; i < count; i++)
        best = by_worth(&weighed[i], best) < 0 ? &weighed[i] : best;
    struct thought thought = best->thought;
    thought.nodes = 0;
    for (int i = 0; i < count; i++) {
        const struct thought *t = &weighed[i].thought;
        thought.exact &= t->exact || is_won(a, &best->thought);
        thought.nodes += t->nodes;
        thought.depth = t->depth < thought.depth ? t->depth : thought.depth;
    }
    return thought;
}

// An exact line is told to the end, in what is left of the time or a little more.
static void finish(struct analysis *a, struct thought *thought, int64_t begin_us) {
    const int64_t left_us = a->limits.time_us - (clock_now_us() - begin_us);
    const int64_t more_us = a->limits.time_us / 10;
    struct limits limits = a->limits;
    limits.time_us = left_us > more_us ? left_us : more_us;
    thought_finish(a->brain, a->setup.game, &a->state, &limits, thought);
}

static json_t *result_of(struct analysis *a, struct thought *thought, int64_t begin_us) {
    const int64_t us = clock_now_us() - begin_us;
    finish(a, thought, begin_us);
    return thought_json(a, thought, us);
}

// The best answers. What is told of the position is the first, with the nodes of all.
static json_t *analyse_lines(struct analysis *a, int64_t begin_us) {
    struct thought thoughts[SEVERAL_MAX];
    json_t *lines = json_array();
    const int count =
        brain_think_several(a->brain, a->setup.game, &a->state, &a->limits, a->lines, thoughts);
    json_t *result = result_of(a, &thoughts[0], begin_us);
    uint64_t nodes = 0;
    for (int i = 0; i < count; i++) {
        nodes += thoughts[i].nodes;
        if (i > 0)
            finish(a, &thoughts[i], begin_us);
        json_array_append_new(lines, line_json(a, &thoughts[i]));
    }
    json_object_set_new(result, "nodes", json_integer((json_int_t)nodes));
    json_object_set_new(result, "lines", lines);
    return result;
}

// What is thought of the position: by itself, by its best answers, or move by move.
static json_t *analyse(struct analysis *a) {
    struct thought thought;
    const int64_t begin = clock_now_us();
    if (a->lines > 1)
        return analyse_lines(a, begin);
    if (!a->all_moves) {
        brain_think(a->brain, &a->state, &a->limits, &thought);
        return result_of(a, &thought, begin);
    }
    const int count = a->setup.game->count(&a->state);
    struct weighed *weighed = weigh_all(a, count);
    thought = sum_up(a, weighed, count);
    json_t *result = result_of(a, &thought, begin);
    json_object_set_new(result, "moves", weighed_json(a, weighed, count));
    free(weighed);
    return result;
}

// Each threat is what fills it: "7,7 and 8,8", or one cell.
static void print_threats(json_t *both) {
    size_t player, i;
    json_t *own, *text;
    json_array_foreach(both, player, own) {
        if (json_array_size(own) == 0)
            continue;
        printf("threats    %c fills ", "XO"[player]);
        json_array_foreach(own, i, text) {
            const char *first = json_string_value(text), *second = strchr(first, ' ');
            printf("%s%.*s%s%s", i ? ", or " : "",
                   second ? (int)(second - first) : (int)strlen(first), first, second ? " and" : "",
                   second ? second : "");
        }
        printf("\n");
    }
}

// With its sign.
static void print_number(json_t *value) {
    if (json_is_integer(value))
        printf("%+" JSON_INTEGER_FORMAT, json_integer_value(value));
    else
        printf("%+.2f", json_real_value(value));
}

static int64_t number_in(json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

static void print_list(json_t *texts) {
    size_t i;
    json_t *text;
    json_array_foreach(texts, i, text) printf(" %s", json_string_value(text));
    printf("\n");
}

// A turn of several moves a line, or all in one.
static void print_expected(json_t *result) {
    size_t i;
    json_t *turn, *turns = json_object_get(result, "turns");
    if (!turns) {
        printf("expected  ");
        print_list(json_object_get(result, "pv"));
    }
    json_array_foreach(turns, i, turn) {
        printf("%-10s %c", i ? "" : "expected", "XO"[number_in(turn, "player") - 1]);
        print_list(json_object_get(turn, "moves"));
    }
}

static void print_forced(json_t *forced) {
    printf(": %c %s in %" PRId64 " turn%s\n", "XO"[number_in(forced, "winner") - 1],
           json_is_true(json_object_get(forced, "proven")) ? "wins by force" : "seems to win",
           number_in(forced, "turns"), number_in(forced, "turns") == 1 ? "" : "s");
}

static void print_value(const struct analysis *a, json_t *result) {
    const bool exact = json_is_true(json_object_get(result, "exact"));
    json_t *forced = json_object_get(result, "forced");
    printf("value      ");
    print_number(json_object_get(result, "value"));
    if (forced)
        print_forced(forced);
    else
        printf(" %s for the player to move, %s\n", a->engine->unit, exact ? "exact" : "estimated");
}

// A move, or all of a turn.
static void print_best(json_t *result) {
    json_t *turn = json_array_get(json_object_get(result, "turns"), 0);
    printf("best move ");
    if (turn)
        print_list(json_object_get(turn, "moves"));
    else
        printf(" %s\n", json_string_value(json_object_get(result, "best")));
}

// A line of --all-moves.
static void print_move(json_t *entry) {
    json_t *forced = json_object_get(entry, "forced");
    printf("  %-12s ", json_string_value(json_object_get(entry, "move")));
    print_number(json_object_get(entry, "value"));
    if (forced)
        print_forced(forced);
    else
        printf("%s\n", json_is_true(json_object_get(entry, "exact")) ? "" : " about");
}

// "3,4; 4,5", or the turns where one is of several moves: "7,7; 6,7 8,8".
static void put_line(json_t *line, struct buf *out) {
    size_t i, k;
    json_t *turn, *text, *turns = json_object_get(line, "turns");
    json_array_foreach(turns ? turns : json_object_get(line, "pv"), i, turn) {
        buf_text(out, i ? "; " : "");
        if (!turns)
            buf_text(out, json_string_value(turn));
        json_array_foreach(json_object_get(turn, "moves"), k, text)
            buf_format(out, "%s%s", k ? " " : "", json_string_value(text));
    }
}

// A line of --lines: its number, what it is worth, and the moves.
static void print_line(size_t i, json_t *line) {
    struct buf moves = {.data = NULL};
    put_line(line, &moves);
    printf("%-10s %zu. %s: %s\n", i ? "" : "lines", i + 1,
           json_string_value(json_object_get(line, "words")), moves.data);
    buf_done(&moves);
}

static void print_words(const struct analysis *a, json_t *result) {
    char picture[DRAW_TEXT_MAX];
    size_t i;
    json_t *entry;
    a->setup.game->draw(&a->state, false, picture);
    printf("%s\n", picture);
    print_best(result);
    print_value(a, result);
    printf("searched   depth %" PRId64 ", %" PRId64 " positions, %.0f ms\n",
           number_in(result, "depth"), number_in(result, "nodes"),
           json_real_value(json_object_get(result, "ms")));
    print_expected(result);
    json_array_foreach(json_object_get(result, "lines"), i, entry) print_line(i, entry);
    print_threats(json_object_get(result, "threats"));
    json_array_foreach(json_object_get(result, "remarks"), i, entry)
        printf("%-10s %s\n", i ? "" : "remarks", json_string_value(entry));
    json_array_foreach(json_object_get(result, "moves"), i, entry) print_move(entry);
}

static int analyse_run(const struct args *args, struct err *err) {
    struct analysis a = {.brain = NULL};
    if (!read_analysis(&a, args, err))
        return -1;
    json_t *result = analyse(&a);
    add_explanation(&a, result);
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
    {"--nodes", "N", "or look at so many positions, with each thread"},
    {"--threads", "N", "threads to think with (1)"},
    {"--lines", "N", "the best N answers, 1 to 10 (1); they share the time"},
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
        "10000 less the turns to a forced end; every other game tenths of a percent of what is\n"
        "expected, from -1000 lost to 1000 won, and 10000 less the turns in which a proven win\n"
        "comes at the latest. With --lines they are said in words, too; a line of connect6 is a\n"
        "turn of two stones.\n"
        "Example: arbiter analyse reversi --moves \"2,3\" --time 2\n",
    COMMAND_OPTIONS(options),
    .takes_game = true,
    .run = analyse_run,
};
