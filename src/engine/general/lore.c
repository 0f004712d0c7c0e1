// SPDX-License-Identifier: MIT
// A file is named by what its weights depend on: the sizes, the letters, the rules' checksum, and
// where they are not the game's own, a sum of the settings.
// From these the patterns follow, so nothing of them is kept; the name is checked before anything
// is made of it, and pack.h checks the rest.
#include "engine/general/lore.h"

#include "base/mem.h"
#include "base/rng.h"
#include "engine/pack.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SCOUT_GAMES = 20, // by which the letters are found
    SMALL = 81,       // cells of a board on which blocks have weights of their own at each place
    LARGE = 9,        // cells of a side from which on lines are longer
    SHAPE_MAX = 9,    // cells of a pattern
    WAYS = 13,        // that lines run in space
    SIDE_MAX = 26,    // of a board
    LAYERS_MAX = 8,
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads one word of a position as rows of a board; false if it is none.
static bool read_sizes(const char **at, int *width, int *height) {
    const char *text = *at;
    int column = 0;
    *width = *height = 0;
    for (;; text++) {
        if (*text == '/' || *text == ' ' || *text == '\0') {
            if (column == 0 || (*height > 0 && column != *width) || ++*height > SIDE_MAX)
                return false;
            *width = column;
            column = 0;
            if (*text != '/')
                break;
        } else if (is_digit(*text)) {
            int run = 0;
            for (; is_digit(*text) && run <= SIDE_MAX; text++)
                run = run * 10 + *text - '0';
            text--;
            column += run;
        } else {
            column++;
        }
        if (column > SIDE_MAX)
            return false;
    }
    *at = text;
    return true;
}

// How large the board of a position is; layers are words of the same size one after the other.
static bool measure(struct lore *lore, const char *text) {
    int width, height;
    if (!read_sizes(&text, &lore->width, &lore->height))
        return false;
    lore->layers = 1;
    while (*text == ' ' && lore->layers < LAYERS_MAX && lore->height > 1) {
        text++;
        if (!read_sizes(&text, &width, &height) || width != lore->width || height != lore->height)
            break;
        lore->layers++;
    }
    lore->cells = lore->width * lore->height * lore->layers;
    return lore->cells <= LORE_CELLS_MAX;
}

// What stands in the cells, as classes; a cell that the text does not tell is empty.
static void read_cells(const struct lore *lore, const char *text, uint8_t *cells) {
    int at = 0;
    memset(cells, 0, LORE_CELLS_MAX);
    for (; *text && at < lore->cells; text++) {
        if (is_digit(*text)) {
            int run = 0;
            for (; is_digit(*text) && run < LORE_CELLS_MAX; text++)
                run = run * 10 + *text - '0';
            text--;
            at += run;
        } else if (*text != '/' && *text != ' ') {
            cells[at++] = lore->class_of[(unsigned char)*text];
        }
    }
}

static void name_marks(struct lore *lore) {
    lore->base = 1 + (int)strlen(lore->marks);
    memset(lore->class_of, 0, sizeof lore->class_of);
    for (int i = 0; lore->marks[i]; i++)
        lore->class_of[(unsigned char)lore->marks[i]] = (uint8_t)(i + 1);
}

// Adds the letters of a position to those that are known, in the order of the alphabet; those
// beyond what there is room for count as empty.
static void learn_marks(struct lore *lore, const char *text) {
    const int words = lore->layers;
    for (int word = 0; *text && word < words; text++) {
        size_t count = strlen(lore->marks);
        word += *text == ' ';
        if (is_digit(*text) || strchr("/ .", *text) || strchr(lore->marks, *text) ||
            count == LORE_MARKS_MAX)
            continue;
        for (; count > 0 && lore->marks[count - 1] > *text; count--)
            lore->marks[count] = lore->marks[count - 1];
        lore->marks[count] = *text;
    }
}

// Where patterns are collected; counted first, then filled in.
struct lore_layout {
    struct lore *lore;
    int patterns;
    uint32_t members, places;
    uint32_t *cell, *pattern, *step; // of each member, or NULL while it is counted
};

// The cells of a pattern from a first one on; a block is a line of lines.
struct lore_shape {
    int count[2];    // cells along each way
    int way[2][3];   // column, row, layer
    bool everywhere; // the same weights wherever it lies
};

static int place_of(const struct lore *lore, const int at[3]) {
    if (at[0] < 0 || at[0] >= lore->width || at[1] < 0 || at[1] >= lore->height || at[2] < 0 ||
        at[2] >= lore->layers)
        return -1;
    return (at[2] * lore->height + at[1]) * lore->width + at[0];
}

// The cells of a shape that begins at a cell; false if it does not lie on the board.
static bool lay_shape(const struct lore *lore, const struct lore_shape *shape, int first,
                      int cells[static SHAPE_MAX]) {
    const int area = lore->width * lore->height;
    const int from[3] = {first % lore->width, first % area / lore->width, first / area};
    int count = 0;
    for (int i = 0; i < shape->count[0]; i++)
        for (int k = 0; k < shape->count[1]; k++) {
            int at[3];
            for (int d = 0; d < 3; d++)
                at[d] = from[d] + i * shape->way[0][d] + k * shape->way[1][d];
            cells[count] = place_of(lore, at);
            if (cells[count++] < 0)
                return false;
        }
    return true;
}

static void add_shape(struct lore_layout *layout, const struct lore_shape *shape) {
    struct lore *lore = layout->lore;
    const int length = shape->count[0] * shape->count[1];
    const uint32_t size = (uint32_t)pow(lore->base, length);
    int cells[SHAPE_MAX], laid = 0;
    for (int first = 0; first < lore->cells; first++) {
        if (!lay_shape(lore, shape, first, cells))
            continue;
        if (layout->cell) {
            lore->origin[layout->patterns] = layout->places;
            for (int i = 0, step = 1; i < length; i++, step *= lore->base) {
                layout->cell[layout->members + (uint32_t)i] = (uint32_t)cells[i];
                layout->pattern[layout->members + (uint32_t)i] = (uint32_t)layout->patterns;
                layout->step[layout->members + (uint32_t)i] = (uint32_t)step;
            }
        }
        laid++;
        layout->patterns++;
        layout->members += (uint32_t)length;
        layout->places += shape->everywhere ? 0 : size;
    }
    layout->places += shape->everywhere && laid ? size : 0;
}

// Blocks are added where there are few enough weights.
static void add_block(struct lore_layout *layout, int columns, int rows, bool everywhere) {
    const struct lore *lore = layout->lore;
    const double size =
        pow(lore->base, columns * rows) * (everywhere ? 1 : lore->cells) + layout->places;
    if (size <= LORE_WEIGHTS_MAX / 2)
        add_shape(layout, &(struct lore_shape){.count = {rows, columns},
                                               .way = {{0, 1, 0}, {1, 0, 0}},
                                               .everywhere = everywhere});
}

static void add_all(struct lore_layout *layout) {
    const struct lore *lore = layout->lore;
    int length = lore->width >= LARGE && lore->height >= LARGE ? 6 : 4;
    while (pow(lore->base, length) * WAYS > LORE_WEIGHTS_MAX / 4)
        length--;
    add_block(layout, 1, 1, false);
    for (int z = 0; z <= (lore->layers > 1); z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++)
                if (z > 0 || y > 0 || (y == 0 && x > 0))
                    add_shape(layout, &(struct lore_shape){.count = {length, 1},
                                                           .way = {{x, y, z}, {0, 0, 0}},
                                                           .everywhere = true});
    if (lore->layers > 1)
        return;
    add_block(layout, 3, 3, true);
    if (lore->cells <= SMALL) {
        add_block(layout, 3, 2, false);
        add_block(layout, 2, 3, false);
    }
}

// Sorts the members by their cells.
static void list_members(struct lore *lore, const struct lore_layout *layout) {
    for (uint32_t i = 0; i < layout->members; i++)
        lore->reach[layout->cell[i] + 1]++;
    for (int c = 0; c < lore->cells; c++)
        lore->reach[c + 1] += lore->reach[c];
    uint32_t *next = mem_new((size_t)lore->cells, sizeof *next);
    memcpy(next, lore->reach, (size_t)lore->cells * sizeof *next);
    for (uint32_t i = 0; i < layout->members; i++) {
        const uint32_t at = next[layout->cell[i]]++;
        lore->member[at] = layout->pattern[i];
        lore->step[at] = layout->step[i];
    }
    free(next);
}

// From the sizes and letters.
static void lay_out(struct lore *lore) {
    struct lore_layout layout = {.lore = lore};
    add_all(&layout);
    const size_t members = layout.members;
    assert(layout.places <= LORE_WEIGHTS_MAX / 2);
    lore->patterns = layout.patterns;
    lore->places = layout.places;
    lore->origin = mem_new((size_t)layout.patterns, sizeof *lore->origin);
    lore->reach = mem_new((size_t)lore->cells + 1, sizeof *lore->reach);
    lore->member = mem_new(members, sizeof *lore->member);
    lore->step = mem_new(members, sizeof *lore->step);
    lore->weight = mem_new(lore->places, sizeof *lore->weight);
    layout = (struct lore_layout){.lore = lore,
                                  .cell = mem_new(members, sizeof *layout.cell),
                                  .pattern = mem_new(members, sizeof *layout.pattern),
                                  .step = mem_new(members, sizeof *layout.step)};
    add_all(&layout);
    list_members(lore, &layout);
    free(layout.cell);
    free(layout.pattern);
    free(layout.step);
}

static void write_start(const struct ruleset *rules, union game_state *state,
                        char text[static STATE_TEXT_MAX]) {
    char why[WHY_TEXT_MAX];
    const bool good = rules->game->start(state, rules, NULL, why);
    assert(good);
    (void)good;
    rules->game->write_state(state, text);
}

static void name_settings(const struct ruleset *rules, char name[static LORE_SETTINGS_CHARS + 1]) {
    struct buf all = {.data = NULL};
    *name = '\0';
    if (ruleset_is_standard(rules))
        return;
    for (int i = 0; i < rules->game->rule_count; i++)
        buf_format(&all, "%s=%s\n", rules->game->rules[i].key, rules->text[i]);
    snprintf(name, LORE_SETTINGS_CHARS + 1, "%08" PRIx32, (uint32_t)mem_sum(all.data, all.length));
    buf_done(&all);
}

struct lore *lore_new(const struct ruleset *rules, struct err *err) {
    const struct game *game = rules->game;
    struct lore *lore = mem_new(1, sizeof *lore);
    union game_state state;
    char text[STATE_TEXT_MAX];
    struct rng rng = {1};
    lore->game = game;
    lore->mixed = 1;
    name_settings(rules, lore->settings);
    write_start(rules, &state, text);
    if (!measure(lore, text)) {
        err_set(err, "positions of %s do not begin with a board of at most %d cells", game->name,
                LORE_CELLS_MAX);
        lore_free(lore);
        return NULL;
    }
    for (int i = 0; i < SCOUT_GAMES; i++) {
        write_start(rules, &state, text);
        learn_marks(lore, text);
        while (game->turn(&state) != 0) {
            game->apply(&state,
                        game->nth(&state, (int)rng_below(&rng, (uint32_t)game->count(&state))));
            game->write_state(&state, text);
            learn_marks(lore, text);
        }
    }
    name_marks(lore);
    lay_out(lore);
    return lore;
}

void lore_free(struct lore *lore) {
    if (!lore)
        return;
    free(lore->origin);
    free(lore->reach);
    free(lore->member);
    free(lore->step);
    free(lore->weight);
    free(lore);
}

static void name_of(const struct lore *lore, const char *sum, char name[static PACK_NAME_MAX]) {
    snprintf(name, PACK_NAME_MAX, "lore1 %dx%dx%d %s %.*s%s%s", lore->width, lore->height,
             lore->layers, *lore->marks ? lore->marks : ".", LORE_SUM_CHARS, *sum ? sum : "-",
             *lore->settings ? " " : "", lore->settings);
}

// Of a file: the weights, and behind them the mix in percent and a sum of the name.
static size_t numbers_of(const struct lore *lore) { return (size_t)lore->places * 2 + 2; }

static int16_t sum_of_name(const char *name) {
    return (int16_t)(mem_sum(name, strlen(name)) & INT16_MAX);
}

void lore_write(const struct lore *lore, const char *sum, struct buf *out) {
    char name[PACK_NAME_MAX];
    int16_t *numbers = mem_new(numbers_of(lore), sizeof *numbers);
    numbers[2 * lore->places] = (int16_t)lroundf(lore->mixed * 100);
    for (uint32_t i = 0; i < lore->places; i++)
        for (int k = 0; k < 2; k++) {
            const float scaled = roundf(lore->weight[i][k] * LORE_PER_ONE);
            numbers[2 * i + (uint32_t)k] = (int16_t)(scaled > INT16_MAX   ? INT16_MAX
                                                     : scaled < INT16_MIN ? INT16_MIN
                                                                          : scaled);
        }
    name_of(lore, sum, name);
    numbers[2 * lore->places + 1] = sum_of_name(name);
    pack_write(out, name, numbers, numbers_of(lore), 2);
    free(numbers);
}

// Takes sizes and letters from the name of a file; the sum follows in `sum`.
_Static_assert(LORE_MARKS_MAX == 6 && LORE_SUM_CHARS == 16 && LORE_SETTINGS_CHARS == 8,
               "as sscanf is told");
static bool read_name(struct lore *lore, const void *bytes, size_t size,
                      char name[static PACK_NAME_MAX], char sum[static LORE_SUM_CHARS + 1]) {
    char marks[LORE_MARKS_MAX + 1];
    const char *end = memchr(bytes, '\n', size < PACK_NAME_MAX ? size : PACK_NAME_MAX);
    if (!end)
        return false;
    memcpy(name, bytes, (size_t)(end - (const char *)bytes));
    name[end - (const char *)bytes] = '\0';
    if (sscanf(name, "lore1 %2dx%2dx%1d %6s %16s %8s", &lore->width, &lore->height, &lore->layers,
               marks, sum, lore->settings) < 5 ||
        lore->width < 1 || lore->width > SIDE_MAX || lore->height < 1 || lore->height > SIDE_MAX ||
        lore->layers < 1 || lore->layers > LAYERS_MAX)
        return false;
    lore->cells = lore->width * lore->height * lore->layers;
    for (const char *c = marks; *c; c++)
        if (is_digit(*c) || *c == '/' || (*c == '.' && marks[1]) || (c > marks && c[-1] >= *c))
            return false;
    if (strcmp(marks, ".") != 0)
        memcpy(lore->marks, marks, sizeof marks);
    name_marks(lore);
    return lore->cells <= LORE_CELLS_MAX;
}

static bool read_weights(struct lore *lore, const void *bytes, size_t size, const char *name,
                         struct err *err) {
    lay_out(lore);
    int16_t *numbers = mem_new(numbers_of(lore), sizeof *numbers);
    bool good = pack_read(bytes, size, name, numbers, numbers_of(lore), err);
    if (good && numbers[2 * lore->places + 1] != sum_of_name(name))
        good = err_set(err, "the weights are damaged");
    lore->mixed = (float)numbers[2 * lore->places] / 100;
    for (uint32_t i = 0; good && i < lore->places; i++)
        for (int k = 0; k < 2; k++)
            lore->weight[i][k] = (float)numbers[2 * i + (uint32_t)k] / LORE_PER_ONE;
    free(numbers);
    return good;
}

struct lore *lore_read(const struct ruleset *rules, const char *sum, const void *bytes, size_t size,
                       struct err *err) {
    struct lore *lore = mem_new(1, sizeof *lore), board = {.width = 0};
    char name[PACK_NAME_MAX], its_sum[LORE_SUM_CHARS + 1], text[STATE_TEXT_MAX],
        again[PACK_NAME_MAX], settings[LORE_SETTINGS_CHARS + 1];
    union game_state state;
    lore->game = rules->game;
    write_start(rules, &state, text);
    name_settings(rules, settings);
    bool good = read_name(lore, bytes, size, name, its_sum);
    if (good)
        name_of(lore, its_sum, again);
    if (!good || strcmp(name, again) != 0)
        good = err_set(err, "these are no weights of a game");
    else if (sum && strncmp(sum, its_sum, LORE_SUM_CHARS) != 0)
        good = err_set(err, "the weights are of other rules: train the game anew");
    else if (!measure(&board, text) || board.width != lore->width || board.height != lore->height ||
             board.layers != lore->layers)
        good = err_set(err, "the weights are of a board of %dx%dx%d", lore->width, lore->height,
                       lore->layers);
    else if (strcmp(settings, lore->settings) != 0)
        good = err_set(err, "the weights were learned under other settings of the game");
    else
        good = read_weights(lore, bytes, size, name, err);
    if (good)
        return lore;
    lore_free(lore);
    return NULL;
}

void lore_view_init(struct lore_view *view, const struct lore *lore) {
    const size_t patterns = (size_t)lore->patterns;
    *view = (struct lore_view){.lore = lore};
    view->place = mem_new(patterns, sizeof *view->place);
    view->shift = mem_new(patterns, sizeof *view->shift);
    view->stamp = mem_new(patterns, sizeof *view->stamp);
    view->touched = mem_new(patterns, sizeof *view->touched);
    if (lore->game->distinct_moves <= LORE_EFFECTS_MAX)
        view->effects = mem_new((size_t)lore->game->distinct_moves * 2, sizeof *view->effects);
}

void lore_view_done(struct lore_view *view) {
    free(view->place);
    free(view->shift);
    free(view->stamp);
    free(view->touched);
    free(view->effects);
}

void lore_look(struct lore_view *view, const void *state) {
    const struct lore *lore = view->lore;
    lore->game->write_state(state, view->text);
    read_cells(lore, view->text, view->cells);
    memcpy(view->place, lore->origin, (size_t)lore->patterns * sizeof *view->place);
    for (int c = 0; c < lore->cells; c++)
        for (uint32_t i = lore->reach[c]; view->cells[c] && i < lore->reach[c + 1]; i++)
            view->place[lore->member[i]] += view->cells[c] * lore->step[i];
    view->sum[0] = view->sum[1] = 0;
    for (int p = 0; p < lore->patterns; p++)
        for (int k = 0; k < 2; k++)
            view->sum[k] += lore->weight[view->place[p]][k];
}

// What a cell adds to the numbers of its patterns when its class changes.
static void change_cell(struct lore_view *view, int cell, uint32_t change, uint32_t *touched) {
    const struct lore *lore = view->lore;
    for (uint32_t i = lore->reach[cell]; i < lore->reach[cell + 1]; i++) {
        const uint32_t p = lore->member[i];
        if (view->stamp[p] != view->now) {
            view->stamp[p] = view->now;
            view->shift[p] = 0;
            view->touched[(*touched)++] = p;
        }
        view->shift[p] += change * lore->step[i];
    }
}

static float sum_changed(const struct lore_view *view, uint32_t touched, int side) {
    const struct lore *lore = view->lore;
    float sum = view->sum[side];
    for (uint32_t i = 0; i < touched; i++) {
        const uint32_t p = view->touched[i], place = view->place[p];
        sum += lore->weight[place + view->shift[p]][side] - lore->weight[place][side];
    }
    return sum;
}

// Compares with the position in view; notes what has changed, if it is little.
static float sum_compared(struct lore_view *view, const void *other, struct lore_effect *effect) {
    const struct lore *lore = view->lore;
    const int side = lore->game->turn(other) - 1;
    uint8_t cells[LORE_CELLS_MAX];
    uint32_t touched = 0;
    assert(side >= 0);
    *effect = (struct lore_effect){.times = 1};
    lore->game->write_state(other, view->text);
    read_cells(lore, view->text, cells);
    view->now++;
    for (int c = 0; c < lore->cells; c++) {
        if (cells[c] == view->cells[c])
            continue;
        change_cell(view, c, (uint32_t)(cells[c] - view->cells[c]), &touched);
        if (effect->count < 2) {
            effect->change[effect->count].cell = (uint16_t)c;
            effect->change[effect->count].before = view->cells[c];
            effect->change[effect->count].after = cells[c];
            effect->count++;
        } else {
            effect->times = LORE_VARIES;
        }
    }
    return sum_changed(view, touched, side);
}

float lore_sum_of(struct lore_view *view, const void *other) {
    struct lore_effect effect;
    return sum_compared(view, other, &effect);
}

// Does a move that was found to do the same do it here too?
static bool effect_holds(const struct lore_view *view, const struct lore_effect *effect) {
    enum { BELIEVED = 3, KNOWN = 16, RARE = 50 };
    if (effect->times < BELIEVED || effect->times == LORE_VARIES || view->known < KNOWN ||
        view->varied * RARE > view->known)
        return false;
    for (int i = 0; i < effect->count; i++)
        if (view->cells[effect->change[i].cell] != effect->change[i].before)
            return false;
    return true;
}

float lore_sum_after(struct lore_view *view, move m, int player, const void *other) {
    struct lore_effect *known = view->effects ? &view->effects[2 * m + (uint32_t)player - 1] : NULL;
    struct lore_effect seen;
    uint32_t touched = 0;
    if (known && effect_holds(view, known)) {
        view->now++;
        for (int i = 0; i < known->count; i++)
            change_cell(view, known->change[i].cell,
                        (uint32_t)(known->change[i].after - known->change[i].before), &touched);
        return sum_changed(view, touched, view->lore->game->turn(other) - 1);
    }
    const float sum = sum_compared(view, other, &seen);
    if (!known || known->times == LORE_VARIES)
        return sum;
    const bool same = known->count == seen.count && seen.times != LORE_VARIES &&
                      memcmp(known->change, seen.change, sizeof seen.change) == 0;
    view->known += known->times == 0;
    if (known->times == 0)
        *known = seen;
    else
        known->times = !same                            ? LORE_VARIES
                       : known->times < LORE_VARIES - 1 ? (uint8_t)(known->times + 1)
                                                        : known->times;
    view->varied += known->times == LORE_VARIES;
    return sum;
}
