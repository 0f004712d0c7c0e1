// SPDX-License-Identifier: MIT
#include "cli/setup.h"

#include "folder/folder.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_MAX = 64 };

const struct game *setup_game(const char *name, struct err *err) {
    const struct game *game = game_find(name);
    if (game)
        return game;
    const char *trouble = folder_trouble(name);
    if (trouble) {
        err_set(err, "the game '%.40s' cannot be used: %.400s", name, trouble);
        return NULL;
    }
    char names[ERR_TEXT_MAX / 2] = "";
    for (int i = 0; i < game_count(); i++)
        err_list(names, sizeof names, game_nth(i)->name);
    err_set(err, "there is no game '%.60s'; the games are %s", name, names);
    return NULL;
}

bool setup_rule(struct ruleset *rules, const char *assignment, struct err *err) {
    const char *equals = strchr(assignment, '=');
    if (!equals || equals - assignment >= KEY_MAX)
        return err_set(err, "--set takes KEY=VALUE, not '%.60s'", assignment);
    char key[KEY_MAX], why[WHY_TEXT_MAX];
    snprintf(key, sizeof key, "%.*s", (int)(equals - assignment), assignment);
    return ruleset_set(rules, key, equals + 1, why) || err_set(err, "%s", why);
}

bool setup_read(struct setup *setup, const struct args *args, struct err *err) {
    setup->game = setup_game(args->word[0], err);
    if (!setup->game)
        return false;
    ruleset_init(&setup->rules, setup->game);
    for (int i = 0; i < args->options; i++)
        if (strcmp(args->given[i].option->name, "--set") == 0 &&
            !setup_rule(&setup->rules, args->given[i].value, err))
            return false;
    char why[WHY_TEXT_MAX];
    return setup->game->start(&setup->start, &setup->rules, args_value(args, "--from"), why) ||
           err_set(err, "%s: %s", setup->game->name, why);
}

void setup_make(struct setup *setup, const char *game, const char *key, const char *value) {
    char why[WHY_TEXT_MAX];
    setup->game = game_find(game);
    assert(setup->game);
    ruleset_init(&setup->rules, setup->game);
    bool done = !key || ruleset_set(&setup->rules, key, value, why);
    done = done && setup->game->start(&setup->start, &setup->rules, NULL, why);
    assert(done);
    (void)done;
}

void board_print(const struct game *game, const void *state, int *drawn) {
    char picture[DRAW_TEXT_MAX];
    game->draw(state, isatty(STDOUT_FILENO) && !getenv("NO_COLOR"), picture);
    if (drawn && *drawn)
        printf("\033[%dA\033[J", *drawn);
    fputs(picture, stdout);
    if (!drawn)
        return;
    *drawn = 0;
    for (const char *p = picture; *p; p++)
        *drawn += *p == '\n';
    fflush(stdout);
}
