// SPDX-License-Identifier: MIT
// A folder as bytes, the same bytes for the same files: for each, in order, a line "MODE SIZE PATH"
// and what is in it. Of the mode only the right to be executed is kept. Links to files of the
// folder are replaced by the files; others are kept as links, and what they lead to stays where it
// is.
#pragma once

#include "base/buf.h"
#include "base/err.h"

bool bundle_pack(const char *folder, struct buf *out, struct err *err);
// Into a folder that is made for it.
bool bundle_unpack(const char *folder, const char *bytes, size_t size, struct err *err);
// Removes a folder with all that is in it; true also if there is none.
bool bundle_remove(const char *folder, struct err *err);
