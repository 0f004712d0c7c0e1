// SPDX-License-Identifier: MIT
// The heads of requests, read strictly (src/web/http.h).
#include "web/http.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reads a head from memory of just its size; returns the status. The request's texts are gone.
static int read_all(const char *text, struct http_request *r) {
    const size_t length = strlen(text);
    assert_int_equal(http_find_end(text, length), (long)length);
    char *head = malloc(length);
    const char *why = NULL;
    memcpy(head, text, length);
    const int status = http_read(head, length, r, &why);
    if (status)
        assert_non_null(why);
    free(head);
    return status;
}

static void what_is_usual_is_read(void **unused) {
    (void)unused;
    static char head[] =
        "POST /api/games?x=1 HTTP/1.1\r\nHost:localhost:8080\r\nCookie: a=b; c=d \r\n"
        "Content-Length: 12\r\nconnection: keep-alive, Upgrade\r\nX-Other: y\r\n\r\n";
    struct http_request r;
    const char *why;
    assert_int_equal(http_find_end(head, sizeof head - 1), sizeof head - 1);
    assert_int_equal(http_read(head, sizeof head - 1, &r, &why), 0);
    assert_int_equal(r.method, HTTP_POST);
    assert_string_equal(r.path, "/api/games");
    assert_string_equal(r.host, "localhost:8080");
    assert_string_equal(r.cookie, "a=b; c=d");
    assert_null(r.origin);
    assert_true(r.has_length && r.length == 12 && r.upgrades && !r.last);
}

#define HEAD_OF(more) "GET / HTTP/1.1\r\nHost: a\r\n" more "\r\n"
#define POST_OF(more) "POST / HTTP/1.1\r\nHost: a\r\n" more "\r\n"

static const struct case_of_head {
    const char *head;
    int status;
} cases[] = {
    {HEAD_OF(""), 0},
    {HEAD_OF("Content-Length: 0\r\n"), 0},
    {HEAD_OF("Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AA\r\n"), 0},
    {POST_OF("Content-Length: 2\r\n"), 0},
    {POST_OF("Content-Length: 2\r\nExpect: 100-continue\r\n"), 0},
    {"GET /a%20b HTTP/1.0\r\nHost: a\r\n\r\n", 0},
    // the length told twice, or not in digits
    {POST_OF("Content-Length: 2\r\nContent-Length: 2\r\n"), 400},
    {POST_OF("Content-Length: 2\r\ncontent-length: 3\r\n"), 400},
    {POST_OF("Content-Length: 2, 2\r\n"), 400},
    {POST_OF("Content-Length: 0x2\r\n"), 400},
    {POST_OF("Content-Length: +2\r\n"), 400},
    {POST_OF("Content-Length: -2\r\n"), 400},
    {POST_OF("Content-Length: 2 2\r\n"), 400},
    {POST_OF("Content-Length: \r\n"), 400},
    {POST_OF("Content-Length: 18446744073709551618\r\n"), 400},
    {POST_OF("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n"), 400},
    {POST_OF("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n"), 400},
    {POST_OF("Transfer-Encoding: chunked\r\n"), 411},
    {HEAD_OF("Content-Length: 1\r\n"), 400},
    // lines that could be read in two ways
    {HEAD_OF("Host: b\r\n"), 400},
    {HEAD_OF(" folded\r\n"), 400},
    {HEAD_OF("X : y\r\n"), 400},
    {HEAD_OF("no colon\r\n"), 400},
    {HEAD_OF(": y\r\n"), 400},
    {HEAD_OF("Expect: more\r\n"), 400},
    {"GET / HTTP/1.1\r\n\r\n", 400},
    {"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 400},
    {"GET / HTTP/1.1 x\r\nHost: a\r\n\r\n", 400},
    {"GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET /\r\n\r\n", 400},
    {"GET a HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"PRI * HTTP/2.0\r\n\r\n", 400},
    {"GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET /% HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET /%0d%0aX:y HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET /#x HTTP/1.1\r\nHost: a\r\n\r\n", 400},
};

static void each_is_taken_or_refused(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct http_request r;
        const int status = read_all(cases[i].head, &r);
        if (status != cases[i].status)
            fail_msg("%d, not %d: %s", status, cases[i].status, cases[i].head);
    }
}

static void a_path_may_be_so_long(void **unused) {
    (void)unused;
    char head[2 * HTTP_PATH_MAX];
    struct http_request r;
    for (int length = HTTP_PATH_MAX - 2; length <= HTTP_PATH_MAX + 1; length++) {
        snprintf(head, sizeof head, "GET /%0*d HTTP/1.1\r\nHost: a\r\n\r\n", length - 1, 0);
        assert_int_equal(read_all(head, &r), length < HTTP_PATH_MAX ? 0 : 414);
    }
}

static void the_end_is_found(void **unused) {
    (void)unused;
    static const char head[] = "GET / HTTP/1.1\r\nHost: a\r\n\r\nmore";
    for (size_t i = 0; i < sizeof head - 1; i++)
        assert_int_equal(http_find_end(head, i), i < sizeof head - 5 ? 0 : (long)sizeof head - 5);
    static const char *const never[] = {"get / HTTP/1.1", "\r\n",   "GET / HTTP/1.1\n", "GET /\rx",
                                        "\x16\x03\x01",   "G\x01T", "GET / \x7f",       " "};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        assert_int_equal(http_find_end(never[i], strlen(never[i])), -1);
    assert_int_equal(http_find_end("GET\0 /", 6), -1);
}

static void lists_have_words(void **unused) {
    (void)unused;
    assert_true(http_lists("keep-alive, Upgrade", "upgrade"));
    assert_true(http_lists("close", "close"));
    assert_true(http_lists(" , ,\tclose ,", "close"));
    assert_false(http_lists("closed", "close"));
    assert_false(http_lists("", "close"));
    assert_false(http_lists("a b", "ab"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_usual_is_read), cmocka_unit_test(each_is_taken_or_refused),
        cmocka_unit_test(a_path_may_be_so_long), cmocka_unit_test(the_end_is_found),
        cmocka_unit_test(lists_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
