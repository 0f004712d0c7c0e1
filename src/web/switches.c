// SPDX-License-Identifier: MIT
#include "web/switches.h"

#include "base/path.h"
#include "web/server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 4096 };

static bool write_file(const struct switches *s, struct err *err) {
    json_t *all = json_pack("{s:i, s:b}", "visitors", s->visitors, "live_values", s->live_values);
    char *text = json_dumps(all, JSON_LINE);
    const bool good = text && path_write(s->path, text, strlen(text));
    if (!good)
        err_set(err, "cannot write %.300s: %s", s->path, strerror(errno));
    free(text);
    json_decref(all);
    return good;
}

// Takes what is there and right.
static void take(struct switches *s, const json_t *kept) {
    int64_t visitors;
    if (json_whole(json_object_get(kept, "visitors"), 0, VISITORS_MAX, &visitors))
        s->visitors = (int)visitors;
    if (json_is_boolean(json_object_get(kept, "live_values")))
        s->live_values = json_is_true(json_object_get(kept, "live_values"));
}

static void take_options(struct switches *s, const struct server_config *config) {
    if (config->visitors >= 0)
        s->visitors = config->visitors;
    if (config->live_values)
        s->live_values = true;
}

void switches_load(struct switches *s, const struct server_config *config) {
    struct buf text = {.data = NULL};
    struct err unused = {.set = false};
    *s = (struct switches){.visitors = VISITORS_STANDARD};
    snprintf(s->path, sizeof s->path, "%.4000s/switches.json", config->data);
    json_t *kept = path_read(s->path, FILE_BYTES_MAX, &text) && text.data
                       ? json_loadb(text.data, text.length, 0, NULL)
                       : NULL;
    take_options(s, config);
    take(s, kept);
    if (!config->again)
        take_options(s, config);
    if (kept && !config->again)
        write_file(s, &unused);
    json_decref(kept);
    buf_done(&text);
}

bool switches_set(struct switches *s, const json_t *asked, struct err *err) {
    const json_t *visitors = json_object_get(asked, "visitors"),
                 *live_values = json_object_get(asked, "live_values");
    int64_t number;
    if (visitors && !json_whole(visitors, 0, VISITORS_MAX, &number))
        return err_set(err, "%s is a whole number from %d to %d", "visitors", 0, VISITORS_MAX);
    if ((live_values && !json_is_boolean(live_values)) || (!visitors && !live_values))
        return err_set(err, "a switch is visitors, a number, or live_values, true or false");
    struct switches next = *s;
    take(&next, asked);
    if (!write_file(&next, err))
        return false;
    *s = next;
    return true;
}
