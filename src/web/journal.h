// SPDX-License-Identifier: MIT
// The log of the platform, log.txt in the data folder: who came, what was begun, and how it ended,
// a line each, with the time. A log that has grown too long is called log.1.txt, and there are
// five.
#pragma once

struct journal; // NULL keeps nothing

// NULL if it cannot be written: the platform works without it.
struct journal *journal_open(const char *folder);
void journal_close(struct journal *journal);
// Whatever the words are made of, it is one line of text that can be printed.
__attribute__((format(printf, 2, 3))) void journal_write(struct journal *journal,
                                                         const char *format, ...);
