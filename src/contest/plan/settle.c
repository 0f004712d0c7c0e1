// SPDX-License-Identifier: MIT
// The draft is read by libconfig, changed there, and written again: what the organiser wrote of all
// else stays as it is, but for comments and layout. What comes of it is read as a plan once, so
// that a file that cannot be run is never written.
#include "contest/plan/settle.h"

#include <errno.h>
#include <libconfig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_text(config_setting_t *player, const char *name, const char *text) {
    config_setting_set_string(config_setting_add(player, name, CONFIG_TYPE_STRING), text);
}

// Gives a player what counts of his, or the reason why nothing does; false if there is nothing.
static bool settle_player(config_setting_t *player, int number, settle_find *find, void *owner) {
    struct settle_entry entry = {.folder = {.data = NULL}};
    const bool found = find(owner, number, &entry);
    if (found)
        config_setting_remove(player, "handed_in");
    if (found && entry.absent.length > 0) {
        put_text(player, "absent", entry.absent.data);
    } else if (found) {
        put_text(player, "folder", entry.folder.data);
        put_text(player, "start", entry.start.data);
    }
    buf_done(&entry.folder);
    buf_done(&entry.start);
    buf_done(&entry.absent);
    return found;
}

static void settle_players(const struct plan *draft, config_setting_t *players, settle_find *find,
                           void *owner) {
    for (int i = draft->player_count - 1; i >= 0; i--) { // from the end: some are taken out
        config_setting_t *player = config_setting_get_elem(players, (unsigned)i);
        if (draft->players[i].handed_in && !settle_player(player, i, find, owner))
            config_setting_remove_elem(players, (unsigned)i);
    }
}

static bool write_config(const config_t *config, struct buf *out, struct err *err) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file)
        config_write(config, file);
    const bool good = file && fclose(file) == 0;
    if (good)
        buf_put(out, text, size);
    free(text);
    return good || err_set(err, "cannot write the contest: %s", strerror(errno));
}

bool settle_write(const struct plan *draft, settle_find *find, void *owner, struct buf *out,
                  struct err *err) {
    config_t config;
    config_init(&config);
    const size_t mark = strncmp(draft->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    bool good = config_read_string(&config, draft->text + mark) == CONFIG_TRUE;
    config_setting_t *players = good ? config_lookup(&config, "players") : NULL;
    if (players)
        settle_players(draft, players, find, owner);
    if (players && config_setting_length(players) < 2)
        err_set(err, "only %d of the players can take part; a contest needs two",
                config_setting_length(players));
    good = players && !err->set && write_config(&config, out, err);
    config_destroy(&config);
    struct plan *plan = good ? plan_read(draft->name, out->data, err) : NULL;
    good = plan != NULL;
    plan_free(plan);
    return good;
}
