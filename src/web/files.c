// SPDX-License-Identifier: MIT
// The files that the browser gets, built in; those worth it also compressed, as PATH.gz.
#include "base/embed.h"
#include "web/exchange.h"

#include <stdio.h>
#include <string.h>

static const struct mime {
    const char *tail, *type;
} mimes[] = {
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".wasm", "application/wasm"},
    {".svg", "image/svg+xml"},
};

static const char *type_of(const char *path) {
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof mimes / sizeof *mimes; i++) {
        const size_t tail = strlen(mimes[i].tail);
        if (length > tail && strcmp(path + length - tail, mimes[i].tail) == 0)
            return mimes[i].type;
    }
    return NULL; // not meant for the browser
}

static const struct embed *find_file(const char *path) {
    for (const struct embed *file = web_files; file->path; file++)
        if (strcmp(file->path, path) == 0)
            return file;
    return NULL;
}

bool answer_file(struct exchange *x, const char *path) {
    const char *type = type_of(path);
    const struct embed *file = type ? find_file(path) : NULL;
    char packed_path[PATH_TEXT_MAX];
    if (!file)
        return false;
    snprintf(packed_path, sizeof packed_path, "%.240s.gz", path);
    const struct embed *packed = x->takes_gzip ? find_file(packed_path) : NULL;
    if (packed)
        snprintf(x->header[0], sizeof x->header[0], "content-encoding: gzip");
    x->status = 200;
    x->type = type;
    x->fixed = packed ? packed->bytes : file->bytes;
    x->fixed_length = packed ? packed->size : file->size;
    return true;
}
