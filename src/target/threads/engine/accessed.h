// Words of the program's memory, as far as states are concerned: which of them the execution at hand has accessed, and which belong to
// states with all that threads know of those accesses (knowledge.h).
//
// Accesses to a word that only one thread ever accesses race with nothing, in whatever order: a search that finds every state takes every
// step, and so it sees every access. What was not seen to be accessed by a second thread is left out until it is. Then states that were
// kept say too little, and the search begins anew (accessed_grown). Handles of threads on the stack of main, which it writes one after the
// other while they run, would tell nearly all orders apart otherwise.
// The same holds for words that are only read while there are several threads: a table that main fills in before it creates them, text of
// the program.
// A thread of several that may be alike counts as more than one, unless the word is in its own memory: in a state that is taken for the
// same another of them may have accessed the word.
#ifndef TARGET_ACCESSED_H
#define TARGET_ACCESSED_H

#include <stdbool.h>
#include <stdint.h>

struct cell;

enum { ACCESSED_CELLS = 1 << 22 };

// States are going to be asked for. `all`: also words that only one thread accesses belong to them, so that accessed_grown need not be
// asked.
void accessed_prepare(bool all);

// The log of writes up to here was made before the first event.
void accessed_begin(void);

// The newest event is about to be taken in: forgets what was noted of those that were taken back. And it has been.
void accessed_follow(void);
void accessed_followed(void);

// Forgets all that was noted: before a step that is looked at by itself.
void accessed_forget(void);

// Something in the shadow has changed, at this address of the detector's own.
void accessed_note(uint64_t address, uint32_t size);

// What was noted, each word once, by its cell in the shadow; and whether it belongs to states.
uint32_t accessed_count(void);
struct cell *accessed_cell(uint32_t number, bool *belongs);

// Where in memory the word of a cell is. False if that is far from the program's.
bool accessed_address(const struct cell *cell, uint64_t *address);

// Whether something belongs to states now that was left out when this was last asked.
bool accessed_grown(void);

// Memory that another thread than its owner accesses. When its owner ends, that is as if it accessed it, too.
void accessed_share(uint64_t address, uint64_t size);

// Others have found that this cell belongs to states; and that all do (commons.h).
void accessed_take_over(struct cell *cell);
void accessed_take_over_all(void);

#endif
