// SPDX-License-Identifier: MIT
// What players wrote may be of any bytes, in UTF-8, in CP949 or in none. Evidence quotes it
// readably and cuts it at a whole character, once where it came and once where escapes have made
// it longer. Times are told in seconds to the microsecond: audit.c compares them, so their form
// may not change.
#include "referee/evidence.h"

#include "base/readable.h"
#include "games/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { QUOTE_MAX = 160, SHOWN_MAX = 300 }; // as it came, and with what is escaped

static void put_readable(struct text *t, const char *bytes, size_t length) {
    struct buf out = {.data = NULL};
    readable_put(&out, bytes, length, QUOTE_MAX);
    const size_t kept = readable_cut(out.data, out.length, SHOWN_MAX);
    if (out.data)
        out.data[kept] = '\0';
    text_put(t, out.data ? out.data : "");
    if (kept < out.length)
        text_put(t, "...");
    buf_done(&out);
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
        snprintf(evidence, EVIDENCE_MAX, "the connection, input or output was closed");
    else if (how->signal)
        snprintf(evidence, EVIDENCE_MAX, "killed by signal %d (%s)", how->signal,
                 strsignal(how->signal));
    else
        snprintf(evidence, EVIDENCE_MAX, "exited with code %d%s", how->code,
                 how->code == 127 ? ", which the shell gives for a command it cannot find" : "");
}

void evidence_memory(char evidence[static EVIDENCE_MAX], const struct departure *how) {
    assert(how->over);
    char peak[40] = "not known";
    if (how->peak >= 0)
        snprintf(peak, sizeof peak, "%lld bytes", (long long)how->peak);
    snprintf(evidence, EVIDENCE_MAX, "wanted more than the limit of %lld bytes; its peak was %s",
             (long long)how->limit, peak);
}

enum { CPU_TEXT_MAX = 40 };

static const char *cpu_words(char text[static CPU_TEXT_MAX], int64_t cpu_us) {
    if (cpu_us < 0)
        return "not known";
    snprintf(text, CPU_TEXT_MAX, "%.6f s", (double)cpu_us / 1e6);
    return text;
}

void evidence_not_ready(char evidence[static EVIDENCE_MAX], const struct overdue *start,
                        const struct lateness *lateness) {
    const char *missed = start->connected ? "no answer to the greeting" : "not connected";
    char cpu[CPU_TEXT_MAX];
    const double limit = (double)start->limit_us / 1e6;
    if (start->cpu_us < 0)
        snprintf(evidence, EVIDENCE_MAX, "%s within %.3f s", missed, limit);
    else
        snprintf(evidence, EVIDENCE_MAX,
                 "%s within %.3f s, CPU time %s, load %.2f, kept from running %.6f s", missed,
                 limit, cpu_words(cpu, start->cpu_us), lateness->load,
                 (double)lateness->cpu_wait_us / 1e6);
}

void evidence_held_up(char evidence[static EVIDENCE_MAX], const struct overdue *turn,
                      const struct lateness *lateness) {
    char cpu[CPU_TEXT_MAX];
    snprintf(evidence, EVIDENCE_MAX,
             "the machine kept it from running for %.6f s of %.6f s, limit %.6f s, CPU time %s, "
             "load %.2f",
             (double)(lateness->cpu_wait_us - lateness->rival_us) / 1e6,
             (double)turn->used_us / 1e6, (double)turn->limit_us / 1e6,
             cpu_words(cpu, turn->cpu_us), lateness->load);
}

void evidence_late(char evidence[static EVIDENCE_MAX], const struct overdue *turn,
                   const struct lateness *lateness) {
    char cpu[CPU_TEXT_MAX];
    snprintf(evidence, EVIDENCE_MAX,
             "%.6f s of %.6f s, CPU time %s, load %.2f, kept from running %.6f s, referee woken "
             "%.6f s late%s",
             (double)turn->used_us / 1e6, (double)turn->limit_us / 1e6,
             cpu_words(cpu, turn->cpu_us), lateness->load, (double)lateness->cpu_wait_us / 1e6,
             (double)lateness->woken_late_us / 1e6, turn->connected ? "" : ", not connected");
}

void evidence_remark(char evidence[static EVIDENCE_MAX], const char *words) {
    const size_t used = strlen(evidence);
    if (*words && used + 3 < EVIDENCE_MAX)
        snprintf(evidence + used, EVIDENCE_MAX - used, "; %.*s",
                 (int)readable_cut(words, strlen(words), EVIDENCE_MAX - used - 3), words);
}
