// SPDX-License-Identifier: MIT
// A position has two numbers: how many positions at least must be shown to be won before it is won
// itself, and how many to be without a win before it has none. The search goes down where the
// attacker's turn has the least of the first and the defender's answer the least of the second, and
// comes back when another way has become the better one (df-pn).
//
// Against a turn that one stone stops the defender has a free stone. The attacker must first win
// when it is not placed at all; that win has a zone (solver.c), and then he must win with the free
// stone on each of its cells.
#include "engine/connect6/prover.h"

#include "base/mem.h"
#include "engine/connect6/pairs.h"

#include <assert.h>
#include <stdlib.h>

enum {
    NUMBERS = 1 << 17, // positions whose numbers are kept
    PROOFS = 1 << 15,  // and those that are won
    NEVER = 1 << 28,
    DEPTH_MAX = 16,                          // turns
    EXTRA_MAX = 3,                           // stones that a zone stands for at most
    FREE_MAX = 48,                           // places of a free stone that are tried at most
    SECONDS_MAX = 12,                        // second stones, where the first must stop a threat
    TRIES_MAX = COVERS_MAX * (FREE_MAX + 1), // more than PAIRS_MAX
    ROOM = 8, // empty cells that must be left on the board when a win is claimed

    // What is thought of a turn before it is tried: how much must be shown.
    DOUBLE = 3, // two stones stop it
    SINGLE = 6, // one does
    RANKS = 8,  // one more for so many that look better
    ALIKE = 4,  // one more for so many free stones beside the hardest
    LONGER = 4, // a way is gone on with until it is a quarter worse than the next
};

struct numbers {
    uint32_t proof, disproof;
};

struct kept_numbers {
    uint64_t key;
    struct numbers numbers;
};

struct kept_proof {
    uint64_t key;
    struct forced forced;
};

struct prover6 {
    struct board6 *board;
    struct stop *stop;
    uint64_t *nodes;
    uint64_t end; // of the budget
    bool ended;
    int attacker, depth; // turns so far
    struct kept_numbers *numbers;
    struct kept_proof *proofs; // pairs of places, the newer first
    uint64_t salt;             // of the keys
};

// A turn of the attacker, or an answer, with the numbers of what it leads to.
struct try {
    int16_t a, b; // b may be NO_CELL
    int extra;    // stones that the defender may have elsewhere after it
    bool is_free; // with a free stone, which could lie elsewhere
    uint64_t key;
    struct numbers numbers;
};

struct tries {
    struct try list[TRIES_MAX];
    int count;
};

static struct numbers attack(struct prover6 *p, int extra, int stones, struct numbers until);

static void lay(struct prover6 *p, int cell, int player) {
    board_lay(p->board, cell, player);
    ++*p->nodes;
    if (stop_due(p->stop, *p->nodes) || *p->nodes >= p->end)
        p->ended = true;
}

static uint64_t key_of(const struct prover6 *p, int extra, int stones) {
    const uint64_t salt = (uint64_t)(p->attacker + 2 * extra + 8 * stones + 1);
    return salt * UINT64_C(0x9e3779b97f4a7c15) ^ p->salt;
}

// Of the attacker's turn that begins after these stones of the player.
static uint64_t key_after(const struct prover6 *p, const struct try *t, int player, int stones) {
    const struct board6 *b = p->board;
    const uint64_t second = t->b == NO_CELL ? 0 : b->salt[player][t->b];
    return key_of(p, t->extra, stones) ^ b->hash ^ b->salt[player][t->a] ^ second;
}

static struct kept_proof *find_proof(const struct prover6 *p, uint64_t key) {
    struct kept_proof *pair = &p->proofs[key % (PROOFS / 2) * 2];
    return pair[0].key == key ? &pair[0] : pair[1].key == key ? &pair[1] : NULL;
}

static void keep_proof(struct prover6 *p, uint64_t key, const struct forced *forced) {
    struct kept_proof *pair = &p->proofs[key % (PROOFS / 2) * 2];
    if (pair[0].key != key)
        pair[1] = pair[0];
    pair[0] = (struct kept_proof){.key = key, .forced = *forced};
}

// A win is kept with its proof alone.
static void keep_numbers(struct prover6 *p, uint64_t key, struct numbers numbers) {
    assert(numbers.proof > 0);
    p->numbers[key % NUMBERS] = (struct kept_numbers){key, numbers};
}

// What is known of it by now; what it was thought to be, if nothing is.
static void look_up(const struct prover6 *p, struct try *t) {
    const struct kept_numbers *kept = &p->numbers[t->key % NUMBERS];
    if (find_proof(p, t->key))
        t->numbers = (struct numbers){0, NEVER};
    else if (kept->key == t->key)
        t->numbers = kept->numbers;
    else if (t->numbers.proof == 0) // it was known, and is forgotten
        t->numbers = (struct numbers){1, 1};
}

static void look_up_all(const struct prover6 *p, struct tries *tries) {
    for (int i = 0; i < tries->count; i++)
        look_up(p, &tries->list[i]);
}

static uint32_t sum(uint32_t a, uint32_t b) { return a + b < NEVER ? a + b : NEVER; }

// Until when the best of several is gone on with: a little longer than until another is as good.
static uint32_t until_next(uint32_t until, uint32_t next) {
    const uint32_t most = sum(next, 1 + next / (uint32_t)LONGER);
    return most < until ? most : until;
}

// The share of one among several that add up.
static uint32_t until_share(uint32_t until, uint32_t all, uint32_t one) {
    return until >= NEVER ? NEVER : until > all ? until - all + one : one + 1;
}

static void add_try(struct tries *tries, int a, int b, int extra, uint32_t proof) {
    tries->list[tries->count++] = (struct try){.a = (int16_t)a,
                                               .b = (int16_t)b,
                                               .extra = extra,
                                               .numbers = {.proof = proof, .disproof = 1}};
}

// The best try of the attacker, and the numbers of all together; `next` gets the second best.
static int best_attack(const struct tries *tries, struct numbers *all, uint32_t *next) {
    int best = 0;
    *all = (struct numbers){NEVER, 0};
    *next = NEVER;
    for (int i = 0; i < tries->count; i++) {
        const struct try *t = &tries->list[i];
        all->disproof = sum(all->disproof, t->numbers.disproof);
        if (t->numbers.proof < all->proof) {
            *next = all->proof;
            all->proof = t->numbers.proof;
            best = i;
        } else if (t->numbers.proof < *next) {
            *next = t->numbers.proof;
        }
    }
    return best;
}

// The same of the defender. Free stones are many and mostly alike: the hardest counts, and a
// little for the others.
static int best_answer(const struct tries *tries, struct numbers *all, uint32_t *next) {
    uint32_t hardest = 0, others = 0;
    int best = 0;
    *all = (struct numbers){0, NEVER};
    *next = NEVER;
    for (int i = 0; i < tries->count; i++) {
        const struct try *t = &tries->list[i];
        if (!t->is_free) {
            all->proof = sum(all->proof, t->numbers.proof);
        } else if (t->numbers.proof > 0) {
            others++;
            hardest = t->numbers.proof > hardest ? t->numbers.proof : hardest;
        }
        if (t->numbers.disproof < all->disproof) {
            *next = all->disproof;
            all->disproof = t->numbers.disproof;
            best = i;
        } else if (t->numbers.disproof < *next) {
            *next = t->numbers.disproof;
        }
    }
    all->proof = sum(all->proof, hardest + others / (uint32_t)ALIKE);
    return best;
}

// An answer with a stone that alone stops all: without the free one, or if that is won with it on
// every cell that matters. False: these are too many.
static bool list_free(const struct prover6 *p, struct try alone, struct tries *tries) {
    int16_t cells[BOARD_CELLS];
    alone.b = NO_CELL;
    alone.key = key_after(p, &alone, 1 - p->attacker, 2);
    const struct kept_proof *proof = find_proof(p, alone.key);
    if (!proof) {
        tries->list[tries->count++] = alone;
        return true;
    }
    struct cells zone = proof->forced.zone;
    for (int i = 0; i < BOARD_WORDS; i++)
        zone.word[i] &= p->board->empties.word[i];
    cells_drop(&zone, alone.a);
    const int n = cells_list(&zone, cells);
    for (int i = 0; i < n && n <= FREE_MAX; i++) {
        add_try(tries, alone.a, cells[i], alone.extra - 1, 1);
        tries->list[tries->count - 1].is_free = true;
    }
    return n <= FREE_MAX;
}

// All answers to threats; false: they are too many, or no zone can stand for so many stones.
static bool list_answers(const struct prover6 *p, const struct covers *covers, int extra,
                         struct tries *tries) {
    tries->count = 0;
    for (int i = 0; i < covers->count; i++) {
        const struct stone_cover c = covers->list[i];
        const struct try alone = {.a = c.a, .extra = extra + 1, .numbers = {1, 1}};
        if (c.b != NO_CELL)
            add_try(tries, c.a, c.b, extra, 1);
        else if (extra == EXTRA_MAX || !list_free(p, alone, tries))
            return false;
    }
    for (int i = 0; i < tries->count; i++)
        tries->list[i].key = key_after(p, &tries->list[i], 1 - p->attacker, 2);
    look_up_all(p, tries);
    return true;
}

// An answer lies; the attacker goes on.
static void answer(struct prover6 *p, const struct try *t, struct numbers until) {
    struct board6 *b = p->board;
    const int defender = 1 - p->attacker;
    lay(p, t->a, defender);
    if (t->b != NO_CELL && board_forbidden(b, defender, t->b)) { // an overline of his ends it
        keep_proof(p, t->key, &(struct forced){.a = NO_CELL, .b = NO_CELL, .turns = 0});
        board_lift(b, t->a, defender);
        return;
    }
    if (t->b != NO_CELL)
        lay(p, t->b, defender);
    board_learn_side(b, t->a, p->attacker);
    if (t->b != NO_CELL)
        board_learn_side(b, t->b, p->attacker);
    attack(p, t->extra, 2, until);
    if (t->b != NO_CELL)
        board_unlearn(b, t->b);
    board_unlearn(b, t->a);
    if (t->b != NO_CELL)
        board_lift(b, t->b, defender);
    board_lift(b, t->a, defender);
}

// All answers are won: how long that takes, and its zone.
static void join_answers(const struct prover6 *p, const struct covers *covers, int extra,
                         const struct tries *tries, struct forced *forced) {
    forced->turns = 1;
    for (int i = 0; i < tries->count; i++) {
        const struct kept_proof *proof = find_proof(p, tries->list[i].key);
        if (proof && proof->forced.turns > forced->turns)
            forced->turns = proof->forced.turns;
        if (proof && extra)
            cells_join(&forced->zone, &proof->forced.zone);
    }
    for (int i = 0; extra && i < covers->count; i++) {
        const struct try alone = {.a = covers->list[i].a, .b = NO_CELL, .extra = extra + 1};
        const struct kept_proof *proof =
            covers->list[i].b == NO_CELL ? find_proof(p, key_after(p, &alone, 1 - p->attacker, 2))
                                         : NULL;
        if (proof)
            cells_join(&forced->zone, &proof->forced.zone);
    }
}

static bool is_freed(const struct prover6 *p, const struct try *t) {
    return t->b == NO_CELL && find_proof(p, t->key);
}

// The attacker's stones lie and are learned. Tries the answers until they are all won, one is not,
// or enough is known.
static struct numbers defend(struct prover6 *p, const struct covers *covers, int extra,
                             struct numbers until, struct forced *forced) {
    struct tries tries;
    struct numbers all;
    uint32_t next;
    if (!list_answers(p, covers, extra, &tries))
        return (struct numbers){NEVER, 0};
    for (;;) {
        int best = best_answer(&tries, &all, &next);
        if (all.proof == 0) { // if none of the proofs is forgotten by now
            look_up_all(p, &tries);
            best = best_answer(&tries, &all, &next);
        }
        if (all.proof == 0 || all.disproof == 0 || all.proof >= until.proof ||
            all.disproof >= until.disproof || p->ended)
            break;
        struct try *t = &tries.list[best];
        const struct numbers share = {until_share(until.proof, all.proof, t->numbers.proof),
                                      until_next(until.disproof, next)};
        answer(p, t, share);
        look_up(p, t);
        if (is_freed(p, t) && !list_answers(p, covers, extra, &tries))
            return (struct numbers){NEVER, 0};
    }
    if (all.proof == 0)
        join_answers(p, covers, extra, &tries, forced);
    return all;
}

// The attacker's stones lie; each is to be learned here, or is NO_CELL. His turn is over.
static struct numbers press(struct prover6 *p, const struct try *t, struct numbers until,
                            struct forced *forced) {
    struct board6 *b = p->board;
    struct threats counter;
    struct covers covers;
    threats_find(b, 1 - p->attacker, &counter);
    covers_find(b, 1 - p->attacker, 2, &covers);
    if (b->left < ROOM || counter.count || covers.stones == 0 || p->depth >= DEPTH_MAX)
        return (struct numbers){NEVER, 0};
    for (int i = 0; t->extra && i < covers.threats.count; i++) {
        cells_add(&forced->zone, covers.threats.list[i].a);
        if (covers.threats.list[i].b != NO_CELL)
            cells_add(&forced->zone, covers.threats.list[i].b);
    }
    forced->turns = 1;
    if (covers.count == 0)
        return (struct numbers){0, NEVER};
    if (t->a != NO_CELL)
        board_learn_side(b, t->a, p->attacker);
    if (t->b != NO_CELL)
        board_learn_side(b, t->b, p->attacker);
    p->depth++;
    const struct numbers found = defend(p, &covers, t->extra, until, forced);
    p->depth--;
    if (t->b != NO_CELL)
        board_unlearn(b, t->b);
    if (t->a != NO_CELL)
        board_unlearn(b, t->a);
    return found;
}

// Tries one turn of the attacker; if it wins, gives the win.
static void try_turn(struct prover6 *p, const struct try *t, struct numbers until,
                     struct forced *forced) {
    struct board6 *b = p->board;
    struct forced then = {.a = t->a, .b = t->b};
    struct numbers found = {NEVER, 0};
    lay(p, t->a, p->attacker);
    const bool whole = t->b == NO_CELL || !board_forbidden(b, p->attacker, t->b);
    if (whole && t->b != NO_CELL)
        lay(p, t->b, p->attacker);
    if (whole)
        found = press(p, t, until, &then);
    if (whole && t->b != NO_CELL)
        board_lift(b, t->b, p->attacker);
    board_lift(b, t->a, p->attacker);
    if (found.proof == 0) {
        cells_add(&then.zone, t->a);
        if (t->b != NO_CELL)
            cells_add(&then.zone, t->b);
        then.turns++;
        *forced = then;
    }
    if (found.proof > 0 && (!p->ended || found.disproof == 0))
        keep_numbers(p, t->key, found);
}

// Second stones beside a first that stops the defender's threats.
static void list_seconds(struct prover6 *p, int first, int extra, struct tries *tries) {
    struct board6 *b = p->board;
    struct choices seconds = {.count = 0};
    struct covers covers;
    lay(p, first, p->attacker);
    board_learn_side(b, first, p->attacker);
    covers_find(b, 1 - p->attacker, 2, &covers);
    const bool any = covers.stones > 0;
    const uint32_t shapes = shapes_from(any ? SHAPE_LIVE2 : SHAPE_THREAT);
    const struct cells *from = any ? &b->empties : &b->hot[p->attacker];
    for (int i = 0; i < BOARD_WORDS; i++)
        for (uint64_t rest = from->word[i]; rest; rest &= rest - 1) {
            const int cell = i * 64 + __builtin_ctzll(rest);
            if ((board_shapes(b, p->attacker, cell) & shapes) &&
                !board_forbidden(b, p->attacker, cell))
                choices_add(&seconds, SECONDS_MAX, cell, pairs_promise(b, p->attacker, cell));
        }
    board_unlearn(b, first);
    board_lift(b, first, p->attacker);
    for (int i = 0; i < seconds.count && tries->count < PAIRS_MAX; i++)
        add_try(tries, first, seconds.cell[i], extra, (uint32_t)(DOUBLE + i / RANKS));
}

static void list_singles(struct prover6 *p, int extra, struct tries *tries) {
    const struct board6 *b = p->board;
    struct choices cells = {.count = 0};
    for (int i = 0; i < BOARD_WORDS; i++)
        for (uint64_t rest = b->hot[p->attacker].word[i]; rest; rest &= rest - 1) {
            const int cell = i * 64 + __builtin_ctzll(rest);
            if (!board_forbidden(b, p->attacker, cell))
                choices_add(&cells, CHOICES_MAX, cell, pairs_promise(b, p->attacker, cell));
        }
    for (int i = 0; i < cells.count; i++)
        add_try(tries, cells.cell[i], NO_CELL, extra, 1);
}

static void list_pairs(struct prover6 *p, int extra, struct tries *tries) {
    struct stone_pairs pairs;
    pairs_find(p->board, p->attacker, 1, &pairs);
    for (int i = 0; i < pairs.count; i++) {
        const int threats = pairs.list[i].threats;
        const int proof = threats > 2 ? 1 : (threats == 2 ? DOUBLE : SINGLE) + i / RANKS;
        add_try(tries, pairs.list[i].a, pairs.list[i].b, extra, (uint32_t)proof);
    }
}

// The turns that make threats, and stop those of the defender.
static void list_turns(struct prover6 *p, int extra, int stones, struct tries *tries) {
    struct covers covers;
    tries->count = 0;
    covers_find(p->board, p->attacker, stones, &covers);
    for (int i = 0; i < covers.count; i++) {
        const struct stone_cover c = covers.list[i];
        if (stones == 1 || c.b != NO_CELL)
            add_try(tries, c.a, c.b, extra, 1);
        else
            list_seconds(p, c.a, extra, tries);
    }
    if (covers.stones == 0 && stones == 1)
        list_singles(p, extra, tries);
    else if (covers.stones == 0)
        list_pairs(p, extra, tries);
    for (int i = 0; i < tries->count; i++)
        tries->list[i].key = key_after(p, &tries->list[i], p->attacker, 3);
    look_up_all(p, tries);
}

static bool wins_now(const struct prover6 *p, int stones, struct forced *forced) {
    const struct threat t = threats_six(p->board, p->attacker, stones);
    if (t.a == NO_CELL)
        return false;
    *forced = (struct forced){.a = t.a, .b = t.b, .turns = 1};
    cells_add(&forced->zone, t.a);
    if (t.b != NO_CELL)
        cells_add(&forced->zone, t.b);
    return true;
}

// The attacker's turn begins. What is found is kept.
static struct numbers attack(struct prover6 *p, int extra, int stones, struct numbers until) {
    const uint64_t key = key_of(p, extra, stones) ^ p->board->hash;
    struct tries tries;
    struct numbers all;
    struct forced forced = {.turns = 0};
    uint32_t next;
    if (wins_now(p, stones, &forced)) {
        keep_proof(p, key, &forced);
        return (struct numbers){0, NEVER};
    }
    list_turns(p, extra, stones, &tries);
    for (;;) {
        const int best = best_attack(&tries, &all, &next);
        if (all.disproof == 0 || all.proof >= until.proof || all.disproof >= until.disproof ||
            p->ended)
            break;
        struct try *t = &tries.list[best];
        const struct numbers share = {
            until_next(until.proof, next),
            until_share(until.disproof, all.disproof, t->numbers.disproof)};
        try_turn(p, t, share, &forced);
        look_up(p, t);
        if (forced.turns > 0) {
            if (extra)
                windows_add(p->board, 1 - p->attacker, 4 - extra, &forced.zone);
            keep_proof(p, key, &forced);
            return (struct numbers){0, NEVER};
        }
    }
    if (!p->ended || all.disproof == 0)
        keep_numbers(p, key, all);
    return all;
}

struct prover6 *prover_new(struct board6 *board, struct stop *stop, uint64_t *nodes) {
    struct prover6 *p = mem_new(1, sizeof *p);
    p->board = board;
    p->stop = stop;
    p->nodes = nodes;
    p->numbers = mem_new(NUMBERS, sizeof *p->numbers);
    p->proofs = mem_new(PROOFS, sizeof *p->proofs);
    return p;
}

void prover_free(struct prover6 *p) {
    if (!p)
        return;
    free(p->numbers);
    free(p->proofs);
    free(p);
}

void prover_forget(struct prover6 *p) { p->salt = (p->salt + 1) * UINT64_C(0xd1342543de82ef95); }

bool prover_win(struct prover6 *p, const struct quest *q, struct forced *forced) {
    const struct try over = {.a = NO_CELL, .b = NO_CELL, .extra = q->extra};
    const struct numbers always = {NEVER, NEVER};
    assert(q->stones >= 0 && q->stones <= 2 && q->extra >= 0 && q->extra <= EXTRA_MAX);
    p->attacker = q->attacker;
    p->ended = false;
    p->end = *p->nodes + q->budget;
    p->depth = 0;
    if (q->stones == 0) {
        *forced = (struct forced){.a = NO_CELL, .b = NO_CELL};
        const bool won = press(p, &over, always, forced).proof == 0;
        forced->turns++;
        return won;
    }
    const uint64_t key = key_of(p, q->extra, q->stones) ^ p->board->hash;
    attack(p, q->extra, q->stones, always);
    const struct kept_proof *proof = find_proof(p, key);
    if (proof)
        *forced = proof->forced;
    return proof;
}
