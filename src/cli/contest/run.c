// SPDX-License-Identifier: MIT
// `arbiter contest run`: the progress of a contest, and its table at the end.
#include "base/clock.h"
#include "base/embed.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/plain.h"
#include "base/signals.h"
#include "cli/box_option.h"
#include "cli/contest/contest.h"
#include "contest/report/report.h"
#include "contest/runner.h"
#include "referee/porter.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_INTERRUPTED = 130, BAR = 30 };

struct contest_show {
    const struct plan *plan;
    struct runner *runner;
    struct porter *porter; // has the judge's port; NULL: no team comes by itself
    struct err lost;       // when the porter could not be told of one
    bool json, progress;
    int signals;     // a descriptor
    int done_before; // games that were played before we began
    int done;        // since then, here
    int64_t begin_us, drawn_us;
};

static void clear_line(const struct contest_show *s) {
    if (s->progress)
        fprintf(stderr, "\r\033[K");
}

// Games done, in play, and how long it will take.
static void draw_progress(struct contest_show *s, bool now) {
    const struct state *state = s->runner ? runner_state(s->runner) : NULL;
    const int64_t at = clock_now_us();
    if (!s->progress || !state || (!now && at - s->drawn_us < 200000))
        return;
    s->drawn_us = at;
    const int here = s->done_before + s->done;
    const int done = state->counts[GAME_DONE] > here ? state->counts[GAME_DONE] : here;
    const int total = state->expected > done ? state->expected : done;
    const int filled = total > 0 ? (int)((int64_t)BAR * done / total) : 0,
              fresh = done - s->done_before;
    fprintf(stderr, "\r[%.*s%*s] %d of %d games, %d in play", filled,
            "##############################", BAR - filled, "", done, total,
            runner_playing(s->runner));
    if (fresh > 0)
        fprintf(stderr, ", %.0f s left", (double)(at - s->begin_us) / 1e6 / fresh * (total - done));
    fprintf(stderr, "\033[K");
    fflush(stderr);
}

static void contest_run_note(void *owner, const char *words) {
    struct contest_show *s = owner;
    clear_line(s);
    plain_print(stderr, "arbiter: %s\n", words);
}

static json_t *event_of(const struct contest_show *s, const char *event,
                        const struct stored_game *g) {
    const struct plan *plan = s->plan;
    return json_pack(
        "{s:s, s:I, s:o, s:o}", "event", event, "number", (json_int_t)g->number, "black",
        json_text(g->black < 0 ? "(the house)" : plan->players[g->black].name), "white",
        json_text(g->white < 0 ? "(the house)" : plan->players[g->white].name));
}

static void contest_run_began(void *owner, const struct stored_game *game) {
    struct contest_show *s = owner;
    if (s->json)
        json_print_line(stdout, event_of(s, "began", game));
    draw_progress(s, false);
}

static void contest_run_ended(void *owner, const struct stored_game *game) {
    struct contest_show *s = owner;
    s->done++;
    if (s->json) {
        json_t *line = event_of(s, "ended", game);
        json_object_set_new(line, "winner",
                            game->winner < 0 ? json_null() : json_integer(game->winner));
        json_object_set_new(line, "reason", json_text(game->reason));
        json_object_set_new(line, "verdict", json_text(game->verdict));
        json_print_line(stdout, line);
        fflush(stdout);
    }
    draw_progress(s, false);
}

static void contest_run_team(void *owner, int number, int port) {
    struct contest_show *s = owner;
    porter_lend(s->porter, number, port, &s->lost);
}

static bool contest_run_stop(void *owner) {
    const struct contest_show *s = owner;
    return signals_came(s->signals);
}

static const struct dispatch_events events = {.began = contest_run_began,
                                              .ended = contest_run_ended,
                                              .team = contest_run_team,
                                              .note = contest_run_note,
                                              .stop = contest_run_stop};

int contest_signals(struct err *err) {
    signal(SIGPIPE, SIG_IGN);
    return signals_open(err);
}

// Until all is played (0), a signal comes (EXIT_INTERRUPTED), or it cannot go on (-1).
static int work(struct contest_show *s, int signals, struct err *err) {
    while (!runner_is_over(s->runner)) {
        struct pollfd fds[] = {{.fd = runner_fd(s->runner), .events = POLLIN},
                               {.fd = signals, .events = POLLIN},
                               {.fd = s->porter ? porter_fd(s->porter) : -1, .events = POLLIN}};
        if (!runner_work(s->runner, err) ||
            (s->porter && !porter_hear(s->porter, contest_run_note, s, err)))
            return -1;
        if (s->lost.set) {
            err_set(err, "%s", s->lost.text);
            return -1;
        }
        draw_progress(s, false);
        if (runner_is_over(s->runner))
            break;
        if (poll(fds, 3, -1) > 0 && fds[1].revents)
            return EXIT_INTERRUPTED;
    }
    return 0;
}

static void print_table(const struct contest_show *s) {
    struct report *report = report_new(runner_state(s->runner));
    struct buf out = {.data = NULL};
    if (s->json) {
        json_print_line(stdout, report_json(report));
    } else {
        report_table(report, &out);
        plain_write(stdout, out.data, out.length);
    }
    buf_done(&out);
    report_free(report);
}

// How long it took, and the share that was not playing: players that start and end, and our own
// work.
static void print_times(const struct contest_show *s, int jobs) {
    const struct dispatch_times t = runner_times(s->runner);
    const double wall = (double)(clock_now_us() - s->begin_us) / 1e6,
                 play = (double)t.play_us / 1e6,
                 around = (double)(t.start_us + t.end_us + t.rest_us) / 1e6;
    if (s->json || t.games == 0 || jobs == 0)
        return;
    fprintf(stderr,
            "played %d games in %.1f s, up to %d at once; a game took %.2f s, and %.2f s more for "
            "its players to start and end and its result to be kept\n",
            t.games, wall, t.most, play / t.games, around / t.games);
}

static bool read_options(const struct contest *c, const char *program, struct box *box,
                         struct dispatch_options *o, struct err *err) {
    int jobs;
    int64_t lease;
    if (!args_int(c->args, (struct number_option){"--jobs", c->plan->jobs, 0, 256}, &jobs, err) ||
        !args_number(c->args, (struct number_option){"--lease", 30, 1, 86400}, &lease, err))
        return false;
    for (int i = 0; jobs == 0 && i < c->plan->player_count; i++)
        if (c->plan->players[i].awaited)
            return err_set(err, "%.60s connects to this runner, so it must play: use --jobs 1",
                           c->plan->players[i].name);
    *o = (struct dispatch_options){.jobs = jobs,
                                   .cores = c->plan->cores,
                                   .lease_us = lease * 1000000,
                                   .program = program,
                                   .kits = kit_files,
                                   .is_home = true};
    if (jobs > 0)
        o->box = box_option_choose(box, c->args, NULL, NULL, err);
    return !err->set;
}

// Teams that come by themselves stay from game to game with whoever has the judge's port; that
// needs a process of its own, because each game is played in another.
static bool open_port(struct contest_show *s, struct dispatch_options *o, struct err *err) {
    int32_t *teams = mem_new((size_t)s->plan->player_count + 1, sizeof *teams);
    const struct porter_config config = {.address = s->plan->address,
                                         .port = s->plan->port,
                                         .teams = teams,
                                         .team_count = plan_awaited(s->plan, teams)};
    o->lent = config.team_count > 0;
    if (o->lent)
        s->porter = porter_new(&config, err);
    free(teams);
    return !err->set;
}

bool contest_enter(const struct contest *c, struct err *err) {
    if (chdir(c->base) != 0)
        return err_set(err, "cannot enter the folder %.200s: %s", c->base, strerror(errno));
    char *here = getcwd(NULL, 0);
    if (here)
        setenv("PWD", here, true); // as players find it that are started without a shell
    free(here);
    return true;
}

int contest_run(struct contest *c, struct err *err) {
    char program[PATH_PROGRAM_MAX];
    struct dispatch_options options;
    struct box box = {.level = BOX_OFF};
    struct contest_show show = {.plan = c->plan, .json = args_value(c->args, "--json") != NULL};
    show.progress = isatty(STDERR_FILENO);
    const int signals = show.signals = contest_signals(err);
    int code = -1;
    if (signals >= 0 && read_options(c, path_of_program(program), &box, &options, err) &&
        contest_enter(c, err) && open_port(&show, &options, err)) {
        show.begin_us = clock_now_us();
        show.runner = runner_new(c->plan, c->store, &options, &events, &show, err);
        if (!show.runner && contest_run_stop(&show))
            code = EXIT_INTERRUPTED;
    }
    if (show.runner) {
        show.done_before = runner_state(show.runner)->counts[GAME_DONE];
        show.begin_us = clock_now_us();
        code = work(&show, signals, err);
        clear_line(&show);
    }
    if (code == 0) {
        print_table(&show);
        print_times(&show, options.jobs);
    }
    runner_free(show.runner);
    porter_free(show.porter);
    box_done(&box);
    if (signals >= 0)
        close(signals);
    if (code == EXIT_INTERRUPTED)
        fprintf(stderr, "arbiter: interrupted; to go on: arbiter contest run %s\n",
                c->args->word[1]);
    return code;
}
