// SPDX-License-Identifier: MIT
// Shared libraries that are loaded when they are first needed, so that a process that never needs
// them starts without. Once loaded they stay.
#pragma once

#include "base/err.h"

// A library's functions, as a struct of pointers to them and their names in the same order. Both
// are made of one list:
//
//     #define PQ_FUNCTIONS(X) X(PQconnectdb) X(PQfinish)
//     struct pq { PQ_FUNCTIONS(LIBRARY_MEMBER) };
//     static const char *const names[] = {PQ_FUNCTIONS(LIBRARY_NAME)};
#define LIBRARY_MEMBER(function) __typeof__(function) *function;
#define LIBRARY_NAME(function) #function,

struct library {
    const char *file; // such as "libpq.so.5"
    const char *const *names;
    int count;
    void *functions; // the struct, filled by library_load
    bool loaded;
};

// Does so the first time. False if it is not there, or too old.
bool library_load(struct library *library, struct err *err);
