// SPDX-License-Identifier: MIT
// wasm2c writes names of a module into its C as they are, within comments, and a name may be any
// text: one with an end of a comment in it would be compiled. So no name passes here that is not a
// plain word, and nothing that holds other names: imports, which rules have none of, and custom
// sections (debug names, producers), which are left out. What is left are numbers and bytes.
//
// What the object of a module (native.c) takes for granted is held here, too: that its memory is
// one, and small, and that the functions it calls are functions of those types. The compiler would
// make a pointer of any number.
//
// A module is a head of eight bytes and sections: a number, a size, and as many bytes. A section is
// looked at where its meaning is needed here; wasm2c reads the rest, and refuses what is wrong.
// Numbers are LEB128: seven bits a byte, the lowest first, the eighth bit set while more follow.
#include "folder/module.h"

#include "base/plain.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum section {
    SECTION_CUSTOM = 0,
    SECTION_TYPE = 1,
    SECTION_IMPORT = 2,
    SECTION_FUNCTION = 3,
    SECTION_MEMORY = 5,
    SECTION_EXPORT = 7,
    SECTION_COUNT = 13,
};

enum { KIND_FUNCTION = 0, KIND_MEMORY = 2, KIND_COUNT = 4 };
enum { FORM_FUNCTION = 0x60, TYPE_I32 = 0x7f, LIMITS_KNOWN = 1, SHOWN_MAX = 60 };

const struct module_export module_exports[] = {
    {"wasm_buffer", 0, 1},    {"wasm_buffer_size", 0, 1}, {"wasm_open", 1, 1},
    {"wasm_facts", 0, 0},     {"wasm_set", 0, 1},         {"wasm_begin", 0, 1},
    {"wasm_state", 0, 1},     {"wasm_turn", 0, 1},        {"wasm_due", 0, 1},
    {"wasm_count", 0, 1},     {"wasm_ending", 0, 1},      {"wasm_winner", 0, 1},
    {"wasm_outcome", 0, 1},   {"wasm_has_scores", 0, 1},  {"wasm_score", 1, 1},
    {"wasm_hash", 1, 1},      {"wasm_position", 0, 0},    {"wasm_draw", 1, 0},
    {"wasm_nth", 1, 1},       {"wasm_moves", 0, 1},       {"wasm_write_move", 1, 0},
    {"wasm_read_move", 0, 1}, {"wasm_last_read", 0, 1},   {"wasm_play", 1, 1},
    {"wasm_apply", 1, 0},     {"wasm_legal", 1, 1},       {NULL, 0, 0},
};
enum { EXPORT_COUNT = sizeof module_exports / sizeof *module_exports - 1 };

// Bytes that are read from the front. Once it is bad it stays so, and gives zeros.
struct bytes {
    const uint8_t *at;
    size_t left;
    bool bad;
};

struct module {
    struct bytes section[SECTION_COUNT];
    bool has[SECTION_COUNT];
};

static struct bytes take(struct bytes *b, size_t count) {
    b->bad |= count > b->left;
    const struct bytes taken = {.at = b->at, .left = b->bad ? 0 : count, .bad = b->bad};
    if (taken.left > 0) // a section that is missing lies nowhere
        b->at += taken.left;
    b->left -= taken.left;
    return taken;
}

static uint8_t take_byte(struct bytes *b) {
    const struct bytes one = take(b, 1);
    return one.left ? *one.at : 0;
}

static uint32_t take_number(struct bytes *b) {
    uint32_t number = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        const uint8_t byte = take_byte(b);
        b->bad |= shift == 28 && byte > 0x0f; // beyond 32 bits
        if (b->bad)
            return 0;
        number |= (uint32_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            break;
    }
    return number;
}

static struct bytes take_name(struct bytes *b) { return take(b, take_number(b)); }

static bool is_called(const struct bytes *name, const char *word) {
    return name->left == strlen(word) && memcmp(name->at, word, name->left) == 0;
}

static bool is_plain(const struct bytes *name) {
    for (size_t i = 0; i < name->left; i++) {
        const uint8_t c = name->at[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (i == 0 || c < '0' || c > '9'))
            return false;
    }
    return name->left > 0 && name->left <= MODULE_NAME_MAX;
}

// A name for an error: its beginning, and nothing that a terminal obeys.
static const char *show(const struct bytes *name, char text[static SHOWN_MAX + 1]) {
    snprintf(text, SHOWN_MAX + 1, "%.*s", (int)(name->left < SHOWN_MAX ? name->left : SHOWN_MAX),
             name->left ? (const char *)name->at : "");
    plain_clean(text);
    return text;
}

static bool is_damaged(struct err *err) {
    return err_set(err, "rules.wasm is damaged: it ends too early, or holds a number that is none");
}

static bool split(struct bytes all, struct module *m, struct buf *plain, struct err *err) {
    static const uint8_t head[] = {0, 'a', 's', 'm', 1, 0, 0, 0};
    const struct bytes first = take(&all, sizeof head);
    if (first.bad || memcmp(first.at, head, sizeof head) != 0)
        return err_set(err, "rules.wasm is no module of WebAssembly, version 1");
    buf_put(plain, head, sizeof head);
    while (all.left > 0) {
        const uint8_t *begin = all.at;
        const uint8_t id = take_byte(&all);
        const struct bytes body = take(&all, take_number(&all));
        if (body.bad)
            return is_damaged(err);
        if (id == SECTION_CUSTOM)
            continue;
        if (id >= SECTION_COUNT || m->has[id])
            return err_set(err, "rules.wasm has a section %d that %s", id,
                           id >= SECTION_COUNT ? "is not known here" : "comes twice");
        m->has[id] = true;
        m->section[id] = body;
        buf_put(plain, begin, (size_t)(all.at - begin));
    }
    return true;
}

static bool check_imports(const struct module *m, struct err *err) {
    struct bytes b = m->section[SECTION_IMPORT];
    char from[SHOWN_MAX + 1], what[SHOWN_MAX + 1];
    if (!m->has[SECTION_IMPORT] || (take_number(&b) == 0 && !b.bad))
        return true;
    const struct bytes origin = take_name(&b), name = take_name(&b);
    if (name.bad)
        return is_damaged(err);
    return err_set(err, "rules.wasm imports %s.%s: rules import nothing", show(&origin, from),
                   show(&name, what));
}

static bool check_memory(const struct module *m, struct err *err) {
    struct bytes b = m->section[SECTION_MEMORY];
    const uint32_t count = m->has[SECTION_MEMORY] ? take_number(&b) : 0;
    const uint8_t limits = count > 0 ? take_byte(&b) : 0;
    const uint32_t pages = count > 0 ? take_number(&b) : 0;
    if (b.bad)
        return is_damaged(err);
    if (count != 1)
        return err_set(err, "rules.wasm has %u memories: rules have one", count);
    if (limits > LIMITS_KNOWN)
        return err_set(err, "rules.wasm has a memory that is shared, or of 64 bits");
    return pages <= MODULE_PAGES_MAX ||
           err_set(err, "rules.wasm needs a memory of %u pages; accepted: at most %d, 64 MiB",
                   pages, MODULE_PAGES_MAX);
}

static bool take_i32s(struct bytes *b, uint32_t *count) {
    const struct bytes types = take_name(b);
    bool all = !types.bad;
    *count = (uint32_t)types.left;
    for (size_t i = 0; i < types.left; i++)
        all &= types.at[i] == TYPE_I32;
    return all;
}

// Whether a function, by its number, takes and gives what is expected.
static bool has_type(const struct module *m, uint32_t function, const struct module_export *as) {
    struct bytes b = m->section[SECTION_FUNCTION], t = m->section[SECTION_TYPE];
    const uint32_t functions = take_number(&b);
    uint32_t type = 0, params = 0, results = 0;
    for (uint32_t i = 0; i <= function && !b.bad; i++)
        type = take_number(&b);
    const uint32_t types = take_number(&t);
    bool good = function < functions && type < types && !b.bad;
    bool all_i32 = false;
    for (uint32_t i = 0; good && i <= type; i++) {
        good = take_byte(&t) == FORM_FUNCTION && !t.bad;
        const bool first = take_i32s(&t, &params);
        all_i32 = take_i32s(&t, &results) && first;
    }
    return good && !t.bad && all_i32 && params == as->params && results == as->results;
}

// One that is known by its name is what it must be.
static bool check_export(const struct module *m, const struct bytes *name, uint8_t kind,
                         uint32_t number, bool found[static EXPORT_COUNT + 1], struct err *err) {
    const struct module_export *e = module_exports;
    if (is_called(name, "memory")) {
        found[EXPORT_COUNT] = kind == KIND_MEMORY;
        return kind == KIND_MEMORY || err_set(err, "rules.wasm exports 'memory', which is none");
    }
    while (e->name && !is_called(name, e->name))
        e++;
    if (!e->name)
        return true;
    if (kind != KIND_FUNCTION || !has_type(m, number, e))
        return err_set(err,
                       "rules.wasm exports %s, which is no function that takes %u and gives %u "
                       "numbers of the type i32",
                       e->name, e->params, e->results);
    found[e - module_exports] = true;
    return true;
}

static bool check_exports(const struct module *m, struct err *err) {
    struct bytes b = m->section[SECTION_EXPORT];
    bool found[EXPORT_COUNT + 1] = {false};
    char text[SHOWN_MAX + 1];
    const uint32_t count = m->has[SECTION_EXPORT] ? take_number(&b) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct bytes name = take_name(&b);
        const uint8_t kind = take_byte(&b);
        const uint32_t number = take_number(&b);
        if (b.bad || kind >= KIND_COUNT)
            return is_damaged(err);
        if (!is_plain(&name))
            return err_set(err,
                           "rules.wasm exports '%s': a name has letters, digits and _, at most %d",
                           show(&name, text), MODULE_NAME_MAX);
        if (!check_export(m, &name, kind, number, found, err))
            return false;
    }
    if (b.bad || b.left > 0)
        return is_damaged(err);
    for (int i = 0; i < EXPORT_COUNT; i++)
        if (!found[i])
            return err_set(err, "rules.wasm exports no function %s", module_exports[i].name);
    return found[EXPORT_COUNT] || err_set(err, "rules.wasm does not export its memory as 'memory'");
}

bool module_read(const void *bytes, size_t size, struct buf *plain, struct err *err) {
    struct module m = {.has = {false}};
    return split((struct bytes){.at = bytes, .left = size}, &m, plain, err) &&
           check_imports(&m, err) && check_memory(&m, err) && check_exports(&m, err);
}
