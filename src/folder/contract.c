// SPDX-License-Identifier: MIT
// Each sentence of the contract is a function that looks at a position of a random game. The first
// that is broken ends the whole: what comes after it would only say the same.
#include "folder/contract.h"

#include "base/mem.h"
#include "base/rng.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBES = 20, TEXTS_MAX = 64, FUZZ_MAX = 120, ASKING_MAX = 1400 };

struct contract_subject {
    const struct game *game;
    const struct ruleset *rules;
    struct rng rng;
    union game_state state;
    move *list;
    int count;
    struct contract_tally *tally;
    struct buf *fault; // of the first sentence that is broken
    bool thorough;     // in this game texts and pictures are looked at, too
};

static char asking[ASKING_MAX];

const char *contract_asking(void) { return asking; }

static void ask(const struct contract_subject *s, const char *move_text) {
    char position[STATE_TEXT_MAX];
    if (s->thorough && *asking == '\0') {
        s->game->write_state(&s->state, position);
        snprintf(asking, sizeof asking, "position %.900s", position);
    }
    char *at = strstr(asking, ", move ");
    if (at)
        *at = '\0';
    if (move_text)
        snprintf(asking + strlen(asking), sizeof asking - strlen(asking), ", move %.200s",
                 move_text);
}

// "FUNCTION: words, at position ..., after N moves"; always false.
__attribute__((format(printf, 3, 4))) static bool
broken(struct contract_subject *s, const char *function, const char *format, ...) {
    char words[600], position[STATE_TEXT_MAX];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    s->game->write_state(&s->state, position);
    buf_format(s->fault, "%s: %s\n  position: %.1000s", function, words, position);
    for (int i = 0; i < s->rules->game->rule_count; i++)
        if (strcmp(s->rules->text[i], s->game->rules[i].standard) != 0)
            buf_format(s->fault, "\n  with %s=%s", s->game->rules[i].key, s->rules->text[i]);
    return false;
}

static const char *name_of(const struct contract_subject *s, move m,
                           char text[static MOVE_TEXT_MAX]) {
    s->game->write_move(&s->state, m, text);
    return text;
}

static bool is_listed(const struct contract_subject *s, move m) {
    int low = 0, high = s->count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (s->list[middle] < m)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->count && s->list[low] == m;
}

static bool check_list(struct contract_subject *s) {
    const struct game *g = s->game;
    char text[MOVE_TEXT_MAX];
    s->count = g->moves(&s->state, s->list);
    if (s->count != g->count(&s->state))
        return broken(s, "count", "it says %d, but moves lists %d", g->count(&s->state), s->count);
    for (int i = 0; i < s->count; i++) {
        if (i > 0 && s->list[i - 1] >= s->list[i])
            return broken(s, "moves", "move %d of the list (number %u) is not above the one before",
                          i + 1, s->list[i]);
        if (g->nth(&s->state, i) != s->list[i])
            return broken(s, "nth", "the one with number %d is %u, but moves lists %u", i,
                          g->nth(&s->state, i), s->list[i]);
    }
    for (int i = 0; i < s->count && i < TEXTS_MAX; i++)
        if (g->illegal(&s->state, s->list[i]))
            return broken(s, "illegal", "it refuses %s (%.100s), which moves lists",
                          name_of(s, s->list[i], text), g->illegal(&s->state, s->list[i]));
    for (int i = 0; i < PROBES; i++) {
        const move m = rng_below(&s->rng, g->distinct_moves);
        if (!g->illegal(&s->state, m) && !is_listed(s, m))
            return broken(s, "illegal", "it accepts the move with number %u, which is not listed",
                          m);
    }
    if (!g->illegal(&s->state, g->distinct_moves) || !g->illegal(&s->state, MOVE_PASS - 1))
        return broken(s, "illegal", "it accepts a number that is no move");
    return g->illegal(&s->state, MOVE_PASS) ||
           broken(s, "illegal", "it accepts MOVE_PASS, which is never listed");
}

static bool check_outcome(struct contract_subject *s) {
    const struct outcome end = s->game->outcome(&s->state);
    const int turn = s->game->turn(&s->state);
    int scores[2] = {0, 0};
    s->game->scores(&s->state, scores);
    if ((turn == 0) != (s->count == 0))
        return broken(s, "turn", "it says %d, and there are %d legal moves", turn, s->count);
    if ((turn == 0) != (end.ending != ENDING_RUNNING))
        return broken(s, "outcome",
                      turn ? "it names an ending, but player %d is to move"
                           : "the game goes on, but turn says %d: nobody",
                      turn);
    if (turn && end.winner)
        return broken(s, "outcome", "it names a winner of a game that goes on");
    if (!s->game->has_scores && (scores[0] || scores[1]))
        return broken(s, "scores", "they are %d and %d, but has_scores is not set", scores[0],
                      scores[1]);
    return true;
}

static bool check_due(struct contract_subject *s) {
    const int due = s->game->due(&s->state), turn = s->game->turn(&s->state);
    union game_state next;
    char text[MOVE_TEXT_MAX];
    if (s->count == 0)
        return due == 1 || broken(s, "due", "it is %d though the game is over", due);
    memcpy(&next, &s->state, s->game->state_size);
    const move m = s->list[rng_below(&s->rng, (uint32_t)s->count)];
    if (s->thorough)
        ask(s, name_of(s, m, text));
    s->game->apply(&next, m);
    if (due == 1 || game_is_over(s->game, &next))
        return true;
    return (s->game->turn(&next) == turn && s->game->due(&next) == due - 1) ||
           broken(s, "due",
                  "it says that the turn has %d moves, but after one it is another's, or "
                  "has not %d",
                  due, due - 1);
}

static bool check_move_texts(struct contract_subject *s) {
    for (int i = 0; i < s->count && i < TEXTS_MAX; i++) {
        const move m =
            s->list[s->count <= TEXTS_MAX ? (uint32_t)i : rng_below(&s->rng, (uint32_t)s->count)];
        char text[MOVE_TEXT_MAX], copy[MOVE_TEXT_MAX];
        move back = MOVE_PASS;
        s->game->write_move(&s->state, m, text);
        if (!*text || strpbrk(text, ";\n|\"\\"))
            return broken(s, "write_move",
                          "the text of move %u is empty or holds ; | \" \\ or a line end", m);
        ask(s, text);
        snprintf(copy, sizeof copy, "%s", text);
        const char *why = s->game->read_move(&s->state, copy, &back);
        if (why || back != m)
            return broken(s, "read_move", "the text of move %u, '%s', is read as %s", m, text,
                          why ? why : "another move");
    }
    ask(s, NULL);
    return true;
}

static bool check_state_text(struct contract_subject *s) {
    char text[STATE_TEXT_MAX], why[WHY_TEXT_MAX] = "";
    union game_state back;
    s->game->write_state(&s->state, text);
    if (!*text || strchr(text, '\n'))
        return broken(s, "write_state", "the position is empty, or more than a line");
    memset(&back, 0xff, sizeof back);
    if (!s->game->start(&back, s->rules, text, why))
        return broken(s, "start", "it does not take back the position that write_state wrote: %s",
                      why);
    return memcmp(&back, &s->state, s->game->state_size) == 0 ||
           broken(s, "start", "the position that write_state wrote gives other bytes of the state");
}

static bool check_picture(struct contract_subject *s) {
    char *plain = mem_new(2, DRAW_TEXT_MAX), *colour = plain + DRAW_TEXT_MAX, *p = plain;
    s->game->draw(&s->state, false, plain);
    s->game->draw(&s->state, true, colour);
    const size_t length = strlen(plain);
    for (const char *c = colour; *c; c++) {
        if (*c == '\033')
            c += strcspn(c, "m");
        else if (*p == *c)
            p++;
        if (!*c)
            break;
    }
    const bool whole = length > 0 && plain[length - 1] == '\n', same = !*p;
    free(plain);
    if (!whole)
        return broken(s, "draw", "the picture is empty, or its last line has no end");
    return same || broken(s, "draw", "the picture in colour is another one than without");
}

static bool check_position(struct contract_subject *s) {
    union game_state before;
    memcpy(&before, &s->state, s->game->state_size);
    asking[0] = '\0';
    ask(s, NULL);
    const bool good =
        check_list(s) && check_outcome(s) && check_due(s) &&
        (!s->thorough || (check_move_texts(s) && check_state_text(s) && check_picture(s)));
    if (good && memcmp(&before, &s->state, s->game->state_size) != 0)
        return broken(s, "moves", "asking has changed the state");
    return good;
}

static bool begin(struct contract_subject *s) {
    union game_state twin;
    char why[WHY_TEXT_MAX] = "";
    memset(&s->state, 0xff, sizeof s->state);
    memset(&twin, 0, sizeof twin);
    if (!s->game->start(&s->state, s->rules, NULL, why) ||
        !s->game->start(&twin, s->rules, NULL, why)) {
        buf_format(s->fault, "start: it refuses to begin: %s", why);
        return false;
    }
    return memcmp(&twin, &s->state, s->game->state_size) == 0 ||
           broken(s, "start", "it does not write every byte of the state");
}

// Plays a move, twice: the same from the same.
static bool play(struct contract_subject *s, move m) {
    union game_state twin, before;
    char text[MOVE_TEXT_MAX] = "pass";
    memcpy(&twin, &s->state, s->game->state_size);
    memcpy(&before, &s->state, s->game->state_size);
    if (m != MOVE_PASS && s->thorough)
        ask(s, name_of(s, m, text));
    s->game->apply(&s->state, m);
    s->game->apply(&twin, m);
    if (memcmp(&twin, &s->state, s->game->state_size) != 0)
        return broken(s, "apply", "the same move (%u) in the same state gives two states", m);
    return memcmp(&before, &s->state, s->game->state_size) != 0 ||
           broken(s, "apply", "the move %u (%s) changes nothing", m, text);
}

static bool play_game(struct contract_subject *s) {
    struct contract_tally *t = s->tally;
    int plies = 0;
    if (!begin(s))
        return false;
    while (check_position(s) && s->count > 0) {
        const bool pass = s->game->may_pass && rng_below(&s->rng, 20) == 0;
        if (plies == s->game->plies_max)
            return broken(s, "apply", "after plies_max (%d) moves the game is not over", plies);
        if (!play(s, pass ? MOVE_PASS : s->list[rng_below(&s->rng, (uint32_t)s->count)]))
            return false;
        plies++;
        t->moves += s->count;
        t->most = s->count > t->most ? s->count : t->most;
    }
    if (s->fault->length)
        return false;
    t->games++;
    t->plies += plies;
    t->longest = plies > t->longest ? plies : t->longest;
    t->won[s->game->outcome(&s->state).winner]++;
    return true;
}

// Texts that are none: bytes at random, and good ones with something changed.
static void spoil(struct contract_subject *s, char *text, size_t size) {
    static const char letters[] = "XO.#/0123456789,;- |ab\t\001\377";
    const size_t length = strlen(text);
    switch (rng_below(&s->rng, 4)) {
    case 0:
        for (size_t i = 0, n = rng_below(&s->rng, (uint32_t)size - 1); i <= n; i++)
            text[i] = i == n ? '\0' : letters[rng_below(&s->rng, sizeof letters - 1)];
        break;
    case 1:
        if (length)
            text[rng_below(&s->rng, (uint32_t)length)] =
                letters[rng_below(&s->rng, sizeof letters - 1)];
        break;
    case 2:
        text[rng_below(&s->rng, (uint32_t)length + 1)] = '\0';
        break;
    default:
        if (length + 2 < size) {
            const size_t at = rng_below(&s->rng, (uint32_t)length + 1);
            memmove(text + at + 1, text + at, length - at + 1);
            text[at] = letters[rng_below(&s->rng, sizeof letters - 1)];
        }
    }
}

static void reach_somewhere(struct contract_subject *s) {
    begin(s);
    for (int left = (int)rng_below(&s->rng, 30), count;
         left > 0 && (count = s->game->count(&s->state)) > 0; left--)
        s->game->apply(&s->state,
                       s->game->nth(&s->state, (int)rng_below(&s->rng, (uint32_t)count)));
}

// A position that is accepted is a position like any other.
static bool read_texts(struct contract_subject *s) {
    char text[STATE_TEXT_MAX], why[WHY_TEXT_MAX];
    move m;
    reach_somewhere(s);
    const int count = s->game->count(&s->state);
    if (count > 0) {
        s->game->write_move(&s->state, s->game->nth(&s->state, 0), text);
        spoil(s, text, FUZZ_MAX);
        snprintf(asking, sizeof asking, "the move text '%.200s'", text);
        if (strlen(text) < MOVE_TEXT_MAX && !s->game->read_move(&s->state, text, &m) &&
            m < s->game->distinct_moves && !s->game->illegal(&s->state, m))
            s->game->apply(&s->state, m);
    }
    s->game->write_state(&s->state, text);
    for (uint32_t i = rng_below(&s->rng, 3); i + 1 > 0; i--)
        spoil(s, text, sizeof text / 4);
    snprintf(asking, sizeof asking, "the position '%.900s'", text);
    const union game_state before = s->state;
    if (!s->game->start(&s->state, s->rules, text, why)) {
        s->state = before;
        return true;
    }
    return check_position(s);
}

bool contract_check(const struct ruleset *rules, int games, int texts, uint64_t seed,
                    struct contract_tally *tally, struct buf *fault) {
    struct contract_subject s = {.game = rules->game,
                                 .rules = rules,
                                 .rng = {seed},
                                 .list = mem_new((size_t)rules->game->moves_max, sizeof(move)),
                                 .tally = tally,
                                 .fault = fault};
    bool good = true;
    for (int i = 0; good && i < games; i++) {
        s.thorough = i % 8 == 0; // texts take their time
        good = play_game(&s);
    }
    s.thorough = true;
    for (int i = 0; good && i < texts; i++)
        good = read_texts(&s);
    free(s.list);
    asking[0] = '\0';
    return good;
}
