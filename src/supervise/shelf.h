// Memory that a process of the command shares with those it starts, at the same address in all of them: what one puts there, pointers
// and all, another can read. Things are put one behind the other and go away together.
#ifndef SUPERVISE_SHELF_H
#define SUPERVISE_SHELF_H

#include <stddef.h>

struct shelf {
    size_t used, size; // bytes
    void *result;      // what whoever reads it begins with
};

// `bytes` is the most that fits; only what is used takes memory. Null if there is none.
struct shelf *shelf_new(size_t bytes);
void shelf_free(struct shelf *shelf);

// Room for `count` elements, zeroed. The command stops if it is full.
void *shelf_take(struct shelf *shelf, size_t count, size_t size);
void *shelf_put(struct shelf *shelf, const void *array, size_t count, size_t size);
const char *shelf_text(struct shelf *shelf, const char *text); // or null

#endif
