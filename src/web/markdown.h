// SPDX-License-Identifier: MIT
// CommonMark of strangers as HTML that can be shown on our pages.
#pragma once

#include "base/buf.h"
#include "base/err.h"

// Adds it to `html`. HTML in the text is left out; so are pictures from elsewhere, whose words
// stay, and links that lead neither to a page nor to a mailbox. False: libcmark is not there.
bool markdown_put(const char *text, size_t length, struct buf *html, struct err *err);
