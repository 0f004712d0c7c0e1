// SPDX-License-Identifier: MIT
// Similarity: what changes no token, the promise of winnowing, the base, groups, any bytes at all.
#include "base/mem.h"
#include "base/rng.h"
#include "check.h"
#include "cli/command.h"
#include "similar/page.h"
#include "similar/pairs.h"
#include "similar/print.h"
#include "similar/tiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tokens scanned(const char *text, enum language language) {
    struct tokens t = {.at = NULL};
    struct macro_sum sum = {.cut = false};
    const char *texts[] = {language == LANGUAGE_C ? text : NULL};
    tokens_scan(&t, text, strlen(text), language, 0);
    macros_expand(&t, texts, &sum);
    assert_false(sum.cut);
    return t;
}

static bool alike(const char *a, const char *b, enum language language) {
    struct tokens x = scanned(a, language), y = scanned(b, language);
    bool same = x.count == y.count;
    for (int i = 0; same && i < x.count; i++)
        same = x.at[i].kind == y.at[i].kind;
    tokens_done(&x);
    tokens_done(&y);
    return same;
}

static void test_disguises_change_no_token(void **unused) {
    (void)unused;
    static const struct {
        const char *a, *b;
        enum language language;
    } same[] = {
        {"int f(int x) { return x + 1; }", "long\ng ( double yy )\n{ return yy+2.5e-3f; }",
         LANGUAGE_C},
        {"a = b; // c", "a /* d\n */ = b;", LANGUAGE_C},
        {"static const unsigned n = 3;", "n = 0x1F;", LANGUAGE_C},
        {"unsigned n = 3;", "n = 3;", LANGUAGE_C},
        {"if (x) { y(); }", "if (x) y();", LANGUAGE_C},
        {"p->q = 1;", "p.q = 1;", LANGUAGE_C},
        {"std::vector<int> v;", "vector<long> w;", LANGUAGE_C},
        {"#include <a.h>\nx;", "x;", LANGUAGE_C},
        {"a;\n#define N 8\n#define MORE(x) ((x) + 1)\nb;", "a; b;", LANGUAGE_C},
        {"#define B(q) int f(int x) { return x + 1; }\nB", "B", LANGUAGE_C},
        {"#define B(q) int f(q x) { return x + 1; }\nB(int)", "int f(int x) { return x + 1; }",
         LANGUAGE_C},
        {"#define B int f(int x) \\\n{ return \\ \r\n x + 1; }\nB",
         "int f(int x) { return x + 1; }", LANGUAGE_C},
        {"#define G if (\n#define H ) return\nG a < b H c;", "if (a < b) return c;", LANGUAGE_C},
        {"%:define IF(c, ...) i\\\nf (c) __VA_ARGS__\nIF(f(a, b), x = 1, y)",
         "if (f(a, b)) x = 1, y", LANGUAGE_C},
        {"#define MAX(a, b) ((a) > (b) ? (a) : (b))\nMAX(x, MAX(y, z))",
         "((x) > (((y) > (z) ? (y) : (z))) ? (x) : (((y) > (z) ? (y) : (z))))", LANGUAGE_C},
        {"#define EACH(X) X(a) X(b)\n#define GO(n) n = 1;\nEACH(GO)", "a = 1; b = 1;", LANGUAGE_C},
        {"#define a a + b\na;", "a + b;", LANGUAGE_C},
        {"#define N 8\nint t[] = {N, N, N};", "int t[] = {1, 2};", LANGUAGE_C},
        {"if (a and not b) <% c<:i:> or_eq d; %>", "if (a && !b) { c[i] |= d; }", LANGUAGE_C},
        {"wh\\\nile (a) b;", "while (a) b;", LANGUAGE_C},
        {"a; // b \\\n c;\nd;", "a; d;", LANGUAGE_C},
        {"# include /* \" \n */ \"x.inc\"\nx;", "x;", LANGUAGE_C},
        {"int t[] = {1, 2, 3};", "int t[] = {9};", LANGUAGE_C},
        {"s = \"a\" \"b\";", "s = \"\\\"\";", LANGUAGE_C},
        {"def f(a):\n    '''Says\n    something.'''\n    return a", "def g(b):\n  return b # it",
         LANGUAGE_PYTHON},
        {"x = r'a' + f\"{y}\"", "q = 'b' + \"c\"", LANGUAGE_PYTHON},
        {"t = [1, 2, 'x']", "u = [7]", LANGUAGE_PYTHON},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (!alike(same[i].a, same[i].b, same[i].language))
            fail_msg("%s and %s differ", same[i].a, same[i].b);
}

static void test_meaning_changes_tokens(void **unused) {
    (void)unused;
    static const char *const different[][2] = {
        {"x = a + b;", "x = a - b;"}, {"if (a == b)", "if (a = b)"}, {"while (a)", "if (a)"},
        {"f(a);", "f(a, b);"},        {"return a;", "a;"},           {"a << 2", "a < 2"},
    };
    for (size_t i = 0; i < sizeof different / sizeof *different; i++)
        assert_false(alike(different[i][0], different[i][1], LANGUAGE_C));
}

static void test_tokens_know_their_place(void **unused) {
    (void)unused;
    const char *text = "a = 1;\n/* x\n*/ bcd();\n";
    struct tokens t = scanned(text, LANGUAGE_C);
    assert_int_equal(t.count, 6);
    assert_int_equal(t.at[0].line, 1);
    assert_int_equal(t.at[3].line, 3);
    assert_int_equal(t.at[3].end - t.at[3].begin, 3);
    assert_memory_equal(text + t.at[3].begin, "bcd", 3);
    tokens_done(&t);
}

// Joined lines too.
static void test_joined_tokens_know_their_place(void **unused) {
    (void)unused;
    const char *text = "a = \\\n1;\nb\\\ncd();\n\\\n\\\ne;";
    struct tokens t = scanned(text, LANGUAGE_C);
    assert_int_equal(t.count, 7);
    assert_int_equal(t.at[2].line, 2);
    assert_memory_equal(text + t.at[2].begin, "1", 1);
    assert_int_equal(t.at[3].line, 3);
    assert_int_equal(t.at[3].end - t.at[3].begin, 5);
    assert_memory_equal(text + t.at[3].begin, "b\\\ncd", 5);
    assert_int_equal(t.at[6].line, 7);
    assert_int_equal(text[t.at[6].begin], 'e');
    tokens_done(&t);
}

static void test_includes_are_known(void **unused) {
    (void)unused;
    struct tokens t = scanned("#include \"d/x.inc\"\n#inc\\\nlude <y.txt>\n#include \"b.h\"\n"
                              "s = \"z.inc\"; // #include \"w.inc\"\n#include \"x.inc\"\n",
                              LANGUAGE_C);
    assert_int_equal(t.named_count, 2);
    assert_true(tokens_name(&t, "x.inc") && tokens_name(&t, "y.txt"));
    assert_false(tokens_name(&t, "z.inc") || tokens_name(&t, "w.inc") || tokens_name(&t, "b.h"));
    tokens_done(&t);
}

// What a macro stands for has the place of its use.
static void test_macros_have_the_place_of_their_use(void **unused) {
    (void)unused;
    const char *text = "#define F(x) (x * x)\nint a =\n F(\nb) + c;";
    struct tokens t = scanned(text, LANGUAGE_C);
    assert_int_equal(t.count, 3 + 5 + 2);
    for (int i = 3; i < 8; i++) {
        assert_int_equal(t.at[i].line, 3);
        assert_memory_equal(text + t.at[i].begin, "F(\nb)", t.at[i].end - t.at[i].begin);
        assert_int_equal(t.at[i].end - t.at[i].begin, 5);
    }
    assert_int_equal(text[t.at[9].begin], 'c');
    tokens_done(&t);
}

// However macros multiply, what comes of them is bounded, and so is the time.
static void test_macros_are_bounded(void **unused) {
    (void)unused;
    struct buf text = {.data = NULL};
    for (int i = 0; i < 40; i++)
        buf_format(&text, "#define A%d(x) A%d(x x) A%d(x x)\n#define B %d B\n", i, i + 1, i + 1, i);
    for (int i = 0; i < 20000; i++)
        buf_text(&text, "A0(B) A1(");
    const char *texts[] = {text.data};
    struct tokens t = {.at = NULL};
    struct macro_sum sum = {.cut = false};
    tokens_scan(&t, text.data, text.length, LANGUAGE_C, 0);
    const int had = t.count;
    macros_expand(&t, texts, &sum);
    assert_true(sum.cut);
    assert_true(t.count <= 6 * had + 20000);
    tokens_done(&t);
    buf_done(&text);
}

// By which code may be hidden all the same.
static void test_tricks_are_noted(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *what;
        unsigned line;
        enum language language;
    } cases[] = {
        {"a;\n#include NAME\n", "includes what a macro names", 2, LANGUAGE_C},
        {"\\\n\nint f() { asm(\"nop\"); }", "holds assembler", 3, LANGUAGE_C},
        {"int a?\?(3?\?);", "is written in trigraphs", 1, LANGUAGE_C},
        {"#define register for (;;) a();", "makes a macro of a word that counts for nothing", 1,
         LANGUAGE_C},
        {"x = 1\nexec(x)", "runs what it makes itself", 2, LANGUAGE_PYTHON},
        {"re.compile(x)\nmodel.eval()", NULL, 0, LANGUAGE_PYTHON},
        {"#include <stdio.h>\n#define inline\nint a = b ? c : d;", NULL, 0, LANGUAGE_C},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tokens t = scanned(cases[i].text, cases[i].language);
        if (cases[i].what)
            assert_string_equal(t.trick.what, cases[i].what);
        else
            assert_null(t.trick.what);
        assert_int_equal(t.trick.at.line, cases[i].line);
        tokens_done(&t);
    }
}

// A submission made of tokens of a small alphabet.
static void make(struct submission *s, const char *name, const uint16_t *kinds, int count) {
    *s = (struct submission){.name = mem_text(name)};
    s->tokens.at = mem_new((size_t)count + 1, sizeof *s->tokens.at);
    for (int i = 0; i < count; i++)
        s->tokens.at[s->tokens.count++] = (struct token){.kind = kinds[i], .line = 1};
}

enum { LENGTH = 400 };

static void draw(struct rng *rng, uint16_t *kinds) {
    for (int i = 0; i < LENGTH; i++)
        kinds[i] = (uint16_t)(1 + rng_below(rng, 12));
}

// Wherever a stretch of PRINT_SURE tokens stands in both, it is found.
static void test_winnowing_keeps_its_promise(void **unused) {
    (void)unused;
    struct rng rng = {7};
    const struct base_code none = {.room = 0};
    for (int round = 0; round < 300; round++) {
        uint16_t a[LENGTH], b[LENGTH];
        struct submission s[2];
        struct pairs pairs = {.at = NULL};
        struct tile *tiles;
        draw(&rng, a);
        draw(&rng, b);
        const uint32_t x = rng_below(&rng, LENGTH - PRINT_SURE),
                       y = rng_below(&rng, LENGTH - PRINT_SURE);
        memcpy(b + y, a + x, PRINT_SURE * sizeof *a);
        make(&s[0], "a", a, LENGTH);
        make(&s[1], "b", b, LENGTH);
        for (int i = 0; i < 2; i++)
            prints_make(&s[i], &none);
        pairs_compare(&pairs, s, 2);
        assert_int_equal(pairs.count, 1);
        assert_true(tiles_find(&s[0], &s[1], &tiles) >= 1);
        bool found = false;
        for (int i = 0; i < 1; i++)
            found = found || (tiles[i].at[0] <= (int)x &&
                              tiles[i].at[1] - tiles[i].at[0] == (int)y - (int)x &&
                              tiles[i].at[0] + tiles[i].length >= (int)x + PRINT_SURE);
        assert_true(found);
        free(tiles);
        pairs_done(&pairs);
        submission_done(&s[0]);
        submission_done(&s[1]);
    }
}

struct heard {
    char all[200], tiles[200];
};

static void hear_part(void *owner, const char *text, size_t length, int tile) {
    struct heard *h = owner;
    strncat(h->all, text, length);
    if (tile >= 0)
        sprintf(h->tiles + strlen(h->tiles), "[%d %.*s]", tile, (int)length, text);
}

// All of a file is told, in parts; tiles of another file are not.
static void test_tiles_are_walked_by_file(void **unused) {
    (void)unused;
    char first[] = "int a = 1; // one\nint b;", second[] = "\tint c = 3, d;\n";
    struct source sources[] = {{.text = first, .size = strlen(first)},
                               {.text = second, .size = strlen(second)}};
    struct submission s = {.sources = sources, .source_count = 2};
    const struct tile tiles[] = {{{7, 1}, 4}, {{1, 0}, 3}, {{4, 7}, 2}}; // second, first, first
    static const char *const want[2] = {"[1 a = 1][2 int b]", "[0 c = 3,]"};
    for (int i = 0; i < 2; i++)
        tokens_scan(&s.tokens, sources[i].text, sources[i].size, LANGUAGE_C, i);
    for (int i = 0; i < 2; i++) {
        struct heard h = {.all = ""};
        tiles_walk(&(struct tile_side){&s, tiles, 3, 0}, i, hear_part, &h);
        assert_string_equal(h.all, sources[i].text);
        assert_string_equal(h.tiles, want[i]);
    }
    tokens_done(&s.tokens);
}

// What two share with the base counts on no side.
static void test_the_base_counts_for_nothing(void **unused) {
    (void)unused;
    struct rng rng = {9};
    uint16_t kit[LENGTH], own[2][LENGTH], whole[2][2 * LENGTH];
    struct submission base, s[2];
    struct base_code code = {.room = 0};
    struct pairs pairs = {.at = NULL};
    draw(&rng, kit);
    make(&base, "kit", kit, LENGTH);
    base_add(&code, &base);
    for (int i = 0; i < 2; i++) {
        draw(&rng, own[i]);
        memcpy(whole[i], kit, sizeof kit);
        memcpy(whole[i] + LENGTH, own[i], sizeof own[i]);
        make(&s[i], "s", whole[i], 2 * LENGTH);
        prints_make(&s[i], &code);
        assert_true(s[i].own <= LENGTH && s[i].own > LENGTH - PRINT_LENGTH);
    }
    pairs_compare(&pairs, s, 2);
    assert_int_equal(pairs.count, 0);
    pairs_done(&pairs);
    base_done(&code);
    submission_done(&base);
    for (int i = 0; i < 2; i++)
        submission_done(&s[i]);
}

static void test_groups_hang_together(void **unused) {
    (void)unused;
    struct pair list[] = {{.a = 1, .b = 4, .percent = {90, 10}},
                          {.a = 4, .b = 5, .percent = {30, 40}},
                          {.a = 0, .b = 2, .percent = {10, 20}}};
    const struct pairs pairs = {.at = list, .count = 3};
    int group[6];
    const int expected[6] = {0, 1, 2, 3, 1, 1};
    pairs_group(&pairs, 25, 6, group);
    assert_memory_equal(group, expected, sizeof group);
}

// Any bytes are scanned, compared and shown.
static void test_any_bytes(void **unused) {
    (void)unused;
    struct rng rng = {11};
    const struct base_code none = {.room = 0};
    static const char bits[] = "\"'\\/*#\n\r\t abc012.<>&{}();:=+-\x80\xff";
    for (int round = 0; round < 200; round++) {
        struct submission s[2] = {{.name = mem_text("<a>")}, {.name = mem_text("b")}};
        struct pairs pairs = {.at = NULL};
        struct buf out = {.data = NULL};
        int group[2];
        char text[2000];
        const size_t size = rng_below(&rng, sizeof text);
        for (size_t i = 0; i < size; i++)
            text[i] = bits[rng_below(&rng, sizeof bits)];
        for (int i = 0; i < 2; i++) {
            s[i].sources = mem_new(1, sizeof *s[i].sources);
            s[i].sources[0] =
                (struct source){.path = mem_text("x"), .text = mem_new(size + 1, 1), .size = size};
            s[i].source_count = 1;
            memcpy(s[i].sources[0].text, text, size);
            tokens_scan(&s[i].tokens, s[i].sources[0].text, size,
                        round % 2 ? LANGUAGE_C : LANGUAGE_PYTHON, 0);
            macros_expand(&s[i].tokens, (const char *[]){round % 2 ? s[i].sources[0].text : NULL},
                          &s[i].macros);
            prints_make(&s[i], &none);
        }
        pairs_compare(&pairs, s, 2);
        pairs_group(&pairs, 25, 2, group);
        page_write(
            &(struct page){.list = s, .count = 2, .pairs = &pairs, .group = group, .flagged = 25},
            &out);
        assert_null(strstr(out.data, "<a>"));
        buf_done(&out);
        pairs_done(&pairs);
        submission_done(&s[0]);
        submission_done(&s[1]);
    }
}

static void test_the_help_tells_the_promise(void **unused) {
    (void)unused;
    char words[100];
    snprintf(words, sizeof words, "A stretch of %d tokens", PRINT_SURE);
    assert_non_null(strstr(command_similar.help, words));
    snprintf(words, sizeof words, "one below %d never", PRINT_LENGTH);
    assert_non_null(strstr(command_similar.help, words));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disguises_change_no_token),
        cmocka_unit_test(test_meaning_changes_tokens),
        cmocka_unit_test(test_tokens_know_their_place),
        cmocka_unit_test(test_joined_tokens_know_their_place),
        cmocka_unit_test(test_includes_are_known),
        cmocka_unit_test(test_macros_have_the_place_of_their_use),
        cmocka_unit_test(test_macros_are_bounded),
        cmocka_unit_test(test_tricks_are_noted),
        cmocka_unit_test(test_winnowing_keeps_its_promise),
        cmocka_unit_test(test_tiles_are_walked_by_file),
        cmocka_unit_test(test_the_base_counts_for_nothing),
        cmocka_unit_test(test_groups_hang_together),
        cmocka_unit_test(test_any_bytes),
        cmocka_unit_test(test_the_help_tells_the_promise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
