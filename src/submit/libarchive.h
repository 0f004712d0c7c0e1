// SPDX-License-Identifier: MIT
// libarchive, which is loaded with the first archive: it brings some fifteen libraries.
#pragma once

#include "base/library.h"

#include <archive.h>
#include <archive_entry.h>

#define ARCHIVE_FUNCTIONS(X)                                                                       \
    X(archive_entry_filetype)                                                                      \
    X(archive_entry_free)                                                                          \
    X(archive_entry_hardlink)                                                                      \
    X(archive_entry_new)                                                                           \
    X(archive_entry_pathname)                                                                      \
    X(archive_entry_perm)                                                                          \
    X(archive_entry_set_filetype)                                                                  \
    X(archive_entry_set_pathname)                                                                  \
    X(archive_entry_set_perm)                                                                      \
    X(archive_entry_set_size)                                                                      \
    X(archive_entry_symlink)                                                                       \
    X(archive_error_string)                                                                        \
    X(archive_read_data)                                                                           \
    X(archive_read_free)                                                                           \
    X(archive_read_new)                                                                            \
    X(archive_read_next_header)                                                                    \
    X(archive_read_open_memory)                                                                    \
    X(archive_read_support_filter_bzip2)                                                           \
    X(archive_read_support_filter_gzip)                                                            \
    X(archive_read_support_filter_xz)                                                              \
    X(archive_read_support_filter_zstd)                                                            \
    X(archive_read_support_format_7zip)                                                            \
    X(archive_read_support_format_tar)                                                             \
    X(archive_read_support_format_zip)                                                             \
    X(archive_write_close)                                                                         \
    X(archive_write_data)                                                                          \
    X(archive_write_free)                                                                          \
    X(archive_write_header)                                                                        \
    X(archive_write_new)                                                                           \
    X(archive_write_open_memory)                                                                   \
    X(archive_write_set_format_zip)

struct libarchive {
    ARCHIVE_FUNCTIONS(LIBRARY_MEMBER)
};

bool libarchive_load(struct err *err);
const struct libarchive *libarchive(void); // its functions, once it is loaded
