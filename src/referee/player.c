// SPDX-License-Identifier: MIT
// A PLAYER is a word before a colon that says which protocol is spoken, and a command, a file or a
// team behind it. All that is said in a dozen places of a player (is it ours, is it started here,
// does it need our port) is read off the text once, here, and asked of the struct from then on.
//
// Commands are the shell's. They are read no further than must be (link/shell.h): where a word is
// known to be a program or a file it may be changed (a Windows program goes behind wine; a file
// gets its whole path, for a player that starts in another folder), and whatever is not understood
// stays as it was typed.
#include "referee/player.h"

#include "base/builtin.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/whole.h"
#include "link/shell.h"
#include "spec/spec.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char forms[] =
    "builtin[:LEVEL][,nodes=N][,threads=N][,misses=N][,general][,untaught], random, "
    "cmd:COMMAND, tcp:TEAM[=COMMAND], "
    "py:FILE, abp:COMMAND, human";

// A word that names a file of this folder, by its whole path; false if it is none. A word that
// happens to be the name of a folder may mean anything, but with a slash in it, or after `cd`.
static bool put_path(struct buf *out, const char *word, bool after_cd) {
    char here[PATH_MAX];
    struct stat info;
    struct buf path = {.data = NULL};
    if (!*word || *word == '/' || stat(word, &info) != 0 || !getcwd(here, sizeof here))
        return false;
    if (S_ISDIR(info.st_mode) && !after_cd && !strchr(word, '/'))
        return false;
    buf_format(&path, "%s/%s", here, word);
    shell_put_quoted(out, path.data);
    buf_done(&path);
    return true;
}

bool player_is_windows(const char *program) {
    const size_t length = strlen(program);
    return length >= 4 && strcasecmp(program + length - 4, ".exe") == 0;
}

static bool is_wine(const char *program) {
    const char *name = strrchr(program, '/');
    name = name ? name + 1 : program;
    return strcmp(name, "wine") == 0 || strcmp(name, "wine64") == 0;
}

// A command made ready to be run. A Windows program is put behind wine. For another folder
// (`away`), words that are files here are given by their whole path; a program that is not a path
// is looked for elsewhere, and what follows `cd` is as seen from there.
static char *prepare_command(const char *command, bool away, bool *windows) {
    struct buf out = {.data = NULL};
    struct shell_reader reader = {.text = command};
    struct shell_token token;
    bool after_cd = false;
    size_t done = 0;
    for (shell_next(&reader, &token); token.kind != SHELL_END && token.kind != SHELL_ODD;
         shell_next(&reader, &token)) {
        const bool is_program = token.is_plain && token.kind == SHELL_COMMAND;
        const bool is_path = token.is_plain &&
                             (token.kind == SHELL_WORD || (is_program && strchr(token.plain, '/')));
        buf_put(&out, command + done, token.from - done);
        if (is_program && player_is_windows(token.plain))
            buf_text(&out, "wine ");
        *windows |= is_program && (player_is_windows(token.plain) || is_wine(token.plain));
        if (!away || !is_path || !put_path(&out, token.plain, after_cd))
            buf_put(&out, command + token.from, token.length);
        done = token.from + token.length;
        if (after_cd && token.kind == SHELL_WORD)
            away = false;
        after_cd |= is_program && strcmp(token.plain, "cd") == 0;
    }
    buf_text(&out, command + done);
    return out.data;
}

static bool take_command(struct player *p, const char *command, struct err *err) {
    struct buf line = {.data = NULL};
    if (!*command)
        return err_set(err, "%.40sCOMMAND: the command is missing", p->text);
    if (p->home) {
        buf_text(&line, "cd ");
        shell_put_quoted(&line, p->home);
        buf_text(&line, " && ");
    }
    buf_text(&line, command);
    p->command = prepare_command(line.data, p->own_folder, &p->windows);
    buf_done(&line);
    return !p->windows || path_has_program("wine") ||
           err_set(err, "%.100s is a Windows program and wine is not installed: apt install wine",
                   p->text);
}

// Notes that a key was said; false if it was before.
static bool note_said(struct buf *said, const char *key, struct err *err) {
    char word[32];
    snprintf(word, sizeof word, " %s ", key);
    if (said->data && strstr(said->data, word))
        return err_set(err, "a built-in player is told %s twice", key);
    buf_text(said, word);
    return true;
}

// One of "LEVEL", "nodes=N", "general", as an option of `arbiter bot`; cuts the text.
static bool put_option(struct buf *out, char *part, struct buf *said, struct err *err) {
    struct builtin told = {.nodes = 0};
    char *value = strchr(part, '=');
    const bool is_word = !value && builtin_is_word(part);
    const char *key = value || is_word ? part : "level";
    if (value)
        *value++ = '\0';
    else if (!is_word)
        value = part;
    if (!builtin_set(&told, key, value, err) || !note_said(said, key, err))
        return false;
    buf_format(out, " --%s ", key);
    if (value)
        shell_put_quoted(out, value);
    return true;
}

// "LEVEL,nodes=N,threads=N,misses=N,general,untaught", any part of it, each once.
static bool put_options(struct buf *out, const char *options, struct err *err) {
    struct buf said = {.data = NULL};
    char *copy = mem_text(options), *rest = copy;
    bool good = true;
    for (char *part; good && (part = strsep(&rest, ","));)
        good = put_option(out, part, &said, err);
    free(copy);
    buf_done(&said);
    return good;
}

// With `options` NULL it is told nothing.
static bool read_builtin(struct player *p, const char *options, const struct game *game,
                         const char *program, struct err *err) {
    struct buf out = {.data = NULL};
    shell_put_quoted(&out, program);
    buf_format(&out, " bot %s --protocol abp", game->name);
    const bool good = !options || put_options(&out, options, err);
    p->command = out.data;
    p->ours = true;
    return good;
}

static bool player_read_team(struct player *p, const char *rest, struct err *err) {
    const size_t length = strcspn(rest, "=");
    char number[16] = "";
    int64_t team;
    if (length < sizeof number)
        memcpy(number, rest, length);
    if (!text_whole(number, INT32_MIN, INT32_MAX, &team))
        return err_set(err, "tcp:%.40s: a team is a number, as in tcp:7 or tcp:7=COMMAND", rest);
    p->kind = PLAYER_TEAM;
    p->team = (int32_t)team;
    return !rest[length] || take_command(p, rest + length + 1, err);
}

static bool read_command(struct player *p, const char *rest, struct err *err) {
    p->own_folder = true;
    return take_command(p, rest, err);
}

static bool read_python(struct player *p, const char *file, struct err *err) {
    struct buf path = {.data = NULL}, out = {.data = NULL};
    if (p->home)
        buf_format(&path, "%s/", p->home);
    buf_text(&path, file);
    if (!*file || access(path.data, R_OK) != 0) {
        err_set(err, "cannot read %.200s: %s", *file ? path.data : "",
                strerror(*file ? errno : ENOENT));
    } else {
        buf_text(&out, "python3 -c ");
        shell_put_quoted(&out, pybot_runner);
        buf_text(&out, " ");
        shell_put_quoted(&out, path.data);
    }
    p->command = out.data;
    buf_done(&path);
    return !err->set;
}

// The forms that speak a contest's protocol.
static const struct contest_form {
    const char *prefix, *form;
    const struct wire_protocol *protocol;
    bool (*read)(struct player *player, const char *rest, struct err *err);
} contests[] = {
    {"tcp:", "tcp:TEAM=COMMAND", &wire_stcp, player_read_team},
    {"cmd:", "cmd:COMMAND", &wire_sixline, read_command},
    {"py:", "py:FILE", &wire_pybot, read_python},
};

enum { CONTESTS = sizeof contests / sizeof *contests };

// The form is another protocol's: says whose, and which forms the game has.
static bool refuse_contest(const struct contest_form *contest, const struct game *game,
                           struct err *err) {
    char others[200], its[100] = "";
    spec_list_games(contest->protocol->name, others, sizeof others);
    err_list(its, sizeof its, "builtin");
    for (int i = 0; i < CONTESTS; i++)
        if (wire_plays(contests[i].protocol, game))
            err_list(its, sizeof its, contests[i].form);
    if (contest->protocol == &wire_stcp && spec_of(game)->rules_sum)
        return err_set(
            err,
            "%s is for %s, and others whose game.conf has protocol = \"stcp\"; a player of "
            "%s is %s or abp:COMMAND",
            contest->prefix, others, game->name, its);
    return err_set(err, "%s is for %s; a player of %s is %s or abp:COMMAND", contest->prefix,
                   others, game->name, its);
}

static bool read_contest(struct player *p, const struct contest_form *contest, const char *rest,
                         const struct game *game, struct err *err) {
    p->protocol = contest->protocol;
    return wire_plays(p->protocol, game) ? contest->read(p, rest, err)
                                         : refuse_contest(contest, game, err);
}

// What follows a prefix, or NULL.
static const char *after(const char *text, const char *prefix) {
    const size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

void player_init(struct player *player, const char *text, const char *home) {
    *player =
        (struct player){.text = text, .home = home, .kind = PLAYER_CHILD, .protocol = &wire_abp};
}

bool player_read(struct player *player, const char *text, const struct game *game,
                 const char *program, struct err *err) {
    return player_read_in(player, text, NULL, game, program, err);
}

bool player_read_in(struct player *player, const char *text, const char *home,
                    const struct game *game, const char *program, struct err *err) {
    const char *rest;
    player_init(player, text, home);
    for (int i = 0; i < CONTESTS; i++)
        if ((rest = after(text, contests[i].prefix)))
            return read_contest(player, &contests[i], rest, game, err);
    if ((rest = after(text, "abp:")))
        return take_command(player, rest, err);
    if (strcmp(text, "random") == 0)
        return read_builtin(player, text, game, program, err);
    if ((rest = after(text, "builtin")) && (!*rest || *rest == ':' || *rest == ','))
        return read_builtin(player, *rest ? rest + 1 : NULL, game, program, err);
    if (strcmp(text, "human") == 0)
        player->kind = PLAYER_HUMAN;
    return player->kind == PLAYER_HUMAN ||
           err_set(err, "'%.80s' is no player; a player is %s", text, forms);
}

bool player_suits(const struct player *player, const struct ruleset *rules,
                  const struct player_limits *limits, struct err *err) {
    const bool away = player_is_awaited(player);
    if (away && limits->ponder != PONDER_ALLOW)
        return err_set(err,
                       "%s is not started here, so it cannot be held: use ponder=allow or "
                       "tcp:TEAM=COMMAND",
                       player->text);
    if (away && limits->memory > 0 && limits->memory_own)
        return err_set(err,
                       "%s is not started here, so its memory cannot be limited: use "
                       "memory=off or tcp:TEAM=COMMAND",
                       player->text);
    if (player->protocol != &wire_sixline)
        return true;
    for (int i = 0; i < rules->game->rule_count; i++)
        if (strcmp(rules->game->rules[i].key, "size") == 0 &&
            strcmp(rules->text[i], rules->game->rules[i].standard) != 0)
            return err_set(err,
                           "%.100s cannot be told of size=%s: a cmd: player knows the board of "
                           "%s; use abp:COMMAND",
                           player->text, rules->text[i], rules->game->rules[i].standard);
    return true;
}

// In a session of its own, so that it does not hear what a terminal sends to us.
void player_wake_wine(void) {
    const int code = system("exec setsid -w sh -c 'wineserver -p10; wine cmd /c exit' </dev/null "
                            ">/dev/null 2>&1");
    (void)code; // if it does not work, the players will say so
}

void player_go_away(struct player *player) {
    assert(player->command);
    char *command = prepare_command(player->command, true, &player->windows);
    free(player->command);
    player->command = command;
    player->own_folder = player->boxed = true;
}

void player_go_idle(struct player *player) {
    struct buf command = {.data = NULL};
    assert(player->ours);
    buf_format(&command, "%s --idle", player->command);
    free(player->command);
    player->command = command.data;
}

bool player_is_awaited(const struct player *player) {
    return player->kind == PLAYER_TEAM && !player->command;
}

bool player_is_stranger(const struct player *player) { return player->command && !player->ours; }

bool player_needs_port(const struct player *p, const struct box *box) {
    return p->kind == PLAYER_TEAM && !(p->boxed && box && box->level >= BOX_NAMESPACES);
}

bool players_need_no_port(const struct player *first, const struct player *second,
                          const struct box *box) {
    return !player_needs_port(first, box) && !player_needs_port(second, box);
}

bool player_takes_openings(const struct player *player) {
    return player->protocol != &wire_sixline;
}

void player_done(struct player *player) {
    for (int i = 0; i < player->shows; i++)
        free(player->show[i]);
    free(player->show);
    free(player->command);
}
