// SPDX-License-Identifier: MIT
// The words that results use stand in docs/protocol.md, sections E and F.
#include "check.h"
#include "referee/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_law(void) {
    char path[4096], *text = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "%s/../../docs/protocol.md", getenv("TEST_DATA"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(getdelim(&text, &room, '\0', file) > 0);
    fclose(file);
    return text;
}

static void check_row(const char *law, const char *word) {
    char row[80];
    snprintf(row, sizeof row, "\n| `%s` |", word);
    if (!strstr(law, row))
        fail_msg("docs/protocol.md has no row for %s", word);
}

static void test_words(void **state) {
    (void)state;
    char *law = read_law();
    for (int i = 0; i < game_count(); i++)
        for (int ending = 1; ending < game_nth(i)->ending_count; ending++)
            check_row(law, game_ending_word(game_nth(i), ending));
#define CHECK_VERDICT(id, word)                                                                    \
    if (VERDICT_##id != VERDICT_NONE)                                                              \
        check_row(law, word);
    VERDICTS(CHECK_VERDICT)
#define CHECK_FINISH(id, word)                                                                     \
    if (FINISH_##id != FINISH_RULES)                                                               \
        check_row(law, word);
    FINISHES(CHECK_FINISH)
#define CHECK_COST(id, word)                                                                       \
    if (COST_##id != COST_ILLEGAL)                                                                 \
        check_row(law, word);
    COSTS(CHECK_COST)
    free(law);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words)};
    return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
