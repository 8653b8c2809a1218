// The names of all code and variables that occur in a recording, noted while it is written and the program is still there.
#ifndef TRACE_RECORDING_COLLECT_H
#define TRACE_RECORDING_COLLECT_H

#include "base/buffer.h"
#include "base/table.h"
#include "model/recording_format.h"

enum { COLLECT_RECENT = 4096 };

// Zero-initialised is empty.
struct recording_collector {
    struct table places, words; // return addresses; words of static data
    struct buffer modules;      // as the records have them: base, length, text
    // Most are known already.
    struct recording_unit recent_units[COLLECT_RECENT];
    uint64_t recent_places[COLLECT_RECENT], recent_words[COLLECT_RECENT];
};

// How many units at the beginning of a chunk are whole records; what they mention is noted. `statics` is the memory of variables that may have names.
uint32_t recording_collect_chunk(struct recording_collector *c, const struct recording_statics *statics,
                                 const struct recording_unit *unit);

// Appends the names as recording_names_give does.
void recording_collect_give(struct recording_collector *c, struct buffer *lines);

void recording_collect_free(struct recording_collector *c);

#endif
