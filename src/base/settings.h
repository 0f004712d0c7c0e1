// SPDX-License-Identifier: MIT
// Reading groups of a libconfig file by a table of what may stand there. Every error names the line
// and what would be right.
#pragma once

#include "base/err.h"

#include <libconfig.h>
#include <stdbool.h>
#include <stdint.h>

struct setting {
    const char *name;
    // NULL: another reader has read it, or will.
    bool (*read)(void *owner, const config_setting_t *value, struct err *err);
    bool needed;
};

// Reads every setting of a group by its row; lists are ended by an empty one. What is in `others`
// (or NULL) is left to who reads those; what is in neither list is refused.
bool settings_read(const config_setting_t *group, const char *what, const struct setting *list,
                   const struct setting *others, void *owner, struct err *err);

// "line N: NAME: ..."; always false.
__attribute__((format(printf, 3, 4))) bool setting_wrong(const config_setting_t *value,
                                                         struct err *err, const char *format, ...);
// The value as its kind, or what would be right.
bool setting_number(const config_setting_t *value, int64_t min, int64_t max, int64_t *number,
                    struct err *err);
bool setting_text(const config_setting_t *value, const char **text, struct err *err);
// The same for what is shown in tables: one line.
bool setting_name(const config_setting_t *value, const char **text, struct err *err);
bool setting_flag(const config_setting_t *value, bool *flag, struct err *err);
// A number, a flag or a text, as a text; freed by the caller. NULL with an error for anything else.
char *setting_words(const config_setting_t *value, struct err *err);
