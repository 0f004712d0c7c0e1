// SPDX-License-Identifier: MIT
// One pass looks for the end of the head and refuses bytes that no head has; then lines are cut out
// of it in place, so that all texts of the request lie where they were read. Whatever is not
// plainly right is refused with a status and a reason: nothing is repaired.
#include "web/http.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

enum { LENGTH_DIGITS_MAX = 18 };

static const char broken[] = "this is no request of HTTP/1.1";

static bool is_token(unsigned char c) {
    static const char others[] = "!#$%&'*+-.^_`|~";
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (c && strchr(others, c));
}

// What may stand in a head besides the ends of lines.
static bool is_text(unsigned char c) { return c == '\t' || (c >= ' ' && c != 0x7f); }

long http_find_end(const char *bytes, size_t length) {
    if (length > 0 && (bytes[0] < 'A' || bytes[0] > 'Z')) // methods are capital letters
        return -1;
    for (size_t i = 0; i < length; i++) {
        if (is_text((unsigned char)bytes[i]))
            continue;
        if (bytes[i] != '\r')
            return -1;
        if (i + 1 == length)
            return 0;
        if (bytes[i + 1] != '\n')
            return -1;
        i++;
        if (i >= 3 && bytes[i - 2] == '\n')
            return (long)(i + 1);
    }
    return 0;
}

// Ends the line at *at, which has its CR LF, with a NUL, and goes on to the next.
static char *next_line(char **at) {
    char *line = *at, *end = strchr(line, '\r');
    assert(end && end[1] == '\n');
    *end = '\0';
    *at = end + 2;
    return line;
}

static int hex_of(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// The character that "%XX" stands for, or -1.
static int read_escape(const char *at) {
    const int high = hex_of(at[1]), low = high < 0 ? -1 : hex_of(at[2]);
    return low < 0 ? -1 : high * 16 + low;
}

static int read_path(const char *target, char path[static HTTP_PATH_MAX], const char **why) {
    size_t length = 0;
    *why = "the path cannot be read";
    if (*target != '/')
        return 400;
    for (const char *at = target; *at && *at != '?'; at++) {
        int c = (unsigned char)*at;
        if (c == '%') {
            c = read_escape(at);
            if (c < 0)
                return 400;
            at += 2;
        } else if (c == '#' || c >= 0x80) {
            return 400;
        }
        if (c < ' ' || c == 0x7f)
            return 400;
        if (length + 1 == HTTP_PATH_MAX) {
            *why = "the path is too long";
            return 414;
        }
        path[length++] = (char)c;
    }
    path[length] = '\0';
    return 0;
}

static const struct method_name {
    const char *name;
    enum http_method method;
} methods[] = {{"GET", HTTP_GET}, {"HEAD", HTTP_HEAD}, {"POST", HTTP_POST}};

static enum http_method method_of(const char *name) {
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(name, methods[i].name) == 0)
            return methods[i].method;
    return HTTP_OTHER;
}

// METHOD SP TARGET SP VERSION
static int read_first(char *line, struct http_request *r, const char **why) {
    char *target = strchr(line, ' '), *version = target ? strchr(target + 1, ' ') : NULL;
    *why = broken;
    if (!version)
        return 400;
    *target++ = '\0';
    *version++ = '\0';
    for (const char *at = line; *at; at++)
        if (!is_token((unsigned char)*at))
            return 400;
    if (strcmp(version, "HTTP/1.1") != 0 && strcmp(version, "HTTP/1.0") != 0)
        return 400;
    r->last = version[7] == '0';
    r->method = method_of(line);
    const char *query = strchr(target, '?');
    if (query && strlen(query) >= HTTP_QUERY_MAX) {
        *why = "the path is too long";
        return 414;
    }
    r->query = query ? query + 1 : NULL;
    return read_path(target, r->path, why);
}

bool http_query(const char *query, const char *name, char *value, size_t size) {
    const size_t length = strlen(name);
    size_t used = 0;
    while (*query && (strncmp(query, name, length) != 0 || query[length] != '=')) {
        query += strcspn(query, "&");
        query += *query == '&';
    }
    if (!*query)
        return false;
    for (query += length + 1; *query && *query != '&'; query++) {
        const int c = *query == '%' ? read_escape(query) : *query == '+' ? ' ' : *query;
        if (c < 0 || (unsigned char)c < ' ' || used + 1 >= size)
            return false;
        query += *query == '%' ? 2 : 0;
        value[used++] = (char)c;
    }
    value[used] = '\0';
    return true;
}

bool http_lists(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = list; at && *at; at += strcspn(at, ",")) {
        at += strspn(at, ", \t");
        const size_t found = strcspn(at, ", \t");
        if (found == length && strncasecmp(at, word, length) == 0)
            return true;
    }
    return false;
}

// The headers that count; each may be sent once.
#define FIELD(name, member)                                                                        \
    { name, offsetof(struct http_request, member) }
static const struct http_field {
    const char *name;
    size_t place;
} fields[] = {
    FIELD("host", host),
    FIELD("origin", origin),
    FIELD("cookie", cookie),
    FIELD("accept-encoding", encodings),
    FIELD("upgrade", upgrade),
    FIELD("sec-websocket-key", socket_key),
    FIELD("sec-websocket-version", socket_version),
    FIELD("sec-websocket-protocol", socket_protocols),
    FIELD("content-length", length_text),
    FIELD("transfer-encoding", transfer),
    FIELD("expect", expect),
};

static bool keep_field(struct http_request *r, const char *name, const char *value) {
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcasecmp(name, fields[i].name) == 0) {
            const char **kept = (const char **)((char *)r + fields[i].place);
            if (*kept)
                return false;
            *kept = value;
        }
    if (strcasecmp(name, "connection") == 0) {
        r->last |= http_lists(value, "close");
        r->upgrades |= http_lists(value, "upgrade");
    }
    return true;
}

static int read_field(char *line, struct http_request *r, const char **why) {
    char *colon = line;
    while (is_token((unsigned char)*colon))
        colon++;
    *why = broken;
    if (colon == line || *colon != ':')
        return 400;
    *colon = '\0';
    char *value = colon + 1 + strspn(colon + 1, " \t"), *end = value + strlen(value);
    while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
        *--end = '\0';
    if (keep_field(r, line, value))
        return 0;
    *why = "a header that may be sent once is sent twice";
    return 400;
}

// Digits and nothing else.
static bool read_length(const char *text, uint64_t *length) {
    *length = 0;
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > LENGTH_DIGITS_MAX || text[digits])
        return false;
    for (; *text; text++)
        *length = *length * 10 + (uint64_t)(*text - '0');
    return true;
}

// How long the body is, in one way only.
static int read_framing(struct http_request *r, const char **why) {
    *why = "the length of the body is told in two ways";
    if (r->transfer && r->length_text)
        return 400;
    *why = "the length of the body is not told";
    if (r->transfer)
        return 411;
    *why = "the length of the body is no number";
    if (r->length_text && !read_length(r->length_text, &r->length))
        return 400;
    r->has_length = r->length_text != NULL;
    *why = "only a POST has a body";
    return r->length > 0 && r->method != HTTP_POST ? 400 : 0;
}

int http_read(char *head, size_t length, struct http_request *r, const char **why) {
    assert(length >= 4 && memcmp(head + length - 4, "\r\n\r\n", 4) == 0);
    *r = (struct http_request){.method = HTTP_OTHER};
    head[length - 2] = '\0'; // so that the last line of all ends it
    char *at = head;
    int status = read_first(next_line(&at), r, why);
    while (status == 0 && *at)
        status = read_field(next_line(&at), r, why);
    if (status != 0)
        return status;
    *why = "a request names its host";
    if (!r->host)
        return 400;
    *why = "nothing but 100-continue can be expected";
    if (r->expect && strcasecmp(r->expect, "100-continue") != 0)
        return 400;
    r->hesitates = r->expect != NULL;
    return read_framing(r, why);
}

const char *http_phrase(int status) {
    static const struct phrase {
        int status;
        const char *words;
    } phrases[] = {
        {101, "Switching Protocols"},
        {200, "OK"},
        {303, "See Other"},
        {400, "Bad Request"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {409, "Conflict"},
        {411, "Length Required"},
        {413, "Content Too Large"},
        {414, "URI Too Long"},
        {429, "Too Many Requests"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"},
    };
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (phrases[i].status == status)
            return phrases[i].words;
    return "Answer";
}
