// SPDX-License-Identifier: MIT
// What every store promises: run with the address of an empty one. Prints TAP.
#include "store/store.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *where;

struct seen {
    int count;
    struct stored_game last;
    char record[200], verdict[40], worker[40];
    int64_t numbers[1000];
};

static void see(void *owner, const struct stored_game *game) {
    struct seen *seen = owner;
    seen->last = *game;
    snprintf(seen->record, sizeof seen->record, "%s", game->record);
    snprintf(seen->verdict, sizeof seen->verdict, "%s", game->verdict);
    snprintf(seen->worker, sizeof seen->worker, "%s", game->worker);
    seen->numbers[seen->count++] = game->number;
}

static struct store *open_store(void) {
    struct err err = {.set = false};
    struct store *store = store_open(where, &err);
    if (!store)
        fail_msg("%s", err.text);
    return store;
}

static struct stored_game game(int round, int leg) {
    return (struct stored_game){
        .round = round, .leg = leg, .black = 1, .white = 2, .blocks = -1, .home = ""};
}

#define GOOD(call)                                                                                 \
    do {                                                                                           \
        if (!(call))                                                                               \
            fail_msg("%s", err.text);                                                              \
    } while (0)

struct kept {
    int count;
    char all[100];
};

static void note_summary(void *owner, const char *summary) {
    struct kept *kept = owner;
    kept->count++;
    strcat(kept->all, summary);
}

static void test_begin_keeps_the_file(void **unused) {
    (void)unused;
    struct err err = {.set = false};
    struct store *s = open_store();
    bool same;
    GOOD(store_begin(s, "a", "text of \xec\xbb\xb5 'quotes'", &same, &err));
    assert_true(same);
    GOOD(store_begin(s, "a", "text of \xec\xbb\xb5 'quotes'", &same, &err));
    assert_true(same);
    GOOD(store_begin(s, "a", "another", &same, &err));
    assert_false(same);
    store_close(s);
}

static void test_games_are_claimed_once(void **unused) {
    (void)unused;
    struct err err = {.set = false};
    struct store *s = open_store(), *t = open_store();
    struct seen seen = {.count = 0};
    bool same, ours;
    const struct stored_game three[] = {game(0, 0), game(0, 1), game(1, 0)};
    GOOD(store_begin(s, "b", "", &same, &err));
    GOOD(store_add(s, "b", three, 3, 0, &err));
    GOOD(store_add(t, "b", three, 3, 0, &err)); // known already
    GOOD(store_games(s, "b", false, see, &seen, &err));
    assert_int_equal(seen.count, 3);
    seen.count = 0;
    GOOD(store_claim(s, "b", &(struct worker_claim){"one", "", 100, 200}, see, &seen, &err));
    GOOD(store_claim(t, "b", &(struct worker_claim){"two", "", 100, 200}, see, &seen, &err));
    GOOD(store_claim(s, "b", &(struct worker_claim){"one", "", 100, 200}, see, &seen, &err));
    GOOD(store_claim(t, "b", &(struct worker_claim){"two", "", 100, 200}, see, &seen,
                     &err)); // nothing is left
    assert_int_equal(seen.count, 3);
    assert_int_equal(seen.numbers[0], 1);
    assert_int_equal(seen.numbers[1], 2);
    assert_int_equal(seen.numbers[2], 3);
    // The time of the second is over: another gets it, and what he says does not count.
    GOOD(store_renew(s, "b", 1, &(struct worker_claim){.worker = "one", .until_us = 1000}, &ours,
                     &err));
    assert_true(ours);
    GOOD(store_renew(s, "b", 3, &(struct worker_claim){.worker = "one", .until_us = 1000}, &ours,
                     &err));
    seen.count = 0;
    GOOD(store_claim(s, "b", &(struct worker_claim){"one", "", 300, 1000}, see, &seen, &err));
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.last.number, 2);
    assert_int_equal(seen.last.tries, 2);
    struct stored_game done = {.number = 2,
                               .worker = "two",
                               .tries = 1,
                               .reason = "line",
                               .verdict = "",
                               .record = "{}",
                               .log = "what was said\n",
                               .ended_us = INT64_C(1700000000000000),
                               .winner = 2};
    struct kept said = {.count = 0}, unsaid = {.count = 0};
    GOOD(store_finish(t, "b", &done, &ours, &err));
    assert_false(ours);
    done.worker = "one";
    done.tries = 2;
    GOOD(store_finish(t, "b", &done, &ours, &err));
    assert_true(ours);
    GOOD(store_finish(t, "b", &done, &ours, &err)); // never twice
    assert_false(ours);
    GOOD(store_log(s, "b", 2, note_summary, &said, &err));
    assert_string_equal(said.all, "what was said\n");
    GOOD(store_log(s, "b", 3, note_summary, &unsaid, &err));
    assert_int_equal(unsaid.count, 0);
    GOOD(store_renew(s, "b", 2, &(struct worker_claim){.worker = "one", .until_us = 1000}, &ours,
                     &err));
    assert_false(ours);
    store_close(s);
    store_close(t);
}

// A fault of the platform: annulled with its record, and played again, but not for ever.
static void test_broken_off_games(void **unused) {
    (void)unused;
    struct err err = {.set = false};
    struct store *s = open_store();
    struct seen seen = {.count = 0};
    bool same;
    enum broken_off how;
    int64_t counts[GAME_STATE_COUNT];
    const struct stored_game one[] = {game(0, 3)};
    GOOD(store_begin(s, "broken", "", &same, &err));
    GOOD(store_add(s, "broken", one, 1, 0, &err));
    for (int i = 1; i <= 3; i++) {
        seen.count = 0;
        GOOD(store_claim(s, "broken", &(struct worker_claim){"w", "", 1, 2}, see, &seen, &err));
        assert_int_equal(seen.count, 1);
        assert_int_equal(seen.last.number, i);
        assert_int_equal(seen.last.attempt, i - 1);
        assert_int_equal(seen.last.leg, 3);
        struct stored_game broken = seen.last;
        broken.worker = "w";
        broken.plies = 7;
        broken.reason = "platform";
        broken.verdict = "held up";
        broken.record = "{\"held\":\"up\"}";
        GOOD(store_break_off(s, "broken", &broken, 2, &how, &err));
        assert_int_equal(how, i <= 2 ? BROKEN_OFF_AGAIN : BROKEN_OFF_FOR_GOOD);
        GOOD(store_break_off(s, "broken", &broken, 2, &how, &err)); // never twice
        assert_int_equal(how, BROKEN_OFF_NOT_OURS);
    }
    GOOD(store_count(s, "broken", counts, &err));
    assert_int_equal(counts[GAME_WAITING] + counts[GAME_PLAYING], 0);
    assert_int_equal(counts[GAME_ANNULLED], 3);
    seen.count = 0;
    GOOD(store_games(s, "broken", true, see, &seen, &err));
    assert_int_equal(seen.count, 3);
    assert_int_equal(seen.last.winner, -1);
    assert_string_equal(seen.record, "{\"held\":\"up\"}");
    assert_string_equal(seen.verdict, "held up");
    store_close(s);
}

static void test_results_come_back(void **unused) {
    (void)unused;
    struct err err = {.set = false};
    struct store *s = open_store();
    struct seen seen = {.count = 0};
    bool same, ours;
    const struct stored_game one[] = {
        {.stage = 1, .round = 2, .table = 3, .leg = 4, .black = 5, .white = 6, .home = ""}};
    GOOD(store_begin(s, "c", "", &same, &err));
    GOOD(store_add(s, "c", one, 1, 0, &err));
    GOOD(store_claim(s, "c", &(struct worker_claim){"w", "", 1, 2}, see, &seen, &err));
    assert_int_equal(seen.last.state, GAME_PLAYING);
    struct stored_game done = seen.last;
    done.worker = "w";
    done.winner = 1;
    done.scores[0] = -12;
    done.scores[1] = 12;
    done.plies = 60;
    done.reason = "no-moves";
    done.verdict = "late";
    done.record = "{\"a\":\"\xec\xbb\xb5 \\\" '\"}";
    GOOD(store_finish(s, "c", &done, &ours, &err));
    store_close(s);
    s = open_store(); // it is there for whoever comes
    seen.count = 0;
    GOOD(store_games(s, "c", true, see, &seen, &err));
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.last.state, GAME_DONE);
    assert_int_equal(seen.last.stage, 1);
    assert_int_equal(seen.last.round, 2);
    assert_int_equal(seen.last.table, 3);
    assert_int_equal(seen.last.leg, 4);
    assert_int_equal(seen.last.black, 5);
    assert_int_equal(seen.last.white, 6);
    assert_int_equal(seen.last.winner, 1);
    assert_int_equal(seen.last.scores[0], -12);
    assert_int_equal(seen.last.plies, 60);
    assert_string_equal(seen.verdict, "late");
    assert_string_equal(seen.record, done.record);
    store_close(s);
}

static void count_decision(void *owner, const struct decision *d) {
    assert_string_equal(d->why, "power cut");
    assert_int_equal(d->at_us, INT64_C(1700000000000000));
    ++*(int *)owner;
}

static void test_a_game_is_annulled_and_played_again(void **unused) {
    (void)unused;
    struct err err = {.set = false};
    struct store *s = open_store();
    struct seen seen = {.count = 0};
    bool same, ours;
    int decisions = 0;
    const struct stored_game one[] = {game(0, 0), game(0, 1)};
    const struct decision why = {INT64_C(1700000000000000), "replay", "1", "power cut", 0, 0, "me"};
    GOOD(store_begin(s, "d", "", &same, &err));
    GOOD(store_add(s, "d", one, 2, 0, &err));
    assert_false(store_annul(s, "d", 1, true, &why, &err)); // not played yet
    assert_non_null(strstr(err.text, "game 1"));
    err.set = false;
    GOOD(store_claim(s, "d", &(struct worker_claim){"w", "", 1, 2}, see, &seen, &err));
    struct stored_game done = seen.last;
    done.worker = "w";
    done.reason = done.verdict = done.record = "";
    GOOD(store_finish(s, "d", &done, &ours, &err));
    GOOD(store_annul(s, "d", 1, true, &why, &err));
    seen.count = 0;
    GOOD(store_games(s, "d", false, see, &seen, &err));
    assert_int_equal(seen.count, 3);
    assert_int_equal(seen.last.state, GAME_WAITING);
    assert_int_equal(seen.last.attempt, 1);
    assert_int_equal(seen.last.black, 1);
    assert_false(store_annul(s, "d", 1, false, &why, &err));
    assert_non_null(strstr(err.text, "annulled already"));
    err.set = false;
    assert_false(store_annul(s, "d", 99, false, &why, &err));
    assert_non_null(strstr(err.text, "not one of this contest"));
    err.set = false;
    GOOD(store_decisions(s, "d", count_decision, &decisions, &err));
    assert_int_equal(decisions, 1);
    store_close(s);
}

// A game that counts again is as it was, and what was to be played instead is gone.
static void test_an_annulment_is_taken_back(void **unused) {
    (void)unused;
    struct err err = {.set = false};
    struct store *s = open_store();
    struct seen seen = {.count = 0};
    bool same, ours;
    const struct stored_game one[] = {game(0, 0)};
    const struct decision why = {1, "restore", "1", "x", 0, 0, NULL};
    GOOD(store_begin(s, "r", "", &same, &err));
    GOOD(store_add(s, "r", one, 1, 0, &err));
    GOOD(store_claim(s, "r", &(struct worker_claim){"w", "", 1, 2}, see, &seen, &err));
    struct stored_game done = seen.last;
    done.worker = "w";
    done.winner = 2;
    done.reason = done.verdict = done.record = "";
    GOOD(store_finish(s, "r", &done, &ours, &err));
    assert_false(store_restore(s, "r", 1, &why, &err)); // it counts
    err.set = false;
    GOOD(store_annul(s, "r", 1, true, &why, &err));
    GOOD(store_restore(s, "r", 1, &why, &err));
    seen.count = 0;
    GOOD(store_games(s, "r", false, see, &seen, &err));
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.last.state, GAME_DONE);
    assert_int_equal(seen.last.winner, 2);
    GOOD(store_annul(s, "r", 1, true, &why, &err));
    GOOD(store_claim(s, "r", &(struct worker_claim){"w", "", 1, 2}, see, &seen, &err));
    assert_false(store_restore(s, "r", 1, &why, &err)); // it is being played again
    assert_non_null(strstr(err.text, "as game 2"));
    err.set = false;
    assert_int_equal(store_decision_count(s, "r", &err), 3);
    store_close(s);
}

static void test_who_comes_back_plays(void **unused) {
    (void)unused;
    struct err err = {.set = false};
    struct store *s = open_store();
    struct seen seen = {.count = 0};
    bool same;
    const struct stored_game two[] = {game(0, 0), game(0, 1)};
    const struct decision why = {1, "readmit", "x", "why", 0, 0, NULL};
    GOOD(store_begin(s, "back", "", &same, &err));
    GOOD(store_add(s, "back", two, 2, 0, &err));
    GOOD(store_award(s, "back", 2, 1, "white withdrawn", &err));
    GOOD(store_readmit(s, "back", two[1].white, &why, &err));
    GOOD(store_games(s, "back", false, see, &seen, &err));
    assert_int_equal(seen.last.number, 2);
    assert_int_equal(seen.last.state, GAME_WAITING);
    assert_string_equal(seen.verdict, "");
    store_close(s);
}

// A game that has been repeated is not the one that counts.
static void test_repeated_games_stay(void **unused) {
    (void)unused;
    struct err err = {.set = false};
    struct store *s = open_store();
    struct seen seen = {.count = 0};
    struct stored_game list[2] = {game(0, 0), game(0, 0)};
    const struct decision why = {1, "annul", "1", "x", 0, 0, NULL};
    bool same, ours;
    list[1].attempt = 1;
    GOOD(store_begin(s, "h", "", &same, &err));
    GOOD(store_add(s, "h", list, 2, 0, &err));
    GOOD(store_claim(s, "h", &(struct worker_claim){"w", "", 1, 2}, see, &seen, &err));
    struct stored_game done = seen.last;
    done.worker = "w";
    done.reason = done.verdict = done.record = "";
    GOOD(store_finish(s, "h", &done, &ours, &err));
    for (int again = 0; again < 2; again++) {
        assert_false(store_annul(s, "h", 1, again, &why, &err));
        assert_non_null(strstr(err.text, "repeated as game 2"));
        err.set = false;
    }
    assert_int_equal(store_decision_count(s, "h", &err), 0);
    store_close(s);
}

// Who only looks for a store makes none.
static void test_found_or_not(void **unused) {
    (void)unused;
    struct err err = {.set = false};
    struct store *s = store_reach(where, false, NULL, &err);
    if (!s)
        fail_msg("%s", err.text);
    store_close(s);
    assert_null(store_reach("/tmp/arbiter-no-such-store.db", false, NULL, &err));
    assert_non_null(strstr(err.text, "/tmp/arbiter-no-such-store.db"));
    assert_int_equal(access("/tmp/arbiter-no-such-store.db", F_OK), -1);
}

static void take_sum(void *owner, const struct stored_game *sum, int64_t count) {
    int64_t *seen = owner; // counts by winner, then the sum of black's scores
    assert_int_equal(sum->black, 1);
    seen[sum->winner + 1] += count;
    seen[4] += sum->scores[0];
}

static void take_worker(void *owner, const char *worker) {
    assert_string_equal(worker, "dead");
    ++*(int *)owner;
}

// What is counted, given back, awarded, and who may have it.
static void test_counts_and_homes(void **unused) {
    (void)unused;
    struct err err = {.set = false};
    struct store *s = open_store();
    struct seen seen = {.count = 0};
    struct stored_game list[6];
    int64_t counts[GAME_STATE_COUNT], sums[5] = {0};
    bool same, ours;
    int workers = 0;
    for (int i = 0; i < 6; i++)
        list[i] = game(i, 0);
    list[0].home = "judge";
    GOOD(store_begin(s, "f", "", &same, &err));
    GOOD(store_add(s, "f", list, 6, 1, &err)); // planned without knowing of all decisions
    GOOD(store_count(s, "f", counts, &err));
    assert_int_equal(counts[GAME_WAITING], 0);
    GOOD(store_add(s, "f", list, 6, 0, &err));
    GOOD(store_claim(s, "f", &(struct worker_claim){"dead", "", 1, 2}, see, &seen, &err));
    assert_int_equal(seen.last.number, 2); // the first is the judge's alone
    GOOD(store_workers(s, "f", take_worker, &workers, &err));
    assert_int_equal(workers, 1);
    GOOD(store_release_all(s, "f", "dead", &err));
    GOOD(store_claim(s, "f", &(struct worker_claim){"w", "judge", 1, 2}, see, &seen, &err));
    assert_int_equal(seen.last.number, 1);
    GOOD(store_release(s, "f", 1, "other", &err)); // not his
    GOOD(store_count(s, "f", counts, &err));
    assert_int_equal(counts[GAME_PLAYING], 1);
    GOOD(store_release(s, "f", 1, "w", &err));
    for (int i = 0; i < 4; i++) {
        GOOD(store_claim(s, "f", &(struct worker_claim){"w", "judge", 1, 2}, see, &seen, &err));
        struct stored_game done = seen.last;
        done.worker = "w";
        done.winner = i % 3;
        done.scores[0] = 10 + i;
        done.reason = "line";
        done.verdict = done.record = "";
        GOOD(store_finish(s, "f", &done, &ours, &err));
        assert_true(ours);
    }
    GOOD(store_award(s, "f", 5, -1, "black withdrawn", &err));
    GOOD(store_award(s, "f", 1, 2, "too late", &err)); // it is done
    GOOD(store_count(s, "f", counts, &err));
    assert_int_equal(counts[GAME_DONE], 0); // is not counted
    assert_int_equal(counts[GAME_WAITING], 1);
    GOOD(store_results(s, "f", 0, take_sum, sums, &err));
    assert_int_equal(sums[0], 1); // nobody
    assert_int_equal(sums[1], 2); // drawn
    assert_int_equal(sums[2], 1);
    assert_int_equal(sums[3], 1);
    assert_int_equal(sums[4], 10 + 11 + 12 + 13);
    const struct decision why = {1, "annul", "1", "a fault", 0, 0, NULL};
    GOOD(store_annul(s, "f", 1, false, &why, &err));
    memset(sums, 0, sizeof sums);
    GOOD(store_results(s, "f", 0, take_sum, sums, &err)); // what is annulled counts no more
    assert_int_equal(sums[0] + sums[1] + sums[2] + sums[3], 4);
    assert_int_equal(sums[4], 11 + 12 + 13);
    store_close(s);
}

static void take_text(void *owner, const char *text) { snprintf(owner, 40, "%s", text); }

static void take_folder(void *owner, int player, const char *digest) {
    assert_int_equal(player, 3);
    assert_string_equal(digest, "one");
    ++*(int *)owner;
}

static void test_contests_and_folders(void **unused) {
    (void)unused;
    struct err err = {.set = false};
    struct store *s = open_store();
    char text[40] = "";
    bool same;
    int folders = 0;
    int64_t now = 0;
    GOOD(store_begin(s, "g", "the text", &same, &err));
    GOOD(store_text(s, "g", take_text, text, &err));
    assert_string_equal(text, "the text");
    GOOD(store_contests(s, take_text, text, &err));
    assert_string_not_equal(text, "the text");
    GOOD(store_put_folder(s, "g", 3, "one", &same, &err));
    assert_true(same);
    GOOD(store_put_folder(s, "g", 3, "two", &same, &err));
    assert_false(same); // the first stays
    GOOD(store_folders(s, "g", take_folder, &folders, &err));
    assert_int_equal(folders, 1);
    GOOD(store_now(s, &now, &err));
    assert_true(now > INT64_C(1700000000000000));
    const struct decision leave = {1, "withdraw", "x", "why", 0, 0, NULL};
    GOOD(store_decide(s, "g", &leave, &err));
    assert_int_equal(store_decision_count(s, "g", &err), 1);
    store_close(s);
}

static void check_bytes(void *owner, const void *bytes, size_t size) {
    assert_int_equal(size, 5);
    assert_memory_equal(bytes, "a\0b\xff\n", 5);
    ++*(int *)owner;
}

static void test_files(void **unused) {
    (void)unused;
    struct err err = {.set = false};
    struct store *s = open_store();
    int found = 0;
    GOOD(store_get_file(s, "digest", check_bytes, &found, &err));
    assert_int_equal(found, 0);
    GOOD(store_put_file(s, "digest", "a\0b\xff\n", 5, &err));
    GOOD(store_put_file(s, "digest", "a\0b\xff\n", 5, &err));
    GOOD(store_get_file(s, "digest", check_bytes, &found, &err));
    assert_int_equal(found, 1);
    GOOD(store_note_worker(s, "w", 277, 1, &err));
    GOOD(store_note_worker(s, "w", 280, 2, &err));
    store_close(s);
}

static void note_kept(void *owner, const char *record, const char *study) {
    struct kept *kept = owner;
    kept->count++;
    snprintf(kept->all, sizeof kept->all, "%s|%s", record, study);
}

static void note_place(void *owner, const char *id, int64_t at_us, const char *summary) {
    struct kept *kept = owner;
    const size_t used = strlen(kept->all);
    snprintf(kept->all + used, sizeof kept->all - used, "%s@%d:%s", id, (int)at_us, summary);
}

static void test_games_are_kept_by_name(void **unused) {
    (void)unused;
    struct err err = {.set = false};
    struct store *s = open_store();
    struct kept kept = {.count = 0}, list = {.count = 0}, two = {.count = 0};
    GOOD(store_keep(s, "one", 10, "1", "{\"a\": \"\xec\xbb\xb5\"}", &err));
    GOOD(store_keep(s, "two", 30, "2", "{}", &err));
    GOOD(store_keep(s, "three", 20, "3", "{}", &err));
    GOOD(store_keep_study(s, "one", "[1]", &err));
    GOOD(store_kept(s, "one", note_kept, &kept, &err));
    assert_string_equal(kept.all, "{\"a\": \"\xec\xbb\xb5\"}|[1]");
    GOOD(store_kept(s, "none", note_kept, &kept, &err));
    assert_int_equal(kept.count, 1);
    GOOD(store_kept_newest(s, 9, note_summary, &list, &err));
    assert_string_equal(list.all, "231");
    GOOD(store_kept_newest(s, 2, note_summary, &two, &err));
    assert_string_equal(two.all, "23");
    struct kept rest = {.count = 0};
    GOOD(store_keep(s, "twin", 20, "4", "{}", &err));
    GOOD(store_kept_after(s, &(struct kept_place){20, "three", 9}, note_place, &rest, &err));
    assert_string_equal(rest.all, "twin@20:4one@10:1");
    GOOD(store_kept_after(s, &(struct kept_place){INT64_MAX, "", 1}, note_place, &rest, &err));
    assert_string_equal(rest.all, "twin@20:4one@10:1two@30:2");
    GOOD(store_keep(s, "one", 40, "1b", "{}", &err)); // once more: what was thought is gone
    GOOD(store_kept(s, "one", note_kept, &kept, &err));
    assert_string_equal(kept.all, "{}|");
    store_close(s);
}

static void test_many_add_at_once(void **unused) {
    (void)unused;
    struct err err = {.set = false};
    struct store *a = open_store(), *b = open_store();
    struct seen *seen = calloc(1, sizeof *seen);
    bool same;
    GOOD(store_begin(a, "e", "", &same, &err));
    for (int i = 0; i < 50; i++) {
        const struct stored_game pair[] = {game(i, 0), game(i, 1)};
        GOOD(store_add(i % 2 ? a : b, "e", pair, 2, 0, &err));
        GOOD(store_add(i % 2 ? b : a, "e", pair, 2, 0, &err));
    }
    GOOD(store_games(a, "e", false, see, seen, &err));
    assert_int_equal(seen->count, 100);
    for (int i = 0; i < 100; i++)
        assert_int_equal(seen->numbers[i], i + 1);
    free(seen);
    store_close(a);
    store_close(b);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_begin_keeps_the_file),
        cmocka_unit_test(test_games_are_claimed_once),
        cmocka_unit_test(test_broken_off_games),
        cmocka_unit_test(test_results_come_back),
        cmocka_unit_test(test_a_game_is_annulled_and_played_again),
        cmocka_unit_test(test_an_annulment_is_taken_back),
        cmocka_unit_test(test_who_comes_back_plays),
        cmocka_unit_test(test_repeated_games_stay),
        cmocka_unit_test(test_found_or_not),
        cmocka_unit_test(test_counts_and_homes),
        cmocka_unit_test(test_contests_and_folders),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_games_are_kept_by_name),
        cmocka_unit_test(test_many_add_at_once),
    };
    if (argc != 2) {
        fprintf(stderr, "usage: store-contract WHERE\n");
        return 2;
    }
    where = argv[1];
    return cmocka_run_group_tests_name(strncmp(where, "postgres", 8) == 0 ? "postgres" : "sqlite",
                                       tests, NULL, NULL);
}
