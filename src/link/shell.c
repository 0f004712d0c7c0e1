// SPDX-License-Identifier: MIT
// Only what is sure is read: at the first thing that is not a simple command, or words joined by
// "&&", "||" and ";", reading ends with SHELL_ODD, and who asked leaves the command as it is.
#include "link/shell.h"

#include "base/mem.h"
#include "base/whole.h"

#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t";
static const char word_ends[] = " \t\n;&|<>()";
static const char odd[] = "&|()<>`#";
// A word that begins a compound command, or goes on with one.
static const char *const reserved[] = {"if",   "then", "else",  "elif",  "fi",  "do",
                                       "done", "case", "while", "until", "for", "esac",
                                       "time", "{",    "}",     "!"};
// A command that is no program, or one that is more than that in the shell.
static const char *const inner[] = {
    ".",        ":",     "alias", "bg",       "break",  "cd",      "chdir",   "command",
    "continue", "eval",  "exec",  "exit",     "export", "fg",      "getopts", "hash",
    "jobs",     "local", "read",  "readonly", "return", "set",     "shift",   "source",
    "times",    "trap",  "type",  "ulimit",   "umask",  "unalias", "unset",   "wait"};

enum { RESERVED = sizeof reserved / sizeof *reserved, INNER = sizeof inner / sizeof *inner };

static bool is_name(char c, bool first) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (!first && c >= '0' && c <= '9');
}

static bool is_assignment(const char *word) {
    size_t n = 0;
    while (is_name(word[n], n == 0))
        n++;
    return n > 0 && word[n] == '=';
}

// How many characters of "&&", "||", ";" or a line's end stand there; 0 if none.
static size_t join_length(const char *at) {
    if (*at == ';' && at[1] != ';')
        return 1;
    if (*at == '\n')
        return 1;
    return (*at == '&' || *at == '|') && at[1] == *at ? 2 : 0;
}

// The same of "<", ">", ">>", "2>", "2>&1" and their like.
static size_t redirection_length(const char *at) {
    size_t n = strspn(at, "0123456789");
    if (at[n] == '<' && at[n + 1] != '<')
        n += 1;
    else if (at[n] == '>')
        n += at[n + 1] == '>' ? 2 : 1;
    else
        return 0;
    return at[n] == '&' ? n + 1 : n;
}

static void put(struct shell_token *token, size_t *n, char c) {
    if (*n + 1 < SHELL_WORD_MAX)
        token->plain[(*n)++] = c;
    else
        token->is_plain = false;
}

// A quoted part; returns how long it is, 0 if it does not end or something is run in it.
static size_t take_quoted(const char *text, struct shell_token *token, size_t *n) {
    const char quote = *text;
    for (size_t i = 1; text[i]; i++) {
        if (text[i] == quote)
            return i + 1;
        if (quote == '"' && (text[i] == '`' || (text[i] == '$' && strchr("({", text[i + 1]))))
            return 0;
        if (quote == '"' && text[i] == '$')
            token->is_plain = false;
        if (quote == '"' && text[i] == '\\' && text[i + 1] && strchr("$`\"\\", text[i + 1]))
            i++;
        put(token, n, text[i]);
    }
    return 0;
}

// A word, its quotes taken off; returns its length, 0 if it is beyond us.
static size_t take_word(const char *text, struct shell_token *token) {
    size_t at = 0, n = 0;
    token->is_plain = *text != '~';
    while (text[at] && !strchr(word_ends, text[at])) {
        const char c = text[at];
        if (c == '`' || (c == '$' && strchr("({", text[at + 1])))
            return 0;
        if (strchr("$*?[", c))
            token->is_plain = false;
        if (c == '\'' || c == '"') {
            const size_t length = take_quoted(text + at, token, &n);
            if (length == 0)
                return 0;
            at += length;
            continue;
        }
        if (c == '\\' && (!text[at + 1] || text[++at] == '\n'))
            return 0;
        put(token, &n, text[at++]);
    }
    token->plain[n] = '\0';
    return at;
}

static enum shell_kind kind_of_word(struct shell_reader *reader, const char *text,
                                    const struct shell_token *token) {
    if (reader->after_redirection || reader->after_command)
        return SHELL_WORD;
    if (is_assignment(text))
        return SHELL_ASSIGNMENT;
    reader->after_command = true;
    const bool quoted = memchr(text, '\'', token->length) || memchr(text, '"', token->length);
    return !quoted && text_among(token->plain, reserved, RESERVED) < RESERVED ? SHELL_ODD
                                                                              : SHELL_COMMAND;
}

void shell_next(struct shell_reader *reader, struct shell_token *token) {
    reader->at += strspn(reader->text + reader->at, blanks);
    const char *text = reader->text + reader->at;
    token->from = reader->at;
    token->is_plain = false;
    token->kind = SHELL_ODD;
    const bool redirected = reader->after_redirection;
    if (!*text) {
        token->kind = redirected ? SHELL_ODD : SHELL_END;
    } else if ((token->length = join_length(text)) > 0) {
        token->kind = redirected ? SHELL_ODD : SHELL_JOIN;
        reader->after_command = false;
    } else if ((token->length = redirection_length(text)) > 0) {
        token->kind = redirected ? SHELL_ODD : SHELL_REDIRECTION;
        reader->after_redirection = true;
    } else if (!strchr(odd, *text) && (token->length = take_word(text, token)) > 0) {
        token->kind = kind_of_word(reader, text, token);
        reader->after_redirection = false;
    }
    reader->at += token->kind == SHELL_ODD ? 0 : token->length;
}

void shell_put_quoted(struct buf *out, const char *word) {
    buf_text(out, "'");
    for (; *word; word++) {
        if (*word == '\'')
            buf_text(out, "'\\''");
        else
            buf_put(out, word, 1);
    }
    buf_text(out, "'");
}

char **shell_words(const char *command) {
    struct shell_reader reader = {.text = command};
    struct shell_token token;
    char **words = NULL;
    size_t count = 0;
    for (shell_next(&reader, &token); token.kind != SHELL_END; shell_next(&reader, &token)) {
        const bool is_program = token.kind == SHELL_COMMAND && strchr(token.plain, '/');
        if (!token.is_plain || (count == 0 ? !is_program : token.kind != SHELL_WORD)) {
            shell_words_free(words);
            return NULL;
        }
        words = mem_resize(words, (count + 2) * sizeof *words);
        words[count++] = mem_text(token.plain);
        words[count] = NULL;
    }
    return words;
}

void shell_words_free(char **words) {
    for (char **w = words; w && *w; w++)
        free(*w);
    free(words);
}

void shell_put_script(struct buf *out, const char *command) {
    struct shell_reader reader = {.text = command};
    struct shell_token token;
    size_t last = 0;
    bool is_program = false;
    for (shell_next(&reader, &token); token.kind != SHELL_END; shell_next(&reader, &token)) {
        if (token.kind == SHELL_ODD) {
            buf_text(out, command);
            return;
        }
        if (token.kind != SHELL_COMMAND)
            continue;
        last = token.from;
        is_program = !token.is_plain || text_among(token.plain, inner, INNER) == INNER;
    }
    buf_put(out, command, last);
    buf_text(out, is_program ? "exec " : "");
    buf_text(out, command + last);
}
