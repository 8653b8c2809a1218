// How a thread ends: destructors of its thread-specific data, then the end itself.
#include "target/threads/surface.h"

#include "target/threads/operations.h"

// The event that a try to join the thread could come before.
enum effect do_end(struct thread *t, struct place *none)
{
    (void)none;
    t->result = 0;
    return EFFECT_WRITE;
}

_Noreturn void thread_end(struct thread *t, void *value)
{
    t->value = value;
    keys_destroy(t);
    if (engine.unlock_visible) {
        uint64_t handle = (uint64_t)handle_of(t->actor);
        ask(t, OP_END, handle, place_at(handle), NULL);
        visible(t);
    }
    t->ended = 1;
    thread_stop(t, ACTOR_ENDED);
}
