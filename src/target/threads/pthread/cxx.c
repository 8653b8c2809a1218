// C++: initialisation of local static variables, exceptions that leave a routine that runs once, destructors of
// thread-local variables.
//
// std::ios_base::Init is defined here too: the standard streams are initialised once, before the image is taken.
#include <stdint.h>

#include "target/threads/memory/memory_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/pthread/surface.h"
#include "target/threads/engine/engine_room.h"

enum { RELEASE = 3 }; // memory order

int __cxa_guard_acquire(uint64_t *guard);
void __cxa_guard_release(uint64_t *guard);
void __cxa_guard_abort(uint64_t *guard);
void *__cxa_begin_catch(void *exception);
void __cxa_throw(void *exception, void *type, void (*destructor)(void *));
int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *module);

// The first byte of a guard says that the variable is there; the compiler looks at it itself, atomically. Who initialises
// it is decided as for a routine that runs once, on bytes that nobody else looks at.
static uint64_t decision(const uint64_t *guard)
{
    return (uint64_t)(uintptr_t)guard + 4;
}

PUBLIC int __cxa_guard_acquire(uint64_t *guard)
{
    struct thread *t = engine.running;
    return t ? once_first(t, decision(guard), HERE) : NATIVE(__cxa_guard_acquire)(guard);
}

PUBLIC void __cxa_guard_release(uint64_t *guard)
{
    struct thread *t = engine.running;
    if (!t) {
        NATIVE(__cxa_guard_release)(guard);
        return;
    }
    uint64_t address = (uint64_t)(uintptr_t)guard;
    struct request *r = ask(t, OP_STORE, address, place_of_access(address, 1), HERE);
    r->size = 1;
    r->order = RELEASE;
    r->operand = 1;
    visible(t);
    once_done(decision(guard));
}

PUBLIC void __cxa_guard_abort(uint64_t *guard)
{
    if (engine.running)
        once_undone(decision(guard));
    else
        NATIVE(__cxa_guard_abort)(guard);
}

// An exception is thrown, perhaps by an assertion of a test framework.
PUBLIC void __cxa_throw(void *exception, void *type, void (*destructor)(void *))
{
    if (engine.running && engine.rules.framework)
        framework_throws(engine.running, exception, type);
    NATIVE(__cxa_throw)(exception, type, destructor);
}

// An exception is caught: routines whose frames it left have not come to their end.
PUBLIC void *__cxa_begin_catch(void *exception)
{
    if (engine.running)
        once_left(engine.running, __builtin_frame_address(0));
    return NATIVE(__cxa_begin_catch)(exception);
}

// Destructors of thread-local variables, which the C library would run only when the thread whose block a fiber borrows
// ends. In use are those below `thread_locals`.
enum { DESTRUCTORS = 4096 };
static struct destructor {
    void (*function)(void *);
    void *argument;
    uint64_t actor; // plus 1; 0 once it has run
} destructors[DESTRUCTORS];
uint64_t thread_locals;

PUBLIC int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *module)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(__cxa_thread_atexit_impl)(function, argument, module);
    if (thread_locals == DESTRUCTORS)
        unsupported(t, "the program has more thread-local variables to destroy than heddle follows (4096)");
    undo_save_word(&engine.undo, &thread_locals);
    struct destructor *d = &destructors[thread_locals++];
    undo_save(&engine.undo, d, sizeof *d);
    *d = (struct destructor){function, argument, t->actor + 1};
    return 0;
}

void thread_locals_destroy_some(struct thread *t)
{
    for (uint64_t i = thread_locals; i-- > 0;) {
        struct destructor *d = &destructors[i];
        if (d->actor != t->actor + 1)
            continue;
        undo_save(&engine.undo, d, sizeof *d);
        d->actor = 0;
        d->function(d->argument);
        i = thread_locals; // it may have made others
    }
}

// The standard streams: each unit that includes <iostream> makes an object whose constructor initialises them if nobody
// has, and whose destructor flushes them if it is the last. They are initialised before the first execution, for all of them.
void _ZNSt8ios_base4InitC1Ev(void *self);
void _ZNSt8ios_base4InitD1Ev(void *self);

PUBLIC void _ZNSt8ios_base4InitC1Ev(void *self)
{
    if (!engine.running)
        NATIVE(_ZNSt8ios_base4InitC1Ev)(self);
}

PUBLIC void _ZNSt8ios_base4InitD1Ev(void *self)
{
    if (!engine.running)
        NATIVE(_ZNSt8ios_base4InitD1Ev)(self);
}

bool cxx_does_nothing(void (*function)(void *))
{
    return function == _ZNSt8ios_base4InitD1Ev;
}

void cxx_prepare_streams(void)
{
    static char object;
    if (image_imports("_ZNSt8ios_base4InitC1Ev"))
        NATIVE(_ZNSt8ios_base4InitC1Ev)(&object);
}
