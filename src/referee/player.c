// SPDX-License-Identifier: MIT
#include "referee/player.h"

#include "base/mem.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char forms[] =
    "builtin[:LEVEL][,nodes=N][,threads=N], random, cmd:COMMAND, tcp:TEAM[=COMMAND], py:FILE, "
    "abp:COMMAND, human";

// A word for the shell, whatever it holds.
static void put_quoted(struct buf *out, const char *word) {
    buf_text(out, "'");
    for (; *word; word++) {
        if (*word == '\'')
            buf_text(out, "'\\''");
        else
            buf_put(out, word, 1);
    }
    buf_text(out, "'");
}

// A command whose words that are files here are given by their whole path, so that it can be
// started in another folder. A command with quotes is left as it is.
static char *absolute_command(const char *command) {
    struct buf out = {.data = NULL};
    if (strpbrk(command, "'\"\\"))
        return mem_text(command);
    for (const char *at = command; *at;) {
        const size_t blanks = strspn(at, " \t");
        buf_put(&out, at, blanks);
        at += blanks;
        const size_t length = strcspn(at, " \t");
        char word[PATH_MAX], path[PATH_MAX];
        const bool fits = length > 0 && length < sizeof word;
        if (fits) {
            memcpy(word, at, length);
            word[length] = '\0';
        }
        if (fits && word[0] != '/' && access(word, F_OK) == 0 && realpath(word, path))
            put_quoted(&out, path);
        else
            buf_put(&out, at, length);
        at += length;
    }
    buf_put(&out, "", 0);
    return out.data;
}

static bool is_in_path(const char *program) {
    char *folders = mem_text(getenv("PATH") ? getenv("PATH") : "/bin:/usr/bin"), *rest = folders;
    bool found = false;
    for (char *folder; !found && (folder = strsep(&rest, ":"));) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%.2000s/%s", folder, program);
        found = access(path, X_OK) == 0;
    }
    free(folders);
    return found;
}

// A Windows program is started through wine.
static bool use_wine(struct player *p, struct err *err) {
    if (!p->command)
        return true;
    const char *command = p->command + strspn(p->command, " '\"");
    const size_t length = strcspn(command, " '\"");
    if (length < 4 || strncasecmp(command + length - 4, ".exe", 4) != 0)
        return true;
    if (!is_in_path("wine"))
        return err_set(err,
                       "%.100s is a Windows program and wine is not installed: apt install wine",
                       p->text);
    struct buf out = {.data = NULL};
    buf_format(&out, "wine %s", p->command);
    free(p->command);
    p->command = out.data;
    return true;
}

static bool is_game(const struct game *game, const char *names) {
    const char *found = strstr(names, game->name);
    return found != NULL;
}

// "LEVEL,nodes=N,threads=N", any part of it, as options of `arbiter bot`.
static bool put_options(struct buf *out, const char *options, struct err *err) {
    char *copy = mem_text(options), *rest = copy;
    bool good = true;
    for (char *part; good && (part = strsep(&rest, ","));) {
        char *value = strchr(part, '=');
        if (!*part)
            continue;
        if (value)
            *value++ = '\0';
        const bool known = !value || !strcmp(part, "nodes") || !strcmp(part, "threads");
        if (!known) {
            good = err_set(err, "builtin has no setting '%.40s'; accepted: nodes, threads", part);
            continue;
        }
        buf_text(out, value ? " --" : " --level ");
        put_quoted(out, part);
        if (value) {
            buf_text(out, " ");
            put_quoted(out, value);
        }
    }
    free(copy);
    return good;
}

static bool read_builtin(struct player *p, const char *options, const struct game *game,
                         const char *program, struct err *err) {
    struct buf out = {.data = NULL};
    put_quoted(&out, program);
    buf_format(&out, " bot %s --protocol abp", game->name);
    const bool good = put_options(&out, options, err);
    p->protocol = &wire_abp;
    p->command = out.data;
    return good;
}

static bool read_team(struct player *p, const char *rest, const struct game *game,
                      struct err *err) {
    char *end;
    errno = 0;
    const long team = strtol(rest, &end, 10);
    if (end == rest || errno || team < INT32_MIN || team > INT32_MAX || (*end && *end != '='))
        return err_set(err, "tcp:%.40s: a team is a number, as in tcp:7 or tcp:7=COMMAND", rest);
    if (!is_game(game, "reversi tower4 hopchess"))
        return err_set(err, "%s has no TCP protocol; its players are %s", game->name,
                       is_game(game, "connect6") ? "cmd:COMMAND or abp:COMMAND"
                                                 : "py:FILE or abp:COMMAND");
    p->kind = PLAYER_TEAM;
    p->protocol = &wire_stcp;
    p->team = (int32_t)team;
    if (*end)
        p->command = mem_text(end + 1);
    return true;
}

static bool read_command(struct player *p, const char *rest, const struct game *game,
                         struct err *err) {
    if (!is_game(game, "connect6"))
        return err_set(err, "%s has no contest protocol on standard input and output; use %s",
                       game->name,
                       is_game(game, "cuptactoe") ? "py:FILE or abp:COMMAND"
                                                  : "tcp:TEAM=COMMAND or abp:COMMAND");
    p->protocol = &wire_sixline;
    p->own_folder = true;
    p->command = absolute_command(rest);
    return true;
}

static bool read_python(struct player *p, const char *file, const struct game *game,
                        struct err *err) {
    if (!is_game(game, "cuptactoe"))
        return err_set(err, "%s has no Python class; py: is for cuptactoe", game->name);
    if (access(file, R_OK) != 0)
        return err_set(err, "cannot read %.200s: %s", file, strerror(errno));
    struct buf out = {.data = NULL};
    buf_text(&out, "python3 -c ");
    put_quoted(&out, pybot_runner);
    buf_text(&out, " ");
    put_quoted(&out, file);
    p->protocol = &wire_pybot;
    p->command = out.data;
    return true;
}

// What follows a prefix, or NULL.
static const char *after(const char *text, const char *prefix) {
    const size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static bool read_form(struct player *player, const char *text, const struct game *game,
                      const char *program, struct err *err) {
    *player = (struct player){.text = text, .kind = PLAYER_CHILD};
    const char *rest;
    if (strcmp(text, "human") == 0) {
        player->kind = PLAYER_HUMAN;
        player->protocol = &wire_abp;
        return true;
    }
    if (strcmp(text, "random") == 0)
        return read_builtin(player, "random", game, program, err);
    if (strcmp(text, "builtin") == 0 || (rest = after(text, "builtin,")))
        return read_builtin(player, text[7] ? text + 8 : "", game, program, err);
    if ((rest = after(text, "builtin:")))
        return read_builtin(player, rest, game, program, err);
    if ((rest = after(text, "tcp:")))
        return read_team(player, rest, game, err);
    if ((rest = after(text, "py:")))
        return read_python(player, rest, game, err);
    if ((rest = after(text, "cmd:")) && *rest)
        return read_command(player, rest, game, err);
    if ((rest = after(text, "abp:")) && *rest) {
        player->protocol = &wire_abp;
        player->command = mem_text(rest);
        return true;
    }
    return err_set(err, "'%.80s' is no player; a player is %s", text, forms);
}

bool player_read(struct player *player, const char *text, const struct game *game,
                 const char *program, struct err *err) {
    return read_form(player, text, game, program, err) && use_wine(player, err);
}

void player_done(struct player *player) { free(player->command); }
