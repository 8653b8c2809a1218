// Faults: calls that fail although nothing is wrong with the program, because the machine has no more of something.
//
// One table (fault.c) says which families of calls can fail and in which ways. A search may let them fail (--fault): at each
// such call it chooses, as long as the execution has not had as many faults of the family as it may have.
//
// Why each execution with at most N faults is run, although what one thread may choose depends on what others have chosen:
// how many faults an execution has is the same in every order of its independent events. So executions with at most N
// faults are whole traces, and each beginning of one has at most N. A call that does not fail can be followed by
// everything that could have come instead of it. Strategies that reorder events and try every outcome of each therefore
// lose nothing if they never see the outcomes that would be one too many. Where the faults are spent, the call is still
// the same event with one outcome, so that orders which only differ in what is independent stay the same trace.
#ifndef MODEL_FAULT_H
#define MODEL_FAULT_H

#include <stdbool.h>
#include <stdint.h>

enum fault_family {
    FAULT_MALLOC, // memory: malloc and all that allocate
    FAULT_CREATE, // threads
    FAULT_READ,
    FAULT_WRITE,
    FAULT_CONNECT,
    FAULT_ACCEPT,
    FAULT_DATAGRAM, // UDP
    FAULT_FAMILIES
};

// A way in which a call fails: an error number, less than was asked for, or nothing that the caller could see.
enum { FAULT_SHORT = -1, FAULT_LOST = -2, FAULT_WAYS = 3, FAULT_TEXT = 256 };

struct fault_info {
    const char *name;    // as options spell it
    const char *plural;  // in a sentence: "at most 1 of these fails: …"
    int way[FAULT_WAYS]; // 0: there are no more
};

extern const struct fault_info fault_table[FAULT_FAMILIES];

// Which faults a run may have: of each family at most so many, in the ways of this set.
struct fault_budget {
    uint8_t most, ways; // bit k: fault_table[…].way[k]
};

// The way that outcome number `outcome` (from 1 on) of a choice stands for.
int fault_way(enum fault_family family, uint8_t ways, uint32_t outcome);

// "ENOMEM", "short"
const char *fault_way_name(int way);

// Reads "malloc", "malloc:2", "read=EINTR:1", several with commas, into the budgets. Null, or what is wrong with it.
const char *fault_read(const char *text, struct fault_budget budget[FAULT_FAMILIES]);

// Whether there may be faults at all.
bool fault_any(const struct fault_budget budget[FAULT_FAMILIES]);

// Writes what fault_read reads; false if there are none.
bool fault_write(const struct fault_budget budget[FAULT_FAMILIES], char *text, unsigned long room);

#endif
