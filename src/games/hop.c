// SPDX-License-Identifier: MIT
// Chains cycle, so paths are without number and are never enumerated. What a piece can do is found
// breadth first over (square, set captured). All squares reached with the same set are one word,
// and a hop in each direction moves the whole word at once; only a capture looks at single squares,
// as it leads to another set. The search goes hop by hop, so that a limit on hops is exact.
#include "games/hop.h"

#include "games/bits.h"

uint64_t hop_neighbours(uint64_t squares) {
    return hop_shift(squares, HOP_UP) | hop_shift(squares, HOP_LEFT) |
           hop_shift(squares, HOP_RIGHT) | hop_shift(squares, HOP_DOWN);
}

uint64_t hop_movers(uint64_t own, uint64_t other) {
    const uint64_t taken = own | other;
    return hop_anywhere(~taken, taken, own); // a hop backwards, from where it would land
}

bool hop_can_return(uint64_t own, uint64_t other, int from, int max_hops) {
    return max_hops >= 2 && hop_anywhere(bit(from), own, ~(own | other)) != 0;
}

uint64_t hop_pieces_of_set(uint64_t other, hop_set set) {
    uint64_t found = 0;
    for (unsigned rest = set; rest; rest >>= 1, other &= other - 1)
        if (rest & 1)
            found |= other & -other;
    return found;
}

int hop_rank(uint64_t other, int square) { return bits_count(other & (bit(square) - 1)); }

// The place of a set in the arrays, a new one if it was not known.
static int place_of(struct hop_reach *r, hop_set set) {
    if (!(r->known[set / 64] & bit(set % 64))) {
        r->known[set / 64] |= bit(set % 64);
        r->place[set] = (uint16_t)r->count;
        r->set[r->count] = set;
        r->squares[r->count] = r->fresh[r->count] = r->next[r->count] = 0;
        r->count++;
    }
    return r->place[set];
}

// Makes the captures possible from the fresh squares of set number i.
static void capture(struct hop_reach *r, int i, uint64_t other, uint64_t left, uint64_t empty) {
    for (int d = 0; d < HOP_DIRECTIONS; d++)
        for (uint64_t land = hop_over(r->fresh[i], left, empty, d); land; land &= land - 1) {
            const int square = bits_first(land), rank = hop_rank(other, square - hop_step(d));
            r->next[place_of(r, (hop_set)(r->set[i] | 1u << rank))] |= bit(square);
        }
}

// Makes the squares of the next hop the fresh ones, as far as they are new; says if any is.
static bool advance(struct hop_reach *r) {
    uint64_t any = 0;
    for (int i = 0; i < r->count; i++) {
        r->fresh[i] = r->next[i] & ~r->squares[i];
        r->squares[i] |= r->fresh[i];
        r->next[i] = 0;
        any |= r->fresh[i];
    }
    return any != 0;
}

void hop_reach_find(struct hop_reach *r, uint64_t own, uint64_t other, int from, int max_hops) {
    const uint64_t still = own & ~bit(from); // the square it came from is empty during the chain
    r->count = 0;
    for (int i = 0; i < HOP_SETS / 64; i++)
        r->known[i] = 0;
    place_of(r, 0);
    r->squares[0] = r->fresh[0] = bit(from);
    bool more = true;
    for (int hops = 0; more && hops < max_hops; hops++) {
        for (int i = 0, count = r->count; i < count; i++) {
            if (!r->fresh[i])
                continue;
            const uint64_t left = other & ~hop_pieces_of_set(other, r->set[i]);
            const uint64_t empty = ~(still | left);
            r->next[i] |= hop_anywhere(r->fresh[i], still, empty);
            capture(r, i, other, left, empty);
        }
        more = advance(r);
    }
}

void hop_reach_sort(struct hop_reach *r) {
    for (int i = 1; i < r->count; i++) { // by insertion: they are few, and nearly in order
        const hop_set set = r->set[i];
        const uint64_t squares = r->squares[i];
        int k = i;
        for (; k > 0 && r->set[k - 1] > set; k--) {
            r->set[k] = r->set[k - 1];
            r->squares[k] = r->squares[k - 1];
        }
        r->set[k] = set;
        r->squares[k] = squares;
    }
}

// A square reached with a set captured, and from where.
struct reach_node {
    uint8_t square, hops;
    hop_set set;
    uint16_t parent; // in the queue
};

enum { NODES_MAX = HOP_SQUARES / 4 * HOP_SETS }; // hops keep the parity of row and column

static void trace(const struct reach_node *queue, int last, uint8_t *path) {
    for (int at = last, i = queue[last].hops; i >= 0; i--) {
        path[i] = queue[at].square;
        at = queue[at].parent;
    }
}

int hop_path(uint64_t own, uint64_t other, int from, struct hop_goal goal, int max_hops,
             uint8_t path[static HOP_COUNT_MAX + 1]) {
    // First in, first out, and from each square the smaller next: so nodes are met by the shortest
    // path, and among those by the smallest.
    struct reach_node queue[NODES_MAX + 1]; // one more for the way back to the start
    uint64_t seen[HOP_SETS] = {bit(from)};
    const uint64_t still = own & ~bit(from);
    int count = 1;
    queue[0] = (struct reach_node){.square = (uint8_t)from};
    for (int head = 0; head < count && queue[head].hops < max_hops; head++) {
        const struct reach_node at = queue[head];
        const uint64_t left = other & ~hop_pieces_of_set(other, at.set), empty = ~(still | left);
        for (int d = 0; d < HOP_DIRECTIONS; d++) {
            const uint64_t land = hop_over(bit(at.square), still | left, empty, d);
            if (!land)
                continue;
            struct reach_node next = {.square = (uint8_t)bits_first(land),
                                      .hops = (uint8_t)(at.hops + 1),
                                      .set = at.set,
                                      .parent = (uint16_t)head};
            const int over = next.square - hop_step(d);
            if (left & bit(over))
                next.set |= (hop_set)(1u << hop_rank(other, over));
            const bool found = next.square == goal.to && next.set == goal.set;
            if (!found && seen[next.set] & land)
                continue;
            seen[next.set] |= land;
            queue[count++] = next;
            if (found) {
                trace(queue, count - 1, path);
                return next.hops;
            }
        }
    }
    return 0;
}
