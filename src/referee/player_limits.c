// SPDX-License-Identifier: MIT
// One table has a row for every key: how it is set on a command line or in a contest file, how it
// is put into a record, and how it is read there. A key that belongs to a protocol is known to the
// games of that protocol alone.
//
// Memory is the one limit that the machine has a say in. What the organiser has set himself holds
// or is an error. What the game's contest gives is fitted instead: first by playing fewer games at
// once, and if one game alone is too large, by giving its players what there is, which the record
// tells.
#include "referee/player_limits.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { START_STANDARD = 10, START_MAX = 3600, TRAIL_STANDARD = 2, TRAIL_MAX = 9 };

static const int64_t memory_min = 64LL << 20, memory_max = 1024LL << 30;

static const char *const ponder_words[] = {
#define PONDER_WORD(id, word) word,
    PONDERS(PONDER_WORD)
#undef PONDER_WORD
};

static bool set_ponder(struct player_limits *limits, const char *value, struct err *err) {
    char accepted[80] = "";
    for (size_t i = 0; i < sizeof ponder_words / sizeof *ponder_words; i++) {
        if (strcmp(ponder_words[i], value) == 0) {
            limits->ponder = (enum ponder)i;
            return true;
        }
        err_list(accepted, sizeof accepted, ponder_words[i]);
    }
    return err_set(err, "ponder cannot be '%.60s'; accepted: %s", value, accepted);
}

// "512M", "6G", also with a B behind it.
static bool set_memory(struct player_limits *limits, const char *value, struct err *err) {
    char *unit;
    const long long number = *value >= '1' && *value <= '9' ? strtoll(value, &unit, 10) : 0;
    const bool giga = number && (!strcasecmp(unit, "G") || !strcasecmp(unit, "GB"));
    const bool mega = number && (!strcasecmp(unit, "M") || !strcasecmp(unit, "MB"));
    limits->memory = 0;
    limits->memory_own = true;
    if (strcmp(value, "off") == 0)
        return true;
    if ((giga || mega) && number <= memory_max >> 20)
        limits->memory = number << (giga ? 30 : 20);
    if (limits->memory >= memory_min && limits->memory <= memory_max)
        return true;
    return err_set(err, "memory cannot be '%.60s'; accepted: off, 64M..1024G", value);
}

static bool set_trail(struct player_limits *limits, const char *value, struct err *err) {
    if (value[0] < '0' || value[0] > '0' + TRAIL_MAX || value[1])
        return err_set(err, "trail cannot be '%.60s'; accepted: 0..%d", value, TRAIL_MAX);
    limits->trail = value[0] - '0';
    return true;
}

static bool set_start(struct player_limits *limits, const char *value, struct err *err) {
    char *end;
    const long seconds = *value >= '0' && *value <= '9' ? strtol(value, &end, 10) : 0;
    if (seconds < 1 || seconds > START_MAX || *end)
        return err_set(err, "start_time cannot be '%.60s'; accepted: 1..%d", value, START_MAX);
    limits->start_s = (int)seconds;
    return true;
}

static void player_limits_put_start(const struct player_limits *limits, json_t *settings) {
    json_object_set_new(settings, "start_time", json_integer(limits->start_s));
}

static bool take_start(struct player_limits *limits, const json_t *value, struct err *err) {
    int64_t seconds;
    if (!json_whole(value, 1, START_MAX, &seconds))
        return err_set(err, "start_time is no number from 1 to %d", START_MAX);
    limits->start_s = (int)seconds;
    return true;
}

static void put_ponder(const struct player_limits *limits, json_t *settings) {
    json_object_set_new(settings, "ponder", json_string(ponder_words[limits->ponder]));
}

static void put_memory(const struct player_limits *limits, json_t *settings) {
    json_object_set_new(settings, "memory",
                        limits->memory ? json_integer(limits->memory) : json_null());
}

static void put_trail(const struct player_limits *limits, json_t *settings) {
    json_object_set_new(settings, "trail", json_integer(limits->trail));
}

static bool take_ponder(struct player_limits *limits, const json_t *value, struct err *err) {
    const char *word = json_string_value(value);
    return set_ponder(limits, word ? word : "", err);
}

static bool take_memory(struct player_limits *limits, const json_t *value, struct err *err) {
    limits->memory = 0;
    return json_is_null(value) || json_whole(value, memory_min, memory_max, &limits->memory) ||
           err_set(err, "memory is neither bytes from 64M to 1024G nor null");
}

static bool take_trail(struct player_limits *limits, const json_t *value, struct err *err) {
    int64_t trail;
    if (!json_whole(value, 0, TRAIL_MAX, &trail))
        return err_set(err, "trail is no number from 0 to %d", TRAIL_MAX);
    limits->trail = (int)trail;
    return true;
}

static const struct {
    const char *key, *protocol; // whose games have it; NULL: all
    bool (*set)(struct player_limits *limits, const char *value, struct err *err);
    void (*put)(const struct player_limits *limits, json_t *settings);
    bool (*take)(struct player_limits *limits, const json_t *value, struct err *err);
} keys[PLAYER_LIMITS_MAX] = {
    {"start_time", NULL, set_start, player_limits_put_start, take_start},
    {"ponder", NULL, set_ponder, put_ponder, take_ponder},
    {"memory", NULL, set_memory, put_memory, take_memory},
    {"trail", "pybot", set_trail, put_trail, take_trail},
};

static bool has(int key, const struct game *game) {
    return !keys[key].protocol || strcmp(keys[key].protocol, spec_of(game)->protocol) == 0;
}

void player_limits_init(struct player_limits *limits, const struct game *game) {
    const struct spec *spec = spec_of(game);
    *limits = (struct player_limits){.start_s = START_STANDARD,
                                     .ponder = spec->ponder,
                                     .memory = (int64_t)spec->memory_gb << 30,
                                     .trail = TRAIL_STANDARD};
}

static double gb_of(int64_t bytes) { return (double)bytes / (1 << 30); }

struct player_limits_room player_limits_here(const struct game *game, int players, int games) {
    return (struct player_limits_room){
        .game = game, .memory = box_machine_memory(), .players = players, .games = games};
}

int player_limits_fit(struct player_limits *limits, const struct player_limits_room *room,
                      char words[static PLAYER_LIMITS_WORDS], struct err *err) {
    words[0] = '\0';
    assert(room->games >= 1 && room->players >= 0);
    if (limits->memory_own)
        return !limits->box || box_fits(limits->memory, room->players, room->games, err)
                   ? room->games
                   : 0;
    const int64_t of_a_game = limits->memory * room->players;
    if (of_a_game == 0 || room->memory / of_a_game >= room->games)
        return room->games;
    const int fitting = (int)(room->memory / of_a_game);
    if (fitting > 0) {
        snprintf(
            words, PLAYER_LIMITS_WORDS,
            "%s gives a player %.0f GB, and this machine has %.1f GB: %d game%s at once instead "
            "of %d; memory= sets another limit",
            room->game->name, gb_of(limits->memory), gb_of(room->memory), fitting,
            fitting == 1 ? "" : "s", room->games);
        return fitting;
    }
    limits->memory_asked = limits->memory;
    limits->memory = (room->memory / room->players) & ~((INT64_C(1) << 20) - 1);
    if (limits->memory < memory_min)
        limits->memory = memory_min;
    snprintf(
        words, PLAYER_LIMITS_WORDS,
        "%s gives a player %.0f GB, and this machine has %.1f GB: one game at once, and %.1f GB "
        "for a player, as every record says",
        room->game->name, gb_of(limits->memory_asked), gb_of(room->memory), gb_of(limits->memory));
    return 1;
}

bool player_limits_has(const char *key) {
    for (int i = 0; i < PLAYER_LIMITS_MAX; i++)
        if (strcmp(keys[i].key, key) == 0)
            return true;
    return false;
}

bool player_limits_set(struct player_limits *limits, const struct game *game, const char *key,
                       const char *value, struct err *err) {
    for (int i = 0; i < PLAYER_LIMITS_MAX; i++) {
        if (strcmp(keys[i].key, key) != 0)
            continue;
        if (has(i, game))
            return keys[i].set(limits, value, err);
        char others[200];
        spec_list_games(keys[i].protocol, others, sizeof others);
        return err_set(err, "%s is a setting of %s, not of %s", key, others, game->name);
    }
    return err_set(err, "there is no setting '%.60s'", key);
}

void player_limits_put(const struct player_limits *limits, const struct game *game,
                       json_t *settings) {
    for (int i = 0; i < PLAYER_LIMITS_MAX; i++)
        if (has(i, game))
            keys[i].put(limits, settings);
}

bool player_limits_take(struct player_limits *limits, const struct game *game,
                        const json_t *settings, struct err *err) {
    player_limits_init(limits, game);
    for (int i = 0; i < PLAYER_LIMITS_MAX; i++)
        if (has(i, game) && !keys[i].take(limits, json_object_get(settings, keys[i].key), err))
            return false;
    return true;
}

int player_limits_keys(const struct game *game, const char *list[static PLAYER_LIMITS_MAX]) {
    int count = 0;
    for (int i = 0; i < PLAYER_LIMITS_MAX; i++)
        if (has(i, game))
            list[count++] = keys[i].key;
    return count;
}
