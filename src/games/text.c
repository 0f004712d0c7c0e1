// SPDX-License-Identifier: MIT
#include "games/text.h"

enum { QUOTE_MAX = 40 };

struct text text_begin(char *buffer, size_t size) {
    buffer[0] = '\0';
    return (struct text){.at = buffer, .end = buffer + size - 1};
}

void text_put_char(struct text *t, char c) {
    if (t->at == t->end)
        return;
    *t->at++ = c;
    *t->at = '\0';
}

void text_put(struct text *t, const char *words) {
    while (*words)
        text_put_char(t, *words++);
}

void text_put_padded(struct text *t, int n, int width) {
    char digits[12];
    int count = 0;
    unsigned rest = n < 0 ? 0u - (unsigned)n : (unsigned)n;
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (n < 0)
        digits[count++] = '-';
    for (int i = count; i < width; i++)
        text_put_char(t, ' ');
    while (count > 0)
        text_put_char(t, digits[--count]);
}

void text_put_number(struct text *t, int n) { text_put_padded(t, n, 0); }

void text_put_pair(struct text *t, int a, int b) {
    text_put_number(t, a);
    text_put_char(t, ',');
    text_put_number(t, b);
}

void text_put_quoted(struct text *t, const char *words) {
    text_put_char(t, '\'');
    for (int i = 0; words[i]; i++) {
        if (i == QUOTE_MAX) {
            text_put(t, "...");
            break;
        }
        text_put_char(t, words[i] >= ' ' && words[i] <= '~' ? words[i] : '?');
    }
    text_put_char(t, '\'');
}

void text_put_mark(struct text *t, bool colour, const char *code, const char *mark) {
    if (colour) {
        text_put(t, "\033[");
        text_put(t, code);
        text_put_char(t, 'm');
    }
    text_put(t, mark);
    if (colour)
        text_put(t, "\033[0m");
}

void text_put_player(struct text *t, bool colour, int player, const char *mark) {
    text_put_mark(t, colour, player == 1 ? "1;34" : "1;33", mark);
}

size_t text_length(const char *words) {
    size_t n = 0;
    while (words[n])
        n++;
    return n;
}

bool text_equal(const char *a, const char *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

bool text_is_word(const char *words, const char *word) {
    while (*word && *words == *word) {
        words++;
        word++;
    }
    return *word == '\0' && text_at_end(words);
}

bool text_copy(char *buffer, size_t size, const char *words) {
    if (text_length(words) >= size)
        return false;
    struct text t = text_begin(buffer, size);
    text_put(&t, words);
    return true;
}

int text_find_word(const char *list, const char *word) {
    for (int place = 0;; place++) {
        const char *w = word;
        while (*w && *w != '|' && *list == *w) {
            list++;
            w++;
        }
        if (*w == '\0' && (*list == '\0' || *list == '|'))
            return place;
        while (*list && *list != '|')
            list++;
        if (*list++ == '\0')
            return -1;
    }
}

bool text_take(const char **at, char c) {
    if (**at != c || c == '\0')
        return false;
    ++*at;
    return true;
}

bool text_take_number(const char **at, int *n) {
    const char *p = *at;
    int value = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        value = value * 10 + (*p - '0');
        if (value > TEXT_NUMBER_MAX)
            value = TEXT_NUMBER_MAX;
    }
    if (p == *at)
        return false;
    *at = p;
    *n = value;
    return true;
}

bool text_take_blanks(const char **at) {
    const char *p = *at;
    while (*p == ' ' || *p == '\t')
        p++;
    const bool any = p != *at;
    *at = p;
    return any;
}

bool text_take_pair(const char **at, int *a, int *b) {
    const char *p = *at;
    if (!text_take_number(&p, a) || !text_take(&p, ','))
        return false;
    text_take_blanks(&p);
    if (!text_take_number(&p, b))
        return false;
    *at = p;
    return true;
}

bool text_at_end(const char *at) {
    text_take_blanks(&at);
    return *at == '\0';
}
