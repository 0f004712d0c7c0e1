// SPDX-License-Identifier: MIT
// An error is kept twice: as a sentence, and as the sentence with its gaps and what stands in
// them, so that the page can say it in another language. Therefore the format is walked a second
// time, gap by gap, with the same arguments; a gap is read as far as its letter and length say
// which type it takes. Values of strangers are made plain before they are kept.
#include "base/err.h"

#include "base/plain.h"
#include "base/readable.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { GAP_MAX = 24 };

// The length of the gap that begins at '%', up to its letter.
static size_t gap_length(const char *at) {
    const size_t before = 1 + strspn(at + 1, "-+ #0123456789.*hlzjt");
    return at[before] ? before + 1 : before;
}

// Writes a number in a gap, whatever its size.
static void put_number(char *value, const char *gap, va_list *args) {
    const char letter = gap[strlen(gap) - 1];
    if (strchr("fgeFGE", letter))
        snprintf(value, ERR_VALUE_MAX, "%g", va_arg(*args, double));
    else if (letter == 'c')
        snprintf(value, ERR_VALUE_MAX, "%c", va_arg(*args, int));
    else if (strpbrk(gap, "lzjt")) // all of them have 64 bits here
        snprintf(value, ERR_VALUE_MAX, "%lld", (long long)va_arg(*args, int64_t));
    else
        snprintf(value, ERR_VALUE_MAX, "%d", va_arg(*args, int));
}

static void put_text(char *value, const char *gap, va_list *args) {
    int most = ERR_VALUE_MAX - 1;
    const char *point = strchr(gap, '.');
    if (point && point[1] == '*')
        most = va_arg(*args, int);
    else if (point)
        sscanf(point + 1, "%d", &most);
    const char *text = va_arg(*args, const char *);
    const size_t room = most < ERR_VALUE_MAX - 1 ? (size_t)most : ERR_VALUE_MAX - 1,
                 length = strnlen(text, room);
    snprintf(value, ERR_VALUE_MAX, "%.*s",
             (int)(length == room ? readable_whole(text, length) : length), text);
    plain_clean(value);
}

// What stands in the gaps, one after the other.
static void take_values(struct err *err, const char *format, va_list *args) {
    for (const char *at = strchr(format, '%'); at && err->value_count < ERR_VALUES_MAX;) {
        char gap[GAP_MAX];
        const size_t length = gap_length(at);
        snprintf(gap, sizeof gap, "%.*s", (int)length, at);
        at = strchr(at + length, '%');
        if (gap[strlen(gap) - 1] == '%')
            continue;
        char *value = err->values[err->value_count++];
        if (gap[strlen(gap) - 1] == 's')
            put_text(value, gap, args);
        else
            put_number(value, gap, args);
    }
}

bool err_set(struct err *err, const char *format, ...) {
    assert(format);
    if (err->set)
        return false;
    va_list args;
    *err = (struct err){.set = true, .form = format};
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    plain_clean(err->text);
    va_start(args, format);
    take_values(err, format, &args);
    va_end(args);
    return false;
}

bool err_refuse(struct err *err, const char *who, const struct err *why) {
    assert(why->set);
    if (err->set)
        return false;
    *err = *why;
    snprintf(err->who, sizeof err->who, "%s", who);
    snprintf(err->text, sizeof err->text, "%.80s was refused: %.400s", who, why->text);
    plain_clean(err->who);
    plain_clean(err->text);
    return false;
}

void err_list(char *list, size_t size, const char *name) {
    assert(strlen(list) < size);
    const size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
}
