// SPDX-License-Identifier: MIT
// Modules of WebAssembly as strangers write them: those of rules pass without their custom
// sections, all others are refused in words, and none reads beyond its end.
#include "folder/module.h"
#include "base/embed.h"
#include "base/mem.h"
#include "check.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// What is different in a module, of one that passes.
struct change {
    const char *without;    // an export
    const char *more;       // one more function, by this name
    size_t more_length;     // 0: as long as the text
    const char *retyped;    // an export of another type
    const char *import[2];  // from where, and what
    unsigned pages, limits; // of a memory
    int more_memories;      // than one
    bool memory_is_function, custom;
};

static void put_number(struct buf *out, uint32_t n) {
    do {
        const uint8_t byte = (uint8_t)((n & 0x7f) | (n > 0x7f ? 0x80 : 0));
        buf_put(out, &byte, 1);
        n >>= 7;
    } while (n > 0);
}

static void put_name(struct buf *out, const char *name, size_t length) {
    put_number(out, (uint32_t)length);
    buf_put(out, name, length);
}

static void put_section(struct buf *out, unsigned id, struct buf *take_body) {
    put_number(out, id);
    put_name(out, take_body->data ? take_body->data : "", take_body->length);
    buf_done(take_body);
    *take_body = (struct buf){.data = NULL};
}

static void put_custom(struct buf *out, const char *name) {
    struct buf body = {.data = NULL};
    put_name(&body, name, strlen(name));
    buf_text(&body, "*/ int bad; /*");
    put_section(out, 0, &body);
}

// Types 0 to 3: so many values, and twice as much if there is a result.
static void put_types(struct buf *out) {
    struct buf body = {.data = NULL};
    put_number(&body, 4);
    for (unsigned type = 0; type < 4; type++) {
        put_number(&body, 0x60);
        put_name(&body, "\x7f", type & 1);
        put_name(&body, "\x7f", type >> 1);
    }
    put_section(out, 1, &body);
}

static void put_functions(struct buf *out, const struct change *c) {
    struct buf body = {.data = NULL};
    unsigned count = 0;
    while (module_exports[count].name)
        count++;
    put_number(&body, count);
    for (const struct module_export *e = module_exports; e->name; e++) {
        const unsigned type = e->params + 2 * e->results;
        put_number(&body, c->retyped && strcmp(c->retyped, e->name) == 0 ? 3 - type : type);
    }
    put_section(out, 3, &body);
}

static void put_memory(struct buf *out, const struct change *c) {
    struct buf body = {.data = NULL};
    put_number(&body, (uint32_t)(1 + c->more_memories));
    for (int i = 0; i < 1 + c->more_memories; i++) {
        put_number(&body, c->limits);
        put_number(&body, c->pages);
    }
    put_section(out, 5, &body);
}

static void put_export(struct buf *out, const char *name, size_t length, unsigned kind,
                       unsigned number) {
    put_name(out, name, length);
    put_number(out, kind);
    put_number(out, number);
}

static void put_exports(struct buf *out, const struct change *c) {
    struct buf body = {.data = NULL}, all = {.data = NULL};
    unsigned count = 1, number = 0;
    put_export(&body, "memory", 6, c->memory_is_function ? 0 : 2, 0);
    for (const struct module_export *e = module_exports; e->name; e++, number++)
        if (!c->without || strcmp(c->without, e->name) != 0) {
            put_export(&body, e->name, strlen(e->name), 0, number);
            count++;
        }
    if (c->more)
        put_export(&body, c->more, c->more_length ? c->more_length : strlen(c->more), 0, 0);
    put_number(&all, count + (c->more ? 1 : 0));
    buf_put(&all, body.data, body.length);
    buf_done(&body);
    put_section(out, 7, &all);
}

static void put_import(struct buf *out, const struct change *c) {
    struct buf body = {.data = NULL};
    put_number(&body, 1);
    for (int i = 0; i < 2; i++)
        put_name(&body, c->import[i], strlen(c->import[i]));
    buf_put(&body, "\0\0", 2);
    put_section(out, 2, &body);
}

static void put_module(struct buf *out, const struct change *c) {
    buf_put(out, "\0asm\1\0\0\0", 8);
    if (c->custom)
        put_custom(out, "producers");
    put_types(out);
    if (c->import[0])
        put_import(out, c);
    put_functions(out, c);
    put_memory(out, c);
    put_exports(out, c);
    if (c->custom)
        put_custom(out, "name");
}

static void plain_ones_pass(void **unused) {
    (void)unused;
    struct change change = {.pages = 2};
    struct buf module = {.data = NULL}, named = {.data = NULL}, plain = {.data = NULL};
    struct err err = {.set = false};
    put_module(&module, &change);
    change.custom = true;
    put_module(&named, &change);
    assert_true(module_read(named.data, named.length, &plain, &err));
    assert_int_equal(plain.length, module.length);
    assert_memory_equal(plain.data, module.data, module.length);
    buf_done(&module);
    buf_done(&named);
    buf_done(&plain);
}

static void refused_in_words(void **unused) {
    (void)unused;
    static const char *const cases[] = {
        "rules.wasm exports no function wasm_count",
        "rules.wasm exports '*/ int x; /*': a name has letters, digits and _, at most 100",
        "rules.wasm exports 'a?b': a name has letters, digits and _, at most 100",
        "rules.wasm exports '': a name has letters, digits and _, at most 100",
        "rules.wasm exports '7up': a name has letters, digits and _, at most 100",
        ("rules.wasm exports wasm_nth, which is no function that takes 1 and gives 1 numbers of "
         "the type i32"),
        "rules.wasm imports env.abort: rules import nothing",
        "rules.wasm imports ?[31m./*: rules import nothing",
        "rules.wasm needs a memory of 1025 pages; accepted: at most 1024, 64 MiB",
        "rules.wasm has 2 memories: rules have one",
        "rules.wasm has 0 memories: rules have one",
        "rules.wasm has a memory that is shared, or of 64 bits",
        "rules.wasm exports 'memory', which is none",
    };
    static const struct change changes[sizeof cases / sizeof *cases] = {
        {.without = "wasm_count"},
        {.more = "*/ int x; /*"},
        {.more = "a\nb"},
        {.more = ""},
        {.more = "7up"},
        {.retyped = "wasm_nth"},
        {.import = {"env", "abort"}},
        {.import = {"\033[31m", "/*"}},
        {.pages = 1025},
        {.more_memories = 1},
        {.more_memories = -1},
        {.limits = 3},
        {.memory_is_function = true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf module = {.data = NULL}, plain = {.data = NULL};
        struct err err = {.set = false};
        put_module(&module, &changes[i]);
        assert_false(module_read(module.data, module.length, &plain, &err));
        assert_string_equal(err.text, cases[i]);
        buf_done(&module);
        buf_done(&plain);
    }
}

static void names_have_a_length(void **unused) {
    (void)unused;
    char name[MODULE_NAME_MAX + 1];
    memset(name, 'x', sizeof name);
    for (size_t length = sizeof name - 1; length <= sizeof name; length++) {
        const struct change change = {.more = name, .more_length = length};
        struct buf module = {.data = NULL}, plain = {.data = NULL};
        struct err err = {.set = false};
        put_module(&module, &change);
        assert_int_equal(module_read(module.data, module.length, &plain, &err),
                         length <= MODULE_NAME_MAX);
        buf_done(&module);
        buf_done(&plain);
    }
}

// In memory of just that size, so that the sanitizers see what is read beyond it.
static bool reads(const char *bytes, size_t length) {
    struct buf plain = {.data = NULL};
    struct err err = {.set = false};
    char *copy = mem_new(length ? length : 1, 1);
    memcpy(copy, bytes, length);
    const bool good = module_read(copy, length, &plain, &err);
    assert_true(good || *err.text);
    free(copy);
    buf_done(&plain);
    return good;
}

static void damaged_ones_do_no_harm(void **unused) {
    (void)unused;
    const struct change change = {.custom = true};
    struct buf module = {.data = NULL};
    put_module(&module, &change);
    const size_t custom = strlen("name") + strlen("*/ int bad; /*") + 3;
    for (size_t length = 0; length < module.length; length++)
        assert_int_equal(reads(module.data, length), length == module.length - custom);
    for (size_t at = 0; at < module.length; at++) {
        const char was = module.data[at];
        for (int bit = 0; bit < 8; bit++) {
            module.data[at] = (char)(was ^ 1 << bit);
            reads(module.data, module.length);
        }
        module.data[at] = was;
    }
    assert_true(reads(module.data, module.length));
    assert_false(reads("\0asm\1\0\0\0\1\xff\xff\xff\xff\xff\1", 15)); // a number of 36 bits
    buf_done(&module);
}

// The list is that of src/games/wasm.c.
static void exports_are_those_of_ours(void **unused) {
    (void)unused;
    const struct embed *file = folder_files;
    while (file->path && strcmp(file->path, "games/wasm.c") != 0)
        file++;
    assert_non_null(file->path);
    char *source = mem_new(file->size + 1, 1);
    memcpy(source, file->bytes, file->size);
    char *at = strstr(source, "visibility push"), *end = strstr(source, "visibility pop");
    assert_true(at && end);
    *end = '\0';
    const struct module_export *e = module_exports;
    for (at = strstr(at, "wasm_"); at; at = strstr(at + 1, "wasm_")) {
        const size_t length = strcspn(at, "(, ;");
        if (at[length] != '(')
            continue; // in a comment
        assert_non_null(e->name);
        assert_int_equal(strlen(e->name), length);
        assert_memory_equal(e->name, at, length);
        assert_int_equal(e->params, strncmp(at + length, "(void)", 6) != 0);
        const char *line = at;
        while (line[-1] != '\n')
            line--;
        assert_int_equal(e->results, strncmp(line, "void wasm", 9) != 0);
        e++;
    }
    assert_null(e->name);
    free(source);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_ones_pass),           cmocka_unit_test(refused_in_words),
        cmocka_unit_test(names_have_a_length),       cmocka_unit_test(damaged_ones_do_no_harm),
        cmocka_unit_test(exports_are_those_of_ours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
