// SPDX-License-Identifier: MIT
// `arbiter match`: games between two players, and what they say of their strength.
#include "base/clock.h"
#include "base/level.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/plain.h"
#include "cli/box_option.h"
#include "cli/match/series.h"
#include "cli/setup.h"
#include "referee/box_files.h"
#include "referee/record.h"
#include "referee/score.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_INTERRUPTED = 130 };

// What is done with the games of a series.
struct match_report {
    struct series series;
    struct box box;
    struct score score; // of the first player
    int half_pair;      // number of the game whose pair is not complete yet, from 1; 0: none
    int half_result;    // of that game, for the first player
    int finished, broken_off;
    bool json, board, progress;
    int drawn; // lines of the board on the terminal
    bool has_sprt;
    struct sprt sprt;
    FILE *record;
    char record_path[4096];
    char address[INET_ADDRSTRLEN];
    int64_t begin_us;
    struct err *err;
};

static void print_progress(const struct match_report *r, int done) {
    if (!r->progress)
        return;
    const double seconds = (double)(clock_now_us() - r->begin_us) / 1e6;
    fprintf(stderr, "\r%d of %d games, %.1f : %.1f, %.0f s left\033[K", done, r->series.games,
            r->score.won + 0.5 * r->score.drawn, r->score.lost + 0.5 * r->score.drawn,
            seconds / done * (r->series.games - done));
}

// The first player's result of a game: 1 won, 0 drawn, -1 lost.
static int result_of(const struct match_report *r, int index, const json_t *record) {
    const int winner = json_int(json_object_get(record, "winner"), 0);
    const int seat = r->series.config.in_pairs && index % 2 ? 2 : 1;
    return winner == 0 ? 0 : winner == seat ? 1 : -1;
}

// Counts the first game of a pair whose second has not come by itself.
static void count_half(struct match_report *r) {
    if (r->half_pair)
        score_add(&r->score, r->half_result);
    r->half_pair = 0;
}

// A game that nobody has won or drawn counts for nobody.
static void count_game(struct match_report *r, int index, const json_t *record) {
    const int result = result_of(r, index, record);
    const char *reason = json_string_value(json_object_get(record, "reason"));
    if (finish_find(reason) == FINISH_ABORTED || record_platform_fault(record))
        r->broken_off++;
    else
        r->finished++;
    if (json_is_null(json_object_get(record, "winner")))
        return;
    if (r->half_pair == index && index % 2 == 1) {
        score_add_pair(&r->score, r->half_result, result);
        r->half_pair = 0;
        return;
    }
    count_half(r);
    if (!r->series.config.in_pairs || index % 2 == 1) {
        score_add(&r->score, result);
    } else {
        r->half_pair = index + 1;
        r->half_result = result;
    }
}

static void print_game(json_t *record, int index) {
    const char *reason, *names[2], *word, *evidence, *fault = record_platform_fault(record);
    int winner = -1, plies, scores[2], player;
    json_unpack(record, "{s:s, s:i, s:[s, s]}", "reason", &reason, "plies", &plies, "players",
                &names[0], &names[1]);
    json_unpack(record, "{s:i}", "winner", &winner);
    plain_print(stdout, "game %d: ", index + 1);
    if (winner > 0)
        plain_print(stdout, "%s (%s) wins", names[winner - 1], winner == 1 ? "black" : "white");
    else
        plain_print(stdout, "%s", winner == 0 ? "draw" : "nobody wins");
    plain_print(stdout, " after %d moves: %s", plies, reason);
    if (json_unpack(record, "{s:[i, i]}", "scores", &scores[0], &scores[1]) == 0)
        plain_print(stdout, ", %d : %d", scores[0], scores[1]);
    if (json_unpack(record, "{s:{s:i, s:s, s:s}}", "verdict", "player", &player, "word", &word,
                    "evidence", &evidence) == 0)
        plain_print(stdout, "; %s: %s (%s)", names[player - 1], word, evidence);
    if (fault)
        plain_print(stdout, "; a fault of the platform, for %s: %s",
                    names[record_platform_player(record) - 1], fault);
    printf("\n");
}

// Hands what was written to the kernel, or says why it does not take it. `errno` was 0 before.
static bool flush(FILE *file, const char *name, struct err *err) {
    return (fflush(file) == 0 && !ferror(file)) ||
           err_set(err, "cannot write %.200s: %s", name, errno ? strerror(errno) : "it has failed");
}

static bool match_ended(void *owner, int index, json_t *record) {
    struct match_report *r = owner;
    errno = 0;
    if (r->record) {
        char *line = record_line(record);
        const off_t before = ftello(r->record);
        fprintf(r->record, "%s\n", line);
        free(line);
        if (!flush(r->record, r->record_path, r->err) && ftruncate(fileno(r->record), before) != 0)
            err_set(r->err, "cannot cut the half line off %.200s", r->record_path);
    }
    count_game(r, index, record);
    if (r->progress)
        fprintf(stderr, "\r\033[K");
    errno = 0;
    if (r->json)
        json_print_line(stdout, record_public(record));
    else
        print_game(record, index);
    flush(stdout, "the output", r->err);
    json_decref(record);
    print_progress(r, index + 1);
    const bool whole = !r->series.config.in_pairs || index % 2 == 1;
    return !r->err->set &&
           !(r->has_sprt && whole && sprt_result(&r->sprt, &r->score) != SPRT_RUNNING);
}

static void match_moved(void *owner, const struct match *match) {
    struct match_report *r = owner;
    if (r->board)
        board_print(r->series.config.rules.game, match_state(match), &r->drawn);
}

static void match_note(void *owner, const char *words) {
    const struct match_report *r = owner;
    fputs(r->progress ? "\r\033[K" : "", stderr);
    plain_print(stderr, "arbiter: %s\n", words);
}

static void print_elo(const char *label, double elo) {
    if (elo > 1e6 || elo < -1e6)
        printf("%s%s", label, elo > 0 ? "+inf" : "-inf");
    else
        printf("%s%+.1f", label, elo);
}

static void print_summary(const struct match_report *r) {
    const struct score *s = &r->score;
    const struct estimate e = score_estimate(s);
    const double points = s->won + 0.5 * s->drawn;
    const int games_played = score_games(s);
    if (games_played == 0)
        return;
    plain_print(stdout, "\n%s against %s: %.1f of %d points (%.1f %%), %d won, %d drawn, %d lost\n",
                r->series.player[0].text, r->series.player[1].text, points, games_played,
                100 * e.points, s->won, s->drawn, s->lost);
    print_elo("Elo difference ", e.elo);
    print_elo(", 95 % interval ", e.low);
    print_elo(" to ", e.high);
    printf(" (points %.1f %% to %.1f %%)\n", 100 * e.points_low, 100 * e.points_high);
    if (r->series.config.in_pairs)
        printf("pairs 0, 1/2, 1, 3/2, 2: %d %d %d %d %d\n", s->pairs[0], s->pairs[1], s->pairs[2],
               s->pairs[3], s->pairs[4]);
    if (r->has_sprt) {
        static const char *const words[] = {"undecided", "accepted: stronger", "rejected"};
        printf("SPRT %.1f, %.1f: ratio %.2f of %.2f, %s\n", r->sprt.elo0, r->sprt.elo1,
               sprt_ratio(&r->sprt, s), sprt_bound(), words[sprt_result(&r->sprt, s)]);
    }
}

// --set: rules, penalties, how players are kept, and blocks=random.
static bool read_settings(struct match_report *r, const struct args *args, struct err *err) {
    struct series *s = &r->series;
    for (int i = 0; i < args->options; i++) {
        if (strcmp(args->given[i].option->name, "--set") != 0)
            continue;
        const char *text = args->given[i].value, *value = strchr(text, '=');
        char key[64] = "";
        if (value && value - text < 64)
            memcpy(key, text, (size_t)(value - text));
        if (penalties_has(key)) {
            if (!penalties_set(&s->config.penalties, s->config.rules.game, key, value + 1, err))
                return false;
        } else if (player_limits_has(key)) {
            if (!player_limits_set(&s->config.limits, s->config.rules.game, key, value + 1, err))
                return false;
        } else if (strcmp(key, "blocks") == 0 &&
                   conditions_blocks(&s->config.conditions, value + 1, err)) {
            continue;
        } else {
            if (err->set || !setup_rule(&s->config.rules, text, err))
                return false;
            if (strcmp(key, "blocks") == 0)
                s->config.conditions.random_blocks = false;
        }
    }
    union game_state state;
    char why[WHY_TEXT_MAX];
    return s->config.rules.game->start(&state, &s->config.rules, NULL, why) ||
           err_set(err, "%s: %s", s->config.rules.game->name, why);
}

static bool check_opening(const struct series *s, const char *line, int number, struct err *err) {
    union game_state state;
    char why[WHY_TEXT_MAX], *copy = mem_text(line), *bad;
    int ply;
    s->config.rules.game->start(&state, &s->config.rules, NULL, why);
    const char *wrong = game_play_line(s->config.rules.game, &state, copy, &ply, &bad);
    if (!wrong && game_is_over(s->config.rules.game, &state))
        wrong = "the game is over after it";
    if (wrong)
        err_set(err, "opening in line %d: move %d: %s", number, ply + 1, wrong);
    free(copy);
    return !wrong;
}

static bool read_random_openings(struct series *s, const char *number, struct err *err) {
    const int most = conditions_opening_max(&s->config.rules);
    int64_t plies;
    if (most < 1)
        return err_set(err, "this game of %s is too short for an opening",
                       s->config.rules.game->name);
    if (!read_number(number, "--openings random:N, half a game at most,", 1, most, &plies, err))
        return false;
    s->config.conditions.opening_plies = (int)plies;
    return true;
}

static bool read_openings(struct series *s, const char *text, struct err *err) {
    if (!player_takes_openings(&s->player[0]) || !player_takes_openings(&s->player[1]))
        return err_set(err, "a cmd: player cannot be told of an opening; leave --openings out");
    if (strncmp(text, "random:", 7) == 0)
        return read_random_openings(s, text + 7, err);
    FILE *file = fopen(text, "r");
    if (!file)
        return err_set(err, "cannot open the openings %.200s: %s", text, strerror(errno));
    char *line = NULL;
    size_t room = 0;
    for (int number = 1; getline(&line, &room, file) > 0 && !err->set; number++) {
        line[strcspn(line, "\r\n")] = '\0';
        if (!*line || *line == '#' || !check_opening(s, line, number, err))
            continue;
        s->openings = mem_resize(s->openings, (size_t)(s->opening_count + 1) * sizeof *s->openings);
        s->openings[s->opening_count++] = mem_text(line);
    }
    free(line);
    fclose(file);
    return !err->set && (s->opening_count > 0 || err_set(err, "%.200s holds no opening", text));
}

static bool read_sprt(struct match_report *r, const char *text, struct err *err) {
    r->has_sprt = sprt_read(&r->sprt, text);
    return r->has_sprt || err_set(err, "--sprt takes E0,E1 with E0 below E1, not '%.40s'", text);
}

// A run that was cut off may have left half a line: what comes now shall not be glued to it.
static void end_half_line(FILE *record) {
    if (fseeko(record, -1, SEEK_END) == 0 && getc(record) != '\n') {
        fseeko(record, 0, SEEK_END);
        putc('\n', record);
    }
    fseeko(record, 0, SEEK_END);
}

static bool open_files(struct match_report *r, const struct args *args, struct err *err) {
    const char *folder = args_value(args, "--record"), *log = args_value(args, "--log");
    if (folder) {
        if (!path_make_folder(folder, err))
            return false;
        snprintf(r->record_path, sizeof r->record_path, "%s/games.jsonl", folder);
        r->record = fopen(r->record_path, "a+");
        if (!r->record)
            return err_set(err, "cannot open %.200s: %s", r->record_path, strerror(errno));
        end_half_line(r->record);
    }
    r->box.tells = log != NULL;
    if (log)
        r->series.config.log = log_open(log, err);
    return !log || r->series.config.log;
}

// The address to listen on, from itself or a name.
static bool read_address(struct match_report *r, const char *name, struct err *err) {
    const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    const int error = getaddrinfo(name, NULL, &hints, &found);
    if (error != 0)
        return err_set(err, "--bind takes an IPv4 address or the name of one, not '%.80s': %s",
                       name, gai_strerror(error));
    const struct sockaddr_in *place = (const struct sockaddr_in *)(const void *)found->ai_addr;
    inet_ntop(AF_INET, &place->sin_addr, r->address, sizeof r->address);
    freeaddrinfo(found);
    return true;
}

static bool read_numbers(struct match_report *r, const struct args *args, struct err *err) {
    struct series *s = &r->series;
    int64_t seed, wait, grace;
    if (!args_int(args, (struct number_option){"--games", 1, 1, 1000000}, &s->games, err) ||
        !args_number(args, (struct number_option){"--seed", 1, 0, INT64_MAX}, &seed, err) ||
        !args_int(args, (struct number_option){"--jobs", 1, 1, 256}, &s->jobs, err) ||
        !args_int(args, (struct number_option){"--cores", 1, 1, 1024}, &s->cores, err) ||
        !args_int(args, (struct number_option){"--port", 8888, 0, 65535}, &s->port, err) ||
        !args_number(args, (struct number_option){"--wait", 60, 1, 86400}, &wait, err) ||
        !args_number(args, (struct number_option){"--grace", 0, 0, 60000}, &grace, err))
        return false;
    const char *bind = args_value(args, "--bind");
    s->config.seed = (uint64_t)seed;
    s->config.wait_us = wait * 1000000;
    s->config.grace_us = grace * 1000;
    s->address = bind ? r->address : "127.0.0.1";
    s->config.in_pairs = args_value(args, "--swap") != NULL;
    return !bind || read_address(r, bind, err);
}

static bool check_plan(const struct match_report *r, struct err *err) {
    const struct series *s = &r->series;
    for (int i = 0; i < 2; i++) {
        if (!player_suits(&s->player[i], &s->config.rules, &s->config.limits, err))
            return false;
        if (s->player[i].kind == PLAYER_TEAM && !s->player[i].command && s->jobs > 1)
            return err_set(err, "%s plays one game at a time: use --jobs 1", s->player[i].text);
        if (s->player[i].kind == PLAYER_HUMAN && (s->jobs > 1 || s->games > 2))
            return err_set(err, "a person plays one game, or two with --swap, and --jobs 1");
    }
    return true;
}

// Always true.
static bool warn_of_memory(const struct series *s) {
    if (s->config.limits.memory > 0 && s->config.limits.memory_own && !s->config.limits.box)
        fputs(
            "arbiter: without --box memory= holds for each process by itself, and shared memory is "
            "not counted\n",
            stderr);
    return true;
}

static bool read_box(struct match_report *r, const char *text, struct err *err) {
    struct series *s = &r->series;
    struct err refusal[2] = {{.set = false}, {.set = false}};
    int level;
    if (!box_option_read(text, &level, err) || level == BOX_OFF)
        return !err->set;
    box_find(&r->box);
    s->config.limits.box = &r->box;
    if (!box_choose(&r->box, level, err))
        return false;
    return box_files_show(&s->player[0], &s->player[1], &s->config.limits, refusal) ||
           err_set(err, "%s", refusal[!refusal[0].set].text);
}

// As many games at once as there is memory for.
static bool fit_memory(struct series *s, struct err *err) {
    const int strangers = player_is_stranger(&s->player[0]) + player_is_stranger(&s->player[1]);
    const struct player_limits_room room =
        player_limits_here(s->config.rules.game, strangers, s->jobs);
    char words[PLAYER_LIMITS_WORDS];
    s->jobs = player_limits_fit(&s->config.limits, &room, words, err);
    if (*words)
        fprintf(stderr, "arbiter: %s\n", words);
    return s->jobs > 0;
}

static bool read_plan(struct match_report *r, const struct args *args, struct err *err) {
    struct series *s = &r->series;
    const struct game *game = setup_game(args->word[0], err);
    const char *time = args_value(args, "--time"), *openings = args_value(args, "--openings"),
               *sprt = args_value(args, "--sprt"), *box = args_value(args, "--box");
    char program[PATH_PROGRAM_MAX];
    if (!game)
        return false;
    ruleset_init(&s->config.rules, game);
    penalties_init(&s->config.penalties, game);
    conditions_init(&s->config.conditions, game);
    player_limits_init(&s->config.limits, game);
    return read_settings(r, args, err) && read_numbers(r, args, err) &&
           (!time || conditions_time(&s->config.conditions, time, err)) &&
           player_read(&s->player[0], args->word[1], game, path_of_program(program), err) &&
           player_read(&s->player[1], args->word[2], game, program, err) &&
           (!openings || read_openings(s, openings, err)) && (!sprt || read_sprt(r, sprt, err)) &&
           check_plan(r, err) && (!box || read_box(r, box, err)) && fit_memory(s, err) &&
           open_files(r, args, err) && warn_of_memory(s);
}

static void done(struct match_report *r) {
    for (int i = 0; i < r->series.opening_count; i++)
        free(r->series.openings[i]);
    free(r->series.openings);
    for (int i = 0; i < 2; i++)
        player_done(&r->series.player[i]);
    if (r->record && fclose(r->record) != 0)
        err_set(r->err, "cannot write %.200s: %s", r->record_path, strerror(errno));
    log_close(r->series.config.log, r->err);
    box_done(&r->box);
}

static int match_run(const struct args *args, struct err *err) {
    struct match_report r = {
        .err = err, .json = args_value(args, "--json") != NULL, .begin_us = clock_now_us()};
    bool interrupted = false;
    bool good = read_plan(&r, args, err);
    if (good) {
        struct series *s = &r.series;
        const bool person = s->player[0].kind == PLAYER_HUMAN || s->player[1].kind == PLAYER_HUMAN;
        r.board = !r.json && s->games == 1 && isatty(STDOUT_FILENO) && !person;
        r.progress = s->games > 1 && isatty(STDERR_FILENO);
        s->ended = match_ended;
        s->moved = match_moved;
        s->note = match_note;
        s->owner = &r;
        good = series_play(s, &interrupted, err);
    }
    if (r.progress)
        fprintf(stderr, "\r\033[K");
    count_half(&r);
    if (!r.json)
        print_summary(&r);
    done(&r);
    if (good && interrupted)
        fprintf(
            stderr,
            "arbiter: interrupted; the players were ended, %d game%s finished, %d broken off and "
            "aborted%s%s\n",
            r.finished, r.finished == 1 ? " was" : "s were", r.broken_off,
            r.record ? "; all are in " : "", r.record_path);
    return !good || err->set ? -1 : interrupted ? EXIT_INTERRUPTED : 0;
}

static const struct option options[] = {
    {"--games", "N", "how many games (1)"},
    {"--swap", NULL, "play pairs: the same conditions twice, colours swapped"},
    {"--time", "S|A..B|off",
     "seconds for a turn, or drawn from a range, in milliseconds if an end\n"
     "                     is not whole (the contest's)"},
    {"--openings", "FILE|random:N",
     "begin with the moves of a line, or N random ones, half a game at\n"
     "                     most"},
    {"--seed", "N", "seed of all that is drawn at random, whatever --jobs is (1)"},
    {"--set", "KEY=VALUE",
     "a rule of the game, blocks=random[:N], start_time, ponder, memory,\n"
     "                     trail, or a penalty: illegal, late, gone, invalid_transfer"},
    {"--jobs", "N", "games at once, each in a process of its own (1)"},
    {"--cores", "N", "cores for each game, its referee and both players (1)"},
    {"--sprt", "E0,E1", "stop when it is clear that the first is stronger by E1, or by E0"},
    {"--port", "P", "where TCP players connect (8888)"},
    {"--bind", "ADDR", "the IPv4 address to listen on, or its name (127.0.0.1)"},
    {"--wait", "S", "seconds to wait for a team that is not started here (60)"},
    {"--grace", "MS", "added to every limit (0)"},
    {"--record", "DIR", "append every game to DIR/games.jsonl"},
    {"--log", "FILE",
     "write every message with its time, what players print, and what\n"
     "                     the box refuses to them"},
    {"--box", "N|off", "how tightly players are boxed in (off)"},
    OPTION_JSON,
};

const struct command command_match = {
    .name = "match",
    .arguments = "GAME PLAYER PLAYER",
    .words_min = 3,
    .words_max = 3,
    .summary = "let two players play, and judge them",
    .help = "PLAYER is one of\n"
            "  builtin[:LEVEL][,nodes=N][,threads=N][,misses=N][,general][,untaught]\n"
            "                    a built-in player, so many nodes with each thread; misses: does\n"
            "                    not see N percent of the moves; general: by the general engine,\n"
            "                    also where the game has one of its own; untaught: without what\n"
            "                    was learned of a game that was added; LEVEL is\n" LEVEL_LINES
            "  random            any legal move\n"
            "  cmd:COMMAND       a player on standard input and output, by sixline\n"
            "  tcp:TEAM          a player that connects by itself, by stcp\n"
            "  tcp:TEAM=COMMAND  the same, started here\n"
            "  py:FILE           a player of any game: a file of Python with class Bot\n"
            "  abp:COMMAND       a player of any game on our own protocol (docs/protocol.md)\n"
            "  human             you, at this terminal\n"
            "The first plays black. Ends with points, Elo difference and its 95 % interval.\n"
            "Example: arbiter match reversi builtin random --games 20 --swap --time 0.5\n",
    COMMAND_OPTIONS(options),
    .takes_game = true,
    .lists_protocols = true,
    .run = match_run,
};
