// SPDX-License-Identifier: MIT
// Checks a win by force in connect6, as write_proof6.h writes it: tries every pair of
// stones that the rules allow the defender. Shares the rules with the product, and nothing else.
#pragma once

#include "games/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROOF_ANY = -1, PROOF_NONE = -2 };

struct proof_pair {
    int a, b; // moves; b may be PROOF_ANY or PROOF_NONE
};

struct proof_node {
    struct proof_pair stones;
    struct proof_pair *threats, *replies;
    struct proof_node **answers;
    int threat_count, reply_count;
};

static inline void proof_free(struct proof_node *n) {
    if (!n)
        return;
    for (int i = 0; i < n->reply_count; i++)
        proof_free(n->answers[i]);
    free(n->threats);
    free(n->replies);
    free(n->answers);
    free(n);
}

static inline int proof_cell(const char **at) {
    int x, y, length = 0;
    *at += strspn(*at, " +");
    if (**at == '*') {
        ++*at;
        return PROOF_ANY;
    }
    if (sscanf(*at, "%d,%d%n", &x, &y, &length) != 2)
        return PROOF_NONE;
    *at += length;
    return y * 20 + x;
}

// NULL if the text is no tree.
static inline struct proof_node *proof_read(const char **at) {
    struct proof_node *n = calloc(1, sizeof *n);
    if (*(*at)++ != '(')
        goto fail;
    n->stones.a = proof_cell(at);
    n->stones.b = proof_cell(at);
    if (**at == ':')
        ++*at;
    while (**at == ' ') {
        n->threats = realloc(n->threats, (size_t)(n->threat_count + 1) * sizeof *n->threats);
        struct proof_pair *t = &n->threats[n->threat_count++];
        t->a = proof_cell(at);
        t->b = **at == '+' ? proof_cell(at) : PROOF_NONE;
        if (t->a < 0)
            goto fail;
    }
    while (**at == '[') {
        const size_t count = (size_t)n->reply_count + 1;
        n->replies = realloc(n->replies, count * sizeof *n->replies);
        n->answers = realloc(n->answers, count * sizeof(void *));
        ++*at;
        n->replies[n->reply_count].a = proof_cell(at);
        n->replies[n->reply_count].b = proof_cell(at);
        if (*(*at)++ != ']' || !(n->answers[n->reply_count] = proof_read(at)))
            goto fail;
        n->reply_count++;
    }
    if (*(*at)++ == ')' && n->stones.a >= 0)
        return n;
fail:
    proof_free(n);
    return NULL;
}

// The attacker's turns to the end of the longest branch; where threats are left, one more.
static inline int proof_turns(const struct proof_node *n) {
    int most = n->threat_count > 0;
    for (int i = 0; i < n->reply_count; i++) {
        const int turns = proof_turns(n->answers[i]);
        most = turns > most ? turns : most;
    }
    return 1 + most;
}

struct proof_check {
    const struct game *game;
    int attacker;
    char why[200]; // what went wrong
    long tried;    // pairs of stones of the defender
};

static inline bool proof_fail(struct proof_check *c, const char *why, const void *state) {
    char text[STATE_TEXT_MAX];
    c->game->write_state(state, text);
    snprintf(c->why, sizeof c->why, "%s: %.150s", why, text);
    return false;
}

// Plays a pair; false if a stone is illegal. Stops when the game is over.
static inline bool proof_play(const struct game *game, void *state, struct proof_pair pair) {
    if (game_play(game, state, (move)pair.a))
        return false;
    return pair.b < 0 || game_is_over(game, state) || !game_play(game, state, (move)pair.b);
}

static inline bool proof_won(const struct proof_check *c, const void *state) {
    return game_is_over(c->game, state) && c->game->outcome(state).winner == c->attacker;
}

static inline bool proof_try(struct proof_check *c, const struct proof_node *n,
                             const union game_state *given);

// A threat that the defender's stones a and b leave open wins.
static inline bool proof_threat_wins(const struct proof_check *c, const struct proof_node *n, int a,
                                     int b, const union game_state *given) {
    for (int i = 0; i < n->threat_count; i++) {
        const struct proof_pair t = n->threats[i];
        if (t.a == a || t.a == b || t.b == a || t.b == b)
            continue;
        union game_state state = *given;
        if (proof_play(c->game, &state, n->threats[i]) && proof_won(c, &state))
            return true;
    }
    return false;
}

static inline const struct proof_node *proof_answer(const struct proof_node *n, int a, int b) {
    for (int i = 0; i < n->reply_count; i++)
        if ((n->replies[i].a == a && n->replies[i].b == b) ||
            (n->replies[i].a == b && n->replies[i].b == a))
            return n->answers[i];
    for (int i = 0; i < n->reply_count; i++)
        if (n->replies[i].b == PROOF_ANY && (n->replies[i].a == a || n->replies[i].a == b))
            return n->answers[i];
    return NULL;
}

// The defender has placed both stones.
static inline bool proof_replied(struct proof_check *c, const struct proof_node *n, int a, int b,
                                 const union game_state *state) {
    c->tried++;
    if (game_is_over(c->game, state))
        return proof_won(c, state) || proof_fail(c, "the defender has not lost", state);
    const struct proof_node *answer = proof_answer(n, a, b);
    if (answer)
        return proof_try(c, answer, state);
    return proof_threat_wins(c, n, a, b, state) || proof_fail(c, "no threat is left", state);
}

// The attacker's stones, and then everything that the defender can do.
static inline bool proof_try(struct proof_check *c, const struct proof_node *n,
                             const union game_state *given) {
    union game_state state = *given;
    move first[361], second[361];
    if (!proof_play(c->game, &state, n->stones))
        return proof_fail(c, "a stone is illegal", given);
    if (game_is_over(c->game, &state))
        return proof_won(c, &state) || proof_fail(c, "the attacker has not won", &state);
    if (c->game->turn(&state) == c->attacker)
        return proof_fail(c, "a stone is missing", &state);
    const int n1 = c->game->moves(&state, first);
    for (int i = 0; i < n1; i++) {
        union game_state one = state;
        c->game->apply(&one, first[i]);
        if (game_is_over(c->game, &one)) {
            if (!proof_won(c, &one))
                return proof_fail(c, "the defender has not lost", &one);
            continue;
        }
        const int n2 = c->game->moves(&one, second);
        for (int k = 0; k < n2; k++) {
            if (second[k] < first[i])
                continue;
            union game_state two = one;
            c->game->apply(&two, second[k]);
            if (!proof_replied(c, n, (int)first[i], (int)second[k], &two))
                return false;
        }
    }
    return true;
}
