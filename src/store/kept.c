// SPDX-License-Identifier: MIT
// Games that are kept by a name of their own.
#include "store/statement.h"

bool store_keep(struct store *s, const char *id, int64_t at_us, const char *summary,
                const char *record, struct err *err) {
    const struct value values[] = {TEXT(id), NUMBER(at_us), TEXT(summary), TEXT(record)};
    return statement_run(s,
                         "INSERT INTO kept (id, at_us, summary, record) VALUES ($1, $2, $3, $4)"
                         " ON CONFLICT (id) DO UPDATE SET at_us = $2, summary = $3, record = $4,"
                         " study = ''",
                         values, COUNT(values), no_rows, err);
}

bool store_keep_study(struct store *s, const char *id, const char *study, struct err *err) {
    const struct value values[] = {TEXT(id), TEXT(study)};
    return statement_run(s, "UPDATE kept SET study = $2 WHERE id = $1", values, COUNT(values),
                         no_rows, err);
}

struct kept_hand_over {
    void (*found)(void *owner, const char *record, const char *study);
    void *owner;
};

static void hand_over_kept(void *owner, const struct value *c) {
    const struct kept_hand_over *h = owner;
    h->found(h->owner, c[0].text, c[1].text);
}

bool store_kept(struct store *s, const char *id,
                void (*found)(void *owner, const char *record, const char *study), void *owner,
                struct err *err) {
    const struct value values[] = {TEXT(id)};
    struct kept_hand_over h = {found, owner};
    return statement_run(s, "SELECT record, study FROM kept WHERE id = $1", values, COUNT(values),
                         (struct rows){hand_over_kept, &h}, err);
}

bool store_kept_newest(struct store *s, int most, void (*each)(void *owner, const char *summary),
                       void *owner, struct err *err) {
    const struct value values[] = {NUMBER(most)};
    struct text_hand_over h = {each, owner};
    return statement_run(s, "SELECT summary FROM kept ORDER BY at_us DESC, id LIMIT $1", values,
                         COUNT(values), (struct rows){statement_hand_over_text, &h}, err);
}

struct place_hand_over {
    void (*each)(void *owner, const char *id, int64_t at_us, const char *summary);
    void *owner;
};

static void hand_over_place(void *owner, const struct value *c) {
    const struct place_hand_over *h = owner;
    h->each(h->owner, c[0].text, c[1].number, c[2].text);
}

bool store_kept_after(struct store *s, const struct kept_place *place,
                      void (*each)(void *owner, const char *id, int64_t at_us, const char *summary),
                      void *owner, struct err *err) {
    const struct value values[] = {NUMBER(place->at_us), TEXT(place->id), NUMBER(place->most)};
    struct place_hand_over h = {each, owner};
    return statement_run(s,
                         "SELECT id, at_us, summary FROM kept WHERE at_us < $1 OR"
                         " (at_us = $1 AND id > $2) ORDER BY at_us DESC, id LIMIT $3",
                         values, COUNT(values), (struct rows){hand_over_place, &h}, err);
}
