// SPDX-License-Identifier: MIT
// What does not make a token: blanks, comments, # lines, docstrings, and words that change
// nothing a program does (const, static and the like). Names of types are names. A list of literals
// is as good as its first: tables of numbers would be alike in all programs. The body of a #define
// is code, if it is longer than a constant or a short formula: those, put between the lines of a
// copy, would hide it.
#include "similar/token.h"

#include "base/mem.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Kinds: a byte is itself, two bytes of a sign are both; words of the language stand above.
enum { KIND_NAME = 0x8000, KIND_LITERAL, KIND_WORDS, WORD_IDLE = -2, WORD_NONE = -1 };

enum { BODY_LEAST = 8 }; // tokens of a #define that counts

struct scanner {
    const char *text, *at, *end;
    uint32_t line, began; // here, and where this token began
    enum language language;
    int file;
    bool fresh; // nothing but blanks so far in this line
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

enum language token_language(const char *path) {
    static const struct {
        const char *end;
        enum language language;
    } ends[] = {{".c", LANGUAGE_C},      {".h", LANGUAGE_C},   {".cc", LANGUAGE_C},
                {".cpp", LANGUAGE_C},    {".cxx", LANGUAGE_C}, {".hh", LANGUAGE_C},
                {".hpp", LANGUAGE_C},    {".hxx", LANGUAGE_C}, {".inl", LANGUAGE_C},
                {".py", LANGUAGE_PYTHON}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++)
        if (strcasecmp(dot, ends[i].end) == 0)
            return ends[i].language;
    return LANGUAGE_NONE;
}

static void add(struct scanner *s, const char *begin, int kind) {
    struct tokens *t = s->tokens;
    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 1024;
        t->at = mem_resize(t->at, (size_t)t->room * sizeof *t->at);
    }
    t->at[t->count++] = (struct token){.line = s->began,
                                       .begin = (uint32_t)(begin - s->text),
                                       .end = (uint32_t)(s->at - s->text),
                                       .file = (uint16_t)s->file,
                                       .kind = (uint16_t)kind};
    s->fresh = false;
}

// The kind of the token so many before the last, in this file; 0 if there is none.
static int before(const struct scanner *s, int back) {
    const int i = s->tokens->count - 1 - back;
    return i >= 0 && s->tokens->at[i].file == s->file ? s->tokens->at[i].kind : 0;
}

// A literal after a literal and a comma: both go.
static void add_literal(struct scanner *s, const char *begin) {
    if (before(s, 0) == ',' && before(s, 1) == KIND_LITERAL)
        s->tokens->count--;
    else if (before(s, 0) != KIND_LITERAL) // texts side by side are one
        add(s, begin, KIND_LITERAL);
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
        add_literal(s, begin);
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
    add_literal(s, begin);
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

static void scan_name(struct scanner *s) {
    const char *begin = s->at;
    const bool python = s->language == LANGUAGE_PYTHON;
    while (s->at < s->end && is_name(*s->at))
        s->at++;
    const size_t length = (size_t)(s->at - begin);
    if (s->at < s->end && (*s->at == '"' || *s->at == '\'') && length <= 2) // r"", f'', L""
        return;
    if (is_literal_word(begin, length)) {
        add_literal(s, begin);
        return;
    }
    const int word = find_word(python ? python_words : c_words, begin, length);
    if (word != WORD_NONE)
        add(s, begin, KIND_WORDS + word);
    else if (find_word(python ? python_idle : c_idle, begin, length) == WORD_NONE)
        add(s, begin, KIND_NAME);
}

static void scan_sign(struct scanner *s) {
    const char *begin = s->at;
    if (starts(s, "::")) { // names of a class and of a space are one name
        s->at += 2;
        s->tokens->count -= before(s, 0) == KIND_NAME;
        return;
    }
    if (starts(s, "->")) {
        s->at += 2;
        add(s, begin, '.');
        return;
    }
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

// The place of a name among those of #include lines, or where it would stand.
static int named_place(const struct tokens *t, const char *file) {
    int low = 0, high = t->named_count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (strcmp(t->named[middle], file) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool tokens_name(const struct tokens *tokens, const char *file) {
    const int i = named_place(tokens, file);
    return i < tokens->named_count && strcmp(tokens->named[i], file) == 0;
}

// What stands between the marks of an #include line.
static void add_named(struct tokens *t, const char *begin, size_t length) {
    char path[256];
    if (length == 0 || length >= sizeof path || t->named_count == NAMED_MOST)
        return;
    memcpy(path, begin, length);
    path[length] = '\0';
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    if (tokens_name(t, file) || (token_language(path) == LANGUAGE_C && path[0] != '.'))
        return;
    const int i = named_place(t, file);
    t->named = mem_resize(t->named, (size_t)(t->named_count + 1) * sizeof *t->named);
    memmove(t->named + i + 1, t->named + i, (size_t)(t->named_count - i) * sizeof *t->named);
    t->named[i] = mem_text(file);
    t->named_count++;
}

// A # line that is no #define: no token of it counts. Comments may go on in the next line.
static void scan_include(struct scanner *s) {
    while (s->at < s->end && *s->at != '\n') {
        if (*s->at == '"') {
            const char *begin = ++s->at;
            while (s->at < s->end && *s->at != '"' && *s->at != '\n')
                s->at++;
            add_named(s->tokens, begin, (size_t)(s->at - begin));
            s->at += s->at < s->end && *s->at == '"';
        } else if (!skip_comment(s)) {
            s->at++;
        }
    }
}

static void skip_blanks(struct scanner *s) {
    while (s->at < s->end && *s->at != '\n' && (is_blank(*s->at) || skip_comment(s)))
        s->at += s->at < s->end && is_blank(*s->at) && *s->at != '\n';
}

// Past the name of a macro and its parameters.
static void skip_macro_name(struct scanner *s) {
    skip_blanks(s);
    while (s->at < s->end && is_name(*s->at))
        s->at++;
    if (s->at < s->end && *s->at == '(')
        while (s->at < s->end && *s->at != '\n' && *s->at++ != ')')
            continue;
}

static void scan_define(struct scanner *s) {
    const int had = s->tokens->count;
    skip_macro_name(s);
    while (s->at < s->end && *s->at != '\n') {
        if (is_blank(*s->at))
            s->at++;
        else if (!skip_comment(s))
            scan_token(s);
    }
    if (s->tokens->count - had < BODY_LEAST && s->tokens->count > had)
        s->tokens->count = had;
}

static void scan_directive(struct scanner *s) {
    static const char word[] = "define";
    const size_t length = sizeof word - 1;
    s->at++;
    skip_blanks(s);
    if (s->at < s->end && starts(s, word) && s->at + length < s->end && !is_name(s->at[length])) {
        s->at += length;
        scan_define(s);
    } else {
        scan_include(s);
    }
}

static void scan_all(struct scanner *s) {
    while (s->at < s->end) {
        if (*s->at == '\n') {
            s->at++;
            next_line(s);
        } else if (is_blank(*s->at)) {
            s->at++;
        } else if (s->language == LANGUAGE_C && *s->at == '#' && s->fresh) {
            scan_directive(s);
        } else if (!skip_comment(s)) {
            scan_token(s);
        }
    }
}

// Lines of C that end with a backslash, joined; and where they were.
struct joined {
    char *text;
    size_t size;
    struct join {
        uint32_t at, gone; // in the joined text; bytes taken out there
    } * joins;
    int count;
};

// The bytes of a backslash and a line's end, with the blanks between them that compilers allow; 0:
// none is here.
static size_t join_length(const char *at, const char *end) {
    const char *c = at + 1;
    while (c < end && *c != '\n' && isspace((unsigned char)*c))
        c++;
    return *at == '\\' && c < end && *c == '\n' ? (size_t)(c + 1 - at) : 0;
}

static bool has_joins(const char *text, size_t size) {
    const char *end = text + size;
    for (const char *at = text; at < end && (at = memchr(at, '\\', (size_t)(end - at))); at++)
        if (join_length(at, end) > 0)
            return true;
    return false;
}

static void join_lines(struct joined *j, const char *text, size_t size) {
    const char *end = text + size;
    j->text = mem_new(size + 1, 1);
    for (const char *at = text; at < end;) {
        const size_t gone = *at == '\\' ? join_length(at, end) : 0;
        if (gone == 0) {
            j->text[j->size++] = *at++;
            continue;
        }
        if (j->count % 1024 == 0)
            j->joins = mem_resize(j->joins, (size_t)(j->count + 1024) * sizeof *j->joins);
        j->joins[j->count++] = (struct join){(uint32_t)j->size, (uint32_t)gone};
        at += gone;
    }
}

// Tokens from the first on get their places in the text as it was.
static void restore_places(struct tokens *t, int first, const struct joined *j) {
    uint32_t gone = 0;
    int k = 0;
    for (int i = first; i < t->count; i++) {
        struct token *token = &t->at[i];
        for (; k < j->count && j->joins[k].at <= token->begin; k++)
            gone += j->joins[k].gone;
        uint32_t inner = gone;
        for (int m = k; m < j->count && j->joins[m].at < token->end; m++)
            inner += j->joins[m].gone;
        token->begin += gone;
        token->end += inner;
        token->line += (uint32_t)k;
    }
}

static void scan_joined(struct scanner *s) {
    struct joined j = {.text = NULL};
    const int first = s->tokens->count;
    join_lines(&j, s->text, (size_t)(s->end - s->text));
    s->text = s->at = j.text;
    s->end = j.text + j.size;
    scan_all(s);
    restore_places(s->tokens, first, &j);
    free(j.text);
    free(j.joins);
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
                        .tokens = tokens};
    if (language == LANGUAGE_C && has_joins(text, size))
        scan_joined(&s);
    else
        scan_all(&s);
}

void tokens_done(struct tokens *tokens) {
    for (int i = 0; i < tokens->named_count; i++)
        free(tokens->named[i]);
    free(tokens->named);
    free(tokens->at);
    *tokens = (struct tokens){.at = NULL};
}
