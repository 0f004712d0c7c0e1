// SPDX-License-Identifier: MIT
// The rows of the contests, as their documents have them.
#include "spec/spec.h"

#include "base/mem.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define MAY(id) (1u << COST_##id)
#define LANGUAGE(id) (1u << SUBMIT_##id)

// What the judge of the courses of 2020 and 2021 does.
#define COURSE_COST                                                                                \
    { COST_FIRST, COST_FIRST, COST_WAIT, COST_ILLEGAL }
#define COURSE_ACCEPTED                                                                            \
    {                                                                                              \
        MAY(FIRST) | MAY(LOSE), MAY(FIRST) | MAY(LOSE), MAY(WAIT) | MAY(LOSE),                     \
            MAY(ILLEGAL) | MAY(LOSE)                                                               \
    }
#define COURSE_LANGUAGES (LANGUAGE(PYTHON) | LANGUAGE(CPP))

// Whatever it is, it loses.
#define STRICT_COST                                                                                \
    { COST_LOSE, COST_LOSE, COST_LOSE, COST_LOSE }
#define STRICT_ACCEPTED                                                                            \
    { MAY(LOSE), MAY(LOSE), MAY(LOSE), MAY(LOSE) }

static const char *const course_files[] = {"STcpClient.py", "Sample.py", "STcpClient.h",
                                           "Sample.cpp", NULL},
                         *const company_files[] = {"Connect6Algo.h", "Connect6Algo.cpp",
                                                   "AI_Algorithm_Code.cpp", NULL};

static const struct spec rows[] = {
    {.game = "cuptactoe",
     .time_low_s = 3,
     .time_high_s = 3,
     .length_key = "max_turns",
     .length_times = 1,
     .cost = STRICT_COST,
     .accepted = STRICT_ACCEPTED,
     .protocol = "pybot"},
    {.game = "hopchess",
     .time_low_s = 5,
     .time_high_s = 5,
     .memory_gb = 2,
     .length_key = "max_moves",
     .length_times = 2,
     .demo = 4,
     .brief_key = "max_moves",
     .brief_value = "30",
     .cost = {COST_SKIP, COST_SKIP, COST_WAIT, COST_LOSE},
     .accepted = {MAY(SKIP) | MAY(FIRST) | MAY(LOSE), MAY(SKIP) | MAY(FIRST) | MAY(LOSE),
                  MAY(WAIT) | MAY(LOSE), MAY(ILLEGAL) | MAY(LOSE)},
     .protocol = "stcp",
     .tail = STCP_TAIL_MOVES,
     .table_name = "course2019",
     .table = {2, 1, 0, {TIE_BREAK_WINS, TIE_BREAK_DIFFERENCE}, 2},
     // "you can skip the code provided and go on your own"
     .takes = {COURSE_LANGUAGES, NULL, "c++14"}},
    {.game = "reversi",
     .time_low_s = 5,
     .time_high_s = 5,
     .length_times = 60,
     .demo = 1,
     .cost = COURSE_COST,
     .accepted = COURSE_ACCEPTED,
     .protocol = "stcp",
     .tail = STCP_TAIL_SIDE,
     .table_name = "course2020",
     .table = {2, 1, 0, {TIE_BREAK_WINS, TIE_BREAK_DIFFERENCE}, 2},
     .takes = {COURSE_LANGUAGES, course_files, "c++14"}},
    {.game = "tower4",
     .time_low_s = 5,
     .time_high_s = 5,
     .length_key = "pieces",
     .length_times = 1,
     .demo = 3,
     .brief_key = "pieces",
     .brief_value = "32",
     .cost = COURSE_COST,
     .accepted = COURSE_ACCEPTED,
     .protocol = "stcp",
     .has_columns = true,
     .tail = STCP_TAIL_POINTS,
     .table_name = "course2021",
     .table = {2, 1, 0, {TIE_BREAK_DIFFERENCE}, 1},
     .takes = {COURSE_LANGUAGES, course_files, "c++14"}},
    {.game = "connect6",
     .time_low_s = 2,
     .time_high_s = 7,
     .memory_gb = 6,
     .ponder = PONDER_FREEZE, // no work in the opponent's turn
     .draws_blocks = true,
     .length_key = "size",
     .length_times = 0,
     .demo = 2,
     .brief_key = "size",
     .brief_value = "9",
     .cost = STRICT_COST,
     .accepted = STRICT_ACCEPTED,
     .protocol = "sixline",
     .takes = {LANGUAGE(C) | LANGUAGE(CPP), company_files, NULL},
     .kit = "connect6/cpp",
     .kit_kind = "the kit of connect6"},
};

enum { ROWS = sizeof rows / sizeof *rows };

const char *table_fault(const struct table_rules *t) {
    return t->win > t->loss && t->win >= t->draw && t->draw >= t->loss
               ? NULL
               : "a win must bring more than a loss, and a draw neither more than a win nor less "
                 "than a loss";
}

static const struct spec **added;
static int added_count;

void spec_add(const struct spec *row) {
    for (int i = 0; i < added_count; i++)
        if (strcmp(added[i]->game, row->game) == 0) {
            added[i] = row;
            return;
        }
    added = mem_resize(added, (size_t)(added_count + 1) * sizeof *added);
    added[added_count++] = row;
}

const struct spec *spec_of(const struct game *game) {
    for (int i = 0; i < ROWS; i++)
        if (strcmp(rows[i].game, game->name) == 0)
            return &rows[i];
    int i = 0;
    while (i < added_count && strcmp(added[i]->game, game->name) != 0)
        i++;
    assert(i < added_count && "every game has a row");
    return added[i];
}

void spec_list_games(const char *protocol, char *text, size_t size) {
    assert(size > 0);
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < game_count(); i++)
        if (strcmp(spec_of(game_nth(i))->protocol, protocol) == 0 && length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%s", length ? " " : "",
                                       game_nth(i)->name);
}

const struct spec *spec_nth(int n) { return n >= 0 && n < ROWS ? &rows[n] : NULL; }
