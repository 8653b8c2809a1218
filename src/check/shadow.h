// Shadow memory: what heddle knows about each eight bytes of the program's memory.
//
// Everything that belongs to a program heddle built lies below 8 GiB (it is linked at a fixed place, and heap and
// stacks come from heddle's arena), where the shadow of a word is found by arithmetic. Other memory (data of shared
// libraries, the kernel's stack) has its shadow in pages that are found through a table.
//
// The undo log puts cells back like all other memory. Only the number of an object and CELL_VISIBLE survive going back.
#ifndef CHECK_SHADOW_H
#define CHECK_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#define SHADOW_LOW_BITS 33
#define SHADOW_LOW_END (1ull << SHADOW_LOW_BITS)

enum cell_state {
    CELL_SPLIT = 1,  // parts of the word were accessed separately: `read` numbers them, see race.c
    CELL_SHARED = 2, // `read` numbers a set of concurrent readers
    CELL_FREED = 4,
    CELL_VISIBLE = 8,  // plain accesses are scheduling points (--races=explore); survives going back
    CELL_PRIVATE = 16, // what each thread finds here is its own: errno
    CELL_OUTSIDE = 32, // between blocks of the heap, or global variables
    CELL_EDGE =
        64 // the last word of a block or a variable, of which only some bytes belong to it: `inside` says how many
};

struct cell {
    uint32_t write;  // epoch of the last plain write, 0 for none
    uint32_t read;   // epoch of the last plain read since, number of a set of readers, or of the parts
    uint32_t object; // number of the synchronisation object here, 0 for none; survives going back
    uint8_t mask;    // which bytes of the word the epochs speak of
    uint8_t state;   // enum cell_state
    uint8_t ignored; // accessed by a thread that asked for this not to be looked at; 0 for most programs
    uint8_t inside;  // CELL_EDGE
};

struct shadow {
    struct cell *low; // one for each word below SHADOW_LOW_END
    struct shadow_page {
        uint64_t page;
        struct cell *cells;
    } * pages;              // open addressing
    struct cell *elsewhere; // of all pages
    uint32_t used;
};

void shadow_init(struct shadow *shadow);
struct cell *shadow_elsewhere(struct shadow *shadow, uint64_t address);

// Whether anything is known of the page that the address lies in.
bool shadow_knows(const struct shadow *shadow, uint64_t address);

// Whether a cell lies at this address.
bool shadow_holds(const struct shadow *shadow, uint64_t address);

static inline struct cell *shadow_cell(struct shadow *shadow, uint64_t address)
{
    if (__builtin_expect(address >> SHADOW_LOW_BITS == 0, 1))
        return shadow->low + (address >> 3);
    return shadow_elsewhere(shadow, address);
}

#endif
