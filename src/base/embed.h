// SPDX-License-Identifier: MIT
// Files inside the program, made by tools/embed.
#pragma once

#include <stddef.h>

struct embed {
    const char *path; // NULL ends a list
    size_t size;
    const char *bytes;
};

extern const struct embed folder_files[];  // what the rules of folders are made with
extern const struct embed game_examples[]; // folders to begin a game with
extern const struct embed kit_files[];
extern const struct embed report_files[]; // of contests
extern const struct embed rung_files[];   // of the games
extern const struct embed store_schema[];
extern const struct embed web_files[]; // what the browser gets
