// SPDX-License-Identifier: MIT
#include "folder/conf.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/whole.h"
#include "folder/facts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    STCP_CELLS_LIMIT = 676,
    FILE_MAX = 1 << 18,
    TIME_MAX_S = 3600,
    MEMORY_MAX_GB = 1024,
    POINTS_MAX = 100,
    TITLE_MAX = 100,
    SENTENCE_MAX = 400,
};

#define MAY(id) (1u << COST_##id)
#define WORD_OF(id, word, ...) word,

static const char *const languages[] = {"en", "ko", "zh-TW"};
enum { LANGUAGES = sizeof languages / sizeof *languages };

static bool read_name(void *owner, const config_setting_t *value, struct err *err) {
    struct conf *c = owner;
    if (!setting_name(value, &c->name, err))
        return false;
    return facts_is_name(c->name) ||
           setting_wrong(value, err, "a name is small letters, digits and _, at most %d",
                         FACTS_NAME_MAX - 1);
}

// A text for each language, of at most so many bytes; the first is needed where `needs` says so.
static bool check_texts(const config_setting_t *group, bool needs, int most, struct err *err) {
    if (!config_setting_is_group(group))
        return setting_wrong(group, err, "accepted is a text for each language, { en = \"...\"; }");
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *text = config_setting_get_elem(group, (unsigned)i);
        const char *words;
        if (text_among(config_setting_name(text), languages, LANGUAGES) == LANGUAGES)
            return setting_wrong(text, err, "the languages are en, ko and zh-TW");
        if (!setting_name(text, &words, err))
            return false;
        if (strlen(words) > (size_t)most)
            return setting_wrong(text, err, "it has %zu bytes; accepted are at most %d",
                                 strlen(words), most);
    }
    return !needs || config_setting_get_member(group, languages[0]) ||
           setting_wrong(group, err, "the text in English (en) is missing");
}

static bool read_title(void *owner, const config_setting_t *value, struct err *err) {
    (void)owner;
    return check_texts(value, true, TITLE_MAX, err);
}

static bool read_texts(void *owner, const config_setting_t *value, struct err *err) {
    (void)owner;
    return check_texts(value, true, SENTENCE_MAX, err);
}

// A group of such groups, or a list of them.
static bool read_many_texts(void *owner, const config_setting_t *value, struct err *err) {
    (void)owner;
    const bool is_list = config_setting_is_list(value);
    if (!is_list && !config_setting_is_group(value))
        return setting_wrong(value, err, "accepted is a group, { word = { en = \"...\"; }; }");
    for (int i = 0; i < config_setting_length(value); i++)
        if (!check_texts(config_setting_get_elem(value, (unsigned)i), is_list, SENTENCE_MAX, err))
            return false;
    return true;
}

// 5, or "2..7".
static bool read_time(void *owner, const config_setting_t *value, struct err *err) {
    struct conf *c = owner;
    int64_t low = 0, high = 0;
    const char *text = config_setting_get_string(value), *dots = text ? strstr(text, "..") : NULL;
    char first[16] = "";
    if (dots && dots - text < (int)sizeof first) {
        memcpy(first, text, (size_t)(dots - text));
        if (!text_whole(first, 1, TIME_MAX_S, &low) ||
            !text_whole(dots + 2, low, TIME_MAX_S, &high))
            low = 0;
    } else if (!text && setting_number(value, 1, TIME_MAX_S, &low, err)) {
        high = low;
    }
    if (low <= 0 || err->set)
        return setting_wrong(value, err, "accepted are seconds, 5, or a range, \"2..7\"");
    c->spec.time_low_s = (int)low;
    c->spec.time_high_s = (int)high;
    return true;
}

static bool read_memory(void *owner, const config_setting_t *value, struct err *err) {
    struct conf *c = owner;
    int64_t gb;
    if (!setting_number(value, 1, MEMORY_MAX_GB, &gb, err))
        return false;
    c->spec.memory_gb = (int)gb;
    return true;
}

// One of some words, as its place.
static bool read_word(const config_setting_t *value, const char *const *words, int count,
                      int *place, struct err *err) {
    const char *text = config_setting_get_string(value);
    char list[200] = "";
    *place = text ? text_among(text, words, count) : count;
    for (int i = 0; i < count; i++)
        err_list(list, sizeof list, words[i]);
    return *place < count || setting_wrong(value, err, "accepted: %s", list);
}

static bool read_ponder(void *owner, const config_setting_t *value, struct err *err) {
    static const char *const words[] = {PONDERS(WORD_OF)};
    struct conf *c = owner;
    int place;
    if (!read_word(value, words, sizeof words / sizeof *words, &place, err))
        return false;
    c->spec.ponder = (enum ponder)place;
    return true;
}

static bool read_protocol(void *owner, const config_setting_t *value, struct err *err) {
    static const char *const words[] = {"abp", "stcp"};
    struct conf *c = owner;
    int place;
    if (!read_word(value, words, sizeof words / sizeof *words, &place, err))
        return false;
    if (place == 1 && c->cells > STCP_CELLS_LIMIT)
        return setting_wrong(value, err, "stcp sends boards of at most %d cells", STCP_CELLS_LIMIT);
    c->spec.protocol = words[place];
    return true;
}

static bool read_request(void *owner, const config_setting_t *value, struct err *err) {
    static const char *const words[] = {"position", "legal"};
    struct conf *c = owner;
    if (!config_setting_is_list(value) && !config_setting_is_array(value))
        return setting_wrong(value, err, "accepted is a list, (\"position\", \"legal\")");
    for (int i = 0; i < config_setting_length(value); i++) {
        int place;
        if (!read_word(config_setting_get_elem(value, (unsigned)i), words, 2, &place, err))
            return false;
        *(place == 0 ? &c->spec.tells_position : &c->spec.tells_legal) = true;
    }
    return true;
}

static bool read_penalties(void *owner, const config_setting_t *group, struct err *err) {
    static const char *const keys[] = {FAULTS(WORD_OF)}, *const costs[] = {COSTS(WORD_OF)};
    struct conf *c = owner;
    if (!config_setting_is_group(group))
        return setting_wrong(group, err, "accepted is a group, { illegal = \"lose\"; }");
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *value = config_setting_get_elem(group, (unsigned)i);
        const int key = text_among(config_setting_name(value), keys, FAULT_KEYS);
        char list[80] = "";
        int cost;
        if (key == FAULT_KEYS)
            return setting_wrong(value, err, "there is no such penalty");
        if (!read_word(value, costs, sizeof costs / sizeof *costs, &cost, err))
            return false;
        for (int j = 0; j < (int)(sizeof costs / sizeof *costs); j++)
            if (c->spec.accepted[key] >> j & 1)
                err_list(list, sizeof list, costs[j]);
        if (!(c->spec.accepted[key] >> cost & 1))
            return setting_wrong(value, err, "accepted: %s", list);
        c->spec.cost[key] = (enum cost)cost;
    }
    return true;
}

// (2, 1, 0): of a win, a draw, a loss.
static bool read_points(void *owner, const config_setting_t *value, struct err *err) {
    struct conf *c = owner;
    int *places[] = {&c->spec.table.win, &c->spec.table.draw, &c->spec.table.loss};
    if (config_setting_length(value) != 3 || config_setting_is_group(value))
        return setting_wrong(value, err, "accepted are three numbers, for a win, a draw, a loss");
    for (unsigned i = 0; i < 3; i++) {
        int64_t points;
        if (!setting_number(config_setting_get_elem(value, i), 0, POINTS_MAX, &points, err))
            return false;
        *places[i] = (int)points;
    }
    const char *fault = table_fault(&c->spec.table);
    return !fault || setting_wrong(value, err, "%s, as (2, 1, 0)", fault);
}

static bool read_tie_breaks(void *owner, const config_setting_t *value, struct err *err) {
    static const char *const words[] = {TIE_BREAKS(WORD_OF)};
    struct conf *c = owner;
    const int count = config_setting_length(value);
    if (config_setting_is_group(value) || count < 1 || count > TIE_BREAK_COUNT)
        return setting_wrong(value, err, "accepted is a list of words, (\"wins\", \"direct\")");
    for (int i = 0; i < count; i++) {
        int place;
        if (!read_word(config_setting_get_elem(value, (unsigned)i), words, TIE_BREAK_COUNT, &place,
                       err))
            return false;
        for (int k = 0; k < i; k++)
            if (c->spec.table.breaks[k] == (enum tie_break)place)
                return setting_wrong(value, err, "\"%s\" stands there twice", words[place]);
        c->spec.table.breaks[i] = (enum tie_break)place;
    }
    c->spec.table.break_count = count;
    return true;
}

static bool read_languages(void *owner, const config_setting_t *value, struct err *err) {
    static const char *const words[] = {SUBMIT_LANGUAGES(WORD_OF)};
    struct conf *c = owner;
    if (!config_setting_is_aggregate(value) || config_setting_is_group(value) ||
        config_setting_length(value) == 0)
        return setting_wrong(value, err,
                             "accepted is a list, (\"c\", \"c++\"); leave it out to take any");
    for (int i = 0; i < config_setting_length(value); i++) {
        int place;
        if (!read_word(config_setting_get_elem(value, (unsigned)i), words, SUBMIT_COUNT, &place,
                       err))
            return false;
        c->spec.takes.languages |= 1u << place;
    }
    return true;
}

static const struct setting settings[] = {
    {"name", read_name, true},
    {"title", read_title, true},
    {"words", read_texts, false},
    {"time", read_time, false},
    {"memory", read_memory, false},
    {"ponder", read_ponder, false},
    {"protocol", read_protocol, false},
    {"request", read_request, false},
    {"penalties", read_penalties, false},
    {"points", read_points, false},
    {"tie_breaks", read_tie_breaks, false},
    {"languages", read_languages, false},
    {"endings", read_many_texts, false},
    {"switches", read_many_texts, false},
    {"says", read_many_texts, false},
    {NULL, NULL, false},
};

static bool open_file(struct conf *c, const char *path, struct err *err) {
    struct buf text = {.data = NULL};
    config_init(&c->file);
    c->is_read = true;
    if (!path_read_whole(path, FILE_MAX, &text, err)) {
        buf_done(&text);
        return false;
    }
    if (text.data && strlen(text.data) != text.length) {
        err_set(err, "%.200s holds a NUL byte", path);
    } else if (text.data && strstr(text.data, "@include")) {
        err_set(err, "%.200s includes another file, which it may not", path);
    } else if (config_read_string(&c->file, text.data ? text.data : "") != CONFIG_TRUE) {
        err_set(err, "%.200s, line %d: %s; a setting is NAME = VALUE;", path,
                config_error_line(&c->file), config_error_text(&c->file));
    }
    buf_done(&text);
    return !err->set;
}

// What holds where the file says nothing.
static void set_standard(struct conf *c, const struct game *game) {
    const unsigned skip = game->may_pass ? MAY(SKIP) : 0;
    c->spec = (struct spec){
        .time_low_s = 5,
        .time_high_s = 5,
        .length_times = game->plies_max,
        .cost = {COST_LOSE, COST_LOSE, COST_LOSE, COST_LOSE},
        .accepted = {MAY(FIRST) | MAY(LOSE) | skip, MAY(FIRST) | MAY(LOSE) | skip,
                     MAY(WAIT) | MAY(LOSE), MAY(ILLEGAL) | MAY(LOSE)},
        .protocol = "abp",
        .table = {2, 1, 0, {TIE_BREAK_WINS, TIE_BREAK_DIRECT}, 2},
    };
    if (game->has_scores)
        c->spec.table.breaks[1] = TIE_BREAK_DIFFERENCE;
}

// Words that are given for what the game does not have help nobody.
static bool check_endings(const config_setting_t *root, const struct game *game, struct err *err) {
    const config_setting_t *group = config_setting_get_member(root, "endings");
    for (int i = 0; group && i < config_setting_length(group); i++) {
        const config_setting_t *one = config_setting_get_elem(group, (unsigned)i);
        const char *word = config_setting_name(one);
        bool known = false;
        for (int j = 1; word && j < game->ending_count; j++)
            known |= strcmp(game->endings[j].word, word) == 0;
        if (!known)
            return setting_wrong(one, err, "the game has no such ending");
    }
    group = config_setting_get_member(root, "switches");
    for (int i = 0; group && i < config_setting_length(group); i++) {
        const config_setting_t *one = config_setting_get_elem(group, (unsigned)i);
        const char *word = config_setting_name(one);
        bool known = false;
        for (int j = 0; word && j < game->rule_count; j++)
            known |= strcmp(game->rules[j].key, word) == 0;
        if (!known)
            return setting_wrong(one, err, "the game has no such switch");
    }
    return true;
}

bool conf_read(struct conf *c, const char *path, const struct game *game, struct err *err) {
    struct err inner = {.set = false};
    if (!open_file(c, path, err))
        return false;
    const config_setting_t *root = config_root_setting(&c->file);
    set_standard(c, game);
    c->cells = game->width * game->height;
    bool good = settings_read(root, "game.conf", settings, NULL, c, &inner) &&
                check_endings(root, game, &inner);
    if (good && strcmp(c->name, game->name) != 0)
        good = err_set(&inner, "it names the game '%s', but rules.c calls it '%.40s'", c->name,
                       game->name);
    c->spec.game = c->spec.table_name = c->name; // the standard one is its own, too
    return good || err_set(err, "%.200s: %s", path, inner.text);
}

bool conf_read_name(const char *path, char *name, size_t size, struct err *err) {
    struct conf c = {.is_read = false};
    struct err inner = {.set = false};
    bool good = open_file(&c, path, err);
    const config_setting_t *value = good ? config_lookup(&c.file, "name") : NULL;
    if (good && !value)
        good = err_set(err, "%.200s needs the setting name = \"...\";", path);
    else if (good && !read_name(&c, value, &inner))
        good = err_set(err, "%.200s: %s", path, inner.text);
    if (good)
        snprintf(name, size, "%s", c.name);
    conf_done(&c);
    return good;
}

static json_t *texts_of(const config_setting_t *group) {
    json_t *texts = json_object();
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *text = config_setting_get_elem(group, (unsigned)i);
        json_object_set_new(texts, config_setting_name(text),
                            json_text(config_setting_get_string(text)));
    }
    return texts;
}

static json_t *shown_of(const config_setting_t *value, bool many) {
    if (!many)
        return texts_of(value);
    const bool is_list = config_setting_is_list(value);
    json_t *all = is_list ? json_array() : json_object();
    for (int i = 0; i < config_setting_length(value); i++) {
        const config_setting_t *one = config_setting_get_elem(value, (unsigned)i);
        if (is_list)
            json_array_append_new(all, texts_of(one));
        else
            json_object_set_new(all, config_setting_name(one), texts_of(one));
    }
    return all;
}

json_t *conf_shown(const struct conf *c) {
    json_t *shown = json_object();
    const config_setting_t *root = config_root_setting(&c->file);
    for (const struct setting *row = settings; row->name; row++) {
        const config_setting_t *value = config_setting_get_member(root, row->name);
        const bool many = row->read == read_many_texts;
        if (value && (many || row->read == read_title || row->read == read_texts))
            json_object_set_new(shown, row->name, shown_of(value, many));
    }
    return shown;
}

void conf_done(struct conf *c) {
    if (c->is_read)
        config_destroy(&c->file);
    c->is_read = false;
}
