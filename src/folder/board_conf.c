// SPDX-License-Identifier: MIT
// What a position looks like is read from its text: a grid of rows separated by '/', a letter for
// each cell, numbers for empty ones. What a move is comes from the legal moves themselves: each is
// spelled by the cells in its text, which are clicked, and by other words, which are buttons. So a
// board is told by few words.
#include "folder/board_conf.h"

#include "base/path.h"
#include "base/settings.h"
#include "base/whole.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { FILE_MAX = 1 << 16, SIDE_MAX = 26, LAYERS_MAX = 8, MARKS_MAX = 32, COLOURS = 3 };

struct board_conf {
    const struct game *game;
    json_t *out;
};

static bool read_word_of(struct board_conf *b, const config_setting_t *value,
                         const char *const *words, int count, struct err *err) {
    const char *text = config_setting_get_string(value);
    char list[160] = "";
    for (int i = 0; i < count; i++)
        err_list(list, sizeof list, words[i]);
    if (!text || text_among(text, words, count) == count)
        return setting_wrong(value, err, "accepted: %s", list);
    json_object_set_new(b->out, config_setting_name(value), json_text(text));
    return true;
}

#define WORDS_READER(name, ...)                                                                    \
    static bool name(void *owner, const config_setting_t *value, struct err *err) {                \
        static const char *const words[] = {__VA_ARGS__};                                          \
        return read_word_of(owner, value, words, sizeof words / sizeof *words, err);               \
    }

WORDS_READER(read_kind, "squares", "points", "hexagons", "columns")
WORDS_READER(read_look, "slab", "felt", "wood")
WORDS_READER(read_cell, "row,column", "column,row", "column", "layer,row,column", "a1")
WORDS_READER(read_coordinates, "numbers", "letters", "none")

// The number of a switch that says it.
static const struct rule *switch_of(const struct game *game, const char *key) {
    for (int i = 0; key && i < game->rule_count; i++)
        if (strcmp(game->rules[i].key, key) == 0)
            return &game->rules[i];
    return NULL;
}

static bool read_side(void *owner, const config_setting_t *value, struct err *err) {
    struct board_conf *b = owner;
    const char *key = config_setting_get_string(value);
    int64_t side;
    if (key && !switch_of(b->game, key))
        return setting_wrong(value, err, "the game has no switch '%.40s'", key);
    if (!key && !setting_number(value, 1, SIDE_MAX, &side, err))
        return false;
    json_object_set_new(b->out, config_setting_name(value),
                        key ? json_text(key) : json_integer((json_int_t)side));
    return true;
}

static bool read_layers(void *owner, const config_setting_t *value, struct err *err) {
    struct board_conf *b = owner;
    int64_t layers;
    if (!setting_number(value, 1, LAYERS_MAX, &layers, err))
        return false;
    json_object_set_new(b->out, "layers", json_integer((json_int_t)layers));
    return true;
}

static bool read_flag(void *owner, const config_setting_t *value, struct err *err) {
    struct board_conf *b = owner;
    bool flag;
    if (!setting_flag(value, &flag, err))
        return false;
    json_object_set_new(b->out, config_setting_name(value), json_boolean(flag));
    return true;
}

// { mark = "X"; shape = "disc"; of = 1; }
static bool read_mark(struct board_conf *b, const config_setting_t *group, json_t *marks,
                      struct err *err) {
    static const char *const shapes[] = {"disc",   "stone", "piece", "cup", "block",
                                         "letter", "dot",   "hbar",  "vbar"};
    enum { SHAPES = sizeof shapes / sizeof *shapes };
    char accepted[100] = "";
    const char *mark = NULL, *shape = NULL, *text = NULL;
    int of = 0;
    (void)b;
    if (!config_setting_is_group(group) || !config_setting_lookup_string(group, "mark", &mark) ||
        !mark[0] || mark[1] || (unsigned char)mark[0] <= ' ' ||
        (mark[0] >= '0' && mark[0] <= '9') || mark[0] == '/' || (signed char)mark[0] < 0)
        return setting_wrong(group, err, "mark is one letter of positions, no digit and no /");
    for (int i = 0; i < SHAPES; i++)
        err_list(accepted, sizeof accepted, shapes[i]);
    if (!config_setting_lookup_string(group, "shape", &shape) ||
        text_among(shape, shapes, SHAPES) == SHAPES)
        return setting_wrong(group, err, "shape accepted: %s", accepted);
    if (config_setting_get_member(group, "of") &&
        (!config_setting_lookup_int(group, "of", &of) || of < 0 || of >= COLOURS))
        return setting_wrong(group, err, "of is whose it is: 1, 2, or 0 for nobody's");
    if (config_setting_lookup_string(group, "text", &text) && strlen(text) > 8)
        return setting_wrong(group, err, "text has at most 8 bytes");
    for (int i = 0; i < config_setting_length(group); i++) {
        static const char *const known[] = {"mark", "shape", "of", "text"};
        const config_setting_t *one = config_setting_get_elem(group, (unsigned)i);
        if (text_among(config_setting_name(one), known, 4) == 4)
            return setting_wrong(one, err, "a mark has mark, shape, of and text");
    }
    json_array_append_new(marks, json_pack("{s:s, s:s, s:i, s:o}", "mark", mark, "shape", shape,
                                           "of", of, "text", json_text(text ? text : mark)));
    return true;
}

static bool read_marks(void *owner, const config_setting_t *value, struct err *err) {
    struct board_conf *b = owner;
    if (!config_setting_is_list(value) || config_setting_length(value) > MARKS_MAX)
        return setting_wrong(value, err,
                             "accepted is a list, ({ mark = \"X\"; shape = \"disc\"; of = 1; })");
    json_t *marks = json_array();
    json_object_set_new(b->out, "marks", marks);
    for (int i = 0; i < config_setting_length(value); i++)
        if (!read_mark(b, config_setting_get_elem(value, (unsigned)i), marks, err))
            return false;
    return true;
}

// Whose edge each is: { top = 1; left = 2; }
static bool read_edges(void *owner, const config_setting_t *group, struct err *err) {
    static const char *const sides[] = {"top", "bottom", "left", "right"};
    struct board_conf *b = owner;
    json_t *edges = json_object();
    json_object_set_new(b->out, "edges", edges);
    if (!config_setting_is_group(group))
        return setting_wrong(group, err, "accepted is a group, { top = 1; left = 2; }");
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *one = config_setting_get_elem(group, (unsigned)i);
        int64_t of;
        if (text_among(config_setting_name(one), sides, 4) == 4)
            return setting_wrong(one, err, "the edges are top, bottom, left and right");
        if (!setting_number(one, 1, 2, &of, err))
            return false;
        json_object_set_new(edges, config_setting_name(one), json_integer((json_int_t)of));
    }
    return true;
}

static const struct setting settings[] = {
    {"kind", read_kind, false},
    {"look", read_look, false},
    {"rows", read_side, false},
    {"columns", read_side, false},
    {"layers", read_layers, false},
    {"cell", read_cell, false},
    {"coordinates", read_coordinates, false},
    {"checkered", read_flag, false},
    {"marks", read_marks, false},
    {"edges", read_edges, false},
    {"in_space", read_flag, false},
    {NULL, NULL, false},
};

static json_t *standard(const struct game *game) {
    return json_pack("{s:s, s:s, s:i, s:i, s:i, s:s, s:s, s:b, s:b, s:{}, "
                     "s:[{s:s, s:s, s:i, s:s}, {s:s, s:s, s:i, s:s}, {s:s, s:s, s:i, s:s}]}",
                     "kind", "squares", "look", "slab", "rows", game->height, "columns",
                     game->width, "layers", 1, "cell", "row,column", "coordinates", "numbers",
                     "checkered", 0, "in_space", 0, "edges", "marks", "mark", "X", "shape", "disc",
                     "of", 1, "text", "X", "mark", "O", "shape", "disc", "of", 2, "text", "O",
                     "mark", "#", "shape", "block", "of", 0, "text", "#");
}

static bool read_text(struct board_conf *b, const char *path, const char *text, struct err *err) {
    config_t file;
    struct err inner = {.set = false};
    config_init(&file);
    bool good =
        strstr(text, "@include") ? err_set(&inner, "it includes another file, which it may not")
        : config_read_string(&file, text) != CONFIG_TRUE
            ? err_set(&inner, "line %d: %s; a setting is NAME = VALUE;", config_error_line(&file),
                      config_error_text(&file))
            : settings_read(config_root_setting(&file), "board.conf", settings, NULL, b, &inner);
    config_destroy(&file);
    return good || err_set(err, "%.200s: %s", path, inner.text);
}

json_t *board_conf_read(const char *path, const struct game *game, struct err *err) {
    struct board_conf b = {.game = game, .out = standard(game)};
    struct buf text = {.data = NULL};
    bool good = !path || (access(path, F_OK) != 0 && errno == ENOENT) ||
                path_read_whole(path, FILE_MAX, &text, err);
    if (good && text.data && strlen(text.data) != text.length)
        good = err_set(err, "%.200s holds a NUL byte", path);
    good = good && (!text.data || read_text(&b, path, text.data, err));
    buf_done(&text);
    if (!good)
        json_decref(b.out);
    return good ? b.out : NULL;
}
