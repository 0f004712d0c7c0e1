// SPDX-License-Identifier: MIT
#include "referee/log.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NOISE_MAX = 1 << 16, LINE_BYTES_MAX = 2000 };

struct log {
    FILE *file;
    int64_t start_us;
    size_t noise; // kept so far
};

struct log *log_new(FILE *file) {
    struct log *log = mem_new(1, sizeof *log);
    *log = (struct log){.file = file, .start_us = clock_now_us()};
    return log;
}

void log_free(struct log *log) { free(log); }

static void begin(struct log *log, const char *mark, const char *player) {
    fprintf(log->file, "%11.6f %s %s ", (double)(clock_now_us() - log->start_us) / 1e6, mark,
            player);
}

void log_note(struct log *log, const char *words) {
    if (!log)
        return;
    begin(log, "--", "");
    fprintf(log->file, "%s\n", words);
    fflush(log->file);
}

static void put_line(struct log *log, const char *bytes, size_t length) {
    for (size_t i = 0; i < length && i < LINE_BYTES_MAX; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        if (c >= ' ' && c != 127 && c < 128)
            fputc(c, log->file);
        else
            fprintf(log->file, "\\x%02x", c);
    }
    fprintf(log->file, "%s\n", length > LINE_BYTES_MAX ? "..." : "");
}

static void put_integers(struct log *log, const char *bytes, size_t length) {
    for (size_t i = 0; i + 4 <= length; i += 4) {
        const unsigned char *b = (const unsigned char *)bytes + i;
        const uint32_t n =
            (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        fprintf(log->file, "%d ", (int32_t)n);
    }
    put_line(log, bytes + length / 4 * 4, length % 4);
}

static void put_lines(struct log *log, const char *mark, const char *player, const char *bytes,
                      size_t length) {
    while (length > 0) {
        const char *end = memchr(bytes, '\n', length);
        const size_t part = end ? (size_t)(end - bytes) : length;
        begin(log, mark, player);
        put_line(log, bytes, part);
        bytes += part + (end != NULL);
        length -= part + (end != NULL);
    }
}

void log_bytes(struct log *log, const char *player, const struct wire_protocol *protocol, bool sent,
               const char *bytes, size_t length) {
    if (!log)
        return;
    if (protocol == &wire_stcp) {
        begin(log, sent ? "->" : "<-", player);
        put_integers(log, bytes, length);
    } else {
        put_lines(log, sent ? "->" : "<-", player, bytes, length);
    }
    fflush(log->file);
}

void log_noise(struct log *log, const char *player, const char *bytes, size_t length) {
    if (!log || log->noise >= NOISE_MAX)
        return;
    if (length > NOISE_MAX - log->noise)
        length = NOISE_MAX - log->noise;
    log->noise += length;
    put_lines(log, "!!", player, bytes, length);
    if (log->noise == NOISE_MAX)
        log_note(log, "more of the players' standard error is not kept");
    fflush(log->file);
}
