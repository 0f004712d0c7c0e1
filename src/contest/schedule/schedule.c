// SPDX-License-Identifier: MIT
#include "contest/schedule/schedule.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

const struct schedule *const schedules[] = {
    &schedule_league,   &schedule_gauntlet, &schedule_swiss,
    &schedule_knockout, &schedule_double,   NULL,
};

const struct schedule *schedule_find(const char *name) {
    for (const struct schedule *const *s = schedules; *s; s++)
        if (strcmp((*s)->name, name) == 0)
            return *s;
    return NULL;
}

int schedule_no_byes(const struct format *format, const struct field *field) {
    (void)format;
    (void)field;
    return 0;
}

void format_init(struct format *format, const struct schedule *schedule) {
    *format = (struct format){.schedule = schedule, .cycles = 1, .groups = 1, .challengers = 1};
}

void meetings_add(struct meetings *m, int round, int table, int black, int white) {
    if (m->count == m->room) {
        m->room = m->room ? 2 * m->room : 64;
        m->list = mem_resize(m->list, (size_t)m->room * sizeof *m->list);
    }
    m->list[m->count++] = (struct meeting){
        .round = round,
        .table = table,
        .player = {black == NOBODY ? white : black, black == NOBODY ? NOBODY : white},
        .is_over = black == NOBODY || white == NOBODY,
        .winner = black == NOBODY && white == NOBODY   ? NOBODY
                  : white == NOBODY || black == NOBODY ? 0
                                                       : NOBODY,
    };
}

const struct meeting *meetings_find(const struct meetings *m, int round, int table) {
    for (int i = 0; i < m->count; i++)
        if (m->list[i].round == round && m->list[i].table == table)
            return &m->list[i];
    return NULL;
}

void meetings_done(struct meetings *m) {
    free(m->list);
    *m = (struct meetings){.list = NULL};
}
