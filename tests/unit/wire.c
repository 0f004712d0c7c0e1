// SPDX-License-Identifier: MIT
// The bytes of every protocol: what is asked, exactly, and that answers mean the same however they
// are cut into pieces. docs/protocol.md is the law.
#include "wire/wire.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct wire_protocol *const protocols[] = {&wire_stcp, &wire_sixline, &wire_pybot,
                                                        &wire_abp};
enum { PROTOCOLS = sizeof protocols / sizeof *protocols };

static struct ruleset rules_of(const char *game, const char *key, const char *value) {
    struct ruleset rules;
    char why[WHY_TEXT_MAX];
    ruleset_init(&rules, game_find(game));
    if (key && !ruleset_set(&rules, key, value, why))
        fail_msg("%s", why);
    return rules;
}

static void lay(const struct ruleset *rules, const char *position, union game_state *state) {
    char why[WHY_TEXT_MAX];
    if (!rules->game->start(state, rules, position, why))
        fail_msg("%s", why);
}

// A wire whose greeting is done.
static void seat(struct wire *w, const struct wire_protocol *protocol, const struct ruleset *rules,
                 int player) {
    struct buf out = {.data = NULL};
    wire_init(w, protocol);
    wire_begin(w, rules, player, 5000000, &out);
    w->greeted = true;
    buf_done(&out);
}

// Boards of section A.

static void put_int(unsigned char *to, int n) {
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)((unsigned)n >> 8 * i);
}

static int cell_of(char mark) { return mark == 'X' ? 1 : mark == 'O' ? 2 : mark == '#' ? -1 : 0; }

// Asks with this position, and holds the bytes against the cells, which are drawn one by one.
static void check_board(const struct ruleset *rules, const char *position, const char *cells,
                        int player, int32_t id) {
    struct wire w;
    struct buf out = {.data = NULL};
    union game_state state;
    unsigned char wanted[876];
    const size_t count = strlen(cells), size = (count + 3) * 4;
    put_int(wanted, 1);
    put_int(wanted + 4, id);
    for (size_t i = 0; i < count; i++)
        put_int(wanted + 8 + 4 * i, cell_of(cells[i]));
    put_int(wanted + size - 4, player == 1);

    seat(&w, &wire_stcp, rules, player);
    w.id = id - 1;
    lay(rules, position, &state);
    wire_ask(&w, &(struct wire_request){.state = &state, .due = 1, .moves = "", .last = ""}, &out);
    assert_int_equal(out.length, size);
    assert_memory_equal(out.data, wanted, size);
    buf_done(&out);
    wire_done(&w);
}

static void test_reversi_boards(void **state) {
    (void)state;
    const struct ruleset open = rules_of("reversi", NULL, NULL);
    const struct ruleset othello = rules_of("reversi", "board", "othello");
    check_board(&open, NULL,
                "#......#"
                "........"
                "........"
                "........"
                "........"
                "........"
                "........"
                "#......#",
                1, 1);
    check_board(&open, "#XO4#/8/2XXO3/3OX3/8/O7/8/#5X# O",
                "#XO....#"
                "........"
                "..XXO..."
                "...OX..."
                "........"
                "O......."
                "........"
                "#.....X#",
                2, 0x01020304);
    check_board(&othello, NULL,
                "........"
                "........"
                "........"
                "...OX..."
                "...XO..."
                "........"
                "........"
                "........",
                1, 2147483647);
}

static void test_hopchess_board(void **state) {
    (void)state;
    const struct ruleset rules = rules_of("hopchess", NULL, NULL);
    const char start[] = "X......."
                         ".X.....O"
                         "X.X...O."
                         ".X...O.O"
                         "X.X...O."
                         ".X...O.O"
                         "X.....O."
                         ".......O";
    check_board(&rules, NULL, start, 1, 1);
    check_board(&rules, NULL, start, 2, 256);
}

// One layer of the field with a number of cells cut at the corners, and pieces of columns on it.
static void draw_layer(char *cells, int layer, bool three) {
    static const char *const fields[2] = {"#....#"
                                          "......"
                                          "......"
                                          "......"
                                          "......"
                                          "#....#",
                                          "##..##"
                                          "#....#"
                                          "......"
                                          "......"
                                          "#....#"
                                          "##..##"};
    memcpy(cells + layer * 36, fields[three], 36);
}

static void test_tower4_boards(void **state) {
    (void)state;
    const struct ruleset three = rules_of("tower4", NULL, NULL);
    const struct ruleset one = rules_of("tower4", "corners", "1");
    char cells[217] = "";
    for (int layer = 0; layer < 6; layer++)
        draw_layer(cells, layer, true);
    check_board(&three, NULL, cells, 1, 1);

    // (0,2) holds one piece, (2,0) three and (5,3) all six, from the bottom up.
    cells[0 * 36 + 2] = 'X';
    cells[0 * 36 + 12] = 'O';
    cells[1 * 36 + 12] = 'X';
    cells[2 * 36 + 12] = 'O';
    for (int layer = 0; layer < 6; layer++)
        cells[layer * 36 + 33] = "XOXOXO"[layer];
    check_board(&three,
                "# # X . # #/# . . . . #/OXO . . . . ./. . . . . ./# . . . . #/# # . XOXOXO # #",
                cells, 2, 3);

    for (int layer = 0; layer < 6; layer++)
        draw_layer(cells, layer, false);
    cells[0 * 36 + 1] = 'X';
    cells[1 * 36 + 1] = 'O';
    check_board(&one, "# XO . . . #/. . . . . ./. . . . . ./. . . . . ./. . . . . ./# . . . . #",
                cells, 1, 65536);
}

static void test_stop_and_team(void **state) {
    (void)state;
    struct buf out = {.data = NULL};
    struct wire w;
    wire_init(&w, &wire_stcp);
    wire_quit(&w, &out);
    assert_int_equal(out.length, 8);
    assert_memory_equal(out.data, "\0\0\0", 4);
    wire_used(&w, 1); // this protocol does not tell it
    wire_over(&w, 1, "six", &out);
    assert_int_equal(out.length, 8);
    buf_done(&out);
    int32_t team = 77;
    for (size_t n = 0; n < 4; n++)
        assert_false(stcp_read_team("\x04\x03\x02\x01", n, &team));
    assert_int_equal(team, 77);
    assert_true(stcp_read_team("\x04\x03\x02\x01more", 8, &team));
    assert_int_equal(team, 0x01020304);
    assert_true(stcp_read_team("\xff\xff\xff\xff", 4, &team));
    assert_int_equal(team, -1);
}

// Lines.

static void check_request(const struct wire_protocol *protocol, const struct ruleset *rules,
                          const char *position, int player, struct wire_request request,
                          const char *wanted) {
    struct wire w;
    struct buf out = {.data = NULL};
    union game_state state;
    seat(&w, protocol, rules, player);
    lay(rules, position, &state);
    request.state = &state;
    w.id = 16;
    wire_ask(&w, &request, &out);
    assert_string_equal(out.data, wanted);
    buf_done(&out);
    wire_done(&w);
}

// The document of the contest shows these boards, and what three moves do to board and hand.
static void test_pybot_requests(void **state) {
    (void)state;
    static const struct {
        const char *position;
        int player;
        const char *request;
    } cases[] = {
        {NULL, 1, "  \t  \t  \t  \t  \t  \t  \t  \t  \tX332211,O332211\tX\n"},
        {"O2 X3 ./. X3 ./. . . 3", 2,
         "O2  \tX3  \t  \t  \tX3  \t  \t  \t  \t  \tX2211,O33211\tO\n"},
        {". . O1/. . X3/. . O3X2O1 6", 1,
         "  \t  \tO1  \t  \t  \tX3  \t  \t  \tO3X2O1  \tX3211,O322\tX\n"},
        // "1 3"
        {". . ./. X2 ./. . . 1", 2, "  \t  \t  \t  \tX2  \t  \t  \t  \t  \tX33211,O332211\tO\n"},
        {". . ./O1 X2 ./. . . 2", 1, "  \t  \t  \tO1  \tX2  \t  \t  \t  \t  \tX33211,O33221\tX\n"},
        // "91 5"
        {". O1 ./. X2 ./. . . 3", 2, "  \tO1  \t  \t  \tX2  \t  \t  \t  \t  \tX33211,O33221\tO\n"},
        {". . ./. X2 O1/. . . 4", 1, "  \t  \t  \t  \tX2  \tO1  \t  \t  \t  \tX33211,O33221\tX\n"},
        // "93 4"
        {". . ./O3 X2 ./. . . 3", 2, "  \t  \t  \tO3  \tX2  \t  \t  \t  \t  \tX33211,O32211\tO\n"},
        {". . ./. O3X2 ./. . . 4", 1, "  \t  \t  \t  \tO3X2  \t  \t  \t  \t  \tX33211,O32211\tX\n"},
        // a hand that is empty
        {"X3X2X1 O1 O2/X3 O3 X1/O3O2 X2 O1 12", 1,
         "X3X2X1  \tO1  \tO2  \tX3  \tO3  \tX1  \tO3O2  \tX2  \tO1  \tX,O\tX\n"},
    };
    const struct ruleset rules = rules_of("cuptactoe", NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_request(&wire_pybot, &rules, cases[i].position, cases[i].player,
                      (struct wire_request){.due = 1, .moves = "", .last = ""}, cases[i].request);
}

// C.2: so many blanks behind a stack; an empty cell has two at least.
static void test_pybot_trail(void **state) {
    (void)state;
    static const struct {
        int trail;
        const char *request;
    } cases[] = {
        {0, "X3\t  \t  \t  \tO3X2\t  \t  \t  \t  \tX3211,O32211\tO\n"},
        {1, "X3 \t  \t  \t  \tO3X2 \t  \t  \t  \t  \tX3211,O32211\tO\n"},
        {3, "X3   \t   \t   \t   \tO3X2   \t   \t   \t   \t   \tX3211,O32211\tO\n"},
    };
    const struct ruleset rules = rules_of("cuptactoe", NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct wire w;
        struct buf out = {.data = NULL};
        union game_state position;
        seat(&w, &wire_pybot, &rules, 2);
        w.trail = cases[i].trail;
        lay(&rules, "X3 . ./. O3X2 ./. . . 3", &position);
        wire_ask(&w, &(struct wire_request){.state = &position, .due = 1, .last = ""}, &out);
        assert_string_equal(out.data, cases[i].request);
        buf_done(&out);
        wire_done(&w);
    }
}

static void test_games_of_protocols(void **state) {
    (void)state;
    for (int i = 0; i < game_count(); i++) {
        const char *name = game_nth(i)->name;
        const bool lines = !strcmp(name, "connect6");
        const bool course =
            !strcmp(name, "reversi") || !strcmp(name, "tower4") || !strcmp(name, "hopchess");
        assert_int_equal(wire_plays(&wire_stcp, game_nth(i)), course);
        assert_int_equal(wire_plays(&wire_sixline, game_nth(i)), lines);
        assert_true(wire_plays(&wire_pybot, game_nth(i)));
        assert_true(wire_plays(&wire_abp, game_nth(i)));
    }
}

static void test_sixline_requests(void **state) {
    (void)state;
    const struct ruleset rules = rules_of("connect6", NULL, NULL);
    const struct wire_request first = {.due = 1, .moves = "", .last = ""};
    check_request(&wire_sixline, &rules, NULL, 1, first, "BEGIN\n");
    const struct wire_request second = {.due = 2, .moves = "9,10", .last = "9,10"};
    check_request(&wire_sixline, &rules, NULL, 2, second, "TURN 9,10\n");
    const struct wire_request third = {.due = 2, .moves = "9,10; 0,18; 18,0", .last = "0,18; 18,0"};
    check_request(&wire_sixline, &rules, NULL, 1, third, "TURN 0,18 18,0\n");
}

static void test_abp_requests(void **state) {
    (void)state;
    const struct ruleset plain = rules_of("connect6", NULL, NULL);
    const struct ruleset blocked = rules_of("connect6", "blocks", "3,3 4,4");
    const struct ruleset hop = rules_of("hopchess", "max_moves", "9");
    check_request(&wire_abp, &plain, NULL, 1,
                  (struct wire_request){.time_us = 5000000, .due = 1, .moves = "", .last = ""},
                  "go id=17 time=5000 due=1 player=1 |  | \n");
    check_request(&wire_abp, &blocked, NULL, 2,
                  (struct wire_request){.time_us = 1, .due = 2, .moves = "9,9", .last = "9,9"},
                  "go id=17 time=1 due=2 player=2 | blocks=3,3 4,4 | 9,9\n");
    check_request(&wire_abp, &hop, NULL, 1,
                  (struct wire_request){.due = 1, .moves = "2,2 2,3; pass", .last = "pass"},
                  "go id=17 time=0 due=1 player=1 | max_moves=9 | 2,2 2,3; pass\n");
    check_request(&wire_abp, &plain, NULL, 1,
                  (struct wire_request){.due = 1, .moves = "", .last = "", .seed = UINT32_MAX},
                  "go id=17 time=0 due=1 player=1 seed=4294967295 |  | \n");
}

static void test_other_lines(void **state) {
    (void)state;
    struct wire w;
    struct buf out = {.data = NULL};
    struct ruleset rules = rules_of("connect6", NULL, NULL);
    wire_init(&w, &wire_abp);
    wire_begin(&w, &rules, 1, 0, &out);
    const struct wire_request request = {.due = 1, .moves = "", .last = ""};
    wire_used(&w, 312250);
    wire_ask(&w, &request, &out); // the time of an answer is told once
    wire_ask(&w, &request, &out);
    wire_used(&w, 0);
    wire_ask(&w, &request, &out);
    wire_over(&w, 1, "six", &out);
    wire_quit(&w, &out);
    assert_string_equal(out.data, "abp 1 connect6\n"
                                  "go id=1 time=0 due=1 player=1 used=312.250 |  | \n"
                                  "go id=2 time=0 due=1 player=1 |  | \n"
                                  "go id=3 time=0 due=1 player=1 used=0.000 |  | \n"
                                  "over winner=1 reason=six\nquit\n");
    w.greeted = true;
    buf_clear(&out);
    wire_begin(&w, &rules, 2, 0, &out); // greeted before: nothing is said
    assert_int_equal(out.length, 0);
    for (int i = 1; i <= 2; i++) { // sixline and pybot do not know this
        wire_init(&w, protocols[i]);
        wire_over(&w, 1, "six", &out);
        assert_int_equal(out.length, 0);
        wire_quit(&w, &out);
        assert_string_equal(out.data, i == 1 ? "QUIT\n" : "quit\n");
        buf_clear(&out);
    }
    buf_done(&out);
}

// Events, written down as text so that two runs can be compared.

static void put_event(struct buf *log, const struct wire *w, enum wire_event event) {
    static const char *const names[] = {"nothing", "ready", "refused", "answer",
                                        "no move", "foul",  "skipped"};
    assert_true(!w->words.data || w->words.data[w->words.length] == '\0');
    const bool worded = event == WIRE_REFUSED || event == WIRE_ANSWER || event == WIRE_NO_MOVE ||
                        event == WIRE_FOUL;
    buf_format(log, "%s:%s\n", names[event], worded && w->words.data ? w->words.data : "");
}

static void take_all(struct wire *w, struct buf *out, struct buf *log) {
    for (enum wire_event event; (event = wire_take(w, out)) != WIRE_NOTHING;)
        put_event(log, w, event);
}

static void feed_all(struct wire *w, const char *bytes, size_t length, struct buf *out,
                     struct buf *log) {
    while (length > 0) {
        const size_t part = wire_feed(w, bytes, length);
        assert_true(part > 0);
        bytes += part;
        length -= part;
        take_all(w, out, log);
    }
}

// One way a wire can be when bytes come: not greeted, or with a request out.
struct stream {
    const char *name;
    const struct wire_protocol *protocol;
    const char *game;
    bool greeted;
    int due;
    const char *bytes;
    size_t length;
    const char *wanted; // the events
};

static char *play_stream(const struct stream *s, size_t cut, bool by_bytes) {
    struct wire w;
    struct buf out = {.data = NULL}, log = {.data = NULL};
    const struct ruleset rules = rules_of(s->game, NULL, NULL);
    union game_state state;
    lay(&rules, NULL, &state);
    seat(&w, s->protocol, &rules, 1);
    w.greeted = s->greeted;
    w.id = 1;
    if (s->greeted)
        wire_ask(
            &w,
            &(struct wire_request){.state = &state, .due = s->due, .moves = "9,9", .last = "9,9"},
            &out);
    buf_clear(&out);
    for (size_t i = 0; by_bytes && i < s->length; i++)
        feed_all(&w, s->bytes + i, 1, &out, &log);
    if (!by_bytes) {
        feed_all(&w, s->bytes, cut, &out, &log);
        feed_all(&w, s->bytes + cut, s->length - cut, &out, &log);
    }
    if (out.length)
        buf_format(&log, "sent:%s", out.data);
    buf_put(&log, "", 0);
    buf_done(&out);
    wire_done(&w);
    return log.data;
}

#define BYTES(text) text, sizeof(text) - 1

static const struct stream streams[] = {
    {"stcp: an old answer, the answer, the same once more, half a one", &wire_stcp, "hopchess",
     true, 1,
     BYTES("\1\0\0\0\1\0\0\0\3\0\0\0\4\0\0\0"
           "\3\0\0\0\2\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\2\0\0\0\xff\xff\xff\xff\0\0\0\x80"
           "\1\0\0\0\2\0\0\0\1\0\0\0\1\0\0\0"
           "\2\0\0\0\2\0\0\0\1"),
     "skipped:\nanswer:1,0 1,2 -1,-2147483648\nskipped:\n"},
    {"stcp: no pair", &wire_stcp, "reversi", true, 1, BYTES("\0\0\0\0\2\0\0\0"), "no move:\n"},
    {"stcp: a foul, and what follows", &wire_stcp, "reversi", true, 1,
     BYTES("\xff\xff\xff\x7f\2\0\0\0\3\0\0\0\4\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\3\0\0\0"),
     "foul:a count of 2147483647\n"},
    {"stcp: an id never issued, and what follows", &wire_stcp, "tower4", true, 1,
     BYTES("\1\0\0\0\3\0\0\0\3\0\0\0\4\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\3\0\0\0"),
     "foul:an id that was never issued: 3\n"},
    {"sixline: the greeting", &wire_sixline, "connect6", false, 1,
     BYTES("OK\r\nTeamName: \xc7\xd1\xb1\xdb, Department:B\r\n"),
     "skipped:\nready:\nsent:INFO\nLimitTime 5\n"},
    {"sixline: a wrong one", &wire_sixline, "connect6", false, 1, BYTES("\nERROR\nYES\n"),
     "skipped:\nskipped:\nrefused:not a valid AI file, START was answered by: YES\n"},
    {"sixline: two stones", &wire_sixline, "connect6", true, 2,
     BYTES("ERROR 9,9\r\n\r\n 10, 9 8,18 7,7\r\n6,6 5,5\n"),
     "skipped:\nskipped:\nanswer:10,9;8,18\nskipped:\n"},
    {"sixline: one stone", &wire_sixline, "connect6", true, 1, BYTES("10,9\n"), "answer:10,9\n"},
    {"sixline: no stone", &wire_sixline, "connect6", true, 2, BYTES("ten,9\n"), "no move:ten,9\n"},
    {"pybot: ready", &wire_pybot, "cuptactoe", false, 1, BYTES("noise\nready\n"),
     "skipped:\nready:\n"},
    {"pybot: refused", &wire_pybot, "cuptactoe", false, 1, BYTES("refuse no class named Bot\n"),
     "refused:no class named Bot\n"},
    {"pybot: an answer", &wire_pybot, "cuptactoe", true, 1, BYTES("noise\n=1 0\n=2 1\n"),
     "skipped:\nanswer:1 0\nskipped:\n"},
    {"pybot: an exception", &wire_pybot, "cuptactoe", true, 1, BYTES("!line 3: ValueError: x\n"),
     "no move:line 3: ValueError: x\n"},
    {"abp: ready", &wire_abp, "reversi", false, 1, BYTES("# hello\ninfo x\nready A B\n"),
     "skipped:\nskipped:\nready:\n"},
    {"abp: refused", &wire_abp, "reversi", false, 1, BYTES("refuse no, thanks\n"),
     "refused:no, thanks\n"},
    {"abp: answers", &wire_abp, "connect6", true, 2,
     BYTES("info 9,9\nmove id=1 9,9; 9,9\r\nmove id=2 9,9; 9,10\nmove id=2 1,1; 2,2\n"),
     "skipped:\nskipped:\nanswer:9,9; 9,10\nskipped:\n"},
    {"abp: an id never issued", &wire_abp, "reversi", true, 1, BYTES("move id=3 3,3\n"),
     "foul:move id=3 3,3\n"},
    {"abp: no id", &wire_abp, "reversi", true, 1, BYTES("move 3,3\n"), "no move:move 3,3\n"},
    {"abp: nothing after the id", &wire_abp, "reversi", true, 1, BYTES("move id=2 \n"),
     "answer:\n"},
    {"abp: a zero byte", &wire_abp, "reversi", true, 1, BYTES("\0move id=2 3,3\nmove id=2 3\0,3\n"),
     "skipped:\nanswer:3?,3\n"},
};

static void test_streams_cut_anywhere(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        const struct stream *s = &streams[i];
        for (size_t cut = 0; cut <= s->length + 1; cut++) {
            const bool by_bytes = cut > s->length;
            char *log = play_stream(s, by_bytes ? 0 : cut, by_bytes);
            if (strcmp(log, s->wanted) != 0)
                fail_msg("%s, cut at %zu of %zu: %s", s->name, cut, s->length, log);
            free(log);
        }
    }
}

// A request makes what came before it an old answer, or no answer at all.
static void test_forget_and_reset(void **state) {
    (void)state;
    const struct ruleset rules = rules_of("reversi", NULL, NULL);
    union game_state position;
    struct buf out = {.data = NULL}, log = {.data = NULL};
    struct wire w;
    const struct wire_request request = {.state = &position, .due = 1, .moves = "", .last = ""};
    lay(&rules, NULL, &position);
    seat(&w, &wire_abp, &rules, 1);
    wire_ask(&w, &request, &out);
    wire_forget(&w);
    feed_all(&w, BYTES("move id=1 3,3\nmove id=1"), &out, &log);
    wire_reset(&w); // the second line never ends
    wire_ask(&w, &request, &out);
    feed_all(&w, BYTES("\nmove id=2 4,4\n"), &out, &log);
    assert_string_equal(log.data, "skipped:\nskipped:\nanswer:4,4\n");
    buf_done(&log);
    buf_done(&out);
    wire_done(&w);
}

static void test_names(void **state) {
    (void)state;
    static const struct {
        const char *bytes, *name;
    } cases[] = {
        {"Alpha", "Alpha"},
        {"", ""},
        {"육목 팀", "육목 팀"},
        {"\xc7\xd1\xb1\xdb", "한글"},              // CP949
        {"A\x81\x41", "A갂"},                      // in CP949 alone, not in EUC-KR
        {"\xff\xfe", "??"},                        // no encoding
        {"caf\xe9", "caf?"},                       // Latin-1 is none of ours
        {"tab\there\x7f\x1b[0m", "tab?here??[0m"}, // nothing that moves the cursor
        {"\xed\xa0\x80", "???"},                   // half a surrogate pair is no character
        {"\x7f\xff\x01", "???"},
        {"\xc7\xd1\xb1\xdb\xc7", "?????"}, // cut in a character
        {"\xff"
         "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567"
         "890123456789012345678901234567890123456789",
         "?0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567"
         "89012345678901234567890123456789012345"},
        {"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567"
         "890123456789012345678901234567890123456789",
         "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567"
         "890123456789012345678901234567890123456"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int p = 1; p <= 3; p += 2) {
            const struct ruleset rules = rules_of("connect6", NULL, NULL);
            struct buf out = {.data = NULL}, log = {.data = NULL}, said = {.data = NULL};
            struct wire w;
            wire_init(&w, protocols[p]);
            wire_begin(&w, &rules, 1, 0, &out);
            if (p == 1)
                buf_format(&said, "OK\nTeamName:%s,Department:X\n", cases[i].bytes);
            else
                buf_format(&said, "ready %s\n", cases[i].bytes);
            feed_all(&w, said.data, said.length, &out, &log);
            assert_true(w.greeted);
            assert_string_equal(w.name, cases[i].name);
            buf_done(&said);
            buf_done(&log);
            buf_done(&out);
            wire_done(&w);
        }
}

// A long name ends with a whole character.
static void test_long_names(void **state) {
    (void)state;
    for (int bytes = 0; bytes < 3; bytes++) {
        const struct ruleset rules = rules_of("reversi", NULL, NULL);
        struct buf out = {.data = NULL}, log = {.data = NULL}, said = {.data = NULL};
        struct wire w;
        wire_init(&w, &wire_abp);
        wire_begin(&w, &rules, 1, 0, &out);
        buf_format(&said, "ready %.*s", bytes, "ab");
        for (int i = 0; i < 100; i++)
            buf_text(&said, bytes == 2 ? "\xc7\xd1" : "한");
        buf_text(&said, "\n");
        feed_all(&w, said.data, said.length, &out, &log);
        const size_t length = strlen(w.name);
        assert_true(length < WIRE_NAME_MAX && length > WIRE_NAME_MAX - 4);
        assert_int_equal((length - (size_t)bytes) % 3, 0);
        assert_string_equal(w.name + length - 3, "한");
        buf_done(&said);
        buf_done(&log);
        buf_done(&out);
        wire_done(&w);
    }
}

// A line of 100 kB is skipped whole, whatever stands in it, and memory stays bounded.
static void test_long_lines(void **state) {
    (void)state;
    static const struct {
        const char *game, *filler, *line, *wanted;
    } cases[] = {
        [1] = {"connect6", "1,1 2,2 ", "9,9 8,8\n", "answer:9,9;8,8\n"},
        [2] = {"cuptactoe", "=1 0", "=1 0\n", "answer:1 0\n"},
        [3] = {"reversi", "move id=1 3,3 ", "move id=1 4,4\n", "answer:4,4\n"},
    };
    for (int p = 1; p < PROTOCOLS; p++) {
        const struct ruleset rules = rules_of(cases[p].game, NULL, NULL);
        union game_state position;
        struct buf out = {.data = NULL}, log = {.data = NULL}, said = {.data = NULL};
        struct wire w;
        lay(&rules, NULL, &position);
        seat(&w, protocols[p], &rules, 1);
        wire_ask(&w,
                 &(struct wire_request){
                     .state = &position, .due = p == 1 ? 2 : 1, .moves = "1,1", .last = "1,1"},
                 &out);
        while (said.length < 100000)
            buf_text(&said, cases[p].filler);
        buf_text(&said, "\n");
        buf_text(&said, cases[p].line);
        feed_all(&w, said.data, said.length, &out, &log);
        assert_string_equal(log.data, cases[p].wanted);
        assert_true(w.in.room <= 2 * (WIRE_IN_MAX + 1));
        buf_done(&said);
        buf_done(&log);
        buf_done(&out);
        wire_done(&w);
    }
}

// The largest answer of section A, and what it takes to keep it.
static void test_largest_answer(void **state) {
    (void)state;
    enum { PAIRS = 4096, SIZE = 8 + 8 * PAIRS };
    static unsigned char bytes[SIZE];
    const struct ruleset rules = rules_of("hopchess", NULL, NULL);
    union game_state position;
    struct buf out = {.data = NULL}, log = {.data = NULL};
    struct wire w;
    lay(&rules, NULL, &position);
    seat(&w, &wire_stcp, &rules, 1);
    wire_ask(&w, &(struct wire_request){.state = &position, .due = 1, .moves = "", .last = ""},
             &out);
    put_int(bytes, PAIRS);
    put_int(bytes + 4, 1);
    for (int i = 0; i < 2 * PAIRS; i++)
        put_int(bytes + 8 + 4 * i, -2147483647 - 1);
    feed_all(&w, (char *)bytes, SIZE - 1, &out, &log);
    assert_int_equal(log.length, 0);
    feed_all(&w, (char *)bytes + SIZE - 1, 1, &out, &log);
    assert_int_equal(strncmp(log.data, "answer:-2147483648,-2147483648 -2", 33), 0);
    assert_int_equal(w.words.length, PAIRS * 24 - 1);
    buf_done(&log);
    buf_done(&out);
    wire_done(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reversi_boards),
        cmocka_unit_test(test_hopchess_board),
        cmocka_unit_test(test_tower4_boards),
        cmocka_unit_test(test_stop_and_team),
        cmocka_unit_test(test_pybot_requests),
        cmocka_unit_test(test_pybot_trail),
        cmocka_unit_test(test_games_of_protocols),
        cmocka_unit_test(test_sixline_requests),
        cmocka_unit_test(test_abp_requests),
        cmocka_unit_test(test_other_lines),
        cmocka_unit_test(test_streams_cut_anywhere),
        cmocka_unit_test(test_forget_and_reset),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_largest_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
