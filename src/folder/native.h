// SPDX-License-Identifier: MIT
// What the shared object of a folder's rules and this program know of each other. The object is
// made once on every machine from the module (make.h): the code that wasm2c writes, and native.c.
#pragma once

#include "games/game.h"

#include <stdatomic.h>

// How the object speaks to who has loaded it.
struct native_host {
    // The rules did what they must not, or the sandbox could not give them what they need. `call`
    // is the function of struct game that was asked.
    void (*failed)(const char *call, const char *why) __attribute__((noreturn));
};

// A thread that is within the rules. The watchdog reads it from a signal handler.
struct native_thread {
    volatile uint64_t calls;     // counts up at every call
    const char *volatile within; // the function of struct game; NULL: none
    struct native_thread *next;
    uint64_t calls_before; // the watchdog's: at its last look
    int ticks;             // and how often they were the same since
};

// The one symbol that the object exports, as `native`: functions of struct game; the facts are
// filled in by who loads it, from the file beside it.
struct native {
    struct game game;
    const struct native_host *host;         // set before the first call
    struct native_thread *_Atomic threads;  // all that have ever called, newest first
    void (*facts)(char *text, size_t size); // asks the module
};
