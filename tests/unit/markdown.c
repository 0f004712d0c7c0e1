// SPDX-License-Identifier: MIT
// Texts of strangers on our pages: what they may show, and where they may lead.
#include "web/markdown.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

static void shown_as(const char *text, const char *html) {
    struct buf out = {.data = NULL};
    struct err err = {.set = false};
    assert_true(markdown_put(text, strlen(text), &out, &err));
    assert_string_equal(out.data, html);
    buf_done(&out);
}

static void plain_text(void **unused) {
    (void)unused;
    shown_as("", "");
    shown_as("# Hex\n\n*Two* sides", "<h1>Hex</h1>\n<p><em>Two</em> sides</p>\n");
    shown_as("a <b>b</b>", "<p>a <!-- raw HTML omitted -->b<!-- raw HTML omitted --></p>\n");
}

static void pictures(void **unused) {
    (void)unused;
    static const char *const elsewhere[] = {"http://example.org/a.png", "HTTPS://example.org/a.png",
                                            "//example.org/a.png", "ftp://example.org/a.png"};
    char text[200];
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
        snprintf(text, sizeof text, "see ![the *first* move](%s) here", elsewhere[i]);
        shown_as(text, "<p>see the <em>first</em> move here</p>\n");
    }
    shown_as("![a](http://x.org/1)![b](http://x.org/2)", "<p>ab</p>\n");
    shown_as("[![a](http://x.org/1)](http://x.org/)", "<p><a href=\"http://x.org/\">a</a></p>\n");
    shown_as("![](http://x.org/1)", "<p></p>\n");
    shown_as("![a][1]\n\n[1]: http://x.org/1", "<p>a</p>\n");
    shown_as("![a](/static/a.png)", "<p><img src=\"/static/a.png\" alt=\"a\" /></p>\n");
    shown_as("![a](data:image/png;base64,AA)",
             "<p><img src=\"data:image/png;base64,AA\" alt=\"a\" /></p>\n");
}

static void links(void **unused) {
    (void)unused;
    static const char *const fine[] = {"http://x.org/", "https://x.org/a:b", "mailto:a@x.org",
                                       "other",         "/help?game=hex",    "#top",
                                       "a/b:c"};
    static const char *const not_fine[] = {
        "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x",   "file:///etc/passwd",
        "vbscript:x",          "steam://run",         "javascript&colon;x", "%20javascript:x"};
    char text[200], html[200];
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        snprintf(text, sizeof text, "[a *b*](%s)", fine[i]);
        snprintf(html, sizeof html, "<p><a href=\"%s\">a <em>b</em></a></p>\n", fine[i]);
        shown_as(text, html);
    }
    for (size_t i = 0; i < sizeof not_fine / sizeof *not_fine; i++) {
        snprintf(text, sizeof text, "[a *b*](%s) c", not_fine[i]);
        shown_as(text, "<p>a <em>b</em> c</p>\n");
    }
    shown_as("<steam://run>", "<p>steam://run</p>\n");
    shown_as("<http://x.org/>", "<p><a href=\"http://x.org/\">http://x.org/</a></p>\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_text),
        cmocka_unit_test(pictures),
        cmocka_unit_test(links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
