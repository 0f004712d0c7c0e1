// SPDX-License-Identifier: MIT
// Input: what a stranger's folder says of its game. A byte that chooses which of its files, then
// the file: facts, game.conf or board.conf. A file is taken, or refused in words.
#include "folder/board_conf.h"
#include "folder/conf.h"
#include "folder/facts.h"
#include "fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

// libconfig loses texts that stand before a wrong word.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libconfig.so"; }

// What is read must be within its bounds, and short enough to be shown.
static void check_facts(const char *text) {
    struct facts facts = {.text = NULL};
    struct game game;
    struct err err = {.set = false};
    if (facts_read(&facts, text, &game, &err)) {
        struct ruleset rules;
        ruleset_init(&rules, &game);
        assert(facts_is_name(game.name) && *game.title);
        assert(game.width <= FACTS_SIDE_MAX && game.height <= FACTS_SIDE_MAX);
        assert(game.moves_max <= FACTS_MOVES_MAX && game.plies_max <= FACTS_PLIES_MAX);
        assert(game.state_size > 0 && game.state_size <= GAME_STATE_MAX);
        assert(game.ending_count >= 2 && game.ending_count <= FACTS_ENDINGS_MAX);
    } else {
        assert(err.set && *err.text);
    }
    facts_done(&facts);
}

static void check_conf(const char *path, const struct game *game) {
    struct conf conf = {.is_read = false};
    struct err err = {.set = false};
    if (conf_read(&conf, path, game, &err)) {
        json_t *shown = conf_shown(&conf);
        assert(json_is_object(shown) && strcmp(conf.spec.game, game->name) == 0);
        assert(conf.spec.time_low_s > 0 && conf.spec.time_low_s <= conf.spec.time_high_s);
        json_decref(shown);
    } else {
        assert(err.set && *err.text);
    }
    conf_done(&conf);
}

static void check_board(const char *path, const struct game *game) {
    struct err err = {.set = false};
    json_t *board = board_conf_read(path, game, &err);
    assert(board ? json_is_object(board) : err.set && *err.text);
    json_decref(board);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input in = {.at = data, .left = size};
    const unsigned choice = input_byte(&in);
    const struct game *game = game_nth((int)(choice / 3 % (unsigned)game_count()));
    if (choice % 3 == 0) {
        char *text = mem_new(in.left + 1, 1);
        if (in.left)
            memcpy(text, in.at, in.left);
        check_facts(text);
        free(text);
        return 0;
    }
    char path[64];
    const int file = memfd_create("fuzz", MFD_CLOEXEC);
    assert(file >= 0 && write(file, in.at, in.left) == (ssize_t)in.left);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    (choice % 3 == 1 ? check_conf : check_board)(path, game);
    close(file);
    return 0;
}
