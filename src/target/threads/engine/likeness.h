// Threads that are alike: states that differ only in which of them is where are one state (searches by states).
//
// Threads that main created are of one *kin*, and may take each other's places. state.c puts the threads of a kin in the order of
// what they are about to do and of their memory, all of it spelt without their numbers (spelling.h), and takes everything that
// names a thread, such as the owner of a lock, by its place in that order. If two states have the same fingerprint then, some
// renaming of threads makes one the other. The order is not always unique; then equal states may count as different.
//
// Why nothing is missed. Let r be a renaming of kin, and s and r(s) two states. Whatever a thread does in s the renamed thread can do
// in r(s), and it leads from s' to r(s'), as long as nothing happens that tells kin apart. So the search of one of the two
// shows what the other would have shown, up to renaming, up to the first such thing. And if there is one at all, a first one
// is come to. There the search begins anew and leaves that kin as it is (lessons.h). Kin are told apart by
// - who asks for its own handle or number, its random numbers, or for anything of another thread by its handle, except to join it;
// - joins, unless main joins all of a kin in a row and does nothing in between that depends on others (join_runs.h).
// Handles in memory are no part of the renaming: nobody can do anything else with them.
// A thread whose memory another one, or a global variable, points to keeps its place for as long as that is so (*pinned), and
// so does one with children. If what heddle itself keeps for the program differs from how it was in the beginning in places that
// are not known here, nobody is alike.
//
// What is taken for granted: that kin do not compare the addresses of their stacks, heaps and arguments (arguments.h), and that no
// number looks like one.
#ifndef TARGET_LIKENESS_H
#define TARGET_LIKENESS_H

#include "target/threads/engine/spelling.h"

// A renaming: the place of each actor, and who is there.
struct naming {
    uint16_t place[MAX_ACTORS], actor[MAX_ACTORS];
};

// Whether threads may count as alike in this search. Called before the program begins anew.
bool likeness_prepare(bool wanted);

// The first states are about to be asked for.
void likeness_begin(void);
void likeness_begun(void); // all words that were written before have been told

// A step has been taken: takes over what was known before it. Then each word that it changed.
void likeness_follow(void);
void likeness_word(uint64_t address, uint64_t before, uint64_t now);

// Whether no thread's own memory lies there: the program's variables, main's heap, and the handlers of exit.
bool likeness_is_programs(uint64_t address);

// The part of the sum of changed words that is looked at with the threads it belongs to.
struct fingerprint likeness_theirs(void);

// Whether any threads can be alike now.
bool likeness_is_possible(void);

// Whether so many of main's threads run one function that their states may be few where their executions are many.
bool likeness_sees_crowd(void);

// The number of the thread's kin, from MAX_ACTORS on, or the thread's own if it has none.
uint32_t likeness_kin(uint32_t actor);

// The same number for all objects that lie in threads' own memory.
uint32_t likeness_object(uint32_t object);

// Whether the two are of one kin, have the same colour, and neither is pinned.
bool likeness_may_swap(uint32_t a, uint32_t b, const struct fingerprint *colours, const uint64_t *pinned);

// Puts kin in the order of their colours. Those that are pinned keep their places.
void likeness_order(struct naming *naming, const struct fingerprint *colours, const uint64_t *pinned);

// Nobody can be put in order in the present state.
void likeness_order_none(void);

// In how many ways the threads that have just been put in order can change places; and all that ever did.
double likeness_counterparts(void);
void likeness_tell(uint64_t *alike);

// Global variables that point to memory of threads.
void likeness_pin_mentioned(uint64_t *pinned);

// Whether global variables point into the array of arguments, or to main's stack.
bool likeness_names_arguments(void);
bool likeness_names_stack(void);

// The running thread learns who it is or another is: from now on kin are not alike.
void likeness_told_apart(void);

// An execution has ended. If in thousands of states hardly any threads were alike, none are from now on: they run one function, each
// with something else to do, such as a connection of its own, and to take what one of them does for what any of them may do would only
// cost searches their reductions. Processes that share a search leave that as it was when they began.
void likeness_look_whether_any(void);

// The actors of these threads (a bit for each) and the rest of their kin are told apart.
void likeness_split(const uint64_t *actors);

static inline void likeness_names(const struct thread *other)
{
    if (__builtin_expect(engine.alike, 0) && other && other->actor && other->born != engine.exec.count)
        likeness_told_apart();
}

static inline void likeness_names_itself(void)
{
    if (__builtin_expect(engine.alike, 0) && engine.running && engine.running->actor)
        likeness_told_apart();
}

#endif
