// SPDX-License-Identifier: MIT
// Edmonds' algorithm. From somebody without a partner a tree of alternating paths is grown breadth
// first; an odd cycle is a blossom, whose members all count as its base from then on; an unpaired
// player found outside ends a path along which partners are exchanged, and one pair more is made.
// What was paired before stays, so that after a small change little has to be done again.
#include "contest/schedule/matching.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct matching {
    int count;
    bool (*allowed)(const void *owner, int a, int b);
    const void *owner;
    int *partner; // or -1
    bool *removed;
    int *parent, *base, *queue; // of the search
    bool *reached, *in_blossom, *seen;
};

struct matching *matching_new(int count, bool (*allowed)(const void *owner, int a, int b),
                              const void *owner) {
    struct matching *m = mem_new(1, sizeof *m);
    const size_t n = (size_t)count;
    *m = (struct matching){.count = count, .allowed = allowed, .owner = owner};
    m->partner = mem_new(n, sizeof *m->partner);
    m->parent = mem_new(n, sizeof *m->parent);
    m->base = mem_new(n, sizeof *m->base);
    m->queue = mem_new(n, sizeof *m->queue);
    m->removed = mem_new(n, sizeof *m->removed);
    m->reached = mem_new(n, sizeof *m->reached);
    m->in_blossom = mem_new(n, sizeof *m->in_blossom);
    m->seen = mem_new(n, sizeof *m->seen);
    for (int i = 0; i < count; i++)
        m->partner[i] = -1;
    return m;
}

void matching_free(struct matching *m) {
    if (!m)
        return;
    free(m->partner);
    free(m->parent);
    free(m->base);
    free(m->queue);
    free(m->removed);
    free(m->reached);
    free(m->in_blossom);
    free(m->seen);
    free(m);
}

// The base of the smallest blossom that holds both.
static int common_base(struct matching *m, int a, int b) {
    memset(m->seen, 0, (size_t)m->count * sizeof *m->seen);
    for (;;) {
        a = m->base[a];
        m->seen[a] = true;
        if (m->partner[a] < 0)
            break;
        a = m->parent[m->partner[a]];
    }
    for (b = m->base[b]; !m->seen[b]; b = m->base[m->parent[m->partner[b]]])
        ;
    return b;
}

static void mark_path(struct matching *m, int v, int base, int child) {
    while (m->base[v] != base) {
        m->in_blossom[m->base[v]] = m->in_blossom[m->base[m->partner[v]]] = true;
        m->parent[v] = child;
        child = m->partner[v];
        v = m->parent[m->partner[v]];
    }
}

// Makes one of the odd cycle through the edge v-w; returns the new end of the queue.
static int shrink(struct matching *m, int v, int w, int last) {
    const int base = common_base(m, v, w);
    memset(m->in_blossom, 0, (size_t)m->count * sizeof *m->in_blossom);
    mark_path(m, v, base, w);
    mark_path(m, w, base, v);
    for (int i = 0; i < m->count; i++) {
        if (!m->in_blossom[m->base[i]])
            continue;
        m->base[i] = base;
        if (!m->reached[i]) {
            m->reached[i] = true;
            m->queue[last++] = i;
        }
    }
    return last;
}

// The end of a path from `root` to somebody without a partner, or -1.
static int find_path(struct matching *m, int root) {
    int first = 0, last = 0;
    for (int i = 0; i < m->count; i++) {
        m->parent[i] = -1;
        m->base[i] = i;
        m->reached[i] = false;
    }
    m->reached[root] = true;
    m->queue[last++] = root;
    while (first < last) {
        const int v = m->queue[first++];
        for (int w = 0; w < m->count; w++) {
            if (m->removed[w] || w == v || m->base[v] == m->base[w] || m->partner[v] == w ||
                !m->allowed(m->owner, v, w))
                continue;
            if (w == root || (m->partner[w] >= 0 && m->parent[m->partner[w]] >= 0)) {
                last = shrink(m, v, w, last);
            } else if (m->parent[w] < 0) {
                m->parent[w] = v;
                if (m->partner[w] < 0)
                    return w;
                m->reached[m->partner[w]] = true;
                m->queue[last++] = m->partner[w];
            }
        }
    }
    return -1;
}

// Somebody without a partner whom the player may meet, or -1.
static int find_free(const struct matching *m, int player) {
    for (int w = 0; w < m->count; w++)
        if (w != player && m->partner[w] < 0 && !m->removed[w] && m->allowed(m->owner, player, w))
            return w;
    return -1;
}

static bool pair_off(struct matching *m, int player) {
    const int other = find_free(m, player); // mostly there is one, and no path is needed
    if (other >= 0) {
        m->partner[player] = other;
        m->partner[other] = player;
        return true;
    }
    int end = find_path(m, player);
    if (end < 0)
        return false;
    while (end >= 0) {
        const int before = m->parent[end], next = m->partner[before];
        m->partner[end] = before;
        m->partner[before] = end;
        end = next;
    }
    return true;
}

bool matching_complete(struct matching *m) {
    for (int i = 0; i < m->count; i++)
        if (!m->removed[i] && m->partner[i] < 0 && !pair_off(m, i))
            return false;
    return true;
}

void matching_remove(struct matching *m, int player) {
    m->removed[player] = true;
    if (m->partner[player] >= 0)
        m->partner[m->partner[player]] = -1;
    m->partner[player] = -1;
}

void matching_restore(struct matching *m, int player) { m->removed[player] = false; }
