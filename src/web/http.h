// SPDX-License-Identifier: MIT
// The head of a request, read strictly: what two programs could understand differently is refused,
// not guessed (two lengths, a length beside an encoding, lines that do not end in CR LF, folded
// lines, two hosts). Pure.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HTTP_HEAD_MAX = 8192, HTTP_PATH_MAX = 256, HTTP_QUERY_MAX = 1024 };

enum http_method { HTTP_GET, HTTP_HEAD, HTTP_POST, HTTP_OTHER };

// The texts lie in the head that was read; those that were not sent are NULL.
struct http_request {
    enum http_method method;
    char path[HTTP_PATH_MAX]; // decoded, without the query
    const char *query;        // what follows the '?', as it was sent; NULL: none
    const char *host, *origin, *cookie, *encodings;
    const char *upgrade, *socket_key, *socket_version, *socket_protocols;
    const char *length_text, *transfer, *expect;
    bool has_length;
    uint64_t length; // of the body
    bool last;       // nothing more is answered on this connection
    bool upgrades;   // Connection: upgrade
    bool hesitates;  // Expect: 100-continue
};

// Looks for the end of a head. Returns its bytes with the empty line; 0: there is more to come;
// -1: it cannot be a head.
long http_find_end(const char *bytes, size_t length);
// Reads a head of just that many bytes, and writes NULs into it. Returns 0, or the status that
// refuses it, with the reason.
int http_read(char *head, size_t length, struct http_request *request, const char **why);
// The value of a name in a query, decoded; false if it is not there, cannot be read, or has no
// room.
bool http_query(const char *query, const char *name, char *value, size_t size);
// Whether a list with commas has a word, in any case.
bool http_lists(const char *list, const char *word);
// The words that go with a status.
const char *http_phrase(int status);
