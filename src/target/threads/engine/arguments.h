// Threads that got elements of one array as arguments, `pthread_create(&t[i], 0, worker, &args[i])`: they may be alike as well
// (likeness.h).
//
// The arguments of main's threads that run one function and are created one after the other have a constant distance. The memory
// from one to the next is the thread's *element*. A thread's pointers into its own element are spelt by how far in they point
// (spelling.h), and what is in the element belongs to the thread's colour. So threads change places only if their elements have the same
// content, and what one reads by its pointer the other would have read.
//
// This holds as long as elements do not change. If one does the search begins anew and tells all threads of the array apart, as it
// does where something comes up from which a thread could tell which element is its own:
// - a word in global memory, on the heap or in another thread's memory that points into the array (`arg - base` needs one);
// - a word on main's stack that does, if somebody has a pointer to that stack other than to its element;
// - an address in the array that is part of the program's code, except in the function that creates the threads.
// What is left is taken for granted: that a thread computes nothing from the address of its argument by itself.
//
// Races. That nobody but the thread, and main before it created it or after it joined it, accesses the element is looked at with
// each access. As long as that is so, accesses to elements race with nothing, and are no part of states (accessed.h). Main may
// fill in one element after the other while the first threads are there.
#ifndef TARGET_ARGUMENTS_H
#define TARGET_ARGUMENTS_H

#include "model/fingerprint.h"
#include "target/threads/engine/engine.h"

struct spelling;

// The array; count is 0 if there is none.
extern struct argument_array {
    uint64_t base, size, stride;
    uint32_t first, count; // actors
    bool strayed;          // somebody else has accessed an element
} argument_array;

// Takes over what earlier attempts have learnt. Called before the program begins anew; and where states begin.
void arguments_prepare(void);
void arguments_begin(void);

// An execution has ended: if its threads have such arguments the search begins anew, and knows.
void arguments_learn(void);

// Whether the address is in the array, and whose element it is in.
static inline bool arguments_have(uint64_t address)
{
    return address - argument_array.base < argument_array.size;
}

static inline uint32_t arguments_owner(uint64_t address)
{
    return argument_array.first + (uint32_t)((address - argument_array.base) / argument_array.stride);
}

// How many words of global memory point into the array where states begin, and whether this word does.
uint32_t arguments_mentions(void);
static inline bool arguments_meant(uint64_t word)
{
    return argument_array.count && arguments_have(word);
}

// Goes on with the content of the thread's element.
void arguments_mix(struct fingerprint *f, struct spelling *s, uint32_t actor);

// A step has been taken: looks whether elements are as they were, and who it was about.
void arguments_follow(void);

// A thread accesses memory.
void arguments_look(const struct thread *t, uint64_t address, uint64_t size);

// Whether accesses to this word need not be known.
static inline bool arguments_keep_apart(uint64_t address)
{
    return argument_array.count && !argument_array.strayed && arguments_have(address);
}

// Whether somebody has strayed since this was last asked.
bool arguments_grown(void);

// Somebody has in another process (commons.h).
void arguments_take_over(void);

// Something has come up by which elements can be told apart: from now on, and in the states before, they are no longer the same,
// since main can name one as it likes. The search begins anew without the array.
void arguments_named(void);

#endif
