// SPDX-License-Identifier: MIT
// What does not make a token: blanks, comments, # lines, docstrings, and words that change
// nothing a program does (const, static and the like). Names of types are names. A list of literals
// is as good as its first: tables of numbers would be alike in all programs. The body of a #define
// is kept apart, to be put in where it is used.
#include "similar/token.h"

#include "base/mem.h"
#include "similar/join.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_NONE = -1 };

struct scanner {
    const char *text, *at, *end;
    uint32_t line, began; // here, and where this token began
    enum language language;
    int file;
    bool fresh; // nothing but blanks so far in this line
    int floor;  // the first token of a body, or of all
    struct tokens *tokens;
};

static const char *const c_words[] = {
    "break",    "case",   "catch",   "class",  "continue", "default",  "delete",
    "do",       "else",   "enum",    "for",    "goto",     "if",       "new",
    "operator", "return", "sizeof",  "struct", "switch",   "template", "this",
    "throw",    "try",    "typedef", "union",  "using",    "while",    NULL,
};

// Signs of layout as much as of meaning; whoever copies changes them first.
static const char *const c_idle[] = {
    "auto",     "const",    "constexpr", "explicit", "extern",   "inline",   "mutable", "noexcept",
    "override", "private",  "protected", "public",   "register", "restrict", "signed",  "static",
    "std",      "typename", "unsigned",  "virtual",  "volatile", NULL,
};

static const char *const python_words[] = {
    "and",    "as",     "assert", "break",   "class",    "continue", "def",    "del",
    "elif",   "else",   "except", "finally", "for",      "from",     "global", "if",
    "import", "in",     "is",     "lambda",  "nonlocal", "not",      "or",     "pass",
    "raise",  "return", "try",    "while",   "with",     "yield",    NULL,
};

static const char *const python_idle[] = {"async", "await", NULL};

// The signs of two bytes; `::` counts for nothing, `->` is a point.
static const char signs[][3] = {"==", "!=", "<=", ">=", "&&", "||", "++", "--", "+=", "-=", "*=",
                                "/=", "%=", "&=", "|=", "^=", "<<", ">>", "**", "//", ":="};

static struct token here(const struct scanner *s, const char *begin, int kind) {
    return (struct token){.line = s->began,
                          .begin = (uint32_t)(begin - s->text),
                          .end = (uint32_t)(s->at - s->text),
                          .file = (uint16_t)s->file,
                          .kind = (uint16_t)kind};
}

static void add(struct scanner *s, const char *begin, int kind) {
    tokens_add(s->tokens, here(s, begin, kind), s->floor);
    s->fresh = false;
}

static void note_trick(struct scanner *s, const char *begin, const char *what) {
    struct trick *trick = &s->tokens->trick;
    if (!trick->what)
        *trick = (struct trick){.what = what, .at = here(s, begin, 0)};
}

static void next_line(struct scanner *s) {
    s->line++;
    s->fresh = true;
}

static void skip_to_line_end(struct scanner *s) {
    const char *end = memchr(s->at, '\n', (size_t)(s->end - s->at));
    s->at = end ? end : s->end;
}

static bool starts(const struct scanner *s, const char *with) {
    const size_t length = strlen(with);
    return *s->at == *with && (size_t)(s->end - s->at) >= length &&
           memcmp(s->at, with, length) == 0;
}

// Past the next `mark`, or to the end.
static void skip_past(struct scanner *s, const char *mark) {
    while (s->at < s->end && !starts(s, mark)) {
        if (*s->at == '\n')
            s->line++;
        if (*s->at == '\\' && *mark != '*' && s->at + 1 < s->end) {
            s->at++;
            s->line += *s->at == '\n';
        }
        s->at++;
    }
    s->at += s->at < s->end ? strlen(mark) : 0;
}

// A text of one line, or of many between three quotes.
static void scan_text(struct scanner *s) {
    const char *begin = s->at, quote = *s->at, three[] = {quote, quote, quote, '\0'};
    const bool fresh = s->fresh, python = s->language == LANGUAGE_PYTHON;
    if (python && starts(s, three)) {
        s->at += 3;
        skip_past(s, three);
    } else {
        for (s->at++; s->at < s->end && *s->at != quote && *s->at != '\n'; s->at++)
            s->at += *s->at == '\\' && s->at + 1 < s->end && s->at[1] != '\n';
        s->at += s->at < s->end && *s->at == quote;
    }
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t'))
        s->at++;
    const bool alone = python && fresh && (s->at == s->end || *s->at == '\n' || *s->at == '\r');
    if (!alone) // it is no docstring
        add(s, begin, KIND_LITERAL);
}

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_' || (c & 0x80); }

static bool is_exponent(const struct scanner *s, const char *begin) {
    return (*s->at == '+' || *s->at == '-') && s->at > begin && strchr("eEpP", s->at[-1]) &&
           !(begin[0] == '0' && (begin[1] | 32) == 'x' && (s->at[-1] | 32) == 'e');
}

static void scan_number(struct scanner *s) {
    const char *begin = s->at;
    while (s->at < s->end && (is_name(*s->at) || *s->at == '.' || is_exponent(s, begin) ||
                              (*s->at == '\'' && s->at + 1 < s->end && is_name(s->at[1]))))
        s->at++;
    add(s, begin, KIND_LITERAL);
}

static int find_word(const char *const *words, const char *begin, size_t length) {
    for (int i = 0; words[i]; i++)
        if (words[i][0] == *begin && strncmp(words[i], begin, length) == 0 && !words[i][length])
            return i;
    return WORD_NONE;
}

static bool is_literal_word(const char *begin, size_t length) {
    static const char *const words[] = {"true", "false", "NULL", "nullptr",
                                        "True", "False", "None", NULL};
    return find_word(words, begin, length) != WORD_NONE;
}

// Words of C++ that stand for signs.
static int sign_word(const char *begin, size_t length) {
    static const char *const words[] = {"and", "or",    "not",    "not_eq", "bitand", "bitor",
                                        "xor", "compl", "and_eq", "or_eq",  "xor_eq", NULL};
    static const char *const as[] = {"&&", "||", "!", "!=", "&", "|", "^", "~", "&=", "|=", "^="};
    const int word = find_word(words, begin, length);
    return word == WORD_NONE ? 0 : as[word][1] ? as[word][0] << 7 | as[word][1] : as[word][0];
}

// Names by which what is compared may be not all that runs.
static void look_for_tricks(struct scanner *s, const char *begin, size_t length) {
    static const char *const c_names[] = {"asm", "__asm", "__asm__", NULL},
                             *const python_names[] = {"exec",      "eval",  "compile", "__import__",
                                                      "importlib", "runpy", "marshal", NULL};
    const bool python = s->language == LANGUAGE_PYTHON;
    if (tokens_before(s->tokens, 0, s->floor, s->file) != '.' &&
        find_word(python ? python_names : c_names, begin, length) != WORD_NONE)
        note_trick(s, begin, python ? "runs what it makes itself" : "holds assembler");
}

static void scan_name(struct scanner *s) {
    const char *begin = s->at;
    const bool python = s->language == LANGUAGE_PYTHON;
    while (s->at < s->end && is_name(*s->at))
        s->at++;
    const size_t length = (size_t)(s->at - begin);
    if (s->at < s->end && (*s->at == '"' || *s->at == '\'') && length <= 2) // r"", f'', L""
        return;
    if (is_literal_word(begin, length)) {
        add(s, begin, KIND_LITERAL);
        return;
    }
    const int word = find_word(python ? python_words : c_words, begin, length);
    const int sign = python ? 0 : sign_word(begin, length);
    look_for_tricks(s, begin, length);
    if (word != WORD_NONE)
        add(s, begin, KIND_WORDS + word);
    else if (sign)
        add(s, begin, sign);
    else if (find_word(python ? python_idle : c_idle, begin, length) == WORD_NONE)
        add(s, begin, KIND_NAME);
}

// Signs that may be written in two ways; true if there was one.
static bool scan_spelling(struct scanner *s) {
    static const struct {
        const char *text;
        int as; // 0: layout
    } other[] = {{"->", '.'}, {"<:", '['}, {":>", ']'}, {"<%", 0}, {"%>", 0}, {"%:", '#'}};
    const char *begin = s->at;
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        if (!starts(s, other[i].text) || (i > 0 && s->language != LANGUAGE_C))
            continue;
        s->at += 2;
        if (other[i].as)
            add(s, begin, other[i].as);
        return true;
    }
    return false;
}

static void scan_sign(struct scanner *s) {
    const char *begin = s->at;
    if (starts(s, "::")) { // names of a class and of a space are one name
        s->at += 2;
        s->tokens->count -= tokens_before(s->tokens, 0, s->floor, s->file) == KIND_NAME;
        return;
    }
    if (scan_spelling(s))
        return;
    if (starts(s, "?\?") && s->at + 2 < s->end && strchr("=(/)'<!>-", s->at[2]))
        note_trick(s, begin, "is written in trigraphs");
    const char second = s->at + 1 < s->end ? s->at[1] : '\0';
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i][0] == *s->at && signs[i][1] == second) {
            s->at += 2;
            add(s, begin, signs[i][0] << 7 | signs[i][1]);
            return;
        }
    s->at++;
    if (!strchr("{};", *begin)) // how a body is marked is layout
        add(s, begin, *begin & 0x7f);
}

// Comments; true if there was one.
static bool skip_comment(struct scanner *s) {
    const bool c = s->language == LANGUAGE_C;
    if (c ? starts(s, "//") : *s->at == '#') {
        skip_to_line_end(s);
    } else if (c && starts(s, "/*")) {
        s->at += 2;
        skip_past(s, "*/");
    } else {
        return false;
    }
    return true;
}

static void scan_token(struct scanner *s) {
    s->began = s->line;
    if (*s->at == '"' || *s->at == '\'')
        scan_text(s);
    else if (isdigit((unsigned char)*s->at))
        scan_number(s);
    else if (is_name(*s->at))
        scan_name(s);
    else
        scan_sign(s);
}

static bool is_blank(char c) { return isspace((unsigned char)c) || c == '\\' || !c; }

// What an #include names, up to its closing mark.
static void scan_named(struct scanner *s, char close) {
    const char *begin = ++s->at;
    while (s->at < s->end && *s->at != close && *s->at != '\n')
        s->at++;
    tokens_add_named(s->tokens, begin, (size_t)(s->at - begin));
    s->at += s->at < s->end && *s->at == close;
}

// A # line that is no #define: no token of it counts. Comments may go on in the next line.
static void scan_rest(struct scanner *s, bool including) {
    while (s->at < s->end && *s->at != '\n') {
        if (*s->at == '"')
            scan_named(s, '"');
        else if (including && *s->at == '<')
            scan_named(s, '>');
        else if (!skip_comment(s))
            s->at++;
    }
}

static void skip_blanks(struct scanner *s) {
    while (s->at < s->end && *s->at != '\n' && (is_blank(*s->at) || skip_comment(s)))
        s->at += s->at < s->end && is_blank(*s->at) && *s->at != '\n';
}

static void scan_include(struct scanner *s) {
    skip_blanks(s);
    if (s->at < s->end && is_name(*s->at))
        note_trick(s, s->at, "includes what a macro names");
    scan_rest(s, true);
}

static uint64_t scan_plain_name(struct scanner *s) {
    const char *begin = s->at;
    while (s->at < s->end && is_name(*s->at))
        s->at++;
    return token_name(begin, s->at);
}

// The names between the brackets; returns how many, -1 if there are no brackets.
static int scan_parameters(struct scanner *s, uint64_t names[static PARAMETERS_MOST]) {
    static const char rest[] = "__VA_ARGS__";
    int count = 0;
    if (s->at == s->end || *s->at != '(')
        return -1;
    while (s->at < s->end && *s->at != '\n' && *s->at != ')') {
        const bool more = starts(s, "...");
        if (is_name(*s->at) && count < PARAMETERS_MOST)
            names[count++] = scan_plain_name(s);
        else if (more && count < PARAMETERS_MOST)
            names[count++] = token_name(rest, rest + strlen(rest));
        else if (!more)
            s->at++;
        s->at += more ? strlen("...") : 0;
    }
    s->at += s->at < s->end && *s->at == ')';
    return count;
}

static void mark_parameters(const struct scanner *s, const uint64_t *names, int count) {
    for (int i = s->floor; i < s->tokens->count; i++) {
        struct token *t = &s->tokens->at[i];
        const uint64_t name =
            t->kind == KIND_NAME ? token_name(s->text + t->begin, s->text + t->end) : 0;
        for (int k = 0; k < count && t->kind == KIND_NAME; k++)
            if (names[k] == name)
                t->kind = (uint16_t)(KIND_PARAMETER + k);
    }
}

static void scan_body(struct scanner *s) {
    while (s->at < s->end && *s->at != '\n') {
        if (is_blank(*s->at))
            s->at++;
        else if (!skip_comment(s))
            scan_token(s);
    }
}

static void scan_define(struct scanner *s) {
    struct tokens *t = s->tokens;
    uint64_t names[PARAMETERS_MOST];
    const int floor = s->floor;
    skip_blanks(s);
    const char *begin = s->at;
    struct macro macro = {.name = scan_plain_name(s), .at = t->count, .file = s->file};
    const size_t length = (size_t)(s->at - begin);
    macro.parameters = scan_parameters(s, names);
    s->floor = t->count;
    scan_body(s);
    mark_parameters(s, names, macro.parameters);
    if (t->count - s->floor > 1 && find_word(c_idle, begin, length) != WORD_NONE)
        note_trick(s, begin, "makes a macro of a word that counts for nothing");
    tokens_take_macro(t, macro, s->floor);
    s->floor = floor;
}

static bool scan_word(struct scanner *s, const char *word) {
    const size_t length = strlen(word);
    const bool is =
        s->at < s->end && starts(s, word) && (s->at + length == s->end || !is_name(s->at[length]));
    s->at += is ? length : 0;
    return is;
}

static void scan_directive(struct scanner *s) {
    s->began = s->line;
    s->at += *s->at == '%' ? 2 : 1;
    skip_blanks(s);
    if (scan_word(s, "define"))
        scan_define(s);
    else if (scan_word(s, "include") || scan_word(s, "include_next") || scan_word(s, "import"))
        scan_include(s);
    else
        scan_rest(s, false);
}

static bool is_directive(const struct scanner *s) {
    return s->language == LANGUAGE_C && s->fresh && (*s->at == '#' || starts(s, "%:"));
}

static void scan_all(struct scanner *s) {
    while (s->at < s->end) {
        if (*s->at == '\n') {
            s->at++;
            next_line(s);
        } else if (is_blank(*s->at)) {
            s->at++;
        } else if (is_directive(s)) {
            scan_directive(s);
        } else if (!skip_comment(s)) {
            scan_token(s);
        }
    }
}

static void scan_joined(struct scanner *s) {
    struct tokens *t = s->tokens;
    struct joined j = {.text = NULL};
    const int first = t->count, body = t->body_count;
    const bool tricked = t->trick.what;
    joined_make(&j, s->text, (size_t)(s->end - s->text));
    s->text = s->at = j.text;
    s->end = j.text + j.size;
    scan_all(s);
    joined_restore(&j, t->at + first, t->count - first);
    joined_restore(&j, t->bodies + body, t->body_count - body);
    if (!tricked && t->trick.what)
        joined_restore(&j, &t->trick.at, 1);
    joined_done(&j);
}

void tokens_scan(struct tokens *tokens, const char *text, size_t size, enum language language,
                 int file) {
    struct scanner s = {.text = text,
                        .at = text,
                        .end = text + size,
                        .line = 1,
                        .language = language,
                        .file = file,
                        .fresh = true,
                        .floor = tokens->count,
                        .tokens = tokens};
    if (language == LANGUAGE_C && joined_is_needed(text, size))
        scan_joined(&s);
    else
        scan_all(&s);
}
