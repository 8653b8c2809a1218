// Keeps a search in a directory while it is under way (spread/save_file.h), with all that is needed to go on: how heddle was called
// and where, which program was searched, and the frontier. A program that heddle built itself is kept there, too.
//
// A search goes on only with what it began with: the same build of heddle, the same program, and sources that were not changed.
#ifndef SUPERVISE_KEEPER_H
#define SUPERVISE_KEEPER_H

#include <limits.h>

#include "base/strings.h"
#include "spread/saved_search.h"
#include "spread/save_file.h"

struct keeper {
    struct save_file file;
    char directory[PATH_MAX];
    double every;           // seconds between two saves
    struct strings words;   // how heddle was called, from the name of the command on …
    char where[PATH_MAX];   // … and where
    char program[PATH_MAX]; // the executable, as it was named; empty: it is in the directory
    uint64_t program_hash;
    struct strings sources; // that it was built from …
    uint64_t *source_hash;  // … and how they were then
    bool resumes;           // the frontier is where the search goes on from, once
    struct saved_search search;
    void *context; // of what is saved next: see struct saved_search
    size_t context_bytes;
    double tried_at; // when that was last tried, …
    double saved_at; // … and done; 0: never
    bool failing;
    struct buffer *into; // where it is written in memory instead; else null
    char refused[96];    // why the search cannot be kept any more, or empty
};

// For a new search. Null, or what is wrong in words that follow the name of the directory.
const char *keeper_create(struct keeper *keeper, const char *directory, int words, char *const *word);

// For one that goes on: the words are then those it was begun with, and the working directory is the one of then.
const char *keeper_resume(struct keeper *keeper, const char *directory);

// What is kept in the directory, without going on.
const char *keeper_look(struct keeper *keeper, const char *directory);

// Which program it is: a path that stays, or one that was built from sources and is kept, so that *program is another then. Null, or
// what is wrong, in a whole sentence.
const char *keeper_take_program(struct keeper *keeper, const char **program, char *const *sources);

// The program that was built from sources when the search began, instead of building it again.
const char *keeper_give_program(struct keeper *keeper, const char **program, char *const *sources);

// Saves what a search has come to. If that cannot be done what was saved before stays, and a sentence says so, once.
void keeper_write(struct keeper *keeper, struct saved_search *search);

// The search cannot be kept, for this reason, of which a sentence tells once.
void keeper_give_up(struct keeper *keeper, const char *why);

void keeper_close(struct keeper *keeper);

#endif
