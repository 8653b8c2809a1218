// What can still follow a state, as sets of operations: by whom, on which object, with what effect.
//
// A search that has closed a state knows every operation that it took from there on. Sets are interned, so that a state keeps
// one number, and equal sets are made once: the number of different ones grows with the program, not with its states.
#ifndef EXPLORE_FUTURES_H
#define EXPLORE_FUTURES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/exec.h"

enum { FUTURE_EMPTY = 0, FUTURE_ANY = 1 }; // what follows is not known: it may be anything

struct futures;

struct futures *futures_new(void);
void futures_free(struct futures *f);

// The set with one operation more. Operations without an effect are left out.
uint32_t futures_add(struct futures *f, uint32_t set, uint32_t actor, enum effect effect, uint32_t object);

uint32_t futures_union(struct futures *f, uint32_t a, uint32_t b);

// Adds to `rivals` (a bit for each actor, then one for each kin) all others with an operation in the set that depends on this
// one; a kin is always another. False if the set, or the operation, may stand for anything.
bool futures_rivals(struct futures *f, uint32_t set, uint32_t actor, enum effect effect, uint32_t object,
                    uint64_t rivals[2 * MAX_ACTORS / 64]);

// Sets that processes exchange (closed_states.h). How many operations are in one, and each of them as a word; and the set with these.
uint32_t futures_count(const struct futures *f, uint32_t set);
void futures_write(const struct futures *f, uint32_t set, uint64_t *words);
uint32_t futures_read(struct futures *f, const uint64_t *words, uint32_t count);

// A set has one name or more for all of them. Its name, or 0; and the set of that name, or 0 if it has to be read.
void futures_name(struct futures *f, uint32_t set, uint32_t name);
uint32_t futures_shared_name(const struct futures *f, uint32_t set);
uint32_t futures_named(const struct futures *f, uint32_t name);

#endif
