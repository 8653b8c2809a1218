// Carrying out what threads ask for.
#ifndef TARGET_PERFORM_H
#define TARGET_PERFORM_H

#include "model/choice.h"
#include "target/threads/engine/engine.h"

uint32_t search_chooses(struct thread *t, enum choice about, uint32_t n, const void *pc); // one of 0 to n - 1
wide visible(struct thread *t);  // does what its request says, through the search if others could interfere (turn.h)
void do_alone(struct thread *t); // at once: nobody else is there
bool could_be_alone(struct thread *t); // nobody could interfere, and it would not have to wait
enum effect do_load(struct thread *t, struct request *r);
enum effect perform(struct thread *t, uint32_t alternative);                     // carries out the thread's request
enum effect perform_request(struct thread *t, uint32_t alternative);             // the same beside no foreign code
void perform_follow(struct thread *t, enum effect effect, uint32_t alternative); // what follows once it is an event
bool request_ready(struct thread *t);

// A wait that let go of one level of a recursive mutex takes it again, whose it is already.
static inline bool request_can_lock(const struct thread *t, const struct place *m)
{
    return !m->owner || (unlikely(t->wait_depth > 1) && m->owner == t->actor + 1);
}

uint32_t request_outcomes(const struct thread *t);
wide read_memory(uint64_t address, uint32_t size);
wide combine(enum rmw op, wide old,
             wide operand); // what a read-modify-write makes of `old`, perhaps with bits too many

// Stores 1, 2, 4, 8 or 16 bytes, and keeps nothing of what was there.
static IN_PLACE void store_memory(void *p, uint32_t size, wide value)
{
    switch (size) {
    case 1:
        *(uint8_t *)p = (uint8_t)value;
        break;
    case 2:
        *(uint16_t *)p = (uint16_t)value;
        break;
    case 4:
        *(uint32_t *)p = (uint32_t)value;
        break;
    case 8:
        *(uint64_t *)p = (uint64_t)value;
        break;
    default:
        *(wide *)p = value;
        break;
    }
}

// What follows any operation: nothing follows the most frequent ones.
static inline void perform_after(struct thread *t, enum effect effect, uint32_t alternative)
{
    if (unlikely(!op_table[t->request.kind].simple))
        perform_follow(t, effect, alternative);
}

#endif
