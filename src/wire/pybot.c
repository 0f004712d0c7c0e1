// SPDX-License-Identifier: MIT
// docs/protocol.md, section C. Between us and the runner below: a request is one line. Where the
// game's contest has the class of its own, it is fields separated by tabs, the nine cells, the
// pieces and the player; in all other games it is an object of JSON, which the runner makes a
// state. The answer is "=" and what get_move returned, or "!" and what was wrong. The runner begins
// with "ready", or "refuse" and the reason.
#include "base/json.h"
#include "base/mem.h"
#include "spec/spec.h"
#include "wire/lines.h"
#include "wire/wire.h"

#include <stdlib.h>
#include <string.h>

enum {
    CELLS = 9,
    CUPS = 2,
    EMPTY_MIN = 2, // blanks of an empty cell: players look at its second character
};

// Standard output belongs to the protocol, so what the player prints goes to standard error.
// Whatever a Bot raises is an exception like others: SystemExit and KeyboardInterrupt too. Only a
// process that ends without one (os._exit, a signal) is gone. A child that the Bot has forked ends
// by what it raises, as it would in any program.
const char pybot_runner[] =
    "import os, sys, traceback\n"
    "class State:\n" // what get_move is given, in games other than the first
    "    def __init__(self, **facts):\n"
    "        self.__dict__.update(facts)\n"
    "    def __repr__(self):\n"
    "        return 'State(%s)' % ', '.join('%s=%r' % pair for pair in self.__dict__.items())\n"
    "path = sys.argv[1]\n"
    "channel = os.fdopen(os.dup(1), 'w', encoding='utf-8', newline='\\n')\n"
    "questions = os.fdopen(os.dup(0), 'r', encoding='ascii', newline='\\n')\n"
    "os.dup2(2, 1)\n"
    "sys.stdout = sys.stderr\n" // which waits for nothing, and takes any character
    "os.dup2(os.open(os.devnull, os.O_RDONLY), 0)\n"
    "sys.argv = [path]\n"
    "def show(c):\n" // line ends, and what UTF-8 does not have
    "    return c if c.isprintable() else c.encode('unicode_escape').decode('ascii')\n"
    "def say(mark, text):\n"
    "    words = ''.join(map(show, text[:4000]))\n"
    "    channel.write(mark + words[:4000] + '\\n')\n"
    "    channel.flush()\n"
    "def where(error):\n"
    "    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == "
    "path]\n"
    "    line = lines[-1] if lines else getattr(error, 'lineno', None)\n"
    "    words = ('line %d: ' % line if line else '') + type(error).__name__\n"
    "    try:\n"
    "        told = ''.join((str(error),))\n" // a plain string, whatever class it is of
    "    except BaseException:\n"
    "        told = 'it cannot be printed'\n"
    "    return words + ': ' + told if told else words\n"
    "def tell(mark, error):\n"
    "    if os.getpid() != judged:\n" // a child that it has forked: not for us
    "        traceback.print_exc()\n"
    "        os._exit(1)\n"
    "    try:\n"
    "        words = where(error)\n"
    "    except BaseException:\n"
    "        words = 'an exception that cannot be told'\n"
    "    try:\n"
    "        traceback.print_exc()\n" // for its log
    "    except BaseException:\n"
    "        pass\n"
    "    say(mark, words)\n"
    "def make():\n"
    "    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))\n"
    "    scope = {'__name__': 'player', '__file__': path}\n"
    "    with open(path, 'rb') as file:\n"
    "        exec(compile(file.read(), path, 'exec'), scope)\n"
    "    return scope.get('Bot')() if 'Bot' in scope else None\n"
    "judged = os.getpid()\n"
    "bot = None\n"
    "try:\n"
    "    bot = make()\n"
    "    if bot is None:\n"
    "        say('refuse ', 'no class named Bot')\n"
    "except BaseException as error:\n"
    "    tell('refuse ', error)\n"
    "if bot is None:\n"
    "    sys.exit(1)\n"
    "say('ready', '')\n"
    "for question in questions:\n"
    "    fields = question.rstrip('\\n').split('\\t')\n"
    "    if question[:1] != '{' and len(fields) != 11:\n"
    "        break\n"
    "    try:\n"
    "        if question[:1] == '{':\n"
    "            import json\n"
    "            answer = bot.get_move(State(**json.loads(question)))\n"
    "            if isinstance(answer, (list, tuple)) and all(isinstance(m, str) for m in "
    "answer):\n"
    "                answer = '; '.join(answer)\n" // the moves of a turn
    "        else:\n"
    "            answer = bot.get_move(fields[:9], fields[9], fields[10])\n"
    "        if isinstance(answer, str):\n"
    "            say('=', answer.strip())\n"
    "        else:\n"
    "            say('!', 'returned ' + type(answer).__name__ + ', not a string')\n"
    "    except BaseException as error:\n"
    "        tell('!', error)\n";

// Counts the cups of a player and size on the board.
static int cups_placed(const char *board, char owner, char size) {
    int n = 0;
    for (const char *c = board; *c; c++)
        n += c[0] == owner && c[1] == size;
    return n;
}

static void put_pieces(const char *board, struct buf *out) {
    for (const char *owner = "XO"; *owner; owner++) {
        buf_format(out, "%s%c", *owner == 'O' ? "," : "", *owner);
        for (char size = '3'; size >= '1'; size--)
            for (int i = cups_placed(board, *owner, size); i < CUPS; i++)
                buf_put(out, &size, 1);
    }
}

// The moves of a game so far, as a list.
static json_t *list_moves(const char *moves) {
    json_t *list = json_array();
    for (const char *at = moves; *at;) {
        const size_t length = strcspn(at, ";");
        json_array_append_new(list, json_stringn(at, length));
        at += length;
        at += strspn(at, "; ");
    }
    return list;
}

static json_t *list_legal(const struct game *game, const void *state) {
    json_t *legal = json_array();
    move *list = mem_new((size_t)game->moves_max, sizeof *list);
    const int count = game->moves(state, list);
    for (int i = 0; i < count; i++) {
        char text[MOVE_TEXT_MAX];
        game->write_move(state, list[i], text);
        json_array_append_new(legal, json_text(text));
    }
    free(list);
    return legal;
}

static json_t *list_settings(const struct ruleset *rules) {
    json_t *settings = json_object();
    for (int i = 0; i < rules->game->rule_count; i++)
        json_object_set_new(settings, rules->game->rules[i].key, json_text(rules->text[i]));
    return settings;
}

// The state of a game whose contest has no class of its own.
static void ask_state(const struct wire *w, const struct wire_request *request, struct buf *out) {
    const struct game *game = w->rules->game;
    char position[STATE_TEXT_MAX];
    game->write_state(request->state, position);
    json_t *state =
        json_pack("{s:s, s:i, s:i, s:f, s:o, s:o, s:o, s:o}", "game", game->name, "turn", w->seat,
                  "due", request->due, "time", (double)request->time_us / 1e6, "moves",
                  list_moves(request->moves), "legal", list_legal(game, request->state), "position",
                  json_text(position), "settings", list_settings(w->rules));
    char *line = json_dumps(state, JSON_COMPACT | JSON_ENSURE_ASCII);
    buf_format(out, "%s\n", line);
    free(line);
    json_decref(state);
}

static void pybot_ask(struct wire *w, const struct wire_request *request, struct buf *out) {
    char board[STATE_TEXT_MAX];
    wire_read_all(w); // what came before the question is no answer to it
    if (strcmp(spec_of(w->rules->game)->protocol, "pybot") != 0) {
        ask_state(w, request, out);
        return;
    }
    w->rules->game->write_state(request->state, board);
    const char *at = board;
    for (int i = 0; i < CELLS; i++) { // cells separated by a blank or a slash; "." is empty
        const size_t length = strcspn(at, " /");
        const bool empty = *at == '.';
        if (!empty)
            buf_put(out, at, length);
        buf_format(out, "%*s\t", empty && w->trail < EMPTY_MIN ? EMPTY_MIN : w->trail, "");
        at += length + 1;
    }
    put_pieces(board, out);
    buf_format(out, "\t%c\n", w->seat == 1 ? 'X' : 'O');
}

static enum wire_event pybot_take(struct wire *w, struct buf *out) {
    (void)out;
    if (!wire_take_line(w))
        return WIRE_NOTHING;
    const char *line = w->words.data, *why = wire_after(line, "refuse");
    if (!w->greeted) {
        if (why)
            buf_drop(&w->words, (size_t)(why - line));
        return why ? WIRE_REFUSED : strcmp(line, "ready") == 0 ? WIRE_READY : WIRE_SKIPPED;
    }
    if (!w->asked || (*line != '=' && *line != '!'))
        return WIRE_SKIPPED;
    const bool answer = *line == '=';
    buf_drop(&w->words, 1);
    return answer ? WIRE_ANSWER : WIRE_NO_MOVE;
}

static void pybot_quit(struct wire *w, struct buf *out) {
    (void)w;
    buf_text(out, "quit\n");
}

const struct wire_protocol wire_pybot = {
    .name = "pybot",
    .one_game = true,
    .ask = pybot_ask,
    .take = pybot_take,
    .quit = pybot_quit,
};
