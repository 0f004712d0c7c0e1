// SPDX-License-Identifier: MIT
#include "referee/evidence.h"

#include "games/text.h"

#include <stdio.h>
#include <string.h>

enum { QUOTE_MAX = 160 };

static void put_readable(struct text *t, const char *bytes, size_t length) {
    for (size_t i = 0; i < length && i < QUOTE_MAX; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        if (c >= ' ' && c <= '~') {
            text_put_char(t, (char)c);
            continue;
        }
        text_put(t, "\\x");
        text_put_char(t, "0123456789abcdef"[c >> 4]);
        text_put_char(t, "0123456789abcdef"[c & 15]);
    }
    if (length > QUOTE_MAX)
        text_put(t, "...");
}

void evidence_bytes(char evidence[static EVIDENCE_MAX], const char *bytes, size_t length,
                    const char *why) {
    struct text t = text_begin(evidence, EVIDENCE_MAX);
    text_put_char(&t, '\'');
    put_readable(&t, bytes, length);
    text_put_char(&t, '\'');
    if (!why)
        return;
    text_put(&t, ": ");
    text_put(&t, why);
}

void evidence_words(char evidence[static EVIDENCE_MAX], const char *bytes, size_t length) {
    struct text t = text_begin(evidence, EVIDENCE_MAX);
    put_readable(&t, bytes, length);
}

void evidence_departure(char evidence[static EVIDENCE_MAX], const struct departure *how) {
    if (!how->exited)
        snprintf(evidence, EVIDENCE_MAX, "the connection or output was closed");
    else if (how->signal)
        snprintf(evidence, EVIDENCE_MAX, "killed by signal %d (%s)", how->signal,
                 strsignal(how->signal));
    else
        snprintf(evidence, EVIDENCE_MAX, "exited with code %d%s", how->code,
                 how->code == 127 ? ", which the shell gives for a command it cannot find" : "");
}

void evidence_memory(char evidence[static EVIDENCE_MAX], const struct departure *how) {
    char peak[40] = "not known";
    if (how->peak >= 0)
        snprintf(peak, sizeof peak, "%lld bytes", (long long)how->peak);
    snprintf(evidence, EVIDENCE_MAX, "wanted more than the limit of %lld bytes; its peak was %s",
             (long long)how->limit, peak);
}

void evidence_late(char evidence[static EVIDENCE_MAX], const struct overdue *turn,
                   const struct lateness *lateness) {
    char cpu[40] = "not known";
    if (turn->cpu_us >= 0)
        snprintf(cpu, sizeof cpu, "%.6f s", (double)turn->cpu_us / 1e6);
    snprintf(evidence, EVIDENCE_MAX,
             "%.6f s of %.6f s, CPU time %s, load %.2f, kept from running %.6f s, referee woken "
             "%.6f s late%s",
             (double)turn->used_us / 1e6, (double)turn->limit_us / 1e6, cpu, lateness->load,
             (double)lateness->starved_us / 1e6, (double)lateness->woken_late_us / 1e6,
             turn->connected ? "" : ", not connected");
}
