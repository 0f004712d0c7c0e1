// SPDX-License-Identifier: MIT
// Input: a command for the shell. Its words stand where they are said to, one after the other, and
// the script is the command with at most one word more.
#include "fuzz.h"
#include "link/shell.h"

static void check_tokens(const char *command) {
    struct shell_reader reader = {.text = command};
    struct shell_token token;
    size_t end = 0;
    const size_t length = strlen(command);
    do {
        shell_next(&reader, &token);
        assert(token.from >= end);
        if (token.kind == SHELL_END || token.kind == SHELL_ODD)
            break;
        assert(token.length > 0 && token.from + token.length <= length);
        assert(!token.is_plain || strnlen(token.plain, SHELL_WORD_MAX) < SHELL_WORD_MAX);
        end = token.from + token.length;
    } while (true);
    assert(token.kind == SHELL_ODD || token.from == length);
}

static void check_script(const char *command) {
    static const char word[] = "exec ";
    struct buf script = {.data = NULL};
    shell_put_script(&script, command);
    const size_t length = strlen(command), more = script.length - length;
    assert(more == 0 || more == sizeof word - 1);
    size_t same = 0;
    while (same < length && script.data[same] == command[same])
        same++;
    assert(strcmp(script.data + script.length - (length - same), command + same) == 0);
    buf_done(&script);
}

static void check_quoted(const char *word) {
    struct buf quoted = {.data = NULL};
    shell_put_quoted(&quoted, word);
    struct shell_reader reader = {.text = quoted.data};
    struct shell_token token;
    shell_next(&reader, &token);
    assert(token.kind == SHELL_COMMAND && token.length == quoted.length);
    assert(!token.is_plain || strcmp(token.plain, word) == 0);
    buf_done(&quoted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *command = mem_new(size + 1, 1);
    if (size > 0)
        memcpy(command, data, size);
    check_tokens(command);
    check_script(command);
    check_quoted(command);
    free(command);
    return 0;
}
