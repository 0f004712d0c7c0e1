// SPDX-License-Identifier: MIT
// `arbiter contest`: runs a contest, shows it, and keeps what its organiser decides.
#include "cli/contest/contest.h"
#include "base/embed.h"
#include "base/mem.h"
#include "base/plain.h"
#include "cli/box_option.h"
#include "contest/decide.h"
#include "contest/game_files.h"
#include "contest/likeness.h"
#include "contest/report/report.h"
#include "contest/verify.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Where the store of a contest lies, to be freed, and whether it is there; one of a server counts
// as there.
static char *store_place(const struct args *args, bool *there) {
    const char *path = args->word[1], *store = args_value(args, "--store");
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    struct buf file = {.data = NULL};
    if (store)
        buf_text(&file, store);
    else
        buf_put(&file, path, dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path));
    if (!store)
        buf_text(&file, ".db");
    *there = (store && strstr(store, "://")) || access(file.data, F_OK) == 0;
    return file.data;
}

// What was begun is told by the game as the store has it; to be played on, it must be the one that
// is known here, or none may be known.
static bool take_game(struct contest *c, bool plays, struct err *err) {
    struct plan_label label;
    char differs[GAME_FILES_DIFFER_MAX];
    if (!plan_peek(c->args->word[1], &label))
        return true; // what is wrong with it is said when it is read
    const bool good = game_files_use(c->store, label.name, differs, err) &&
                      (!plays || game_files_refuse(label.game, label.name, differs, err));
    plan_label_done(&label);
    return good;
}

static bool read_plan(struct contest *c, struct err *err) {
    const char *path = c->args->word[1], *slash = strrchr(path, '/');
    c->plan = plan_load(path, err);
    if (!c->plan)
        return false;
    c->base = slash ? strndup(path, (size_t)(slash - path)) : mem_text(".");
    const int open = plan_find_open(c->plan);
    return open == NOBODY ||
           err_set(err,
                   "line %d of %.200s: %.60s is handed in on the platform (arbiter serve), "
                   "which runs the contest",
                   c->plan->players[open].line, path, c->plan->players[open].name);
}

static bool contest_open(struct contest *c, const struct args *args, enum store_need need,
                         struct err *err) {
    const struct store_ear ear = {.note = command_note};
    const bool plays = need == STORE_MADE && !args_value(args, "--look");
    bool there;
    char *where = store_place(args, &there);
    *c = (struct contest){.args = args};
    if (there)
        c->store = store_reach(where, need == STORE_MADE, &ear, err);
    bool good = (!there || (c->store && take_game(c, plays, err))) && read_plan(c, err);
    if (good && !there && need == STORE_NEEDED)
        good = err_set(
            err,
            "the contest '%.100s' has not begun (there is no %.200s): arbiter contest run %.200s",
            c->plan->name, where, args->word[1]);
    if (good && !there && (need == STORE_MADE || args_value(args, "--store")))
        c->store = store_reach(where, need == STORE_MADE, &ear, err);
    free(where);
    return good && !err->set;
}

static void contest_close(struct contest *c) {
    store_close(c->store);
    plan_free(c->plan);
    free(c->base);
}

static bool needs_begun(const struct contest *c, const struct state *state, struct err *err) {
    return state->game_count > 0 ||
           err_set(err, "the contest '%.100s' has not begun: arbiter contest run %.200s",
                   c->plan->name, c->args->word[1]);
}

// Records on their way out.
struct record_printing {
    int stage;          // of which alone, or -1
    struct buf *quoted; // where they go instead; NULL: they are printed
    struct err *err;
};

// A record that is not as it was written is not shown, but told of.
static void print_record(void *owner, const struct stored_game *game) {
    struct record_printing *p = owner;
    if (!*game->record || (p->stage >= 0 && game->stage != p->stage))
        return;
    if (!verify_record(game->record)) {
        err_set(p->err,
                "the record of game %lld is not as it was written: the sum at its end is another",
                (long long)game->number);
    } else if (p->quoted) {
        buf_format(p->quoted, "%s\n", game->record);
    } else {
        plain_write_json(stdout, game->record);
        fputc('\n', stdout);
    }
}

// The text, or as a member of a JSON object for a program that wants it so.
static void print_shown(const struct contest *c, const struct buf *text) {
    if (args_value(c->args, "--quoted"))
        json_print_line(stdout,
                        json_pack("{s:o}", "text", json_text(text->data ? text->data : "")));
    else if (text->data)
        plain_write(stdout, text->data, text->length);
}

static bool print_records(const struct contest *c, int stage, struct err *err) {
    struct buf text = {.data = NULL};
    struct record_printing p = {.stage = stage, .err = err};
    p.quoted = args_value(c->args, "--quoted") ? &text : NULL;
    if (store_games(c->store, c->plan->name, true, print_record, &p, err) && !err->set && p.quoted)
        print_shown(c, &text);
    buf_done(&text);
    return !err->set;
}

// At most one of the forms in which it can be shown.
static bool one_form(const struct contest *c, struct err *err) {
    static const char *const forms[] = {"--csv", "--html", "--records", "--json"};
    int count = 0;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        count += args_value(c->args, forms[i]) != NULL;
    return count <= 1 || err_set(err, "show takes one of --csv, --html, --records and --json");
}

static bool read_language(const struct contest *c, enum report_language *language,
                          struct err *err) {
    const char *word = args_value(c->args, "--language");
    char accepted[60] = "";
    *language = report_language_find(word ? word : report_language_word(REPORT_EN));
    for (enum report_language i = 0; i < REPORT_LANGUAGE_COUNT; i++)
        err_list(accepted, sizeof accepted, report_language_word(i));
    return *language < REPORT_LANGUAGE_COUNT ||
           err_set(err, "a report is in one of %s, not in '%.20s'", accepted, word);
}

// From 0; -1: all.
static bool read_stage(const struct contest *c, int *stage, struct err *err) {
    const struct number_option option = {"--stage", 0, 1, c->plan->stage_count};
    *stage = -1;
    if (args_value(c->args, "--stage") && !args_int(c->args, option, stage, err))
        return false;
    *stage -= *stage > 0;
    return true;
}

static bool has_begun_stage(const struct state *state, int stage, struct err *err) {
    return stage < state->begun || err_set(err, "stage %d has not begun", stage + 1);
}

static int contest_show(struct contest *c, struct err *err) {
    enum report_language language;
    int stage;
    if (!one_form(c, err) || !read_language(c, &language, err) || !read_stage(c, &stage, err))
        return -1;
    if (!verify_shown(c->plan, c->store, err))
        return -1;
    if (args_value(c->args, "--records"))
        return print_records(c, stage, err) ? 0 : -1;
    struct state *state = args_value(c->args, "--csv") ? state_load_tables(c->plan, c->store, err)
                                                       : state_load(c->plan, c->store, err);
    if (!state || !needs_begun(c, state, err) || !has_begun_stage(state, stage, err)) {
        state_free(state);
        return -1;
    }
    struct likeness likeness = {.count = 0};
    if (!likeness_find(&likeness, c->plan, c->store, c->base, kit_files, err)) {
        state_free(state);
        return -1;
    }
    state->likeness = &likeness;
    struct report *report = report_new(state);
    report->only = stage;
    struct buf out = {.data = NULL};
    if (args_value(c->args, "--json"))
        json_print_line(stdout, report_json(report));
    else if (args_value(c->args, "--csv"))
        report_csv(report, &out);
    else if (args_value(c->args, "--html"))
        report_html(report, language, &out);
    else
        report_text(report, &out);
    if (!args_value(c->args, "--json"))
        print_shown(c, &out);
    buf_done(&out);
    report_free(report);
    state_free(state);
    likeness_done(&likeness);
    return 0;
}

static void print_fault(void *owner, int64_t number, const char *words) {
    (void)owner;
    printf("game %lld: %s\n", (long long)number, words);
}

// All that can be found: what the store is by itself, and every game and record in it.
static int contest_check(struct contest *c, struct err *err) {
    struct buf findings = {.data = NULL};
    struct verification v = {.deeply = true, .each = print_fault};
    bool good = store_check(c->store, &findings, err) && state_is_of(c->plan, c->store, err) &&
                verify_games(c->plan, c->store, &v, err);
    const bool fits = findings.length == 0;
    if (good && !fits)
        printf("%s\n", findings.data);
    if (good)
        printf("%lld games, %lld records, %lld wrong; the store %s%s%s\n", (long long)v.games,
               (long long)v.records, (long long)v.wrong,
               fits ? "fits together" : "does not fit together", store_vouch(c->store) ? ", " : "",
               store_vouch(c->store) ? store_vouch(c->store) : "");
    buf_done(&findings);
    return !good ? -1 : !fits || v.wrong > 0;
}

// Who decides: as he says, or by the name he has here.
static const char *decider(const struct contest *c) {
    const char *by = args_value(c->args, "--by"), *user = getlogin();
    return by ? by : user && strlen(user) <= RULING_BY_MAX ? user : "";
}

static int contest_decide(struct contest *c, struct err *err) {
    const char *why = args_value(c->args, "--why");
    const struct ruling ruling = {.kind = c->args->word[0],
                                  .subject = c->args->word[2],
                                  .why = why ? why : "",
                                  .by = decider(c)};
    struct buf words = {.data = NULL};
    if (!why || plain_is_blank(why))
        err_set(err, "a decision needs its reason, which everybody can read: --why TEXT");
    else if (decide(c->plan, c->store, &ruling, &words, err) && args_value(c->args, "--json"))
        json_print_line(stdout, json_pack("{s:o}", "words", json_text(words.data)));
    else if (!err->set)
        plain_print(stdout, "%s\n", words.data);
    buf_done(&words);
    return err->set ? -1 : 0;
}

#define DECIDE_OPTIONS "--store, --why, --by, --json"

static const struct contest_action {
    const char *name, *argument; // after FILE
    int (*run)(struct contest *contest, struct err *err);
    enum store_need need;
    const char *options;
} actions[] = {
    {"run", NULL, contest_run, STORE_MADE, "--store, --jobs, --lease, --box, --json"},
    {"live", NULL, contest_live, STORE_MADE, "--store, --box, --look"},
    {"show", NULL, contest_show, STORE_NEEDED,
     "--store, --csv, --html, --records, --json, --language, --stage, --quoted"},
    {"check", NULL, contest_check, STORE_NEEDED, "--store"},
    {"similar", NULL, contest_similar, STORE_USED, "--store, --json, --html, --pair, --progress"},
    {"annul", "GAME", contest_decide, STORE_NEEDED, DECIDE_OPTIONS},
    {"replay", "GAME", contest_decide, STORE_NEEDED, DECIDE_OPTIONS},
    {"restore", "GAME", contest_decide, STORE_NEEDED, DECIDE_OPTIONS},
    {"disqualify", "PLAYER", contest_decide, STORE_NEEDED, DECIDE_OPTIONS},
    {"withdraw", "PLAYER", contest_decide, STORE_NEEDED, DECIDE_OPTIONS},
    {"readmit", "PLAYER", contest_decide, STORE_NEEDED, DECIDE_OPTIONS},
};

enum { ACTIONS = sizeof actions / sizeof *actions };

static const struct contest_action *find_action(const struct args *args, struct err *err) {
    char names[200] = "";
    for (int i = 0; i < ACTIONS; i++) {
        err_list(names, sizeof names, actions[i].name);
        if (strcmp(actions[i].name, args->word[0]) != 0)
            continue;
        if ((args->words == 3) == (actions[i].argument != NULL))
            return &actions[i];
        err_set(err, "it is: arbiter contest %s FILE%s%s", actions[i].name,
                actions[i].argument ? " " : "", actions[i].argument ? actions[i].argument : "");
        return NULL;
    }
    err_set(err, "contest cannot '%.40s'; it can %s", args->word[0], names);
    return NULL;
}

// No option that means nothing here.
static bool takes_all(const struct contest_action *action, const struct args *args,
                      struct err *err) {
    for (int i = 0; i < args->options; i++) {
        const char *name = args->given[i].option->name, *at = strstr(action->options, name);
        const char next = at ? at[strlen(name)] : 'x';
        if (next != ',' && next != '\0' && args->given[i].option != &option_data)
            return err_set(err, "contest %s has no %s; it takes %s, %s", action->name, name,
                           action->options, option_data.name);
    }
    return true;
}

static int contest_command_run(const struct args *args, struct err *err) {
    const struct contest_action *action = find_action(args, err);
    struct contest contest = {.args = args};
    if (!action || !takes_all(action, args, err))
        return -1;
    const int code =
        contest_open(&contest, args, action->need, err) ? action->run(&contest, err) : -1;
    contest_close(&contest);
    return code;
}

static const struct option options[] = {
    {"--store", "URL", "a file, or postgresql://... (the contest file's name with .db)"},
    {"--jobs", "N", "run: games at once (the file's); 0 plays none and waits for workers"},
    {"--lease", "S", "run: seconds after which a silent worker's game is another's (30)"},
    OPTION_BOX_CONTEST,
    {"--look", NULL, "live: tell how it stands and play nothing"},
    {"--why", "TEXT", "annul and the other decisions: the reason, read by everybody"},
    {"--by", "NAME", "the same: who has decided (your name on this machine)"},
    {"--csv", NULL, "show: the table, for spreadsheets"},
    {"--html", NULL, "show: one page with tables, plot and games; similar: pairs side by side"},
    {"--stage", "N", "show: one stage alone, from 1: its table and its games"},
    {"--quoted", NULL, "show: the text as {\"text\": ...}, for programs"},
    {"--language", "L", "show --html: en, ko or zh-TW (en)"},
    {"--pair", "PLAYER", "similar --json: two of them, side by side; given twice"},
    {"--progress", NULL, "similar --json: lines that tell how far it is come first"},
    {"--records", NULL, "show: the record of every game, for arbiter replay"},
    {"--json", NULL, "show, similar, decisions: one JSON object; run: one for every event"},
};

const struct command command_contest = {
    .name = "contest",
    .arguments =
        "run|live|show|check|similar|annul|replay|restore|disqualify|withdraw|readmit FILE "
        "[GAME|PLAYER]",
    .words_min = 2,
    .words_max = 3,
    .summary = "run a whole contest, or show its table",
    .help =
        "FILE says who plays what and how (docs/contests.md; examples/ has one for each game).\n"
        "run begins it or continues what was begun, and ends with the table. Pull the plug: no\n"
        "finished game is lost, and one that was in play is played again from its start.\n"
        "live runs it for a program that shows it, telling every event as a line of JSON.\n"
        "check looks through the whole store: its pages, every record and its sum, every game by\n"
        "the rules, the table; it ends with code 1 if something is wrong.\n"
        "similar compares the players' folders: who has code in common, without the kits'.\n"
        "annul takes a game out of the table and replay has it played again, for faults of the\n"
        "platform; restore takes either back. Who is disqualified comes last and without points;\n"
        "readmit takes that, or a withdrawal, back.\n"
        "Example: arbiter contest run examples/tower4.conf\n",
    COMMAND_OPTIONS(options),
    .run = contest_command_run,
};
