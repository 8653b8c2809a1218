// Routines that run once. `owner` is who runs the routine. That it has been run stands in the control itself, as in the C library, so
// that a control which the program makes anew at the same address is a new one. (A guard of C++ has four bytes of its own for it.)
#include <pthread.h>

#include "target/threads/libc/libc_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/pthread/surface.h"

bool once_ready(struct thread *t, struct place *once)
{
    (void)t;
    return !once->owner;
}

enum { DONE = 2 };

static bool has_run(const struct place *once)
{
    return *(const int *)(uintptr_t)once->address == DONE;
}

static void note_run(const struct place *once)
{
    undo_save_word(&engine.undo, (const void *)(uintptr_t)(once->address & ~7ull));
    *(int *)(uintptr_t)once->address = DONE;
}

enum effect do_once(struct thread *t, struct place *once)
{
    keep_place(once);
    know_acquire(&engine.races, &t->know, &once->release); // also of who did not come to the end
    if (!has_run(once)) {
        once->owner = t->actor + 1;
        t->result = 1; // run the routine
        return EFFECT_WRITE;
    }
    t->result = 0;
    return EFFECT_READ;
}

// Routines that are being run, and where on the stack.
enum { RUNNING = 256 };
static struct running {
    uint64_t address; // 0: none
    uint64_t actor, frame;
} running[RUNNING];
static uint64_t running_count; // entries ever used at once in this execution

static void once_change(struct running *entry, struct running to)
{
    undo_save(&engine.undo, entry, sizeof *entry);
    *entry = to;
}

// In a frame of its own, which lies below that of any function that the caller of the routine may call later.
static __attribute__((noinline)) void remember(struct thread *t, uint64_t address)
{
    uint64_t i = 0;
    while (i < running_count && running[i].address)
        i++;
    if (i == RUNNING)
        unsupported(t, "the program is in more once routines than heddle follows (256)");
    if (i == running_count) {
        undo_save_word(&engine.undo, &running_count);
        running_count++;
    }
    once_change(&running[i], (struct running){address, t->actor, (uint64_t)(uintptr_t)__builtin_frame_address(0)});
}

static void once_forget(uint64_t address)
{
    for (uint64_t i = 0; i < running_count; i++)
        if (running[i].address == address)
            once_change(&running[i], (struct running){0});
}

// Whether the running thread is to run the routine; otherwise it has been run.
bool once_first(struct thread *t, uint64_t address, const void *pc)
{
    uint32_t number = place_at(address);
    ask(t, OP_ONCE, address, number, pc);
    if (!visible(t))
        return false;
    remember(t, address);
    return true;
}

static void let_go(struct thread *t, uint64_t address, bool done)
{
    uint32_t number = place_at(address);
    struct place *once = &engine.places[number];
    keep_place(once);
    once->owner = 0;
    if (done)
        note_run(once);
    know_release(&engine.races, &t->know, &once->release);
    exec_release(&engine.exec, t->actor, number);
    times_release(t, number);
}

void once_done(uint64_t address)
{
    once_forget(address);
    let_go(engine.running, address, true);
}

void once_undone(uint64_t address)
{
    once_forget(address);
    let_go(engine.running, address, false);
}

void once_left(struct thread *t, const void *frame)
{
    for (uint64_t i = 0; i < running_count; i++)
        if (running[i].address && running[i].actor == t->actor && running[i].frame < (uint64_t)(uintptr_t)frame)
            once_undone(running[i].address);
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

ALSO(__pthread_once, pthread_once);
