// The names of all code and variables that occur in a recording, noted while it is written and the program is still there.
#ifndef TRACE_RECORDING_COLLECT_H
#define TRACE_RECORDING_COLLECT_H

#include "base/buffer.h"
#include "base/table.h"
#include "model/recording_format.h"

enum { COLLECT_RECENT = 1 << 14, COLLECT_GAPS = 4 };

// Addresses that lie in no static data, from `low` up to but not including `high`.
struct collect_gap {
    uint64_t low, high;
};

// Zero-initialised is empty.
struct recording_collector {
    struct table places, words; // return addresses; words of static data
    struct buffer modules;      // as the records have them: base, length, text
    // Most are known already.
    uint64_t recent_places[COLLECT_RECENT], recent_words[COLLECT_RECENT];
    // Most have no name: heaps, by a part of the address, as long as there are so many pieces of static data.
    struct collect_gap gaps[COLLECT_GAPS];
    uint32_t statics;
};

// How many units at the beginning of a chunk are whole records; what they mention is noted. `statics` is the memory of variables that may have names.
uint32_t recording_collect_chunk(struct recording_collector *c, const struct recording_statics *statics,
                                 const struct recording_unit *unit);

// Appends the names as recording_names_give does.
void recording_collect_give(struct recording_collector *c, struct buffer *lines);

void recording_collect_free(struct recording_collector *c);

#endif
