// SPDX-License-Identifier: MIT
// Hand-drawn positions and what the rules say of them: tests/data/diagrams/GAME.txt.
//
// A case begins with "== title"; then a line a step:
//   set KEY=VALUE, start, board (rows follow, indented), tail TEXT, refuse-position,
//   play MOVE, refuse MOVE, lists MOVE, lacks MOVE, count N, legal M; M; ..., turn N,
//   winner none|N, reason none|WORD, scores A B, then (rows, and tail, of the position expected).
#include "check.h"
#include "games/game.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 4096, LINES_MAX = 64, CASES_MAX = 200, LIST_MAX = 74000 };

struct diagram {
    const char *file;
    char title[200];
    struct {
        int number; // in the file
        char text[TEXT_MAX];
    } line[LINES_MAX];
    int lines;
    const struct game *game;
};

struct play {
    const struct diagram *d;
    int at; // the line being read
    struct ruleset rules;
    union game_state state;
    move list[LIST_MAX];
    int count;
};

static void complain(const struct play *p, const char *what) {
    fail_msg("%s:%d: %s: %s", p->d->file, p->d->line[p->at].number, p->d->line[p->at].text, what);
}

static void check(const struct play *p, bool holds, const char *what) {
    if (!holds)
        complain(p, what);
}

// Joins the indented rows after a line, and a tail line, to a position.
static void take_position(struct play *p, char position[static TEXT_MAX]) {
    position[0] = '\0';
    for (bool rows = true; p->at + 1 < p->d->lines; p->at++) {
        const char *next = p->d->line[p->at + 1].text;
        char *end = position + strlen(position);
        if (rows && *next == ' ') {
            snprintf(end, (size_t)(position + TEXT_MAX - end), "%s%s", *position ? "/" : "",
                     next + strspn(next, " "));
        } else if (strncmp(next, "tail ", 5) == 0) {
            snprintf(end, (size_t)(position + TEXT_MAX - end), " %s", next + 5);
            rows = false;
        } else {
            return;
        }
    }
}

static bool is_listed(struct play *p, const char *text) {
    char listed[MOVE_TEXT_MAX];
    p->count = p->d->game->moves(&p->state, p->list);
    for (int i = 0; i < p->count; i++) {
        p->d->game->write_move(&p->state, p->list[i], listed);
        if (strcmp(listed, text) == 0)
            return true;
    }
    return false;
}

static const char *try_move(struct play *p, const char *text) {
    move m;
    const char *why = p->d->game->read_move(&p->state, text, &m);
    return why ? why : game_play(p->d->game, &p->state, m);
}

static void step_set(struct play *p, const char *text) {
    char key[TEXT_MAX], why[WHY_TEXT_MAX];
    snprintf(key, sizeof key, "%s", text);
    char *equals = strchr(key, '=');
    check(p, equals != NULL, "no =");
    *equals = '\0';
    check(p, ruleset_set(&p->rules, key, equals + 1, why), why);
}

static void step_start(struct play *p, const char *text) {
    char why[WHY_TEXT_MAX];
    (void)text;
    check(p, p->d->game->start(&p->state, &p->rules, NULL, why), why);
}

static void step_board(struct play *p, const char *text) {
    char position[TEXT_MAX], why[WHY_TEXT_MAX] = "";
    (void)text;
    take_position(p, position);
    const bool good = p->d->game->start(&p->state, &p->rules, position, why);
    const bool refused =
        p->at + 1 < p->d->lines && strcmp(p->d->line[p->at + 1].text, "refuse-position") == 0;
    if (refused)
        check(p, !good, "the position is accepted");
    else
        check(p, good, why);
    p->at += refused;
}

static void step_then(struct play *p, const char *text) {
    char position[TEXT_MAX], shown[STATE_TEXT_MAX], why[WHY_TEXT_MAX];
    union game_state expected;
    (void)text;
    p->d->game->write_state(&p->state, shown);
    take_position(p, position);
    // A board without a tail stands for one with the tail there is: so many words at the end.
    const size_t length = strlen(position);
    bool good = p->d->game->start(&expected, &p->rules, position, why);
    for (char *tail = strrchr(shown, ' '); !good && tail;
         tail = memrchr(shown, ' ', (size_t)(tail - shown))) {
        strcpy(position + length, tail);
        good = p->d->game->start(&expected, &p->rules, position, why);
    }
    check(p, good, why);
    if (memcmp(&expected, &p->state, p->d->game->state_size) != 0)
        fail_msg("%s:%d: the position is %s, not %s", p->d->file, p->d->line[p->at].number, shown,
                 position);
}

static void step_play(struct play *p, const char *text) {
    const char *why = try_move(p, text);
    check(p, !why, why ? why : "");
}

static void step_refuse(struct play *p, const char *text) {
    const union game_state before = p->state;
    check(p, try_move(p, text) != NULL, "the move is accepted");
    check(p, memcmp(&before, &p->state, p->d->game->state_size) == 0, "the position has changed");
}

static void step_lists(struct play *p, const char *text) {
    check(p, is_listed(p, text), "the move is not listed");
}

static void step_lacks(struct play *p, const char *text) {
    check(p, !is_listed(p, text), "the move is listed");
}

static void step_count(struct play *p, const char *text) {
    char message[40];
    snprintf(message, sizeof message, "there are %d", p->d->game->count(&p->state));
    check(p, p->d->game->count(&p->state) == atoi(text), message);
}

static void step_legal(struct play *p, const char *text) {
    char copy[TEXT_MAX];
    int named = 0;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *m = strtok(copy, ";"); m; m = strtok(NULL, ";"), named++) {
        m += strspn(m, " ");
        while (*m && m[strlen(m) - 1] == ' ')
            m[strlen(m) - 1] = '\0';
        check(p, is_listed(p, m), m);
    }
    check(p, p->d->game->count(&p->state) == named, "more moves are legal");
}

static void step_turn(struct play *p, const char *text) {
    check(p, p->d->game->turn(&p->state) == atoi(text), "it is not");
}

static void step_winner(struct play *p, const char *text) {
    const struct outcome end = p->d->game->outcome(&p->state);
    const bool running = end.ending == ENDING_RUNNING;
    if (strcmp(text, "none") == 0)
        check(p, running, "the game is over");
    else
        check(p, !running && end.winner == atoi(text), "it is not so");
}

static void step_reason(struct play *p, const char *text) {
    const char *word = game_ending_word(p->d->game, p->d->game->outcome(&p->state).ending);
    check(p, strcmp(*word ? word : "none", text) == 0, word);
}

static void step_scores(struct play *p, const char *text) {
    int scores[2], expected[2];
    char message[40];
    p->d->game->scores(&p->state, scores);
    snprintf(message, sizeof message, "they are %d %d", scores[0], scores[1]);
    check(p, sscanf(text, "%d %d", &expected[0], &expected[1]) == 2, "not two numbers");
    check(p, scores[0] == expected[0] && scores[1] == expected[1], message);
}

static const struct {
    const char *word;
    void (*run)(struct play *p, const char *text);
} steps[] = {
    {"set", step_set},       {"start", step_start},   {"board", step_board},
    {"then", step_then},     {"play", step_play},     {"refuse", step_refuse},
    {"lists", step_lists},   {"lacks", step_lacks},   {"count", step_count},
    {"legal", step_legal},   {"turn", step_turn},     {"winner", step_winner},
    {"reason", step_reason}, {"scores", step_scores},
};

static void run_step(struct play *p) {
    const char *line = p->d->line[p->at].text;
    const size_t length = strcspn(line, " ");
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (strlen(steps[i].word) == length && strncmp(steps[i].word, line, length) == 0) {
            steps[i].run(p, line[length] ? line + length + 1 : "");
            return;
        }
    complain(p, "no such step");
}

static void test_diagram(void **state) {
    static struct play play; // one at a time; too large for the stack
    play = (struct play){.d = *state};
    ruleset_init(&play.rules, play.d->game);
    for (; play.at < play.d->lines; play.at++)
        run_step(&play);
}

static int read_file(const struct game *game, struct diagram *cases, int count) {
    char path[TEXT_MAX], line[TEXT_MAX];
    snprintf(path, sizeof path, "%s/diagrams/%s.txt", getenv("TEST_DATA"), game->name);
    FILE *file = fopen(path, "r");
    assert(file);
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        if (strncmp(line, "== ", 3) == 0) {
            struct diagram *d = &cases[count++];
            d->game = game;
            d->file = game->name;
            snprintf(d->title, sizeof d->title, "%s: %.180s", game->name, line + 3);
            continue;
        }
        struct diagram *d = &cases[count - 1];
        assert(d->lines < LINES_MAX);
        d->line[d->lines].number = number;
        strcpy(d->line[d->lines++].text, line);
    }
    fclose(file);
    return count;
}

int main(void) {
    struct diagram *cases = calloc(CASES_MAX * 2, sizeof *cases);
    struct CMUnitTest tests[CASES_MAX * 2];
    int count = 0;
    assert(cases);
    for (int i = 0; i < game_count(); i++)
        count = read_file(game_nth(i), cases, count);
    for (int i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){
            .name = cases[i].title, .test_func = test_diagram, .initial_state = &cases[i]};
    const int failed = _cmocka_run_group_tests("diagrams", tests, (size_t)count, NULL, NULL);
    free(cases);
    return failed;
}
