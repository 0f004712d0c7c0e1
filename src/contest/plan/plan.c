// SPDX-License-Identifier: MIT
// A contest file is read by tables of settings (settings.h): the game first, for its own contest
// says what holds where the file says nothing; then all else in any order; then the stages, which
// may stand beside the settings of the contest if there is but one (stage.c). What concerns
// several settings is looked at last (check.c). Texts of a plan are those of libconfig, which
// lives as long as the plan.
#include "contest/plan/plan.h"

#include "base/buf.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/whole.h"
#include "contest/plan/parts.h"
#include "folder/folder.h"
#include "similar/pairs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FILE_MAX = 16 << 20 };

static bool read_contest_name(void *owner, const config_setting_t *value, struct err *err) {
    struct plan *p = owner;
    return setting_name(value, &p->name, err);
}

static bool refuse_game(const config_setting_t *value, const config_setting_t *root,
                        struct err *err) {
    const char *name = value ? config_setting_get_string(value) : NULL;
    const char *trouble = name ? folder_trouble(name) : NULL;
    char names[200] = "";
    for (int i = 0; i < game_count(); i++)
        err_list(names, sizeof names, game_nth(i)->name);
    if (!value)
        return setting_wrong(root, err, "a contest needs game = one of %s", names);
    if (trouble)
        return setting_wrong(value, err, "the game %.40s cannot be used: %.300s", name, trouble);
    if (!name || !facts_is_name(name))
        return setting_wrong(value, err, "accepted is one of %s", names);
    return setting_wrong(value, err,
                         "the game %.40s is not known here: arbiter game add FOLDER; known are %s",
                         name, names);
}

// The game comes first: all else depends on it.
static bool read_game(struct plan *p, const config_setting_t *root, struct err *err) {
    const config_setting_t *value = config_setting_get_member(root, "game");
    const char *name = value ? config_setting_get_string(value) : NULL;
    const struct game *game = name ? game_find(name) : NULL;
    if (!game)
        return refuse_game(value, root, err);
    ruleset_init(&p->rules, game);
    penalties_init(&p->penalties, game);
    conditions_init(&p->conditions, game);
    player_limits_init(&p->limits, game);
    p->repeat_drawn = p->conditions.random_blocks;
    p->same_conditions = !p->conditions.random_blocks;
    return true;
}

// A rule, a penalty, how players are kept, or blocks=random: as --set of `arbiter match`.
static bool set_rule(struct plan *p, const config_setting_t *value, const char *words,
                     struct err *err) {
    const char *key = config_setting_name(value);
    char why[WHY_TEXT_MAX];
    struct err inner = {.set = false};
    bool good = true;
    if (penalties_has(key))
        good = penalties_set(&p->penalties, p->rules.game, key, words, &inner);
    else if (player_limits_has(key))
        good = player_limits_set(&p->limits, p->rules.game, key, words, &inner);
    else if (strcmp(key, "blocks") == 0 && p->conditions.random_blocks &&
             (conditions_blocks(&p->conditions, words, &inner) || inner.set))
        good = !inner.set;
    else if (ruleset_set(&p->rules, key, words, why))
        p->conditions.random_blocks &= strcmp(key, "blocks") != 0;
    else
        good = err_set(&inner, "%s", why);
    return good || setting_wrong(value, err, "%s", inner.text);
}

static bool read_set(void *owner, const config_setting_t *group, struct err *err) {
    struct plan *p = owner;
    bool good = config_setting_is_group(group) ||
                setting_wrong(group, err, "accepted is a group, { key = value; ... }");
    for (int i = 0; good && i < config_setting_length(group); i++) {
        const config_setting_t *value = config_setting_get_elem(group, (unsigned)i);
        char *words = setting_words(value, err);
        good = words && set_rule(p, value, words, err);
        free(words);
    }
    return good;
}

static bool read_time(void *owner, const config_setting_t *value, struct err *err) {
    struct plan *p = owner;
    struct err inner = {.set = false};
    char *words = setting_words(value, err);
    const bool good = words && conditions_time(&p->conditions, words, &inner);
    free(words);
    return good || (inner.set && setting_wrong(value, err, "%s", inner.text));
}

static bool read_openings(void *owner, const config_setting_t *value, struct err *err) {
    struct plan *p = owner;
    int64_t plies;
    if (!setting_number(value, 1, conditions_opening_max(&p->rules), &plies, err))
        return false;
    p->conditions.opening_plies = (int)plies;
    return true;
}

static bool read_same(void *owner, const config_setting_t *value, struct err *err) {
    return setting_flag(value, &((struct plan *)owner)->same_conditions, err);
}

static bool read_drawn(void *owner, const config_setting_t *value, struct err *err) {
    struct plan *p = owner;
    const char *word = config_setting_get_string(value);
    p->repeat_drawn = word && strcmp(word, "repeat") == 0;
    if (!p->repeat_drawn && (!word || strcmp(word, "stands") != 0))
        return setting_wrong(value, err, "accepted are \"stands\" and \"repeat\"");
    return !p->repeat_drawn || spec_of(p->rules.game)->draws_blocks ||
           setting_wrong(value, err,
                         "\"repeat\" takes more blocks, and %s has none: use \"stands\"",
                         p->rules.game->name);
}

static bool read_house(void *owner, const config_setting_t *value, struct err *err) {
    return setting_text(value, &((struct plan *)owner)->house, err);
}

static bool read_seed(void *owner, const config_setting_t *value, struct err *err) {
    struct plan *p = owner;
    int64_t seed;
    if (!setting_number(value, 0, INT64_MAX, &seed, err))
        return false;
    p->seed = (uint64_t)seed;
    return true;
}

static bool read_int(const config_setting_t *value, int min, int max, int *number,
                     struct err *err) {
    int64_t wide;
    if (!setting_number(value, min, max, &wide, err))
        return false;
    *number = (int)wide;
    return true;
}

static bool read_jobs(void *owner, const config_setting_t *value, struct err *err) {
    return read_int(value, 1, 256, &((struct plan *)owner)->jobs, err);
}

static bool read_cores(void *owner, const config_setting_t *value, struct err *err) {
    return read_int(value, 1, 1024, &((struct plan *)owner)->cores, err);
}

static bool read_port(void *owner, const config_setting_t *value, struct err *err) {
    return read_int(value, 1, 65535, &((struct plan *)owner)->port, err);
}

static bool read_address(void *owner, const config_setting_t *value, struct err *err) {
    return setting_text(value, &((struct plan *)owner)->address, err);
}

static bool read_wait(void *owner, const config_setting_t *value, struct err *err) {
    int seconds;
    const bool good = read_int(value, 1, 86400, &seconds, err);
    if (good)
        ((struct plan *)owner)->wait_us = seconds * INT64_C(1000000);
    return good;
}

static bool read_grace(void *owner, const config_setting_t *value, struct err *err) {
    int ms;
    const bool good = read_int(value, 0, 60000, &ms, err);
    if (good)
        ((struct plan *)owner)->grace_us = ms * INT64_C(1000);
    return good;
}

static bool read_similar(void *owner, const config_setting_t *value, struct err *err) {
    return read_int(value, 0, 100, &((struct plan *)owner)->similar, err);
}

// Minutes of an offset from UTC, "+09:00" or "Z".
static bool read_zone(const char *text, int *minutes) {
    int hours, rest, end = 0;
    char sign;
    *minutes = 0;
    if (strcmp(text, "Z") == 0)
        return true;
    if (sscanf(text, "%c%2d:%2d%n", &sign, &hours, &rest, &end) != 3 || end != 6 || text[end] ||
        !strchr("+-", sign) || hours < 0 || hours > 14 || rest < 0 || rest > 59)
        return false;
    *minutes = (hours * 60 + rest) * (sign == '-' ? -1 : 1);
    return true;
}

static bool read_deadline(void *owner, const config_setting_t *value, struct err *err) {
    struct plan *p = owner;
    const char *text = config_setting_get_string(value);
    struct tm at = {.tm_isdst = 0};
    const char *end = text ? strptime(text, "%Y-%m-%dT%H:%M", &at) : NULL;
    int minutes;
    if (end && *end == ':')
        end = strptime(end, ":%S", &at);
    if (!end || !read_zone(end, &minutes) || timegm(&at) <= 0)
        return setting_wrong(value, err,
                             "accepted is a moment with its offset from UTC, "
                             "\"2026-12-01T18:00+09:00\" or \"2026-12-01T09:00Z\"");
    p->deadline_us = (timegm(&at) - minutes * INT64_C(60)) * 1000000;
    return true;
}

static const config_setting_t *list_of(const config_setting_t *value, struct err *err) {
    if (config_setting_is_aggregate(value) && !config_setting_is_group(value) &&
        config_setting_length(value) > 0)
        return value;
    setting_wrong(value, err, "accepted is a list of texts, [\"...\", \"...\"]");
    return NULL;
}

static bool read_languages(void *owner, const config_setting_t *value, struct err *err) {
    struct plan *p = owner;
    char accepted[60] = "";
    const config_setting_t *list = list_of(value, err);
    for (int i = 0; i < SUBMIT_COUNT; i++)
        err_list(accepted, sizeof accepted, submit_language_word((enum submit_language)i));
    for (int i = 0; list && i < config_setting_length(list); i++) {
        const char *word = config_setting_get_string_elem(list, i);
        const enum submit_language language = word ? submit_language_find(word) : SUBMIT_COUNT;
        if (language == SUBMIT_COUNT)
            return setting_wrong(value, err, "accepted are %s", accepted);
        p->takes.languages |= 1U << language;
    }
    return list;
}

static bool read_files(void *owner, const config_setting_t *value, struct err *err) {
    struct plan *p = owner;
    const config_setting_t *list = list_of(value, err);
    const int count = list ? config_setting_length(list) : 0;
    p->take_files = mem_new((size_t)count + 1, sizeof *p->take_files);
    for (int i = 0; i < count; i++) {
        p->take_files[i] = config_setting_get_string_elem(list, i);
        if (!p->take_files[i] || !*p->take_files[i] || *p->take_files[i] == '/')
            return setting_wrong(value, err,
                                 "a file is a name as it is handed in, or a pattern such as *.h");
    }
    p->takes.files = p->take_files;
    return list;
}

static bool read_cpp(void *owner, const config_setting_t *value, struct err *err) {
    struct plan *p = owner;
    char accepted[100];
    p->takes.cpp = cpp_standard_find(config_setting_get_string(value), accepted, sizeof accepted);
    return p->takes.cpp || setting_wrong(value, err, "accepted are %s", accepted);
}

static bool read_stages(void *owner, const config_setting_t *value, struct err *err) {
    struct plan *p = owner;
    const int count = config_setting_length(value);
    if (!config_setting_is_list(value) || count < 1 || count > STAGES_MAX)
        return setting_wrong(value, err, "accepted is a list of 1..%d stages, ( { ... }, { ... } )",
                             STAGES_MAX);
    bool good = true;
    for (int i = 0; good && i < count; i++) {
        const config_setting_t *stage = config_setting_get_elem(value, (unsigned)i);
        good = stage_read(&p->stages[i], stage, p->rules.game, true, err);
        if (good && p->stages[i].advance > 0 && i + 1 == count)
            good = setting_wrong(config_setting_get_member(stage, "advance"), err,
                                 "nobody goes on from the last stage");
        p->stage_count++;
    }
    return good;
}

static bool read_player_name(void *owner, const config_setting_t *value, struct err *err) {
    return setting_name(value, &((struct plan_player *)owner)->name, err);
}

static bool read_team(void *owner, const config_setting_t *value, struct err *err) {
    return setting_name(value, &((struct plan_player *)owner)->team, err);
}

static bool read_start(void *owner, const config_setting_t *value, struct err *err) {
    return setting_text(value, &((struct plan_player *)owner)->start, err);
}

static bool read_folder(void *owner, const config_setting_t *value, struct err *err) {
    return setting_text(value, &((struct plan_player *)owner)->folder, err);
}

static bool read_build(void *owner, const config_setting_t *value, struct err *err) {
    return setting_text(value, &((struct plan_player *)owner)->build, err);
}

static bool read_group(void *owner, const config_setting_t *value, struct err *err) {
    struct plan_player *player = owner;
    if (!read_int(value, 1, PLAYERS_MAX, &player->group, err))
        return false;
    player->group--;
    return true;
}

static bool read_handed_in(void *owner, const config_setting_t *value, struct err *err) {
    return setting_flag(value, &((struct plan_player *)owner)->handed_in, err);
}

static bool read_absent(void *owner, const config_setting_t *value, struct err *err) {
    return setting_name(value, &((struct plan_player *)owner)->absent, err);
}

static const struct setting player_settings[] = {{"name", read_player_name, true},
                                                 {"start", read_start, false},
                                                 {"team", read_team, false},
                                                 {"group", read_group, false},
                                                 {"folder", read_folder, false},
                                                 {"build", read_build, false},
                                                 {"handed_in", read_handed_in, false},
                                                 {"absent", read_absent, false},
                                                 {.name = NULL}};

static bool read_player(struct plan *p, const config_setting_t *value, struct err *err) {
    struct plan_player *player = &p->players[p->player_count];
    *player = (struct plan_player){
        .team = "", .group = -1, .line = (int)config_setting_source_line(value)};
    if (!settings_read(value, "a player", player_settings, NULL, player, err))
        return false;
    if (plan_find_player(p, player->name) != NOBODY)
        return setting_wrong(value, err, "there are two players named '%.60s'", player->name);
    if (player->handed_in && (player->start || player->folder))
        return setting_wrong(value, err, "who is handed in has no start and no folder");
    if (player->absent && (player->start || player->folder || player->handed_in))
        return setting_wrong(value, err, "who is absent is neither started nor handed in");
    if (!player->start && !player->folder && !player->handed_in && !player->absent)
        return setting_wrong(value, err, "a player needs a start = \"...\" or a folder = \"...\"");
    if (player->build && !player->folder)
        return setting_wrong(value, err, "build = \"...\" needs a folder = \"...\" to build in");
    p->player_count++;
    return true;
}

static bool read_players(void *owner, const config_setting_t *value, struct err *err) {
    struct plan *p = owner;
    const int count = config_setting_length(value);
    if (!config_setting_is_list(value) || count < 2 || count > PLAYERS_MAX)
        return setting_wrong(value, err,
                             "accepted is a list of 2..%d players, ( { name = \"...\"; start = "
                             "\"...\"; }, ... )",
                             PLAYERS_MAX);
    p->players = mem_new((size_t)count, sizeof *p->players);
    bool good = true;
    for (int i = 0; good && i < count; i++)
        good = read_player(p, config_setting_get_elem(value, (unsigned)i), err);
    return good;
}

static const struct setting contest_settings[] = {{"game", NULL, true},
                                                  {"name", read_contest_name, false},
                                                  {"set", read_set, false},
                                                  {"time", read_time, false},
                                                  {"openings", read_openings, false},
                                                  {"same_conditions", read_same, false},
                                                  {"drawn", read_drawn, false},
                                                  {"house", read_house, false},
                                                  {"seed", read_seed, false},
                                                  {"jobs", read_jobs, false},
                                                  {"cores", read_cores, false},
                                                  {"port", read_port, false},
                                                  {"bind", read_address, false},
                                                  {"wait", read_wait, false},
                                                  {"grace", read_grace, false},
                                                  {"similar", read_similar, false},
                                                  {"deadline", read_deadline, false},
                                                  {"languages", read_languages, false},
                                                  {"files", read_files, false},
                                                  {"cpp", read_cpp, false},
                                                  {"stages", read_stages, false},
                                                  {"players", read_players, true},
                                                  {.name = NULL}};

// Either stages, or the settings of one stage beside those of the contest.
static bool read_stage(struct plan *p, const config_setting_t *root, struct err *err) {
    for (const struct setting *row = stage_settings; row->name && p->stage_count > 0; row++) {
        const config_setting_t *value = config_setting_get_member(root, row->name);
        if (value && strcmp(row->name, "name") != 0)
            return setting_wrong(value, err, "where there are stages it stands in each of them");
    }
    if (p->stage_count > 0)
        return true;
    const config_setting_t *advance = config_setting_get_member(root, "advance");
    p->stage_count = 1;
    return stage_read(&p->stages[0], root, p->rules.game, false, err) &&
           (!advance || setting_wrong(advance, err, "nobody goes on from the last stage"));
}

static bool read_root(struct plan *p, struct err *err) {
    const config_setting_t *root = config_root_setting(p->config);
    return read_game(p, root, err) &&
           settings_read(root, "a contest", contest_settings, stage_settings, p, err) &&
           read_stage(p, root, err) && plan_check(p, err);
}

// What a contest is called that has no name: as its file, without what follows the dot.
static char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    char *name = mem_text(slash ? slash + 1 : path), *dot = strrchr(name, '.');
    if (dot && dot > name)
        *dot = '\0';
    return name;
}

// The store keeps the text of one file, in UTF-8, and workers have no other.
static bool check_text(const char *text, struct err *err) {
    for (int line = 1; *text; line++) {
        const size_t length = strcspn(text, "\n");
        json_t *words = json_stringn(text, length);
        if (!words)
            return err_set(err, "line %d: a contest is written in UTF-8", line);
        json_decref(words);
        if (strncmp(text + strspn(text, " \t"), "@include", 8) == 0)
            return err_set(err, "line %d: a contest is one file; write here what it would include",
                           line);
        text += length + (text[length] == '\n');
    }
    return true;
}

// Some editors mark UTF-8.
static const char *without_mark(const char *text) {
    return text + (strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
}

static bool read_text(struct plan *p, struct err *err) {
    if (!check_text(p->text, err))
        return false;
    if (config_read_string(p->config, without_mark(p->text)) != CONFIG_TRUE)
        return err_set(err, "line %d: %s; a setting is NAME = VALUE;", config_error_line(p->config),
                       config_error_text(p->config));
    return read_root(p, err);
}

// `take_name` is what it is called if the text does not say so.
static struct plan *parse(const char *where, char *take_name, const char *text, struct err *err) {
    struct plan *p = mem_new(1, sizeof *p);
    *p = (struct plan){
        .house = "builtin", .seed = 1, .jobs = 1, .cores = 1, .similar = PAIR_FLAGGED};
    p->name = p->file_name = take_name;
    p->port = 8888;
    p->wait_us = 60 * INT64_C(1000000);
    p->address = "127.0.0.1";
    p->text = mem_text(text);
    p->config = mem_new(1, sizeof *p->config);
    config_init(p->config);
    struct err inner = {.set = false};
    if (read_text(p, &inner))
        return p;
    err_set(err, "%.200s, %s", where, inner.text);
    plan_free(p);
    return NULL;
}

struct plan *plan_read(const char *name, const char *text, struct err *err) {
    return parse(name, mem_text(name), text, err);
}

static bool read_file(const char *path, struct buf *out, struct err *err) {
    FILE *file = fopen(path, "r");
    char bytes[65536];
    if (!file)
        return err_set(err, "cannot open the contest %.200s: %s", path, strerror(errno));
    for (size_t n; out->length < FILE_MAX && (n = fread(bytes, 1, sizeof bytes, file)) > 0;)
        buf_put(out, bytes, n);
    const bool good = !ferror(file);
    fclose(file);
    if (good && out->length > 0 && memchr(out->data, '\0', out->length))
        return err_set(err, "%.200s is no contest file: it holds a NUL byte", path);
    return good || err_set(err, "cannot read the contest %.200s: %s", path, strerror(errno));
}

struct plan *plan_load(const char *path, struct err *err) {
    struct buf text = {.data = NULL};
    buf_put(&text, "", 0);
    struct plan *p =
        read_file(path, &text, err) ? parse(path, name_of(path), text.data, err) : NULL;
    buf_done(&text);
    return p;
}

bool plan_peek_text(const char *name, const char *text, struct plan_label *label) {
    config_t config;
    const char *own = name, *game = "";
    struct err unused = {.set = false};
    config_init(&config);
    const bool good =
        check_text(text, &unused) && config_read_string(&config, without_mark(text)) == CONFIG_TRUE;
    if (good) {
        config_lookup_string(&config, "name", &own);
        config_lookup_string(&config, "game", &game);
    }
    *label = (struct plan_label){mem_text(own), mem_text(game)};
    config_destroy(&config);
    return good;
}

bool plan_peek(const char *path, struct plan_label *label) {
    struct buf text = {.data = NULL};
    struct err unused = {.set = false};
    char *name = name_of(path);
    buf_put(&text, "", 0);
    const bool good = read_file(path, &text, &unused) && plan_peek_text(name, text.data, label);
    free(name);
    buf_done(&text);
    return good;
}

void plan_label_done(struct plan_label *label) {
    free(label->name);
    free(label->game);
}

void plan_free(struct plan *p) {
    if (!p)
        return;
    config_destroy(p->config);
    free(p->config);
    free(p->players);
    free(p->take_files);
    free(p->file_name);
    free(p->text);
    free(p);
}

int plan_find_open(const struct plan *p) {
    for (int i = 0; i < p->player_count; i++)
        if (p->players[i].handed_in)
            return i;
    return NOBODY;
}

int plan_awaited(const struct plan *p, int32_t *teams) {
    int count = 0;
    for (int i = 0; i < p->player_count; i++) {
        const struct plan_player *one = &p->players[i];
        int64_t team;
        if (one->awaited && text_whole(one->start + strlen("tcp:"), INT32_MIN, INT32_MAX, &team))
            teams[count++] = (int32_t)team;
    }
    return count;
}

int plan_find_player(const struct plan *p, const char *name) {
    for (int i = 0; i < p->player_count; i++)
        if (strcmp(p->players[i].name, name) == 0)
            return i;
    return NOBODY;
}
