// SPDX-License-Identifier: MIT
// Hop, capture and race.
//
// A move is what it does to the board: the square left, the square reached, and the set of pieces
// captured. A chain that ends where it began is the same move whichever piece makes it, so it names
// no piece: both its squares are LOOP.
#include "games/hopchess.h"

#include "games/bits.h"
#include "games/grid.h"
#include "games/registry.h"

enum {
    SIDE = HOP_SIDE,
    SQUARES = HOP_SQUARES,
    LOOP = HOPCHESS_LOOP,
    MOVES_MAX = 500, // per player
    // A piece reaches the 16 squares of its parity by hops, with any set taken, and 4 by a step.
    PIECE_LEGAL_MAX = SQUARES / 4 * HOP_SETS + 4,
};

enum { RULE_MAX_HOPS, RULE_MAX_MOVES };

static const struct rule rules[] = {
    [RULE_MAX_HOPS] = {.key = "max_hops",
                       .standard = "99",
                       .help = "hops of one move, at most",
                       .min = 1,
                       .max = HOP_COUNT_MAX},
    [RULE_MAX_MOVES] = {.key = "max_moves",
                        .standard = "200",
                        .help = "moves per player, skipped turns counted, until the game ends",
                        .min = 1,
                        .max = MOVES_MAX},
};

static const uint64_t targets[] = {UINT64_C(0xc0c0c0c0c0c0c0c0), UINT64_C(0x0303030303030303)};

static int mover(const struct hopchess *s) { return s->turns % 2 + 1; }

static bool can_move(const struct hopchess *s, int player) {
    const uint64_t own = s->piece[player - 1], other = s->piece[2 - player];
    return (hop_neighbours(own) & ~(own | other)) || hop_movers(own, other);
}

// The sets that some chain captures and returns: a bit for each.
struct loops {
    uint64_t sets[HOP_SETS / 64];
};

static void loops_add(struct loops *l, hop_set set) { l->sets[set / 64] |= bit(set % 64); }

static bool loops_has(const struct loops *l, hop_set set) {
    return l->sets[set / 64] >> (set % 64) & 1;
}

// Walks through the mover's pieces in ascending order, and collects the loops on the way.
struct hop_walk {
    uint64_t own, other;
    uint64_t rest;    // pieces not yet visited
    uint64_t hoppers; // pieces that can hop
    int max_hops;
    int from;               // the piece visited
    uint64_t steps;         // where it can step
    int hops;               // moves it has by hopping, loops apart
    struct hop_reach reach; // of the piece, loops taken out; valid if hops > 0
    struct loops loops;
};

static void walk_init(struct hop_walk *w, const struct hopchess *s) {
    w->own = s->piece[mover(s) - 1];
    w->other = s->piece[2 - mover(s)];
    w->rest = w->own;
    w->hoppers = hop_movers(w->own, w->other);
    w->max_hops = s->max_hops;
    w->loops = (struct loops){{0}};
}

// Takes the start square out of what the piece reaches: those chains are loops.
static void walk_split(struct hop_walk *w) {
    const uint64_t start = bit(w->from);
    if (hop_can_return(w->own, w->other, w->from, w->max_hops))
        loops_add(&w->loops, 0);
    for (int i = 0; i < w->reach.count; i++) {
        if (i > 0 && (w->reach.squares[i] & start))
            loops_add(&w->loops, w->reach.set[i]);
        w->reach.squares[i] &= ~start;
        w->hops += bits_count(w->reach.squares[i]);
    }
}

static bool walk_next(struct hop_walk *w) {
    if (!w->rest)
        return false;
    w->from = bits_first(w->rest);
    w->rest &= w->rest - 1;
    w->steps = hop_neighbours(bit(w->from)) & ~(w->own | w->other);
    w->hops = 0;
    if (w->hoppers & bit(w->from)) {
        hop_reach_find(&w->reach, w->own, w->other, w->from, w->max_hops);
        walk_split(w);
    }
    return true;
}

static int from_of(move m) { return (int)(m >> 15); }
static int to_of(move m) { return (int)(m >> 9 & (SQUARES - 1)); }
static hop_set set_of(move m) { return m & (HOP_SETS - 1); }
static bool is_loop(move m) { return from_of(m) == to_of(m); }

// The moves of the piece visited, ascending: by the square reached, then by set.
static int walk_list(struct hop_walk *w, move *list) {
    int n = 0;
    uint64_t squares = w->steps;
    if (w->hops > 0) {
        hop_reach_sort(&w->reach);
        for (int i = 0; i < w->reach.count; i++)
            squares |= w->reach.squares[i];
    }
    for (; squares; squares &= squares - 1) {
        const int to = bits_first(squares);
        if (w->steps & bit(to)) { // no chain of hops leads to a neighbouring square
            list[n++] = hopchess_move(w->from, to, 0);
            continue;
        }
        for (int i = 0; i < w->reach.count; i++)
            if (w->reach.squares[i] & bit(to))
                list[n++] = hopchess_move(w->from, to, w->reach.set[i]);
    }
    return n;
}

static int loops_list(const struct loops *l, move *list) {
    int n = 0;
    for (int i = 0; i < HOP_SETS / 64; i++)
        for (uint64_t rest = l->sets[i]; rest; rest &= rest - 1)
            list[n++] = hopchess_move(LOOP, LOOP, (hop_set)(i * 64 + bits_first(rest)));
    return n;
}

// Ends the game, or gives the turn to whoever can move: a player who cannot is skipped, and that
// counts as a move.
static void settle(struct hopchess *s) {
    int home[2];
    for (int i = 0; i < 2; i++) {
        home[i] = bits_count(s->piece[i] & targets[i]);
        if (s->piece[i] && !(s->piece[i] & ~targets[i]))
            s->ending = ENDING_HOME;
    }
    if (s->ending == ENDING_RUNNING && s->turns < s->max_turns && !can_move(s, mover(s)))
        s->turns = can_move(s, side_other(mover(s))) ? (uint16_t)(s->turns + 1) : s->max_turns;
    if (s->ending == ENDING_RUNNING && s->turns >= s->max_turns)
        s->ending = ENDING_MOVES;
    if (s->ending != ENDING_RUNNING)
        s->winner = home[0] > home[1] ? 1 : home[0] < home[1] ? 2 : 0;
}

static int turn(const void *state) {
    const struct hopchess *s = state;
    return s->ending == ENDING_RUNNING ? mover(s) : 0;
}

static int count(const void *state) {
    const struct hopchess *s = state;
    if (s->ending != ENDING_RUNNING)
        return 0;
    struct hop_walk w;
    int n = 0;
    for (walk_init(&w, s); walk_next(&w);)
        n += bits_count(w.steps) + w.hops;
    for (int i = 0; i < HOP_SETS / 64; i++)
        n += bits_count(w.loops.sets[i]);
    return n;
}

static move nth(const void *state, int n) {
    struct hop_walk w;
    move list[PIECE_LEGAL_MAX];
    for (walk_init(&w, state); walk_next(&w);) {
        const int here = bits_count(w.steps) + w.hops;
        if (n < here) {
            walk_list(&w, list);
            return list[n];
        }
        n -= here;
    }
    loops_list(&w.loops, list);
    return list[n];
}

static int moves(const void *state, move *list) {
    const struct hopchess *s = state;
    if (s->ending != ENDING_RUNNING)
        return 0;
    struct hop_walk w;
    int n = 0;
    for (walk_init(&w, s); walk_next(&w);)
        n += walk_list(&w, list + n);
    return n + loops_list(&w.loops, list + n);
}

// Whether the piece visited can make this move, which is no loop.
static bool walk_has(const struct hop_walk *w, move m) {
    if (set_of(m) == 0 && (w->steps & bit(to_of(m))))
        return true;
    for (int i = 0; w->hops > 0 && i < w->reach.count; i++)
        if (w->reach.set[i] == set_of(m) && (w->reach.squares[i] & bit(to_of(m))))
            return true;
    return false;
}

static const char *illegal(const void *state, move m) {
    const struct hopchess *s = state;
    if (s->ending != ENDING_RUNNING)
        return "the game is over";
    if (m >= hopchess_move(SQUARES, 0, 0) || (is_loop(m) && from_of(m) != LOOP))
        return "no such move";
    struct hop_walk w;
    walk_init(&w, s);
    if (is_loop(m)) {
        while (walk_next(&w))
            ;
        return loops_has(&w.loops, set_of(m)) ? NULL : "no chain of hops does that";
    }
    w.rest &= bit(from_of(m));
    if (!walk_next(&w))
        return "no piece of the mover stands there";
    return walk_has(&w, m) ? NULL : "no step or chain of hops does that";
}

static void apply(void *state, move m) {
    struct hopchess *s = state;
    uint64_t *own = &s->piece[mover(s) - 1], *other = &s->piece[2 - mover(s)];
    if (m != MOVE_PASS) {
        *other &= ~hop_pieces_of_set(*other, set_of(m));
        if (!is_loop(m))
            *own ^= bit(from_of(m)) | bit(to_of(m));
    }
    s->turns++;
    settle(s);
}

static struct outcome outcome(const void *state) {
    const struct hopchess *s = state;
    return (struct outcome){.ending = s->ending, .winner = s->winner};
}

static void scores(const void *state, int out[static 2]) {
    const struct hopchess *s = state;
    for (int i = 0; i < 2; i++)
        out[i] = bits_count(s->piece[i] & targets[i]);
}

// The path of a loop: any piece may make it, the shortest path counts, then the smallest.
static int loop_path(const struct hopchess *s, uint64_t own, uint64_t other, hop_set set,
                     uint8_t path[static HOP_COUNT_MAX + 1]) {
    int best = 0;
    for (uint64_t rest = own; rest; rest &= rest - 1) {
        uint8_t found[HOP_COUNT_MAX + 1];
        const int from = bits_first(rest);
        const int hops =
            hop_path(own, other, from, (struct hop_goal){from, set}, s->max_hops, found);
        if (hops == 0 || (best > 0 && hops >= best))
            continue;
        best = hops;
        for (int i = 0; i <= hops; i++)
            path[i] = found[i];
    }
    return best;
}

static void write_move(const void *state, move m, char text[static MOVE_TEXT_MAX]) {
    const struct hopchess *s = state;
    const uint64_t own = s->piece[mover(s) - 1], other = s->piece[2 - mover(s)];
    struct text t = text_begin(text, MOVE_TEXT_MAX);
    if (m == MOVE_PASS) {
        text_put(&t, "pass");
        return;
    }
    uint8_t path[HOP_COUNT_MAX + 1];
    int links;
    if (is_loop(m)) {
        links = loop_path(s, own, other, set_of(m), path);
    } else if (hop_neighbours(bit(from_of(m))) & bit(to_of(m))) {
        path[0] = (uint8_t)from_of(m);
        path[1] = (uint8_t)to_of(m);
        links = 1;
    } else {
        links = hop_path(own, other, from_of(m), (struct hop_goal){to_of(m), set_of(m)},
                         s->max_hops, path);
    }
    for (int i = 0; links > 0 && i <= links; i++) {
        text_put(&t, i ? " " : "");
        text_put_pair(&t, path[i] / SIDE, path[i] % SIDE);
    }
}

// A chain being read, hop by hop.
struct chain {
    uint64_t still, other; // pieces around the moving one; other shrinks with captures
    int from, at;
    int hops;
};

static const char *chain_hop(struct chain *c, int to, int max_hops) {
    const int down = to / SIDE - c->at / SIDE, right = to % SIDE - c->at % SIDE;
    if (down * down + right * right != 4) // two squares along a row or a column
        return "a link of the path is neither a step nor a hop";
    const uint64_t over = bit((c->at + to) / 2);
    if (!((c->still | c->other) & over))
        return "there is no piece to hop over";
    if ((c->still | c->other) & bit(to))
        return "the square behind the piece is taken";
    if (++c->hops > max_hops)
        return "the chain has more hops than max_hops allows";
    c->other &= ~over;
    c->at = to;
    return NULL;
}

static const char *read_square(const char **at, int *square) {
    int row, col;
    if (!text_take_pair(at, &row, &col) || (**at && **at != ' ' && **at != '\t'))
        return "a move is a path \"r,c r,c ...\"";
    if (row >= SIDE || col >= SIDE)
        return "row and column are 0..7";
    *square = row * SIDE + col;
    return NULL;
}

static const char *read_path(const struct hopchess *s, const char *text, struct chain *c) {
    const char *why = read_square(&text, &c->from);
    if (why)
        return why;
    if (!(s->piece[mover(s) - 1] & bit(c->from)))
        return "no piece of the mover stands at the start of the path";
    c->at = c->from;
    c->still &= ~bit(c->from);
    if (text_at_end(text))
        return "a path has at least two squares";
    for (int links = 1; !text_at_end(text); links++) {
        int to;
        text_take_blanks(&text);
        why = read_square(&text, &to);
        const bool step = !why && links == 1 && (hop_neighbours(bit(c->at)) & bit(to)) != 0;
        if (step && ((c->still | c->other) & bit(to)))
            return "the square is taken";
        if (step && !text_at_end(text))
            return "nothing follows a step";
        if (step)
            c->at = to;
        else if (!why)
            why = chain_hop(c, to, s->max_hops);
        if (why)
            return why;
    }
    return NULL;
}

static const char *read_move(const void *state, const char *text, move *m) {
    const struct hopchess *s = state;
    text_take_blanks(&text);
    if (text_is_word(text, "pass")) {
        *m = MOVE_PASS;
        return NULL;
    }
    const uint64_t other = s->piece[2 - mover(s)];
    struct chain c = {.still = s->piece[mover(s) - 1], .other = other};
    const char *why = read_path(s, text, &c);
    if (why)
        return why;
    hop_set set = 0;
    for (uint64_t gone = other & ~c.other; gone; gone &= gone - 1)
        set |= (hop_set)(1u << hop_rank(other, bits_first(gone)));
    *m = c.at == c.from ? hopchess_move(LOOP, LOOP, set) : hopchess_move(c.from, c.at, set);
    return NULL;
}

static void fill_grid(const struct hopchess *s, char grid[static SQUARES]) {
    for (int i = 0; i < SQUARES; i++)
        grid[i] = s->piece[0] & bit(i) ? 'X' : s->piece[1] & bit(i) ? 'O' : '.';
}

static void write_state(const void *state, char text[static STATE_TEXT_MAX]) {
    const struct hopchess *s = state;
    char grid[SQUARES];
    fill_grid(s, grid);
    struct text t = text_begin(text, STATE_TEXT_MAX);
    grid_write(&t, SIDE, SIDE, grid);
    text_put_char(&t, ' ');
    text_put_number(&t, s->turns);
}

static const char *read_position(struct hopchess *s, const char *at) {
    char grid[SQUARES];
    const char *why = grid_read(&at, SIDE, SIDE, grid);
    if (why)
        return why;
    for (int i = 0; i < SQUARES; i++) {
        if (grid[i] == '#')
            return "no square of this board is cut";
        if (grid[i] != '.')
            s->piece[grid[i] == 'O'] |= bit(i);
    }
    if (bits_count(s->piece[0]) > HOP_PIECES || bits_count(s->piece[1]) > HOP_PIECES)
        return "a player has nine pieces at most";
    int turns;
    if (!text_take_blanks(&at) || !text_take_number(&at, &turns) || !text_at_end(at))
        return "the number of turns taken by both stands after the board";
    if (turns > s->max_turns)
        return "more turns than max_moves allows";
    s->turns = (uint16_t)turns;
    settle(s);
    return NULL;
}

static bool start(void *state, const struct ruleset *set, const char *position,
                  char why[static WHY_TEXT_MAX]) {
    struct hopchess *s = state;
    *s = (struct hopchess){.max_hops = (uint8_t)set->number[RULE_MAX_HOPS],
                           .max_turns = (uint16_t)(2 * set->number[RULE_MAX_MOVES])};
    if (!position)
        position = "X7/1X5O/X1X3O1/1X3O1O/X1X3O1/1X3O1O/X5O1/7O 0";
    const char *wrong = read_position(s, position);
    if (wrong)
        text_copy(why, WHY_TEXT_MAX, wrong);
    return !wrong;
}

static void draw(const void *state, bool colour, char text[static DRAW_TEXT_MAX]) {
    const struct hopchess *s = state;
    char grid[SQUARES];
    fill_grid(s, grid);
    struct text t = text_begin(text, DRAW_TEXT_MAX);
    grid_draw(&t, colour, SIDE, SIDE, grid);
    int home[2];
    scores(state, home);
    for (int player = 1; player <= 2; player++) {
        text_put_player(&t, colour, player, player == 1 ? "   X home " : "   O home ");
        text_put_number(&t, home[player - 1]);
        text_put(&t, " of ");
        text_put_number(&t, bits_count(s->piece[player - 1]));
    }
    text_put(&t, "   turn ");
    text_put_number(&t, s->turns);
    text_put_char(&t, '\n');
}

static const struct ending endings[] = {
    ENDING_RUNNING_WORDS,
    [ENDING_HOME] = {"home", "all pieces of a player are in his target"},
    [ENDING_MOVES] = {"moves", "the moves are used up"},
};

const struct game game_hopchess = {
    .name = "hopchess",
    .title = "Hop, capture and race",
    .width = SIDE,
    .height = SIDE,
    .distinct_moves = SQUARES * SQUARES * HOP_SETS,
    .moves_max = HOP_PIECES * PIECE_LEGAL_MAX,
    .plies_max = 2 * MOVES_MAX,
    .state_size = sizeof(struct hopchess),
    .has_scores = true,
    .may_pass = true,
    .rules = rules,
    .rule_count = sizeof rules / sizeof *rules,
    .endings = endings,
    .ending_count = sizeof endings / sizeof *endings,
    .start = start,
    .turn = turn,
    .due = game_due_one,
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
    .draw = draw,
};
