// SPDX-License-Identifier: MIT
// What one setting alone cannot show: whether the rules start a game, enough players reach every
// stage and group, every player can be read as `arbiter match` would, and no team comes twice. An
// error names the line of the setting that is the nearest to blame.
#include "contest/plan/parts.h"

#include "base/mem.h"
#include "referee/player.h"

#include <stdlib.h>
#include <string.h>

static const config_setting_t *root_of(const struct plan *p) {
    return config_root_setting(p->config);
}

// The group of the file that a stage stands in: its own, or that of the contest.
static const config_setting_t *group_of(const struct plan *p, int stage) {
    const config_setting_t *stages = config_setting_get_member(root_of(p), "stages");
    return stages ? config_setting_get_elem(stages, (unsigned)stage) : root_of(p);
}

// The first of these settings that a stage has (ended by NULL), or else the players.
static const config_setting_t *find_of(const struct plan *p, int stage, const char *const *names) {
    const config_setting_t *value = NULL;
    for (; !value && *names; names++)
        value = config_setting_get_member(group_of(p, stage), *names);
    return value ? value : config_setting_get_member(root_of(p), "players");
}

static const config_setting_t *player_of(const struct plan *p, int player) {
    return config_setting_get_elem(config_setting_get_member(root_of(p), "players"),
                                   (unsigned)player);
}

// Who has no group gets one by turns, there and back.
static bool deal_groups(struct plan *p, const struct plan_stage *stage, struct err *err) {
    const int groups = stage->format.groups;
    for (int i = 0, n = 0; i < p->player_count; i++) {
        struct plan_player *player = &p->players[i];
        if (player->group >= groups)
            return setting_wrong(config_setting_get_member(player_of(p, i), "group"), err,
                                 "there are %d groups, so accepted is 1..%d", groups, groups);
        if (player->group < 0) {
            const int turn = n % (2 * groups);
            player->group = turn < groups ? turn : 2 * groups - 1 - turn;
            n++;
        }
    }
    return true;
}

static int members_of(const struct plan *p, int group) {
    int count = 0;
    for (int i = 0; i < p->player_count; i++)
        count += p->players[i].group == group;
    return count;
}

// How many the smallest group of the first stage has, which must be two at least.
static bool check_groups(const struct plan *p, int *smallest, struct err *err) {
    const char *const names[] = {"groups", NULL};
    *smallest = p->player_count;
    for (int group = 0; group < p->stages[0].format.groups; group++) {
        const int count = members_of(p, group);
        if (count < 2)
            return setting_wrong(find_of(p, 0, names), err,
                                 "a group needs two players or more, and group %d has %d",
                                 group + 1, count);
        *smallest = count < *smallest ? count : *smallest;
    }
    return true;
}

static bool refuse_groups(const struct plan *p, struct err *err) {
    for (int i = 0; i < p->player_count; i++)
        if (p->players[i].group >= 0)
            return setting_wrong(config_setting_get_member(player_of(p, i), "group"), err,
                                 "the first stage has no groups; it is a league with groups = 2 or "
                                 "more that has");
    return true;
}

// How many play in the stage after this one, of `count` in this.
static bool go_on(const struct plan *p, int stage, int smallest, int *count, struct err *err) {
    const char *const names[] = {"advance", NULL};
    const struct plan_stage *s = &p->stages[stage];
    const int groups = s->format.groups > 1 ? s->format.groups : 1;
    const int most = groups > 1 ? smallest : *count;
    if (s->advance > most)
        return setting_wrong(
            find_of(p, stage, names), err, "%s, so accepted is 1..%d",
            groups > 1 ? "the smallest group has so many" : "the stage has no more players", most);
    *count = s->advance > 0 ? s->advance * groups : *count;
    return true;
}

static bool check_stages(struct plan *p, struct err *err) {
    const char *const names[] = {"rounds", "groups", "challengers", "format", NULL},
                      *const late[] = {"groups", NULL};
    int count = p->player_count, smallest = count;
    if (p->stages[0].format.groups <= 1 && !refuse_groups(p, err))
        return false;
    for (int i = 0; i < p->stage_count; i++) {
        const struct plan_stage *s = &p->stages[i];
        const char *why = s->format.schedule->refuse(&s->format, count);
        if (s->format.groups > 1 && i > 0)
            return setting_wrong(find_of(p, i, late), err, "only the first stage may have groups");
        if (why)
            return setting_wrong(find_of(p, i, names), err, "%s; there are %d here", why, count);
        if (s->format.groups > 1 && (!deal_groups(p, s, err) || !check_groups(p, &smallest, err)))
            return false;
        if (!go_on(p, i, smallest, &count, err))
            return false;
    }
    return true;
}

// Fills in a player as `arbiter match` would read it, to be ended by player_done.
static bool check_start(const struct plan *p, const char *start, struct player *player,
                        const config_setting_t *value, struct err *err) {
    struct err inner = {.set = false};
    *player = (struct player){.kind = PLAYER_CHILD};
    if (strncmp(start, "py:", 3) == 0) { // its file may be in a folder of the store
        char games_of[200];
        spec_list_games("pybot", games_of, sizeof games_of);
        return strcmp(spec_of(p->rules.game)->protocol, "pybot") == 0 ||
               setting_wrong(value, err, "py: is for %s", games_of);
    }
    bool good = player_read(player, start, p->rules.game, "arbiter", &inner) &&
                player_suits(player, &p->rules, &p->limits, &inner);
    if (good && player->kind == PLAYER_HUMAN)
        good = err_set(&inner, "a person plays by `arbiter match`, not in a contest");
    if (good && p->conditions.opening_plies > 0 && !player_takes_openings(player))
        good = err_set(&inner, "a cmd: player cannot be told of an opening; leave openings out");
    return good || setting_wrong(value, err, "%s", inner.text);
}

// A team is known by its number alone.
static bool check_team(const struct plan *p, int *teams, int player, struct err *err) {
    for (int i = 0; i < player && teams[player] >= 0; i++)
        if (teams[i] == teams[player])
            return setting_wrong(config_setting_get_member(player_of(p, player), "start"), err,
                                 "%.60s has team %d already; each needs a number of its own",
                                 p->players[i].name, teams[i]);
    return true;
}

static void count_stranger(struct plan *p) { p->strangers += p->strangers < 2; }

static bool is_strange(const char *start, const struct player *player) {
    return strncmp(start, "py:", 3) == 0 || player_is_stranger(player);
}

static bool check_players(struct plan *p, struct err *err) {
    int *teams = mem_new((size_t)p->player_count, sizeof *teams);
    bool good = true;
    for (int i = 0; good && i < p->player_count; i++) {
        struct player player;
        const config_setting_t *value = config_setting_get_member(player_of(p, i), "start");
        teams[i] = -1;
        if (!p->players[i].start) { // what is in his folder says it, or will
            if (!p->players[i].absent)
                count_stranger(p);
            continue;
        }
        good = check_start(p, p->players[i].start, &player, value, err);
        teams[i] = good && player.kind == PLAYER_TEAM ? player.team : -1;
        p->players[i].awaited = teams[i] >= 0 && !player.command;
        if (good && is_strange(p->players[i].start, &player))
            count_stranger(p);
        player_done(&player);
        good = good && check_team(p, teams, i, err);
    }
    free(teams);
    return good;
}

static bool check_house(struct plan *p, struct err *err) {
    const config_setting_t *value = config_setting_get_member(root_of(p), "house");
    struct player house;
    bool good = check_start(p, p->house, &house, value ? value : root_of(p), err);
    if (good && house.kind == PLAYER_TEAM && !house.command)
        good = setting_wrong(value, err, "the house is started here: builtin, or a command");
    if (good && is_strange(p->house, &house))
        count_stranger(p);
    player_done(&house);
    return good;
}

static bool check_rules(const struct plan *p, struct err *err) {
    union game_state state;
    char why[WHY_TEXT_MAX];
    const config_setting_t *set = config_setting_get_member(root_of(p), "set"),
                           *blocks = set ? config_setting_get_member(set, "blocks") : NULL;
    return p->rules.game->start(&state, &p->rules, NULL, why) || setting_wrong(blocks ? blocks
                                                                               : set  ? set
                                                                                      : root_of(p),
                                                                               err, "%s", why);
}

bool plan_check(struct plan *p, struct err *err) {
    return check_rules(p, err) && check_stages(p, err) && check_players(p, err) &&
           check_house(p, err);
}
