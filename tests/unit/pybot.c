// SPDX-License-Identifier: MIT
// The runner of Bot classes (docs/protocol.md, section C) in a real Python, through pipes.
#include "check.h"
#include "wire/wire.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000, NOISE_MAX = 4096 };

struct runner {
    char folder[64], file[80], noise[80];
    pid_t pid;
    int in, out; // ours: what it reads, what it writes
};

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static _Noreturn void become(const struct runner *r, const int in[2], const int out[2]) {
    const int noise = open(r->noise, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(in[0], 0);
    dup2(out[1], 1);
    dup2(noise, 2);
    // The least helpful locale there is: what is printed may be in any script all the same.
    setenv("LC_ALL", "C", 1);
    setenv("PYTHONCOERCECLOCALE", "0", 1);
    setenv("PYTHONUTF8", "0", 1);
    unsetenv("PYTHONUNBUFFERED");
    execlp("python3", "python3", "-c", pybot_runner, r->file, (char *)NULL);
    _exit(127);
}

static void start(struct runner *r, const char *source) {
    int in[2], out[2];
    strcpy(r->folder, "/tmp/pybot-XXXXXX");
    assert_non_null(mkdtemp(r->folder));
    snprintf(r->file, sizeof r->file, "%s/bot.py", r->folder);
    snprintf(r->noise, sizeof r->noise, "%s/noise", r->folder);
    write_file(r->file, source);
    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    r->pid = fork();
    assert_true(r->pid >= 0);
    if (r->pid == 0)
        become(r, in, out);
    close(in[0]);
    close(out[1]);
    r->in = in[1];
    r->out = out[0];
}

static void put_event(struct buf *log, enum wire_event event, const struct buf *words) {
    const char *said = words->data ? words->data : "";
    if (event == WIRE_READY)
        buf_text(log, "ready\n");
    else if (event != WIRE_SKIPPED)
        buf_format(log, "%s %.100s\n",
                   event == WIRE_ANSWER    ? "answer"
                   : event == WIRE_NO_MOVE ? "no move"
                                           : "refused",
                   said);
}

// Reads until something happens; false at the end of what it writes.
static bool listen(struct runner *r, struct wire *w, struct buf *log) {
    struct buf unused = {.data = NULL};
    for (;;) {
        char bytes[4096];
        enum wire_event event;
        while ((event = wire_take(w, &unused)) != WIRE_NOTHING) {
            put_event(log, event, &w->words);
            if (event != WIRE_SKIPPED)
                return event != WIRE_REFUSED;
        }
        struct pollfd ready = {.fd = r->out, .events = POLLIN};
        if (poll(&ready, 1, PATIENCE_MS) != 1)
            fail_msg("python3 says nothing");
        const ssize_t n = read(r->out, bytes, sizeof bytes);
        if (n <= 0)
            return false;
        assert_int_equal(wire_feed(w, bytes, (size_t)n), n);
    }
}

static void ask(struct runner *r, struct wire *w, const char *position) {
    struct buf out = {.data = NULL};
    union game_state state;
    char why[WHY_TEXT_MAX];
    assert_true(w->rules->game->start(&state, w->rules, position, why));
    wire_ask(w, &(struct wire_request){.state = &state, .due = 1, .moves = "", .last = ""}, &out);
    assert_int_equal(write(r->in, out.data, out.length), out.length);
    buf_done(&out);
}

// Ends it, and tells how it ended and what it has printed.
static void end(struct runner *r, struct buf *log, char noise[static NOISE_MAX]) {
    int status;
    const ssize_t ignored = write(r->in, "quit\n", 5);
    (void)ignored;
    close(r->in);
    close(r->out);
    assert_int_equal(waitpid(r->pid, &status, 0), r->pid);
    if (WIFEXITED(status))
        buf_format(log, "exit %d\n", WEXITSTATUS(status));
    else
        buf_text(log, "killed\n");
    FILE *file = fopen(r->noise, "r");
    assert_non_null(file);
    noise[fread(noise, 1, NOISE_MAX - 1, file)] = '\0';
    fclose(file);
    char command[120];
    snprintf(command, sizeof command, "rm -r %s", r->folder);
    assert_int_equal(system(command), 0);
}

struct bot {
    const char *name, *source;
    const char *log;   // what came of two questions
    const char *noise; // is somewhere in what it printed; NULL: anything
};

#define METHOD "class Bot:\n  def get_move(self, board, pieces, player):\n"

static const struct bot bots[] = {
    {"the document's form", METHOD "    return '1 0'\n", "ready\nanswer 1 0\nanswer 1 0\nexit 0\n",
     ""},
    {"other names of arguments, the board edited",
     "class Bot:\n  n = 0\n  def get_move(self, b, peices, p):\n    Bot.n += 1\n"
     "    b[0] = 'X3'; b.append('')\n    return str(len(b)) + ' ' + str(Bot.n)\n",
     "ready\nanswer 10 1\nanswer 10 2\nexit 0\n", ""},
    {"what it is given", METHOD "    return repr(board) + '|' + pieces + '|' + player\n",
     "ready\n"
     "answer ['  ', '  ', '  ', '  ', '  ', '  ', '  ', '  ', '  ']|X332211,O332211|X\n"
     "answer ['O3X2  ', '  ', '  ', '  ', '  ', '  ', '  ', '  ', '  ']|X33211,O32211|X\n"
     "exit 0\n",
     ""},
    {"the same object in all of a game",
     "class Bot:\n  def __init__(self):\n    self.n = 0\n"
     "  def get_move(self, b, p, q):\n    self.n += 1\n    return '%d 0' % self.n\n",
     "ready\nanswer 1 0\nanswer 2 0\nexit 0\n", ""},
    {"printing, at the start, in a turn, in any script",
     "print('begin')\nimport sys, os\n" METHOD
     "    print('=9 9'); print('ready\\n!x')\n    sys.stdout.write('\\ud55c\\uae00\\n')\n"
     "    os.write(1, b'=8 8\\n')\n    os.system('echo =7 7')\n    return '1 0'\n",
     "ready\nanswer 1 0\nanswer 1 0\nexit 0\n", "begin\n=9 9\nready\n!x\n"},
    {"a print that is not flushed before it is killed",
     "import os, signal\n" METHOD "    print('last words')\n    os.kill(os.getpid(), 9)\n",
     "ready\nkilled\n", "last words\n"},
    {"reading the input", METHOD "    return input()\n",
     "ready\nno move line 3: EOFError: EOF when reading a line\n"
     "no move line 3: EOFError: EOF when reading a line\nexit 0\n",
     NULL},
    {"an exception, told with its line",
     METHOD "    if player == 'X':\n      raise ValueError('bad\\nluck')\n    return '1 0'\n",
     "ready\nno move line 4: ValueError: bad\\nluck\nno move line 4: ValueError: bad\\nluck\n"
     "exit 0\n",
     "Traceback (most recent call last):"},
    {"an exception inside the library, told with the line of the player",
     "import json\n" METHOD "    return json.loads('x')\n",
     "ready\nno move line 4: JSONDecodeError: Expecting value: line 1 column 1 (char 0)\n"
     "no move line 4: JSONDecodeError: Expecting value: line 1 column 1 (char 0)\nexit 0\n",
     NULL},
    {"an exception that cannot be printed",
     "class Nasty(Exception):\n  def __str__(self):\n    raise self\n" METHOD "    raise Nasty\n",
     "ready\nno move line 6: Nasty: it cannot be printed\n"
     "no move line 6: Nasty: it cannot be printed\nexit 0\n",
     NULL},
    {"deep recursion", METHOD "    return self.get_move(board, pieces, player)\n",
     "ready\nno move line 3: RecursionError: maximum recursion depth exceeded\n"
     "no move line 3: RecursionError: maximum recursion depth exceeded\nexit 0\n",
     NULL},
    {"None", METHOD "    pass\n",
     "ready\nno move returned NoneType, not a string\nno move returned NoneType, not a string\n"
     "exit 0\n",
     NULL},
    {"a tuple", METHOD "    return (1, 0)\n",
     "ready\nno move returned tuple, not a string\nno move returned tuple, not a string\nexit 0\n",
     NULL},
    {"bytes", METHOD "    return b'1 0'\n",
     "ready\nno move returned bytes, not a string\nno move returned bytes, not a string\nexit 0\n",
     NULL},
    {"strings that would be lines, or no UTF-8",
     METHOD "    return '1 0\\n=2 1' if board[0] == '  ' else '\\u0661 0\\ud800\\0\\u2028\\x85.'\n",
     "ready\nanswer 1 0\\n=2 1\nanswer \xd9\xa1 0\\ud800\\x00\\u2028\\x85.\nexit 0\n", NULL},
    {"an exception in any script", METHOD "    raise ValueError('내 잘못 \\U0001f600')\n",
     "ready\nno move line 3: ValueError: 내 잘못 \xf0\x9f\x98\x80\n"
     "no move line 3: ValueError: 내 잘못 \xf0\x9f\x98\x80\nexit 0\n",
     NULL},
    {"a string of a million characters", METHOD "    return '1' * 1000000\n",
     "ready\n"
     "answer 1111111111111111111111111111111111111111111111111111111111111111111111111111111111111"
     "111111111111111\n"
     "answer 1111111111111111111111111111111111111111111111111111111111111111111111111111111111111"
     "111111111111111\nexit 0\n",
     NULL},
    {"sys.exit in a turn is an exception", "import sys\n" METHOD "    sys.exit(5)\n",
     "ready\nno move line 4: SystemExit: 5\nno move line 4: SystemExit: 5\nexit 0\n", NULL},
    {"so is an interrupt", METHOD "    raise KeyboardInterrupt\n",
     "ready\nno move line 3: KeyboardInterrupt\nno move line 3: KeyboardInterrupt\nexit 0\n", NULL},
    {"and what only a generator should raise", METHOD "    raise GeneratorExit('x')\n",
     "ready\nno move line 3: GeneratorExit: x\nno move line 3: GeneratorExit: x\nexit 0\n", NULL},
    {"and one of its own that is no Exception",
     "class Odd(BaseException):\n  pass\n" METHOD "    raise Odd('one')\n",
     "ready\nno move line 5: Odd: one\nno move line 5: Odd: one\nexit 0\n", NULL},
    {"one whose words end the program",
     "import sys\nclass Odd(Exception):\n  def __str__(self):\n    sys.exit(3)\n" METHOD
     "    raise Odd\n",
     "ready\nno move line 7: Odd: it cannot be printed\nno move line 7: Odd: it cannot be printed\n"
     "exit 0\n",
     NULL},
    {"one whose class has no name",
     "class Meta(type):\n  @property\n  def __name__(cls):\n    raise SystemExit\n"
     "class Odd(Exception, metaclass=Meta):\n  pass\n" METHOD "    raise Odd\n",
     "ready\nno move an exception that cannot be told\nno move an exception that cannot be told\n"
     "exit 0\n",
     NULL},
    {"a string that does not let itself be read",
     "class Text(str):\n  def strip(self):\n    raise SystemExit('no')\n" METHOD
     "    return Text('1 0')\n",
     "ready\nno move line 3: SystemExit: no\nno move line 3: SystemExit: no\nexit 0\n", NULL},
    {"a child of its own that ends by sys.exit says nothing",
     "import os, sys\n" METHOD "    pid = os.fork()\n    if pid == 0:\n      sys.exit(0)\n"
     "    os.waitpid(pid, 0)\n    return '1 0'\n",
     "ready\nanswer 1 0\nanswer 1 0\nexit 0\n", NULL},
    {"sys.exit in the constructor",
     "import sys\nclass Bot:\n  def __init__(self):\n    sys.exit('no book')\n",
     "refused line 4: SystemExit: no book\nexit 1\n", NULL},
    {"os._exit in a turn", "import os\n" METHOD "    os._exit(6)\n", "ready\nexit 6\n", NULL},
    {"sys.exit while it is read", "import sys\nsys.exit(7)\n",
     "refused line 2: SystemExit: 7\nexit 1\n", NULL},
    {"no class", "class Robot:\n  pass\n", "refused no class named Bot\nexit 1\n", NULL},
    {"no method", "class Bot:\n  pass\n",
     "ready\nno move AttributeError: 'Bot' object has no attribute 'get_move'\n"
     "no move AttributeError: 'Bot' object has no attribute 'get_move'\nexit 0\n",
     NULL},
    {"no Python", "import os\nreturn 1\n",
     "refused line 2: SyntaxError: 'return' outside function (bot.py, line 2)\nexit 1\n", NULL},
    {"an exception while it is read", "import os\n1 / 0\n",
     "refused line 2: ZeroDivisionError: division by zero\nexit 1\n", NULL},
    {"an exception in the constructor",
     "class Bot:\n  def __init__(self):\n    raise OSError('no book')\n",
     "refused line 3: OSError: no book\nexit 1\n", NULL},
    {"its own name and folder",
     "import os, sys\n" METHOD "    here = os.path.dirname(__file__)\n"
     "    return str([__name__, sys.argv == [__file__], sys.path[0] == here])\n",
     "ready\nanswer ['player', True, True]\nanswer ['player', True, True]\nexit 0\n", NULL},
};

static void test_bot(void **state) {
    const struct bot *bot = *state;
    struct runner r;
    struct wire w;
    struct buf log = {.data = NULL};
    struct ruleset rules;
    char noise[NOISE_MAX];
    ruleset_init(&rules, game_find("cuptactoe"));
    wire_init(&w, &wire_pybot);
    wire_begin(&w, &rules, 1, 0, &log);
    start(&r, bot->source);
    if (listen(&r, &w, &log)) {
        ask(&r, &w, NULL);
        if (listen(&r, &w, &log)) {
            ask(&r, &w, "O3X2 . ./. . ./. . . 2");
            listen(&r, &w, &log);
        }
    }
    end(&r, &log, noise);
    assert_string_equal(log.data, bot->log);
    if (bot->noise && !strstr(noise, bot->noise))
        fail_msg("it printed: %s", noise);
    buf_done(&log);
    wire_done(&w);
}

int main(void) {
    enum { BOTS = sizeof bots / sizeof *bots };
    struct CMUnitTest tests[BOTS];
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < BOTS; i++)
        tests[i] = (struct CMUnitTest){
            .name = bots[i].name, .test_func = test_bot, .initial_state = (void *)&bots[i]};
    return _cmocka_run_group_tests("pybot", tests, BOTS, NULL, NULL);
}
