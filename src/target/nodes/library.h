// The protocol as a shared object: loaded once, with the one piece of memory in it that programs can change.
#ifndef NODES_LIBRARY_H
#define NODES_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#include "heddle/node.h"
#include "model/unread.h"

struct library {
    void *handle;
    const struct heddle_protocol *protocol;
    uint8_t *segment; // its global variables
    size_t segment_size;
    bool asks_time, asks_chance; // it calls time and the like, or rand
    bool asks_choice;            // it calls heddle_choose
    bool asks_in_flight;         // it calls heddle_in_flight
    bool asks_qtree;             // it calls heddle_qtree_add or heddle_qtree_commit
    bool allocates;              // it did so when it was loaded, or does so in what looks at all nodes
    char unknown[64];            // the first call of which heddle does not know whether it keeps anything; or empty
    char needs[64]; // the first library that it is linked with and that may keep memory of its own; or empty
    uintptr_t base; // what was added to the addresses in the file
    const struct unread_bytes *unread; // what nothing reads of its global variables
    size_t unread_count;
    const uint8_t *code;
    size_t code_size;
};

// Returns null, or a sentence that says why the object at `path` cannot be used. It may be removed afterwards.
const char *library_load(struct library *library, const char *path);
void library_unload(struct library *library);

#endif
