// SPDX-License-Identifier: MIT
// Pairs of submissions side by side on one page of HTML, what they have in common in colour.
#pragma once

#include "base/buf.h"
#include "similar/pairs.h"

// What is to be known of a submission: compared in part, hardly, or not at all.
struct page_remark {
    const char *name, *text;
};

struct page {
    const struct submission *list;
    int count;
    const struct pairs *pairs;
    const int *group; // by pairs_group
    double flagged;   // percent from which a pair is shown
    const struct page_remark *remarks;
    int remark_count;
};

// Writes the page: a table of the pairs, who hangs together, what to look at by hand, and the
// flagged pairs, the first PAGE_PAIRS of them in full. Whatever the sources hold is text there.
enum { PAGE_PAIRS = 60 };
void page_write(const struct page *page, struct buf *out);
