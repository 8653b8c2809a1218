// The one hash table of the command: a set of keys, which are runs of bytes, each with a number from 0 on in the order of arrival.
// What belongs to a key stands in an array of its owner's, by that number.
//
// Tables of the runtime and of the searches are others: they may not call malloc, live in memory of a fixed size, forget, or
// keep what belongs to a key in the place where it is found. Each says so at its head.
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct table_key;
struct table_block;

// Zero-initialised is empty.
struct table {
    uint64_t *slots; // hash in the upper half, number plus 1 in the lower; 0: free
    uint32_t slot_count, count;
    struct table_key *keys; // by number
    size_t key_room;
    struct table_block *block; // the newest; where keys are kept
};

enum { TABLE_NONE = UINT32_MAX };

// The number of the key, which is copied if it is new; `added` (may be null) says whether it is.
uint32_t table_add(struct table *table, const void *key, size_t size, bool *added);

// The number of the key, or TABLE_NONE.
uint32_t table_find(const struct table *table, const void *key, size_t size);

// The key of that number. It stays where it is until table_free, and a null character stands behind it.
const void *table_key(const struct table *table, uint32_t number, size_t *size);

void table_free(struct table *table);

// For text, without its null character.
uint32_t table_add_text(struct table *table, const char *text, bool *added);
uint32_t table_find_text(const struct table *table, const char *text);
const char *table_text(const struct table *table, uint32_t number);

#endif
