// SPDX-License-Identifier: MIT
// struct game in front of a module of rules. This file is no part of the program: it is compiled
// with the code that wasm2c makes of a module (make.c), into an object that exports one `native`.
//
// The module's memory is an array whose bounds are checked at every access, so the rules reach
// nothing of ours. A state is copied in, and out again where it changes. Each thread has an
// instance of its own. What the rules answer is believed only as far as our memory is safe, and
// callers can go on: whoever is named as the winner is somebody, and who is to move has a move.
// There is no way back from a failure: the host ends the process, which is there for one game
// alone.
#include "folder/native.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The names that wasm2c gives the module.
#define MODULE(name) Z_rulesZ_##name
#define CALL(t, name, ...) MODULE(wasm_##name)(&(t)->instance, ##__VA_ARGS__)

// The facts that are needed at every call are constants of the object; where the facts themselves
// are asked for, nothing else is.
#ifndef STATE_SIZE
#define STATE_SIZE 1
#define MOVES_MAX 1
#define DISTINCT_MOVES 1
#endif

enum {
    PAGE = 65536,
    BUFFER_LEAST = 65536,
    PAGES_MAX = 1024,  // 64 MiB
    TABLE_MAX = 65536, // functions
    TYPES_MAX = 4096,
    WHYS = 8, // reasons that a caller may look at, at once
};

struct thread {
    struct native_thread seen;
    atomic_bool taken;    // by a thread that lives; what one leaves behind the next one takes
    char *buffer, *state; // in the module's memory, which never moves
    uint32_t buffer_size;
    char why[WHYS][WHY_TEXT_MAX];
    _Alignas(8) uint32_t whys;
    uint32_t depth; // just before the instance: wasm_rt.h
    Z_rules_instance_t instance;
};
_Static_assert(offsetof(struct thread, depth) + sizeof(uint32_t) ==
                   offsetof(struct thread, instance),
               "the depth stands just before the instance");

__attribute__((visibility("default"))) extern struct native native;

static _Thread_local struct thread *own;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; // tells of a thread's end

_Noreturn static void fail(const char *why) {
    const char *call = own ? own->seen.within : NULL;
    native.host->failed(call ? call : "start", why);
}

// What wasm2c's code asks of its surroundings.

bool wasm_rt_is_initialized(void) { return true; }

void wasm_rt_trap(wasm_rt_trap_t trap) {
    fail(trap == WASM_RT_TRAP_OOB             ? "it reads or writes outside of its memory"
         : trap == WASM_RT_TRAP_DIV_BY_ZERO   ? "it divides by zero"
         : trap == WASM_RT_TRAP_INT_OVERFLOW  ? "a number is too large"
         : trap == WASM_RT_TRAP_CALL_INDIRECT ? "it calls what is no function"
         : trap == WASM_RT_TRAP_EXHAUSTION    ? "it calls itself without end"
                                              : "it has given up");
}

void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint32_t pages, uint32_t most) {
    if (pages > PAGES_MAX)
        fail("it needs more than 64 MiB of memory");
    memory->pages = pages;
    memory->max_pages = most < PAGES_MAX ? most : PAGES_MAX;
    memory->size = pages * PAGE;
    memory->data = calloc(pages ? pages : 1, PAGE);
    if (!memory->data)
        fail("there is no memory left for it");
}

// Memory stays as it is: the code of the module is made for its size (make.c).
uint32_t wasm_rt_grow_memory(wasm_rt_memory_t *memory, uint32_t delta) {
    return delta == 0 ? memory->pages : UINT32_MAX;
}

void wasm_rt_free_memory(wasm_rt_memory_t *memory) { free(memory->data); }

void wasm_rt_allocate_funcref_table(wasm_rt_funcref_table_t *table, uint32_t count, uint32_t most) {
    if (count > TABLE_MAX)
        fail("it has too many functions");
    table->size = count;
    table->max_size = most;
    table->data = calloc(count ? count : 1, sizeof *table->data);
    if (!table->data)
        fail("there is no memory left for it");
}

void wasm_rt_free_funcref_table(wasm_rt_funcref_table_t *table) { free(table->data); }

// A number for each list of types, the same for equal ones.
uint32_t wasm_rt_register_func_type(uint32_t params, uint32_t results, ...) {
    static struct {
        uint32_t params, results;
        uint8_t types[64];
    } known[TYPES_MAX];
    static uint32_t count;
    uint8_t types[64] = {0};
    if (params + results > sizeof types || count == TYPES_MAX)
        fail("its functions take too many values");
    va_list list;
    va_start(list, results);
    for (uint32_t i = 0; i < params + results; i++)
        types[i] = (uint8_t)va_arg(list, int);
    va_end(list);
    for (uint32_t i = 0; i < count; i++)
        if (known[i].params == params && known[i].results == results &&
            memcmp(known[i].types, types, sizeof types) == 0)
            return i + 1;
    known[count].params = params;
    known[count].results = results;
    memcpy(known[count].types, types, sizeof types);
    return ++count;
}

// Threads and their instances.

static void *at(struct thread *t, uint32_t address, uint32_t size) {
    const wasm_rt_memory_t *memory = MODULE(memory)(&t->instance);
    if (address > memory->size || size > memory->size - address)
        fail("it names a place outside of its memory");
    return memory->data + address;
}

static void leave_behind(void *thread) { atomic_store(&((struct thread *)thread)->taken, false); }

static void prepare(void) {
    Z_rules_init_module();
    pthread_key_create(&key, leave_behind);
}

// One that a thread has left behind; NULL: there is none.
static struct thread *find_thread(void) {
    struct native_thread *seen = atomic_load(&native.threads);
    bool taken = true;
    while (seen && taken) {
        taken = atomic_exchange(&((struct thread *)seen)->taken, true);
        if (taken)
            seen = seen->next;
    }
    return (struct thread *)seen;
}

static struct thread *new_thread(const char *call) {
    struct thread *t = calloc(1, sizeof *t);
    if (!t)
        native.host->failed(call, "there is no memory left for it");
    own = t;
    t->seen.within = call;
    t->taken = true;
    Z_rules_instantiate(&t->instance);
    t->buffer_size = CALL(t, buffer_size);
    t->buffer = at(t, CALL(t, buffer), t->buffer_size);
    t->state = at(t, CALL(t, state), GAME_STATE_MAX);
    if (t->buffer_size < BUFFER_LEAST)
        fail("its buffer is smaller than 65536 bytes");
    CALL(t, open, 0);
    t->seen.next = atomic_load(&native.threads);
    while (!atomic_compare_exchange_weak(&native.threads, &t->seen.next, &t->seen)) {
    }
    return t;
}

static struct thread *begin_thread(const char *call) {
    pthread_once(&once, prepare);
    own = find_thread();
    if (!own)
        own = new_thread(call);
    pthread_setspecific(key, own);
    return own;
}

static inline struct thread *enter(const char *call) {
    struct thread *t = own ? own : begin_thread(call);
    t->seen.within = call;
    t->seen.calls++;
    return t;
}

static inline void leave(struct thread *t) { t->seen.within = NULL; }

static inline struct thread *enter_at(const char *call, const void *state) {
    struct thread *t = enter(call);
    memcpy(t->state, state, STATE_SIZE);
    return t;
}

static void put_words(struct thread *t, const char *words) {
    const size_t length = strlen(words);
    if (length >= t->buffer_size) // never: callers' texts are shorter
        fail("a text is too long for it");
    memcpy(t->buffer, words, length + 1);
}

// What stands in the buffer: lines where they are wanted, and else printable letters alone.
static void take_words(struct thread *t, char *text, size_t size, bool lines) {
    const char *words = t->buffer;
    const size_t length = strnlen(words, t->buffer_size);
    if (length >= size)
        fail("its text is too long");
    for (size_t i = 0; i < length; i++) {
        const char c = words[i];
        text[i] = (unsigned char)c >= ' ' && c != 127 ? c
                  : lines && (c == '\n' || c == 27)   ? c
                                                      : '?';
    }
    text[length] = '\0';
}

// A reason stays as it is until so many others were asked for.
static const char *take_why(struct thread *t) {
    char *why = t->why[t->whys++ % (unsigned)WHYS], words[4096];
    take_words(t, words, sizeof words, false);
    snprintf(why, WHY_TEXT_MAX, "%s", *words ? words : "the rules refuse it");
    return why;
}

// The functions of struct game.

static bool start(void *state, const struct ruleset *rules, const char *position,
                  char why[static WHY_TEXT_MAX]) {
    struct thread *t = enter("start");
    bool good = true;
    CALL(t, open, 0);
    for (int i = 0; good && i < native.game.rule_count; i++) {
        char words[RULE_TEXT_MAX + 256];
        snprintf(words, sizeof words, "%.200s=%s", native.game.rules[i].key, rules->text[i]);
        put_words(t, words);
        good = CALL(t, set);
    }
    if (good && position && strlen(position) >= STATE_TEXT_MAX) {
        snprintf(why, WHY_TEXT_MAX, "a position has at most %d letters", STATE_TEXT_MAX - 1);
        leave(t);
        return false;
    }
    if (good)
        put_words(t, position ? position : "");
    good = good && CALL(t, begin);
    if (good)
        memcpy(state, t->state, STATE_SIZE);
    else
        snprintf(why, WHY_TEXT_MAX, "%s", take_why(t));
    leave(t);
    return good;
}

static int turn(const void *state) {
    struct thread *t = enter_at("turn", state);
    const uint32_t turn = CALL(t, turn);
    if (turn > 2)
        fail("it names somebody who is not 1, 2 or 0");
    if (turn == 0 && CALL(t, count) != 0)
        fail("it says that the game is over, but count says that there are moves");
    leave(t);
    return (int)turn;
}

static int due(const void *state) {
    struct thread *t = enter_at("due", state);
    const int due = (int)CALL(t, due);
    if (due < 1 || due > native.game.plies_max)
        fail("it says that the rest of a turn holds no move, or too many");
    leave(t);
    return due;
}

static int count(const void *state) {
    struct thread *t = enter_at("count", state);
    const uint32_t count = CALL(t, count);
    if (count > (uint32_t)MOVES_MAX)
        fail("it counts more moves than moves_max");
    if (count == 0 && CALL(t, turn) != 0)
        fail("it counts no move, but turn says that somebody is to move");
    leave(t);
    return (int)count;
}

static move nth(const void *state, int n) {
    struct thread *t = enter_at("nth", state);
    const move m = CALL(t, nth, (uint32_t)n);
    if (m >= DISTINCT_MOVES)
        fail("it names a move that is not below distinct_moves");
    leave(t);
    return m;
}

static int moves(const void *state, move *list) {
    struct thread *t = enter_at("moves", state);
    const uint32_t count = CALL(t, moves);
    if (count > (uint32_t)MOVES_MAX)
        fail("it lists more moves than moves_max");
    if (count > t->buffer_size / sizeof *list)
        fail("it lists more moves than its buffer holds");
    memcpy(list, t->buffer, count * sizeof *list);
    for (uint32_t i = 0; i < count; i++)
        if (list[i] >= DISTINCT_MOVES)
            fail("it lists a move that is not below distinct_moves");
    leave(t);
    return (int)count;
}

static const char *illegal(const void *state, move m) {
    struct thread *t = enter_at("illegal", state);
    const char *why = CALL(t, legal, m) ? NULL : take_why(t);
    leave(t);
    return why;
}

static void apply(void *state, move m) {
    struct thread *t = enter_at("apply", state);
    CALL(t, apply, m);
    memcpy(state, t->state, STATE_SIZE);
    leave(t);
}

static struct outcome outcome(const void *state) {
    struct thread *t = enter_at("outcome", state);
    const uint32_t end = CALL(t, outcome);
    const struct outcome outcome = {.ending = (int)(end >> 2), .winner = (int)(end & 3)};
    if (outcome.winner > 2 || (end >> 2) >= (uint32_t)native.game.ending_count)
        fail("it names a winner who is not 0, 1 or 2, or an ending that the game does not list");
    leave(t);
    return outcome;
}

static void scores(const void *state, int out[static 2]) {
    struct thread *t = enter_at("scores", state);
    for (uint32_t i = 0; i < 2; i++)
        out[i] = (int)CALL(t, score, i + 1);
    leave(t);
}

static void write_move(const void *state, move m, char text[static MOVE_TEXT_MAX]) {
    struct thread *t = enter_at("write_move", state);
    CALL(t, write_move, m);
    take_words(t, text, MOVE_TEXT_MAX, false);
    leave(t);
}

static const char *read_move(const void *state, const char *text, move *m) {
    if (strlen(text) >= MOVE_TEXT_MAX)
        return "no move is so long";
    struct thread *t = enter_at("read_move", state);
    put_words(t, text);
    const char *why = CALL(t, read_move) ? NULL : take_why(t);
    if (!why)
        *m = CALL(t, last_read);
    leave(t);
    return why;
}

static void write_state(const void *state, char text[static STATE_TEXT_MAX]) {
    struct thread *t = enter_at("write_state", state);
    CALL(t, position);
    take_words(t, text, STATE_TEXT_MAX, false);
    leave(t);
}

static void draw(const void *state, bool colour, char text[static DRAW_TEXT_MAX]) {
    struct thread *t = enter_at("draw", state);
    CALL(t, draw, colour);
    take_words(t, text, DRAW_TEXT_MAX, true);
    leave(t);
}

// Tabs and line ends are what it is made of.
static void facts(char *text, size_t size) {
    struct thread *t = enter("facts");
    CALL(t, facts);
    const char *words = t->buffer;
    snprintf(text, size, "%.*s", (int)strnlen(words, t->buffer_size), words);
    leave(t);
}

struct native native = {
    .game = {.start = start,
             .turn = turn,
             .due = due,
             .count = count,
             .nth = nth,
             .moves = moves,
             .illegal = illegal,
             .apply = apply,
             .outcome = outcome,
             .scores = scores,
             .write_move = write_move,
             .read_move = read_move,
             .write_state = write_state,
             .draw = draw},
    .facts = facts,
};
