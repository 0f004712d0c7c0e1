// SPDX-License-Identifier: MIT
// Input: ruleset, then a line as `arbiter rules` reads it. Every game answers it with one JSON
// object that has the promised fields.
#include "cli/rules.h"
#include "fuzz.h"

static json_t *ask(const struct setup *setup, const char *line, move *scratch) {
    char *copy = strdup(line); // the answer cuts it to pieces
    json_t *answer = rules_answer(setup, copy, scratch);
    assert(json_is_object(answer));
    free(copy);
    char *dump = json_dumps(answer, JSON_COMPACT);
    assert(dump && !strchr(dump, '\n'));
    json_t *again = json_loads(dump, JSON_REJECT_DUPLICATES, NULL);
    assert(json_equal(answer, again));
    json_decref(again);
    free(dump);
    return answer;
}

static void check_error(json_t *answer) {
    const char *error, *p;
    int ply;
    assert(!json_unpack(answer, "{s:s, s:i !}", "error", &error, "ply", &ply) && ply >= 0);
    for (p = error; *p; p++)
        assert(*p >= ' ' && *p <= '~');
    assert(p > error);
}

static void check_answer(const struct game *game, json_t *answer) {
    int ply, turn, over;
    json_t *legal, *winner, *scores;
    const char *reason;
    assert(!json_unpack(answer, "{s:i, s:i, s:o, s:b, s:o, s:o, s:s !}", "ply", &ply, "turn", &turn,
                        "legal", &legal, "over", &over, "winner", &winner, "scores", &scores,
                        "reason", &reason));
    assert(ply >= 0 && ply <= game->plies_max && turn >= 0 && turn <= 2 && (turn == 0) == over);
    assert(json_is_array(legal) && (json_array_size(legal) == 0) == over);
    assert(over ? json_is_integer(winner) && json_integer_value(winner) >= 0 &&
                      json_integer_value(winner) <= 2
                : json_is_null(winner));
    assert(game->has_scores ? json_array_size(scores) == 2 : json_is_null(scores));
    assert((reason[0] != '\0') == over);
}

// A move that was called legal can be played: the line with it is a move longer.
static void check_legal(const struct setup *setup, const char *line, json_t *answer, size_t n,
                        move *scratch) {
    const char *added = json_string_value(json_array_get(json_object_get(answer, "legal"), n));
    char *longer = NULL;
    assert(added);
    const char *last = line + strlen(line);
    while (last > line && (last[-1] == ' ' || last[-1] == '\t'))
        last--;
    const bool parted = last == line || last[-1] == ';';
    assert(asprintf(&longer, "%s%s%s", line, parted ? "" : ";", added) > 0);
    json_t *next = ask(setup, longer, scratch);
    check_answer(setup->game, next);
    assert(json_integer_value(json_object_get(next, "ply")) ==
           json_integer_value(json_object_get(answer, "ply")) + 1);
    json_decref(next);
    free(longer);
}

static void try_line(const struct setup *setup, const char *line) {
    move *scratch = mem_new((size_t)setup->game->moves_max, sizeof *scratch);
    json_t *answer = ask(setup, line, scratch);
    if (json_object_get(answer, "error")) {
        check_error(answer);
    } else {
        check_answer(setup->game, answer);
        const size_t count = json_array_size(json_object_get(answer, "legal"));
        if (count > 0) {
            check_legal(setup, line, answer, 0, scratch);
            check_legal(setup, line, answer, count - 1, scratch);
        }
    }
    json_decref(answer);
    free(scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input in = {data, size};
    const unsigned set = input_byte(&in);
    char *line = input_line(&in);
    for (int i = 0; i < game_count(); i++) {
        struct setup setup;
        fuzz_setup(&setup, (unsigned)i, set);
        try_line(&setup, line);
    }
    free(line);
    return 0;
}
