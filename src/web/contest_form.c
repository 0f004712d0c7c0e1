// SPDX-License-Identifier: MIT
// The form becomes the text of a contest file, which is then read like any other: what a contest
// may be is decided there, once (contest/plan). Here it is only seen to that every value of the
// form has the right kind, and that no text of a stranger can end the place where it is put. The
// demos are texts of the same sort.
#include "web/contest_form.h"

#include "base/builtin.h"
#include "base/plain.h"
#include "link/shell.h"
#include "submit/rules.h"
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

static void put_setting(struct buf *out, const char *key, const char *text, const char *end) {
    buf_format(out, "%s = ", key);
    put_text(out, text);
    buf_text(out, end);
}

// A text; what is not given, or empty, is the standard.
static const char *text_of(const json_t *object, const char *key, const char *standard,
                           struct err *err) {
    const json_t *value = json_object_get(object, key);
    const char *text = json_string_value(value);
    if (value && !json_is_null(value) && !text)
        err_set(err, "the setting %.40s is no text", key);
    return text && *text ? text : standard;
}

// Whether it is the second of two words; what is not given is the first.
static bool is_second(const json_t *object, const char *key, const char *first, const char *second,
                      struct err *err) {
    const char *text = text_of(object, key, first, err);
    if (strcmp(text, first) != 0 && strcmp(text, second) != 0)
        err_set(err, "%s is %s or %s", key, first, second);
    return strcmp(text, second) == 0;
}

// A number from 1 on; what is not given is the standard.
static int number_of(const json_t *object, const char *key, int standard, int most,
                     struct err *err) {
    const json_t *value = json_object_get(object, key);
    int64_t number = standard;
    if (value && !json_is_null(value) && !json_whole(value, 1, most, &number))
        err_set(err, "%s is a whole number from %d to %d", key, 1, most);
    return (int)number;
}

static void put_settings(struct buf *out, const json_t *form, struct err *err) {
    const char *key;
    json_t *value;
    const json_t *set = json_object_get(form, "set");
    if (set && !json_is_null(set) && !json_is_object(set))
        err_set(err, "%s is an object: settings and their texts", "set");
    if (json_object_size(set) == 0)
        return;
    buf_text(out, "set = {");
    json_object_foreach((json_t *)set, key, value) {
        if (strspn(key, "abcdefghijklmnopqrstuvwxyz_") != strlen(key) || !*key)
            err_set(err, "there is no setting '%.40s'", key);
        else if (!json_is_string(value))
            err_set(err, "the setting %.40s is no text", key);
        if (err->set)
            return;
        buf_text(out, " ");
        put_setting(out, key, json_string_value(value), ";");
    }
    buf_text(out, " };\n");
}

// What teams may hand in: anything, or what the documents of the game's contest allow.
static void put_takes(struct buf *out, const json_t *form, const struct game *game,
                      struct err *err) {
    const struct submit_rules *rules = &spec_of(game)->takes;
    const char *comma = "";
    if (!is_second(form, "takes", "anything", "contest", err))
        return;
    if (rules->languages)
        buf_text(out, "languages = [");
    for (int i = 0; i < SUBMIT_COUNT; i++)
        if (rules->languages & 1U << i) {
            buf_format(out, "%s\"%s\"", comma, submit_language_word((enum submit_language)i));
            comma = ", ";
        }
    if (rules->languages)
        buf_text(out, "];\n");
    for (const char *const *file = rules->files; file && *file; file++)
        buf_format(out, "%s\"%s\"%s", file == rules->files ? "files = [" : ", ", *file,
                   file[1] ? "" : "];\n");
    if (rules->cpp)
        buf_format(out, "cpp = \"%s\";\n", rules->cpp);
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
    const int wins = number_of(form, "wins", 2, 9, err), best = 2 * wins - 1;
    const char *format = text_of(form, "format", "", err);
    const bool only = is_second(form, "league", "normal", "only", err);
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

// Two of one name could not be told apart.
static void refuse_twins(const json_t *players, struct err *err) {
    for (size_t i = 0; i < json_array_size(players); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(players, i), "name"));
        for (size_t k = 0; name && *name && k < i; k++) {
            const char *other =
                json_string_value(json_object_get(json_array_get(players, k), "name"));
            if (other && strcmp(name, other) == 0)
                err_set(err, "two players are called %.60s", name);
        }
    }
}

static int letters_in(const char *text) {
    int count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80; // the first byte of each
    return count;
}

// Whether somebody would be taken for a built-in player. A player of the folder can be told by its
// prefix.
static bool is_mistakable(const char *name, const char *player) {
    return builtin_is_name(name) && strcmp(name, player) != 0 && strncmp(player, "own:", 4) != 0;
}

static void put_player(struct buf *out, const json_t *entrant, const struct game *game,
                       const struct services *services, struct err *err) {
    const char *name = text_of(entrant, "name", "", err);
    const char *player = text_of(entrant, "player", "", err);
    struct seat seat;
    if (plain_is_blank(name) || strlen(name) >= SEAT_NAME_MAX ||
        letters_in(name) > SEAT_NAME_LETTERS) {
        err_set(err, "every player has a name of at most %d letters", SEAT_NAME_LETTERS);
        return;
    }
    if (is_mistakable(name, player)) {
        err_set(err, "%.60s is what a built-in player is called: choose another name", name);
        return;
    }
    put_setting(out, "    { name", builtin_is_name(name) ? player : name, "; ");
    if (strcmp(player, "handed-in") == 0) {
        buf_text(out, "handed_in = true; }");
        return;
    }
    if (seat_take(&seat, player, game, services->players, services->program, err)) {
        if (seat_is_person(&seat))
            err_set(err, "people do not play in contests");
        put_setting(out, "start", seat.argument, "; }");
    }
    seat_done(&seat);
}

void contest_form_write(struct buf *out, const json_t *form, const struct services *services,
                        struct err *err) {
    const struct game *game = game_find(text_of(form, "game", "", err));
    const json_t *players = json_object_get(form, "players");
    const size_t count = json_array_size(players);
    if (!game || count < 2 || count > ENTRANTS_MAX) {
        err_set(err, "a contest has a game and 2 to %d players", ENTRANTS_MAX);
        return;
    }
    const char *time = text_of(form, "time", "", err);
    const char *name = text_of(form, "name", game->title, err);
    put_setting(out, "name", plain_is_blank(name) ? game->title : name, ";\n");
    put_setting(out, "game", game->name, ";\n");
    if (*time) // else it is the contest's
        put_setting(out, "time", time, ";\n");
    buf_format(out, "jobs = %d;\nseed = %u;\n", number_of(form, "jobs", 1, 16, err),
               (unsigned)number_of(form, "seed", 1, INT32_MAX, err));
    put_settings(out, form, err);
    put_takes(out, form, game, err);
    put_stages(out, form, count, err);
    if (*text_of(form, "deadline", "", err))
        put_setting(out, "deadline", text_of(form, "deadline", "", err), ";\n");
    refuse_twins(players, err);
    buf_text(out, "players = (\n");
    for (size_t i = 0; i < count && !err->set; i++) {
        if (i > 0)
            buf_text(out, ",\n");
        put_player(out, json_array_get(players, i), game, services, err);
    }
    buf_text(out, "\n);\n");
}

// The demo.

enum { DEMO_PLAYERS = 8 };

// Contests of the demo, in the order of the rows' `demo`: how many games at once, of how many of
// the players below, and its stages.
static const struct demo {
    const char *id, *name;
    int jobs, players;
    const char *stages;
} demos[] = {
    {"demo", "Demo", 3, DEMO_PLAYERS,
     "stages = (\n    { name = \"groups\"; format = \"league\"; groups = 2; games = 1; advance = "
     "2; "
     "},\n    { name = \"knock-out\"; format = \"knockout\"; best_of = 3; third = true; }\n);\n"},
    {"demo2", "Demo 2", 1, 4, "format = \"league\";\n"},
    {"demo3", "Demo 3", 1, 4, "format = \"league\";\n"},
    {"demo4", "Demo 4", 1, 4, "format = \"league\";\n"},
};

_Static_assert(sizeof demos / sizeof *demos <= CONTEST_FORM_DEMOS, "room for every demo");

// The game of a demo; NULL: there is none of that number.
static const struct game *demo_game(int number) {
    const int all = (int)(sizeof demos / sizeof *demos);
    for (int i = 0; number < all && i < game_count(); i++)
        if (spec_of(game_nth(i))->demo == number + 1)
            return game_nth(i);
    return NULL;
}

const char *contest_form_demo_id(int number) { return demo_game(number) ? demos[number].id : NULL; }

// A built-in player that takes a second for every turn, so that people can follow.
static void put_demo_player(struct buf *out, const struct services *services,
                            const struct game *game, int number) {
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
    shell_put_quoted(&command, services->program);
    buf_format(&command, " bot %s --slow 1 %s", game->name, levels[number]);
    buf_format(out, "%s    { name = \"Team %d\"; start = ", number > 0 ? ",\n" : "", number + 1);
    put_text(out, command.data);
    buf_text(out, "; }");
    buf_done(&command);
}

void contest_form_write_demo(struct buf *out, const struct services *services, int number,
                             unsigned seed) {
    const struct demo *demo = &demos[number];
    const struct game *game = demo_game(number);
    buf_format(out,
               "# A demo: built-in players that take a second for every turn.\n"
               "name = \"%s\";\ngame = \"%s\";\ntime = 5;\nseed = %u;\njobs = %d;\n%s",
               demo->name, game->name, seed, demo->jobs, demo->stages);
    buf_text(out, "players = (\n");
    for (int i = 0; i < demo->players; i++)
        put_demo_player(out, services, game, i);
    buf_text(out, "\n);\n");
}

unsigned contest_form_seed(const char *text) {
    const char *at = strstr(text, "\nseed = ");
    const unsigned long seed = at ? strtoul(at + strlen("\nseed = "), NULL, 10) : 1;
    return seed < INT32_MAX ? (unsigned)seed : 1;
}
