// SPDX-License-Identifier: MIT
// Games that come as folders. Those that were added lie in DATA/games, a folder each of the game's
// name: what its author wrote, the module, its facts, and what this machine has made of it.
//
// From folder_open on they are among the games of the registry. A game gets its functions when it
// is found by its name; in lists its facts alone are known. In a process that must not fall, such
// as the server, these functions ask a child (proxy.h).
//
// Rules of a folder cannot bring anything down but the process they run in: whoever calls them is
// there for one game, or one question, and can be spared.
#pragma once

#include "base/err.h"
#include "base/json.h"
#include "base/sha256.h"
#include "folder/conf.h"
#include "folder/facts.h"
#include "games/game.h"

struct folder {
    struct game game; // first: a game that comes from here is one of these
    struct facts facts;
    struct conf conf;
    struct spec spec;
    char sum[SHA256_HEX_MAX]; // of its module
    char conf_sum[SHA256_HEX_MAX];
    char *path; // where it lies
    bool is_loaded;
    struct folder *next; // of those that are known no longer
};

// Where the games of this person lie, unless a command or ARBITER_DATA says where; "": nowhere.
enum { FOLDER_DATA_MAX = 4096 };
void folder_default_data(char data[static FOLDER_DATA_MAX]);
// Makes the games below DATA known; what cannot be read is passed over. With `by_proxy` none is
// loaded into this process. Programs that are started from here know the same games.
// "": nothing is known any more.
void folder_open(const char *data, bool by_proxy);
// Further places like DATA: their games come before those of the same name there, or after them.
void folder_open_before(const char *data);
void folder_open_after(const char *data);
// DATA itself, where games are added; "": nowhere.
const char *folder_data(void);
// Looks again at what lies there: what was added or replaced since is known from now on, what was
// removed is not. Who holds a game keeps it as it was.
void folder_refresh(void);

// Why a game of this name is not among those that are known, though it lies there; NULL: it does
// not.
const char *folder_trouble(const char *name);
// The folder that a game comes from; NULL: it is one of ours.
const struct folder *folder_of(const struct game *game);

// Reads one that lies anywhere and has its module: facts, game.conf, and if `load` its functions.
// NULL with an error. The functions of one that was freed must not be called any more.
struct folder *folder_read(const char *path, bool load, struct err *err);
void folder_free(struct folder *folder); // NULL is fine
// Asks the module of a folder for its facts, in a child, and writes them beside it.
bool folder_write_facts(const char *path, struct err *err);

// Who hears of rules that failed: a line of JSON {"rules_failed":"..."} is written there, and this
// process ends. -1, as at the beginning: standard error, as words.
void folder_tell_failure(int fd);
// They failed otherwise than by themselves: ends this process, or where a child is asked, tells
// proxy_failure.
void folder_fail(const struct game *game, const char *call, const char *why);
