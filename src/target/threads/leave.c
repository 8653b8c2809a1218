// How a thread ends: destructors of its thread-specific data, robust mutexes it still holds, then the end itself.
#include "target/threads/surface.h"

_Noreturn void thread_end(struct thread *t, void *value)
{
    t->value = value;
    keys_destroy(t);
    robust_abandon(t);
    if (engine.unlock_visible) {
        uint64_t handle = (uint64_t)handle_of(t->actor);
        ask(t, OP_END, handle, place_at(handle), NULL);
        visible(t);
    }
    t->ended = 1;
    thread_stop(t, ACTOR_ENDED);
}
