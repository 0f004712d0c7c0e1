// SPDX-License-Identifier: MIT
#include "store/pq.h"

#include <assert.h>

static struct pq functions;
static const char *const names[] = {PQ_FUNCTIONS(LIBRARY_NAME)};
static struct library library = {
    .file = LIBPQ, .names = names, .count = sizeof names / sizeof *names, .functions = &functions};

bool pq_load(struct err *err) { return library_load(&library, err); }

const struct pq *pq(void) {
    assert(library.loaded);
    return &functions;
}
