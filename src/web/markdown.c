// SPDX-License-Identifier: MIT
// A picture from elsewhere would tell there who reads a page of ours. So the document is a tree
// first, in which nodes that lead where they must not give their place to what is in them.
#include "web/markdown.h"

#include "base/library.h"

#include <cmark.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define CMARK_FUNCTIONS(X)                                                                         \
    X(cmark_parse_document)                                                                        \
    X(cmark_render_html)                                                                           \
    X(cmark_iter_new)                                                                              \
    X(cmark_iter_next)                                                                             \
    X(cmark_iter_get_node)                                                                         \
    X(cmark_iter_free)                                                                             \
    X(cmark_node_get_type)                                                                         \
    X(cmark_node_get_url)                                                                          \
    X(cmark_node_first_child)                                                                      \
    X(cmark_node_insert_before)                                                                    \
    X(cmark_node_free)

struct cmark {
    CMARK_FUNCTIONS(LIBRARY_MEMBER)
};

static struct cmark cmark;
static const char *const names[] = {CMARK_FUNCTIONS(LIBRARY_NAME)};
static struct library library = {
    .file = LIBCMARK, .names = names, .count = sizeof names / sizeof *names, .functions = &cmark};

// How long the scheme of an address is, with its colon; 0: it is relative.
static size_t scheme_length(const char *url) {
    const size_t length = strcspn(url, ":/?#");
    return url[length] == ':' ? length + 1 : 0;
}

static bool is_link(const char *url) {
    static const char *const schemes[] = {"http:", "https:", "mailto:"};
    const size_t length = scheme_length(url);
    bool known = length == 0;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        known |= strlen(schemes[i]) == length && strncasecmp(url, schemes[i], length) == 0;
    return known;
}

// One of the server, or one that the text itself holds.
static bool is_picture(const char *url) {
    return strncasecmp(url, "data:image/", 11) == 0 ||
           (scheme_length(url) == 0 && strncmp(url, "//", 2) != 0);
}

static bool may_stay(cmark_node *node) {
    const cmark_node_type type = cmark.cmark_node_get_type(node);
    if (type != CMARK_NODE_LINK && type != CMARK_NODE_IMAGE)
        return true;
    const char *url = cmark.cmark_node_get_url(node);
    return type == CMARK_NODE_LINK ? is_link(url) : is_picture(url);
}

// A node is changed when all that is in it was seen.
static void tidy(cmark_node *document) {
    cmark_iter *at = cmark.cmark_iter_new(document);
    for (cmark_event_type event; (event = cmark.cmark_iter_next(at)) != CMARK_EVENT_DONE;) {
        cmark_node *node = cmark.cmark_iter_get_node(at);
        if (event != CMARK_EVENT_EXIT || may_stay(node))
            continue;
        for (cmark_node *child; (child = cmark.cmark_node_first_child(node));)
            cmark.cmark_node_insert_before(node, child);
        cmark.cmark_node_free(node);
    }
    cmark.cmark_iter_free(at);
}

bool markdown_put(const char *text, size_t length, struct buf *html, struct err *err) {
    if (!library_load(&library, err))
        return false;
    cmark_node *document = cmark.cmark_parse_document(text, length, CMARK_OPT_DEFAULT);
    tidy(document);
    char *made = cmark.cmark_render_html(document, CMARK_OPT_DEFAULT);
    buf_text(html, made);
    free(made);
    cmark.cmark_node_free(document);
    return true;
}
