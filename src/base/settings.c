// SPDX-License-Identifier: MIT
// A row for each setting, with its reader: so what is missing, what is not known and what would be
// right are said here, once for all groups.
#include "base/settings.h"

#include "base/buf.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool has(const struct setting *list, const char *name) {
    for (; list && list->name; list++)
        if (strcmp(list->name, name) == 0)
            return true;
    return false;
}

bool setting_wrong(const config_setting_t *value, struct err *err, const char *format, ...) {
    char words[ERR_TEXT_MAX - 64];
    const char *name = config_setting_name(value);
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    const int line = (int)config_setting_source_line(value); // the file itself has none
    return err_set(err, "line %d: %s%s%s", line > 0 ? line : 1, name ? name : "", name ? ": " : "",
                   words);
}

static bool refuse(const config_setting_t *value, const char *what, const struct setting *list,
                   const struct setting *others, struct err *err) {
    char names[ERR_TEXT_MAX / 2] = "";
    for (const struct setting *row = list; row->name; row++)
        err_list(names, sizeof names, row->name);
    for (const struct setting *row = others; row && row->name; row++)
        if (!has(list, row->name))
            err_list(names, sizeof names, row->name);
    return setting_wrong(value, err, "%s has no such setting; it has %s", what, names);
}

bool settings_read(const config_setting_t *group, const char *what, const struct setting *list,
                   const struct setting *others, void *owner, struct err *err) {
    if (!config_setting_is_group(group))
        return setting_wrong(group, err, "%s is a group, { name = value; ... }", what);
    for (const struct setting *row = list; row->name; row++) {
        const config_setting_t *value = config_setting_get_member(group, row->name);
        if (!value && row->needed)
            return setting_wrong(group, err, "%s needs the setting '%s'", what, row->name);
        if (value && row->read && !row->read(owner, value, err))
            return false;
    }
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *value = config_setting_get_elem(group, (unsigned)i);
        if (!has(list, config_setting_name(value)) && !has(others, config_setting_name(value)))
            return refuse(value, what, list, others, err);
    }
    return true;
}

bool setting_number(const config_setting_t *value, int64_t min, int64_t max, int64_t *number,
                    struct err *err) {
    const int type = config_setting_type(value);
    *number = config_setting_get_int64(value);
    if ((type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64) && *number >= min && *number <= max)
        return true;
    return setting_wrong(value, err, "accepted is a whole number, %" PRId64 "..%" PRId64, min, max);
}

bool setting_text(const config_setting_t *value, const char **text, struct err *err) {
    *text = config_setting_get_string(value);
    return (*text && **text) || setting_wrong(value, err, "accepted is a text in \"quotes\"");
}

bool setting_name(const config_setting_t *value, const char **text, struct err *err) {
    if (!setting_text(value, text, err))
        return false;
    for (const char *c = *text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return setting_wrong(value, err,
                                 "a name is one line of letters, without the control byte 0x%02x",
                                 (unsigned)(unsigned char)*c);
    return true;
}

bool setting_flag(const config_setting_t *value, bool *flag, struct err *err) {
    *flag = config_setting_get_bool(value);
    return config_setting_type(value) == CONFIG_TYPE_BOOL ||
           setting_wrong(value, err, "accepted are true and false");
}

char *setting_words(const config_setting_t *value, struct err *err) {
    struct buf out = {.data = NULL};
    switch (config_setting_type(value)) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        buf_format(&out, "%lld", config_setting_get_int64(value));
        break;
    case CONFIG_TYPE_FLOAT:
        buf_format(&out, "%g", config_setting_get_float(value));
        break;
    case CONFIG_TYPE_BOOL:
        buf_text(&out, config_setting_get_bool(value) ? "true" : "false");
        break;
    case CONFIG_TYPE_STRING:
        buf_text(&out, config_setting_get_string(value));
        break;
    default:
        setting_wrong(value, err, "accepted is a number, or a text in \"quotes\"");
    }
    return out.data;
}
