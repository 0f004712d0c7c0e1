// SPDX-License-Identifier: MIT
// A few challengers meet everybody else, but not each other.
#include "contest/schedules.h"

#include <stddef.h>

static const char *refuse(const struct format *format, int players) {
    return format->challengers < 1          ? "a gauntlet needs a challenger"
           : players <= format->challengers ? "a gauntlet needs players besides the challengers"
                                            : NULL;
}

static void next(const struct format *format, const struct field *field,
                 const struct meetings *known, struct meetings *list) {
    if (known->count > 0)
        return;
    for (int cycle = 0; cycle < format->cycles; cycle++)
        for (int other = format->challengers; other < field->count; other++) {
            const int round =
                cycle * (field->count - format->challengers) + other - format->challengers;
            for (int c = 0; c < format->challengers; c++) {
                const bool swap = (round + cycle + c) % 2;
                meetings_add(list, round, c, swap ? other : c, swap ? c : other);
            }
        }
}

static int total(const struct format *format, const struct field *field) {
    return format->cycles * format->challengers * (field->count - format->challengers);
}

const struct schedule schedule_gauntlet = {
    .name = "gauntlet",
    .help = "the first `challengers` meet all the others, `cycles` times",
    .refuse = refuse,
    .next = next,
    .total = total,
    .byes = schedule_no_byes,
};
