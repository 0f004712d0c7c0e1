// SPDX-License-Identifier: MIT
// A player of the folder is one of
//   NAME.player   a line with the PLAYER argument of `arbiter match`: a command
//   NAME.py       a Python file: class Bot in cuptactoe, our line protocol elsewhere
//   NAME          a program, on connect6's protocol there and on ours elsewhere
//   NAME/         a kit: the first of its well-known files that is there
#include "web/seat.h"

#include "base/buf.h"
#include "base/path.h"
#include "base/readable.h"
#include "games/registry.h"
#include "link/shell.h"
#include "spec/spec.h"
#include "submit/kit.h"
#include "submit/recipe.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIST_MAX = 200, SOURCE_MAX = 1 << 16 };

// One name, of a file right in the folder.
static bool is_name(const char *name) {
    return *name && *name != '.' && !strchr(name, '/') && strlen(name) < SEAT_TEXT_MAX - 8;
}

// The beginning of a file as text; freed by the caller, NULL if it cannot be read, or is empty.
static char *read_start(const char *path) {
    struct buf text = {.data = NULL};
    path_read(path, SOURCE_MAX, &text);
    return text.data;
}

static void put_command(struct buf *out, const char *form, const char *before, const char *path) {
    buf_text(out, form);
    buf_text(out, before);
    shell_put_quoted(out, path);
}

static const char *program_form(const struct game *game) {
    return wire_plays(&wire_sixline, game) ? "cmd:" : "abp:";
}

// A class Bot: one that takes a state plays all games but the one whose contest has its own form.
static bool is_class_of(const char *source, const struct game *game) {
    const bool takes_state = strstr(source, "get_move(self, state") != NULL,
               own_form = strcmp(spec_of(game)->protocol, wire_pybot.name) == 0;
    return own_form ? !takes_state : takes_state && strstr(source, "class Bot");
}

static bool put_python(struct buf *out, const char *path, const struct game *game) {
    char *source = read_start(path);
    const bool speaks_abp = source && strstr(source, "abp");
    const bool is_class = source && is_class_of(source, game);
    free(source);
    if (is_class && !speaks_abp)
        buf_format(out, "py:%s", path);
    else
        put_command(out, speaks_abp ? "abp:" : program_form(game), "python3 ", path);
    return true;
}

// Puts a start that is meant for the folder of the player, so that it works from anywhere.
static void put_from(struct buf *out, const char *start, const char *folder) {
    const char *command = strchr(start, start[0] == 't' ? '=' : ':') + 1; // tcp:TEAM=COMMAND
    if (strncmp(start, "py:", 3) == 0) {
        buf_format(out, "py:%s/%s", folder, command);
        return;
    }
    buf_put(out, start, (size_t)(command - start));
    buf_text(out, "cd ");
    shell_put_quoted(out, folder);
    buf_format(out, " && %s", command);
}

static bool is_in(const char *folder, const char *name, int mode) {
    char path[4096];
    snprintf(path, sizeof path, "%.3700s/%.290s", folder, name);
    return access(path, mode) == 0;
}

// Sources are started as those that are handed in are, but somebody has built them.
static bool put_recipe(struct buf *out, const struct recipe *recipe, const char *folder,
                       const struct game *game, struct err *err) {
    const char *start = recipe->start.data;
    const bool course = is_in(folder, "STcpClient.py", R_OK) || is_in(folder, "STcpClient.h", R_OK);
    if (course && !wire_plays(&wire_stcp, game))
        return err_set(err, "it is a kit for another game than %s", game->name);
    if (strncmp(start, "tcp:-", 5) == 0)
        return err_set(err, "its idTeam is not set: give it your team's number");
    if (recipe->made && !is_in(folder, recipe->made, X_OK))
        return err_set(err, "it is not built yet: %s", recipe->build.data);
    put_from(out, start, folder);
    return true;
}

static bool put_folder(struct buf *out, const char *folder, const struct game *game,
                       struct err *err) {
    static const char *const programs[] = {"player", "run"};
    struct recipe recipe = {.kind = NULL};
    char why[RECIPE_WHY_MAX];
    bool good = recipe_find(&recipe, folder, &(struct recipe_job){.game = game->name}, why, err);
    if (good)
        good = put_recipe(out, &recipe, folder, game, err);
    else if (recipe.kind && !err->set)
        err_set(err, "%s", why);
    for (size_t i = 0; !recipe.kind && !good && i < sizeof programs / sizeof *programs; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%.4000s/%s", folder, programs[i]);
        good = access(path, X_OK) == 0;
        if (good)
            put_command(out, program_form(game), "", path);
    }
    recipe_done(&recipe);
    return good || err_set(err, "the folder has nothing to start: no C, C++ or Python file, no "
                                "player.conf, and no program named player or run");
}

static bool put_line(struct buf *out, const char *path, struct err *err) {
    char *line = read_start(path);
    if (line)
        line[strcspn(line, "\r\n")] = '\0';
    const bool good = line && *line && strcmp(line, "human") != 0;
    if (good)
        buf_text(out, line);
    free(line);
    return good || err_set(err, "its first line is no player; a line is cmd:COMMAND, "
                                "tcp:TEAM=COMMAND, py:FILE or abp:COMMAND");
}

// The command-line argument of a player of the folder.
static bool find_own(struct buf *out, const char *name, const struct game *game, const char *folder,
                     struct err *err) {
    char path[4096];
    struct stat info;
    snprintf(path, sizeof path, "%.3700s/%.290s", folder, name);
    if (!is_name(name) || stat(path, &info) != 0)
        return err_set(err, "there is no such player in the players folder");
    if (S_ISDIR(info.st_mode))
        return put_folder(out, path, game, err);
    if (path_ends_with(name, ".player"))
        return put_line(out, path, err);
    if (path_ends_with(name, ".py"))
        return put_python(out, path, game);
    if (access(path, X_OK) != 0)
        return err_set(err, "not a valid AI file: it is no program, no .py and no folder");
    put_command(out, program_form(game), "", path);
    return true;
}

static const char *after(const char *text, const char *prefix) {
    const size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

// What the page may ask for without naming a command.
static bool is_plain(const char *text) {
    static const char *const words[] = {"human", "random", "builtin"};
    const char *rest;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    if ((rest = after(text, "tcp:")))
        return strspn(rest, "0123456789") == strlen(rest);
    return after(text, "builtin:") || after(text, "builtin,");
}

bool seat_take(struct seat *seat, const char *text, const struct game *game, const char *folder,
               const char *program, struct err *err) {
    struct buf argument = {.data = NULL};
    struct err why = {.set = false};
    *seat = (struct seat){.argument = NULL};
    const size_t length = strlen(text);
    if (length >= SEAT_TEXT_MAX)
        return err_set(err, "'%.40s...' is no player", text);
    memcpy(seat->text, text, length + 1);
    const char *own = after(text, "own:");
    if (own && !find_own(&argument, own, game, folder, &why))
        return err_refuse(err, own, &why);
    if (!own && !is_plain(text))
        return err_set(err, "'%.60s' is no player", text);
    if (!own)
        buf_text(&argument, text);
    seat->argument = argument.data;
    if (!own)
        return player_read(&seat->player, seat->argument, game, program, err);
    return player_read(&seat->player, seat->argument, game, program, &why) ||
           err_refuse(err, own, &why);
}

void seat_done(struct seat *seat) {
    player_done(&seat->player);
    free(seat->argument);
    *seat = (struct seat){.argument = NULL};
}

bool seat_is_person(const struct seat *seat) { return seat->player.kind == PLAYER_HUMAN; }

bool seat_is_builtin(const struct seat *seat) {
    return strcmp(seat->text, "random") == 0 || after(seat->text, "builtin");
}

bool seat_is_for_visitors(const char *text) {
    const char *level = after(text, "builtin:");
    return strcmp(text, "human") == 0 || strcmp(text, "random") == 0 ||
           strcmp(text, "builtin") == 0 || (level && !strchr(level, ','));
}

static void copy_whole(char to[static SEAT_NAME_MAX], const char *text) {
    snprintf(to, SEAT_NAME_MAX, "%.*s", (int)readable_cut(text, strlen(text), SEAT_NAME_MAX - 1),
             text);
}

void seat_set_name(struct seat *seat, const char *name) { copy_whole(seat->name, name); }

void seat_set_department(struct seat *seat, const char *department) {
    copy_whole(seat->department, department);
}

// What is seen of a source or a script.
struct signs {
    bool names, names_other; // this game, or others: kits do, in their heads and greetings
    bool abp, bot, sixline;  // words of what players speak
};

static struct signs read_signs(const char *path, const struct game *game) {
    struct signs signs = {.names = false};
    char *source = read_start(path);
    for (int i = 0; source && i < game_count(); i++)
        if (strstr(source, game_nth(i)->name)) {
            signs.names |= game_nth(i) == game;
            signs.names_other |= game_nth(i) != game;
        }
    signs.abp =
        source && (strstr(source, "abp") || (strstr(source, "ready") && strstr(source, "move")));
    signs.bot = source && strstr(source, "class Bot") && is_class_of(source, game);
    signs.sixline = source && (strstr(source, "TeamName") ||
                               (strstr(source, "START") && strstr(source, "BEGIN")));
    free(source);
    return signs;
}

static bool is_text_player(const char *path, const struct game *game) {
    const struct signs signs = read_signs(path, game);
    if (signs.names || signs.names_other)
        return signs.names;
    return signs.abp || signs.bot || (signs.sixline && wire_plays(&wire_sixline, game));
}

// What the machine runs by itself: where a folder came from elsewhere, all its files may say that
// they can be run.
static bool is_binary(const char *path) {
    static const char *const beginnings[] = {"\x7f"
                                             "ELF",
                                             "MZ"};
    char *bytes = read_start(path);
    bool found = false;
    for (size_t i = 0; bytes && i < sizeof beginnings / sizeof *beginnings; i++)
        found |= after(bytes, beginnings[i]) != NULL;
    free(bytes);
    return found;
}

static bool is_folder_player(const char *path, const struct game *game, const struct embed *kits) {
    struct recipe recipe = {.kind = NULL};
    struct kit_origin origin;
    struct err err = {.set = false};
    char why[RECIPE_WHY_MAX];
    if (kit_of_other_game(kits, path, game->name, &origin))
        return false;
    recipe_find(&recipe, path, &(struct recipe_job){.game = game->name}, why, &err);
    const bool found = recipe.kind || is_in(path, "player", X_OK) || is_in(path, "run", X_OK);
    recipe_done(&recipe);
    return found;
}

// Whether a line says a player of this game; nothing is started.
static bool is_line_player(const char *path, const struct game *game) {
    struct buf line = {.data = NULL};
    struct err err = {.set = false};
    struct player player;
    const bool good =
        put_line(&line, path, &err) && player_read(&player, line.data, game, "", &err);
    if (good)
        player_done(&player);
    buf_done(&line);
    return good;
}

static bool could_play(const char *folder, const char *name, const struct game *game,
                       const struct embed *kits) {
    char path[4096];
    struct stat info;
    snprintf(path, sizeof path, "%.3700s/%.290s", folder, name);
    if (stat(path, &info) != 0)
        return false;
    if (S_ISDIR(info.st_mode))
        return is_folder_player(path, game, kits);
    if (path_ends_with(name, ".player"))
        return is_line_player(path, game);
    if (path_ends_with(name, ".py"))
        return is_text_player(path, game);
    return access(path, X_OK) == 0 && (is_binary(path) || is_text_player(path, game));
}

static json_t *entry_of(const char *folder, const char *name, const struct embed *kits) {
    json_t *games = json_array();
    for (int i = 0; i < game_count(); i++)
        if (could_play(folder, name, game_nth(i), kits))
            json_array_append_new(games, json_string(game_nth(i)->name));
    return json_pack("{s:o, s:o}", "name", json_text(name), "games", games);
}

static int is_entry(const struct dirent *entry) { return is_name(entry->d_name); }

json_t *seat_list(const char *folder, const struct embed *kits) {
    json_t *list = json_array();
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_entry, alphasort);
    for (int i = 0; i < count; i++) {
        if (i < LIST_MAX)
            json_array_append_new(list, entry_of(folder, entries[i]->d_name, kits));
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return list;
}
