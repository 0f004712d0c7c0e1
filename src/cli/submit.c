// SPDX-License-Identifier: MIT
// `arbiter submit`: makes a player of what a contestant hands in, and tries it.
// docs/submissions.md.
#include "base/mem.h"
#include "base/path.h"
#include "base/plain.h"
#include "base/scratch.h"
#include "cli/box_option.h"
#include "cli/command.h"
#include "cli/setup.h"
#include "contest/submissions.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

struct submit_show {
    bool json;
    int code; // 0: it counts
    bool over;
    struct err *err;
};

static void show_log(void *owner, const char *team, int number, const char *words, size_t length) {
    const struct submit_show *show = owner;
    (void)team, (void)number;
    if (!show->json)
        plain_write(stderr, words, length);
}

static const char *text_in(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void print_game(const json_t *game) {
    const json_t *winner = json_object_get(game, "winner");
    const char *how = !json_is_integer(winner)          ? "nobody has won"
                      : json_integer_value(winner) == 1 ? "it has won"
                      : json_integer_value(winner) == 2 ? "it has lost"
                                                        : "it was drawn";
    if (json_is_object(game))
        plain_print(stdout, "test game  %s after %d plies (%s)\n", how,
                    json_int(json_object_get(game, "plies"), 0), text_in(game, "reason"));
}

static void print_report(const json_t *report) {
    const bool counts = json_is_true(json_object_get(report, "counts"));
    plain_print(stdout, "found      %s%s%s\n", text_in(report, "finding"),
                *text_in(report, "kind") ? ", by " : "", text_in(report, "kind"));
    if (*text_in(report, "text"))
        plain_print(stdout, "           %s\n", text_in(report, "text"));
    if (*text_in(report, "start"))
        plain_print(stdout, "start      %s\n", text_in(report, "start"));
    print_game(json_object_get(report, "game"));
    plain_print(stdout, "%s\n", counts ? "It counts." : "It does not count.");
}

static void submit_show_end(void *owner, const char *team, int number, const json_t *report) {
    struct submit_show *show = owner;
    (void)team, (void)number;
    const char *error = json_string_value(json_object_get(report, "error"));
    show->over = true;
    show->code = json_is_true(json_object_get(report, "counts")) ? 0 : 1;
    if (error)
        err_set(show->err, "%s", error);
    else if (show->json)
        json_print_line(stdout, json_deep_copy(report));
    else
        print_report(report);
}

// As the game's contest has it, but for what is set.
struct settings {
    struct ruleset rules;
    struct player_limits limits;
    struct conditions conditions;
};

static bool read_settings(struct settings *s, const struct args *args, struct err *err) {
    const struct game *game = setup_game(args->word[0], err);
    if (!game)
        return false;
    ruleset_init(&s->rules, game);
    player_limits_init(&s->limits, game);
    conditions_init(&s->conditions, game);
    const char *time = args_value(args, "--time");
    return !time || conditions_time(&s->conditions, time, err);
}

static bool read_limits(struct submit_limits *limits, const struct args *args, struct err *err) {
    int64_t seconds, megabytes;
    *limits = submit_standard;
    if (!args_number(args,
                     (struct number_option){"--build-time", limits->build_us / 1000000, 1, 3600},
                     &seconds, err) ||
        !args_number(
            args, (struct number_option){"--build-memory", limits->build_memory >> 20, 64, 1 << 20},
            &megabytes, err))
        return false;
    limits->build_us = seconds * 1000000;
    limits->build_memory = megabytes << 20;
    return true;
}

// What is taken, as the settings of a contest say it. Lists are separated by commas.
struct takes {
    struct submit_rules rules;
    char *files_text;
    const char **files;
};

// "a,b,c" as texts, ended by NULL; which point into it.
static const char **split(char *list) {
    size_t count = 1;
    for (const char *c = list; *c; c++)
        count += *c == ',';
    const char **parts = mem_new(count + 1, sizeof *parts);
    char *rest = list;
    for (size_t i = 0; i < count; i++)
        parts[i] = strsep(&rest, ",");
    return parts;
}

static bool read_files(struct takes *takes, const char *text, struct err *err) {
    takes->files_text = mem_text(text);
    takes->rules.files = takes->files = split(takes->files_text);
    for (int i = 0; takes->files[i]; i++)
        if (!*takes->files[i] || *takes->files[i] == '/')
            return err_set(err,
                           "--files '%.200s': a file is a name as it is handed in, or a pattern "
                           "such as *.h",
                           text);
    return true;
}

static bool read_languages(struct takes *takes, const char *text, struct err *err) {
    char *list = mem_text(text);
    const char **words = split(list);
    for (int i = 0; words[i]; i++) {
        const enum submit_language language = submit_language_find(words[i]);
        if (language == SUBMIT_COUNT)
            err_set(err, "--languages takes c, c++ and python, not '%.40s'", words[i]);
        else
            takes->rules.languages |= 1U << language;
    }
    free(words);
    free(list);
    return !err->set;
}

static bool read_takes(struct takes *takes, const struct args *args, struct err *err) {
    const char *languages = args_value(args, "--languages"), *files = args_value(args, "--files"),
               *cpp = args_value(args, "--cpp");
    char accepted[100];
    if (files && !read_files(takes, files, err))
        return false;
    takes->rules.cpp = cpp ? cpp_standard_find(cpp, accepted, sizeof accepted) : NULL;
    if (cpp && !takes->rules.cpp)
        return err_set(err, "--cpp takes %s, not '%.40s'", accepted, cpp);
    return !languages || read_languages(takes, languages, err);
}

static void takes_done(struct takes *takes) {
    free(takes->files);
    free(takes->files_text);
}

// From now on they are read here, so that nothing is left behind.
static int hold_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC);
}

static bool work(struct submissions *submissions, const char *team, const char *path, int signals,
                 struct submit_show *show) {
    if (!submissions_take_path(submissions, team, path, show->err))
        return false;
    while (!show->over) {
        struct pollfd wait[] = {{.fd = submissions_fd(submissions), .events = POLLIN},
                                {.fd = signals, .events = POLLIN}};
        poll(wait, 2, 1000);
        if (wait[1].revents)
            return err_set(show->err, "interrupted; the submission was broken off");
        submissions_work(submissions);
    }
    return !show->err->set;
}

static int submit_run(const struct args *args, struct err *err) {
    static const struct submissions_events events = {.log = show_log, .ended = submit_show_end};
    const char *home = args_value(args, "--home"), *team = args_value(args, "--team");
    struct submit_show show = {.json = args_value(args, "--json") != NULL, .err = err};
    struct settings settings;
    struct submit_limits limits;
    struct takes takes = {.files = NULL};
    struct box box = {.level = BOX_OFF};
    char program[PATH_PROGRAM_MAX];
    if (!home != !team) {
        err_set(err, "--home and --team go together");
        return -1;
    }
    if (!read_settings(&settings, args, err) || !read_limits(&limits, args, err) ||
        !read_takes(&takes, args, err)) {
        takes_done(&takes);
        return -1;
    }
    const struct box *chosen = box_option_choose(&box, args, NULL, NULL, err);
    const int signals = hold_signals();
    struct scratch own = {.path = NULL};
    if (!home && !err->set && scratch_make(&own, "a submission", err))
        chmod(own.path, 0711); // players may be other users
    const struct submissions_options options = {.home = home ? home : own.path,
                                                .program = path_of_program(program),
                                                .box = chosen,
                                                .kits = kit_files,
                                                .rules = &settings.rules,
                                                .player_limits = &settings.limits,
                                                .conditions = &settings.conditions,
                                                .limits = limits,
                                                .takes = &takes.rules,
                                                .at_once = 1,
                                                .keep = 5};
    struct submissions *submissions =
        err->set ? NULL : submissions_new(&options, &events, &show, err);
    const bool good =
        submissions && work(submissions, team ? team : "submission", args->word[1], signals, &show);
    submissions_free(submissions);
    scratch_done(&own);
    box_done(&box);
    takes_done(&takes);
    close(signals);
    return good ? show.code : -1;
}

static const struct option options[] = {
    {"--home", "DIR", "keep what comes of it below this folder"},
    {"--team", "NAME", "whose it is"},
    {"--time", "S|A..B|off", "seconds for a turn of the test game (the contest's)"},
    {"--languages", "LIST", "what may be handed in: c, c++, python (anything)"},
    {"--files", "LIST", "the files that may be handed in, or patterns (any)"},
    {"--cpp", "STANDARD", "what C++ is compiled as, such as c++14 (c++17)"},
    {"--build-time", "S", "seconds that building may take (60)"},
    {"--build-memory", "MB", "megabytes that building may take (1024)"},
    {"--box", "N|off", "how tightly it is boxed in (as tightly as this machine allows)"},
    OPTION_JSON,
};

const struct command command_submit = {
    .name = "submit",
    .arguments = "GAME PATH",
    .words_min = 2,
    .words_max = 2,
    .summary = "build what a contestant hands in, and try it",
    .help = "PATH is an archive (tar, zip, 7z) or a folder of sources. It is built inside the box "
            "and plays\na game against builtin:easy. Exits with 0 if it counts, with 1 if not "
            "(docs/submissions.md).\n"
            "Example: arbiter submit connect6 kits/connect6/cpp\n",
    COMMAND_OPTIONS(options),
    .takes_game = true,
    .run = submit_run,
};
