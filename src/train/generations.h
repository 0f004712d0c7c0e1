// SPDX-License-Identifier: MIT
// Training in generations: games played with the weights of the generation before, then new weights
// fitted to what the games' positions turned out to be worth. The first generation has no weights
// to play with, or those of a file: then all generations are as the last of the plan.
#pragma once

#include "train/train.h"

// How a generation plays and learns. What a game does not speak of is 0.
struct generation_recipe {
    int share;       // one in so many of the games of the last generation
    int depth;       // of the search for a move
    uint64_t nodes;  // the same, in positions looked at
    int solve;       // empty squares from which on the scores are exact
    int score_depth; // of the search for scores; 0: they are as the games ended
    double result;   // share of the game's result in what is aimed at; the search has the rest
    double pull;     // towards the weights of the stage after, as that many samples
    int passes;      // through the samples
};

struct generation {
    const struct generations *plan;
    const struct training *training;
    struct generation_recipe recipe; // the plan's, with the nodes that the training says
    int number;
    int64_t games;
    void *player; // made of the weights of the generation before
};

// The training of one game.
struct generations {
    int64_t games;   // of the last generation, if the training does not say
    int chunk_games; // a file
    size_t sample_bytes;
    const struct generation_recipe *recipes; // the last holds for all further generations
    int recipe_count;
    bool last_is_whole; // the last generation has all games, whatever its recipe says
    int memory, unfit;  // learns from so many generations before too, but not from the first ones
    // What plays, of packed weights, or of none; NULL with an error if they cannot be read.
    void *(*load)(const struct training *training, const struct buf *packed, struct err *err);
    void (*unload)(void *player);
    // Appends samples of the games from `first` to before `end`, each of which depends on nothing
    // but its number. Called by several threads.
    void (*play)(const struct generation *generation, int64_t first, int64_t end, struct buf *out);
    // Packs new weights; may change the samples. As of a trainer.
    bool (*learn)(const struct generation *generation, struct buf *samples, struct buf *packed,
                  struct err *err);
};

// Leaves weights-N.bin for each generation N in the folder. As of a trainer.
bool generations_run(const struct generations *plan, const struct training *training,
                     struct err *err);
// The weights of a generation in the folder of a training; and what plays with them, as of `load`.
bool generations_has(const struct training *training, int number);
void *generations_load(const struct generations *plan, const struct training *training, int number,
                       struct err *err);
// Lets each generation in the folder from the first on meet the one before it, and number 0 what
// plays without weights. As of a trainer.
bool generations_compare(const struct generations *plan, const struct training *training, int first,
                         bool (*meet)(const struct training *training, int number, const void *next,
                                      const void *before, struct err *err),
                         struct err *err);
