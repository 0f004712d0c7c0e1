// SPDX-License-Identifier: MIT
// Every entry is one write(2) to a file that is only appended to: entries of several processes do
// not mix. What went wrong stands in memory that these share. Of what a player writes to standard
// error the beginning is logged as it comes; what is too much waits, and the last of it is logged
// when the game is over: there it says why it has ended.
#include "referee/log.h"

#include "base/clock.h"
#include "base/fds.h"
#include "base/mem.h"
#include "base/plain.h"
#include "base/readable.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    NOISE_MAX = 1 << 16,   // from its beginning
    NOISE_LAST = 24 << 10, // and to its end, as it is logged
    SAID_MAX = 2000,       // of a line of a player
    LINE_BYTES_MAX = 3000, // of UTF-8: CP949 grows to that from such a line, or a piece of noise
    LINES_MAX = 200,       // of one message
    STOP_BYTES = 8,        // of the only short message by stcp (docs/protocol.md, A.5)
};

// A line of a player's that has not ended yet.
struct said {
    char line[SAID_MAX];
    size_t length;
    bool cut;        // and there was more of it
    bool goes_on;    // how it began is logged
    int64_t when_us; // the last of it came
};

struct log {
    char *path;
    int fd;
    int64_t start_us;
    bool in_memory;
    int number;            // of the game, 0 before the first
    struct buf players[2]; // black and white, readable
    struct log_noise {
        size_t length;   // logged in this game
        struct buf last; // lines that came after that
        size_t left_out; // bytes between the two
    } noise[2];
    struct said said[2];
    struct buf entry;   // the one that is being made
    int *error;         // shared: the errno of the first write that failed, or 0
    int error_is_local; // where nothing can be shared
};

static struct log *new_on(const char *path, int fd) {
    struct log *log = mem_new(1, sizeof *log);
    *log = (struct log){.path = mem_text(path), .fd = fd, .start_us = clock_now_us()};
    void *shared =
        mmap(NULL, sizeof *log->error, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    log->error = shared == MAP_FAILED ? &log->error_is_local : shared;
    return log;
}

struct log *log_open(const char *path, struct err *err) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (fd >= 0)
        return new_on(path, fd);
    err_set(err, "cannot open the log %.200s: %s", path, strerror(errno));
    return NULL;
}

struct log *log_new(void) {
    const int fd = memfd_create("log", MFD_CLOEXEC);
    struct log *log = fd >= 0 ? new_on("in memory", fd) : NULL;
    if (log)
        log->in_memory = true;
    return log;
}

const char *log_path(const struct log *log) { return log && !log->in_memory ? log->path : NULL; }

static void fail(struct log *log) {
    int none = 0;
    __atomic_compare_exchange_n(log->error, &none, errno, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
}

// `player` 0: nobody's line.
static void begin_line_of(struct log *log, int64_t when_us, const char *mark, int player) {
    buf_format(&log->entry, "%11.6f #%d %s ", (double)(when_us - log->start_us) / 1e6, log->number,
               mark);
    if (player)
        buf_format(&log->entry, "%s %s ", player == 1 ? "X" : "O", log->players[player - 1].data);
}

static void begin_line(struct log *log, const char *mark, int player) {
    begin_line_of(log, clock_now_us(), mark, player);
}

static void write_entry(struct log *log) {
    if (__atomic_load_n(log->error, __ATOMIC_RELAXED) == 0 &&
        !fds_write(log->fd, log->entry.data, log->entry.length))
        fail(log);
    buf_clear(&log->entry);
}

static void put_readable(struct log *log, const char *bytes, size_t length) {
    readable_put(&log->entry, bytes, length, LINE_BYTES_MAX);
    buf_text(&log->entry, "\n");
}

static void put_integers(struct log *log, const char *bytes, size_t length) {
    for (size_t i = 0; i + 4 <= length; i += 4) {
        const unsigned char *b = (const unsigned char *)bytes + i;
        const uint32_t n =
            (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        buf_format(&log->entry, "%d ", (int32_t)n);
    }
    put_readable(log, bytes + length / 4 * 4, length % 4);
}

static void put_lines(struct log *log, const char *mark, int player, const char *bytes,
                      size_t length) {
    for (int lines = 0; length > 0; lines++) {
        const char *end = memchr(bytes, '\n', length);
        const size_t part = end ? (size_t)(end - bytes) : length;
        begin_line(log, mark, player);
        if (lines == LINES_MAX) {
            buf_format(&log->entry, "... and %zu bytes more\n", length);
            return;
        }
        put_readable(log, bytes, part);
        bytes += part + (end != NULL);
        length -= part + (end != NULL);
    }
}

// Logs what there is of a line, because it has ended or because more may not come. What is behind a
// piece that was logged must be more than a mere end.
static void put_said(struct log *log, int player, bool ended) {
    assert(player == 1 || player == 2);
    struct said *s = &log->said[player - 1];
    const bool bare = s->length == 0 || (s->length == 1 && *s->line == '\r');
    if (s->goes_on ? !bare : s->length > 0 || ended) {
        begin_line_of(log, s->when_us, "<-", player);
        readable_put(&log->entry, s->line, s->cut ? readable_whole(s->line, s->length) : s->length,
                     LINE_BYTES_MAX);
        buf_text(&log->entry, s->cut ? "...\n" : "\n");
    }
    s->goes_on = !ended && (s->goes_on || s->length > 0);
    s->length = 0;
    s->cut = false;
}

static void put_all_said(struct log *log) {
    put_said(log, 1, false);
    put_said(log, 2, false);
}

static void hear(struct log *log, int player, const char *bytes, size_t length) {
    struct said *s = &log->said[player - 1];
    s->when_us = clock_now_us();
    for (int lines = 0; length > 0; lines++) {
        const char *end = memchr(bytes, '\n', length);
        const size_t part = end ? (size_t)(end - bytes) : length, room = sizeof s->line - s->length;
        if (lines == LINES_MAX) {
            begin_line(log, "<-", player);
            buf_format(&log->entry, "... and %zu bytes more\n", length);
            s->goes_on = bytes[length - 1] != '\n';
            return;
        }
        memcpy(s->line + s->length, bytes, part < room ? part : room);
        s->length += part < room ? part : room;
        s->cut = s->cut || part > room;
        if (end)
            put_said(log, player, true);
        bytes += part + (end != NULL);
        length -= part + (end != NULL);
    }
}

// Drops whole lines at its beginning until no more than this is left.
static void cut_noise(struct log_noise *n, size_t most) {
    if (n->last.length <= most)
        return;
    const size_t over = n->last.length - most;
    const char *end = memchr(n->last.data + over - 1, '\n', most + 1);
    const size_t dropped = end ? (size_t)(end + 1 - n->last.data) : n->last.length;
    buf_drop(&n->last, dropped);
    n->left_out += dropped;
}

// Logs the last that both have written.
static void put_last_noise(struct log *log) {
    for (int i = 0; i < 2; i++) {
        struct log_noise *n = &log->noise[i];
        if (n->last.length == 0)
            continue;
        cut_noise(n, NOISE_LAST);
        begin_line(log, "!!", i + 1);
        if (n->left_out)
            buf_format(&log->entry, "(%zu bytes are left out; the last of what it wrote:)\n",
                       n->left_out);
        else
            buf_text(&log->entry, "(the rest of what it wrote:)\n");
        buf_put(&log->entry, n->last.data, n->last.length);
        buf_done(&n->last);
        n->left_out = 0;
    }
}

void log_note(struct log *log, const char *words) {
    if (!log)
        return;
    char *line = mem_text(words);
    plain_clean(line);
    put_all_said(log);
    begin_line(log, "--", 0);
    buf_format(&log->entry, "%s\n", line);
    write_entry(log);
    free(line);
}

void log_turn(struct log *log, const struct match *match) {
    const struct match_move *moves;
    const char *text;
    char words[40];
    if (!log || !log->in_memory)
        return;
    snprintf(words, sizeof words, "after %d moves", match_moves(match, &moves, &text));
    log_note(log, words);
}

void log_begin(struct log *log, const struct match_config *config, const char *const players[2]) {
    if (!log)
        return;
    const struct ruleset *rules = &config->rules;
    put_all_said(log); // of the game before
    put_last_noise(log);
    log->number = config->number;
    for (int i = 0; i < 2; i++) {
        const char *name = !log->in_memory ? players[i] : i ? "white" : "black";
        buf_clear(&log->players[i]);
        readable_put(&log->players[i], name, strlen(name), SIZE_MAX);
        log->noise[i].length = 0;
        log->said[i].goes_on = false;
    }
    begin_line(log, "--", 0);
    buf_format(&log->entry, "game %d of %s begins: X (black) is %s, O (white) is %s; ",
               config->number, rules->game->name, log->players[0].data, log->players[1].data);
    if (config->time_us)
        buf_format(&log->entry, "%g s a turn", (double)config->time_us / 1e6);
    else
        buf_text(&log->entry, "no limit");
    if (config->grace_us)
        buf_format(&log->entry, ", %g ms of grace", (double)config->grace_us / 1e3);
    for (int i = 0; i < rules->game->rule_count; i++)
        buf_format(&log->entry, "; %s=%s", rules->game->rules[i].key, rules->text[i]);
    if (config->opening)
        buf_format(&log->entry, "; opening %s", config->opening);
    buf_text(&log->entry, "\n");
    write_entry(log);
}

void log_end(struct log *log, const struct match *match) {
    if (!log)
        return;
    const struct match_move *moves;
    const char *text, *reason = match_reason(match);
    const struct fault *f = match_verdict(match);
    const int winner = match_winner(match);
    int befell = 0;
    const char *platform = match_platform_fault(match, &befell);
    const bool drawn = finish_can_draw(match_finish(match));
    put_all_said(log);
    put_last_noise(log);
    begin_line(log, "--", 0);
    buf_format(&log->entry, "game %d has ended after %d moves: %s, %s", log->number,
               match_moves(match, &moves, &text),
               winner == 1   ? "X wins"
               : winner == 2 ? "O wins"
               : drawn       ? "a draw"
                             : "nobody wins",
               reason);
    if (f)
        buf_format(&log->entry, "; %s: %s (%s)", f->player == 1 ? "X" : "O",
                   verdict_word(f->verdict), f->evidence);
    if (platform)
        buf_format(&log->entry, "; a fault of the platform: %s: %s", befell == 1 ? "X" : "O",
                   platform);
    buf_text(&log->entry, "\n");
    write_entry(log);
}

void log_bytes(struct log *log, int player, const struct wire_protocol *protocol, bool sent,
               const char *bytes, size_t length) {
    if (!log)
        return;
    const char *mark = sent ? "->" : "<-";
    if (sent)
        put_said(log, player, false);
    if (protocol == &wire_stcp) {
        begin_line(log, mark, player);
        if (sent && length == STOP_BYTES)
            buf_text(&log->entry, "the stop: ");
        put_integers(log, bytes, length);
    } else if (sent) {
        put_lines(log, mark, player, bytes, length);
    } else {
        hear(log, player, bytes, length);
    }
    write_entry(log);
}

void log_noise(struct log *log, int player, const char *bytes, size_t length) {
    if (!log)
        return;
    struct log_noise *n = &log->noise[player - 1];
    put_lines(log, "!!", player, bytes, length);
    if (n->last.length == 0 && length <= NOISE_MAX - n->length) {
        n->length += length;
        write_entry(log);
        return;
    }
    buf_put(&n->last, log->entry.data, log->entry.length);
    buf_clear(&log->entry);
    if (n->last.length > 2 * NOISE_LAST)
        cut_noise(n, NOISE_LAST);
}

// Adds whole lines of the file, from one place to another.
static void put_lines_between(const char *text, size_t from, size_t to, size_t length,
                              struct buf *out) {
    while (from > 0 && from < length && text[from - 1] != '\n')
        from++;
    while (to > from && text[to - 1] != '\n')
        to--;
    buf_put(out, text + from, to - from);
}

void log_put(struct log *log, size_t most, struct buf *out) {
    put_all_said(log);
    put_last_noise(log);
    write_entry(log);
    const off_t end = lseek(log->fd, 0, SEEK_END);
    const size_t length = end > 0 ? (size_t)end : 0;
    char *text = length ? mmap(NULL, length, PROT_READ, MAP_SHARED, log->fd, 0) : MAP_FAILED;
    if (text == MAP_FAILED)
        return;
    if (length <= most) {
        buf_put(out, text, length);
    } else {
        put_lines_between(text, 0, most / 2, length, out);
        buf_format(out, "... %zu bytes of %zu are left out\n", length - most, length);
        put_lines_between(text, length - most / 2, length, length, out);
    }
    munmap(text, length);
}

void log_put_own(const char *text, int player, struct buf *out) {
    for (size_t n; *text; text += n) {
        char mark[3] = "", who = 0;
        n = strcspn(text, "\n");
        n += text[n] == '\n';
        const int read = sscanf(text, "%*f #%*d %2s %c", mark, &who);
        if (read < 1 || strcmp(mark, "--") == 0 || (read == 2 && who == (player == 1 ? 'X' : 'O')))
            buf_put(out, text, n);
    }
}

bool log_close(struct log *log, struct err *err) {
    if (!log)
        return true;
    put_all_said(log);
    put_last_noise(log);
    write_entry(log);
    if (close(log->fd) != 0)
        fail(log);
    const int error = *log->error;
    if (error)
        err_set(err, "cannot write the log %.200s: %s; it ends where that began", log->path,
                strerror(error));
    if (log->error != &log->error_is_local)
        munmap(log->error, sizeof *log->error);
    buf_done(&log->entry);
    buf_done(&log->players[0]);
    buf_done(&log->players[1]);
    free(log->path);
    free(log);
    return error == 0;
}
