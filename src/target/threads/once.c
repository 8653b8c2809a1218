// Routines that run once. `owner` is who runs the routine or has run it, `depth` whether it has ended.
#include <pthread.h>

#include "target/threads/native.h"
#include "target/threads/operations.h"
#include "target/threads/public.h"
#include "target/threads/surface.h"

bool once_ready(struct thread *t, struct place *once)
{
    (void)t;
    return !once->owner || once->depth;
}

enum effect do_once(struct thread *t, struct place *once)
{
    keep_place(once);
    if (!once->owner) {
        once->owner = t->actor + 1;
        t->result = 1; // run the routine
        return EFFECT_WRITE;
    }
    know_acquire(&engine.races, &t->know, &once->release);
    t->result = 0;
    return EFFECT_READ;
}

// Whether the running thread is to run the routine; otherwise it has been run.
bool once_first(struct thread *t, uint64_t address, const void *pc)
{
    uint32_t number = place_at(address);
    ask(t, OP_ONCE, address, number, pc);
    return visible(t) != 0;
}

void once_done(uint64_t address)
{
    struct thread *t = engine.running;
    uint32_t number = place_at(address);
    struct place *once = &engine.places[number];
    keep_place(once);
    once->depth = 1;
    know_release(&engine.races, &t->know, &once->release);
    exec_release(&engine.exec, t->actor, number);
}

int once_call(struct thread *t, void *control, void (*routine)(void), const void *pc)
{
    uint64_t address = (uint64_t)(uintptr_t)control;
    if (once_first(t, address, pc)) {
        routine();
        once_done(address);
    }
    return 0;
}

PUBLIC int pthread_once(pthread_once_t *control, void (*routine)(void))
{
    struct thread *t = engine.running;
    return t ? once_call(t, control, routine, HERE) : NATIVE(pthread_once)(control, routine);
}
