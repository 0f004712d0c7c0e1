// SPDX-License-Identifier: MIT
// What the protocols share: the bytes of a wire, and lines among them.
#pragma once

#include "wire/wire.h"

// The bytes that came and are not read yet; they are read, some of them or all.
const char *wire_unread(const struct wire *w, size_t *length);
void wire_read(struct wire *w, size_t length);
void wire_read_all(struct wire *w);
// Keeps what a player calls itself as it wrote it, in UTF-8; what cannot be shown becomes '?'.
void wire_set_text(char name[static WIRE_NAME_MAX], const char *bytes, size_t length);

// Takes the next whole line out of the bytes that came into w->words, without its end and the
// blanks around it and with '?' for NUL; false if there is none. A line too long for the buffer is
// skipped whole.
bool wire_take_line(struct wire *w);
// What follows a word that begins the line and the blanks behind it, or NULL.
const char *wire_after(const char *line, const char *word);
