// SPDX-License-Identifier: MIT
#include "web/entry.h"

#include "link/shell.h"
#include "web/seat.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRANTS_MAX = 64, GROUP_SIZE = 4 };

// A text for libconfig.
static void put_text(struct buf *out, const char *text) {
    buf_text(out, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            buf_format(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            buf_text(out, " ");
        else
            buf_put(out, text, 1);
    }
    buf_text(out, "\"");
}

static const char *text_of(const json_t *object, const char *key, const char *standard) {
    const char *text = json_string_value(json_object_get(object, key));
    return text && *text ? text : standard;
}

static int number_of(const json_t *object, const char *key, int standard, int most) {
    const json_int_t number = json_integer_value(json_object_get(object, key));
    return number >= 1 && number <= most ? (int)number : standard;
}

static void put_settings(struct buf *out, const json_t *form) {
    const char *key;
    json_t *value;
    const json_t *set = json_object_get(form, "set");
    if (json_object_size(set) == 0)
        return;
    buf_text(out, "set = {");
    json_object_foreach((json_t *)set, key, value) {
        if (strspn(key, "abcdefghijklmnopqrstuvwxyz_") != strlen(key) || !json_is_string(value))
            continue;
        buf_format(out, " %s = ", key);
        put_text(out, json_string_value(value));
        buf_text(out, ";");
    }
    buf_text(out, " };\n");
}

// The formats that can be chosen, and whether a meeting needs a winner.
static const struct {
    const char *name;
    bool decides;
} formats[] = {{"league", false}, {"swiss", false}, {"knockout", true}, {"double", true}};

static void put_format(struct buf *out, const char *name, int best, size_t players,
                       struct err *err) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(formats[i].name, name) != 0)
            continue;
        buf_format(out, "format = \"%s\";\n%s = %d;\n", name,
                   formats[i].decides ? "best_of" : "games", formats[i].decides ? best : 2);
        if (strcmp(name, "knockout") == 0 && players >= 4)
            buf_text(out, "third = true;\n");
        return;
    }
    err_set(err, "a contest is a league, knockout, double or swiss");
}

// League alone, or groups of about four and then a knock-out of the best two of each.
static void put_stages(struct buf *out, const json_t *form, size_t players, struct err *err) {
    const int wins = number_of(form, "wins", 2, 9), best = 2 * wins - 1;
    const char *format = text_of(form, "format", "");
    const bool only = strcmp(text_of(form, "league", "normal"), "only") == 0;
    const size_t groups = players / GROUP_SIZE > 1 ? players / GROUP_SIZE : 1;
    if (*format)
        put_format(out, format, best, players, err);
    else if (only || players < 4)
        buf_format(out, "format = \"league\";\ngames = 2;\n");
    else
        buf_format(
            out,
            "stages = (\n    { name = \"groups\"; format = \"league\"; groups = %zu; games = 2; "
            "advance = 2; },\n    { name = \"knock-out\"; format = \"knockout\"; best_of = "
            "%d; third = true; }\n);\n",
            groups, best);
}

static void put_player(struct buf *out, const json_t *entrant, const struct game *game,
                       const struct room_house *house, struct err *err) {
    const char *name = text_of(entrant, "name", ""), *player = text_of(entrant, "player", "");
    struct seat seat;
    if (!*name || strlen(name) >= SEAT_NAME_MAX) {
        err_set(err, "every player has a name of at most %d letters", SEAT_NAME_MAX - 1);
        return;
    }
    if (strcmp(player, "handed-in") == 0) {
        buf_text(out, "    { name = ");
        put_text(out, name);
        buf_text(out, "; handed_in = true; }");
        return;
    }
    if (seat_take(&seat, player, "", game, house->players, house->program, err)) {
        if (seat_is_person(&seat))
            err_set(err, "people do not play in contests");
        buf_text(out, "    { name = ");
        put_text(out, name);
        buf_text(out, "; start = ");
        put_text(out, seat.argument);
        buf_text(out, "; }");
    }
    seat_done(&seat);
}

void entry_write(struct buf *out, const json_t *form, const struct room_house *house,
                 struct err *err) {
    const struct game *game = game_find(text_of(form, "game", ""));
    const json_t *players = json_object_get(form, "players");
    const size_t count = json_array_size(players);
    if (!game || count < 2 || count > ENTRANTS_MAX) {
        err_set(err, "a contest has a game and 2 to %d players", ENTRANTS_MAX);
        return;
    }
    buf_text(out, "name = ");
    put_text(out, text_of(form, "name", game->title));
    buf_format(out, ";\ngame = \"%s\";\ntime = ", game->name);
    put_text(out, text_of(form, "time", "1"));
    buf_format(out, ";\njobs = %d;\nseed = %u;\n", number_of(form, "jobs", 1, 16),
               (unsigned)number_of(form, "seed", 1, INT32_MAX));
    put_settings(out, form);
    put_stages(out, form, count, err);
    buf_text(out, "players = (\n");
    for (size_t i = 0; i < count && !err->set; i++) {
        if (i > 0)
            buf_text(out, ",\n");
        put_player(out, json_array_get(players, i), game, house, err);
    }
    buf_text(out, "\n);\n");
}

// The demo.

enum { DEMO_PLAYERS = 8 };

// A demo contest: how many games at once, of how many of the players below, and its stages.
static const struct demo {
    const char *id, *name, *game;
    int jobs, players;
    const char *stages;
} demos[] = {
    {"demo", "Demo", "reversi", 3, DEMO_PLAYERS,
     "stages = (\n    { name = \"groups\"; format = \"league\"; groups = 2; games = 1; advance = "
     "2; "
     "},\n    { name = \"knock-out\"; format = \"knockout\"; best_of = 3; third = true; }\n);\n"},
    {"demo2", "Demo 2", "connect6", 1, 4, "format = \"league\";\n"},
    {"demo3", "Demo 3", "tower4", 1, 4, "format = \"league\";\n"},
    {"demo4", "Demo 4", "hopchess", 1, 4, "format = \"league\";\n"},
};

_Static_assert(sizeof demos / sizeof *demos <= ENTRY_DEMOS_MAX, "room for every demo");

const char *entry_demo_id(int number) {
    return (size_t)number < sizeof demos / sizeof *demos ? demos[number].id : NULL;
}

// A built-in player that takes a second for every turn, so that people can follow.
static void put_demo_player(struct buf *out, const struct room_house *house,
                            const struct demo *demo, int number) {
    static const char *const levels[DEMO_PLAYERS] = {"--nodes 3000",
                                                     "--level normal --nodes 500",
                                                     "--level easy --nodes 200",
                                                     "--nodes 1000",
                                                     "--level normal --nodes 200",
                                                     "--level easy --nodes 100",
                                                     "--nodes 300",
                                                     "--level random"};
    struct buf command = {.data = NULL};
    buf_text(&command, "abp:");
    shell_put_quoted(&command, house->program);
    buf_format(&command, " bot %s --slow 1 %s", demo->game, levels[number]);
    buf_format(out, "%s    { name = \"Team %d\"; start = ", number > 0 ? ",\n" : "", number + 1);
    put_text(out, command.data);
    buf_text(out, "; }");
    buf_done(&command);
}

void entry_write_demo(struct buf *out, const struct room_house *house, int number, unsigned seed) {
    const struct demo *demo = &demos[number];
    buf_format(out,
               "# A demo: built-in players that take a second for every turn.\n"
               "name = \"%s\";\ngame = \"%s\";\ntime = 5;\nseed = %u;\njobs = %d;\n%s",
               demo->name, demo->game, seed, demo->jobs, demo->stages);
    buf_text(out, "players = (\n");
    for (int i = 0; i < demo->players; i++)
        put_demo_player(out, house, demo, i);
    buf_text(out, "\n);\n");
}

unsigned entry_seed(const char *text) {
    const char *at = strstr(text, "\nseed = ");
    return at ? (unsigned)strtoul(at + strlen("\nseed = "), NULL, 10) : 1;
}
