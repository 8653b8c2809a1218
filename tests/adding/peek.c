// A call that is an operation of its own kind: it reads a word in one step. A word that holds 13 must not be looked at.
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"

#define HERE __builtin_return_address(0)

enum { UNLUCKY = 13 };

enum effect do_peek(struct thread *t, struct place *word)
{
    t->result = (wide) * (const int *)(uintptr_t)word->address;
    return EFFECT_READ;
}

PUBLIC int pthread_peek_np(const int *word);

PUBLIC int pthread_peek_np(const int *word)
{
    struct thread *t = engine.running;
    uint64_t address = (uint64_t)(uintptr_t)word;
    if (!t)
        return *word;
    ask(t, OP_PEEK, address, place_at(address), HERE);
    int value = (int)visible(t);
    if (value == UNLUCKY)
        fail(t, BUG_BAD_PEEK, address, HERE, "looks at an unlucky word");
    return value;
}
