// How a thread ends: clean-up handlers if it ends in the middle, destructors of its thread-specific data, robust mutexes it
// still holds, then the end itself.
//
// Handlers are where the C library's pthread_cleanup_push puts them: in C as a jump buffer on the stack, which it tells of
// here; in C++ and with -fexceptions as something to be done when the stack is unwound. So the stack is unwound if the
// program has what it takes, by the same rules as in the C library (a jump buffer's frame ends an unwinding, and the
// handler in it begins the next); without it there are only jump buffers.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <setjmp.h>
#include <unwind.h>

#include "target/threads/library/library_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/surface.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/memory/memory_room.h"

// What a handler's buffer has room for (glibc: __pad).
enum { OUTER, DEPTH, FRAME };

static struct leaving {
    __pthread_unwind_buf_t *innermost;
} leaving[MAX_ACTORS];

// Survives: part of what unwinding needs, not of what the program sees.
static struct _Unwind_Exception exceptions[MAX_ACTORS];

static void set_innermost(struct thread *t, __pthread_unwind_buf_t *buffer)
{
    undo_save_word(&engine.undo, &leaving[t->actor].innermost);
    leaving[t->actor].innermost = buffer;
}

void leave_begin(struct thread *t)
{
    if (leaving[t->actor].innermost)
        set_innermost(t, NULL);
}

static void add_handler(struct thread *t, __pthread_unwind_buf_t *buffer, void *frame)
{
    buffer->__pad[OUTER] = leaving[t->actor].innermost;
    buffer->__pad[DEPTH] = (void *)(uintptr_t)t->depth;
    buffer->__pad[FRAME] = frame;
    set_innermost(t, buffer);
}

void __pthread_register_cancel_defer(__pthread_unwind_buf_t *buffer);
void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t *buffer);

// Only deferred cancellation is followed, so there is nothing to defer and to restore.
#define REGISTERS(name)                                                                                                \
    PUBLIC void name(__pthread_unwind_buf_t *buffer)                                                                   \
    {                                                                                                                  \
        if (engine.running)                                                                                            \
            add_handler(engine.running, buffer, __builtin_dwarf_cfa());                                                \
        else                                                                                                           \
            NATIVE(name)(buffer);                                                                                      \
    }
#define UNREGISTERS(name)                                                                                              \
    PUBLIC void name(__pthread_unwind_buf_t *buffer)                                                                   \
    {                                                                                                                  \
        if (engine.running)                                                                                            \
            set_innermost(engine.running, buffer->__pad[OUTER]);                                                       \
        else                                                                                                           \
            NATIVE(name)(buffer);                                                                                      \
    }
REGISTERS(__pthread_register_cancel)
REGISTERS(__pthread_register_cancel_defer)
UNREGISTERS(__pthread_unregister_cancel)
UNREGISTERS(__pthread_unregister_cancel_restore)

static _Noreturn void run_handler(struct thread *t, __pthread_unwind_buf_t *buffer)
{
    t->depth = (uint32_t)(uintptr_t)buffer->__pad[DEPTH];
    struct __jmp_buf_tag *jump = (struct __jmp_buf_tag *)buffer->__cancel_jmp_buf;
    __asm__("" : "+r"(jump)); // it has no room for the signals that a jump buffer may have, nor are they used
    _longjmp(jump, 1);
}

// The unwinder, if the program has one.
static __typeof__(&_Unwind_GetCFA) get_cfa;
static __typeof__(&_Unwind_ForcedUnwind) forced_unwind;

static _Unwind_Reason_Code leave_stop(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                      struct _Unwind_Exception *exception, struct _Unwind_Context *context,
                                      void *thread)
{
    (void)version;
    (void)class;
    (void)exception;
    struct thread *t = thread;
    __pthread_unwind_buf_t *buffer = leaving[t->actor].innermost;
    bool bottom = actions & _UA_END_OF_STACK;
    if (buffer && (bottom || get_cfa(context) >= (_Unwind_Word)(uintptr_t)buffer->__pad[FRAME]))
        run_handler(t, buffer);
    if (bottom)
        thread_end(t, t->value);
    return _URC_NO_REASON;
}

static void on_caught(_Unwind_Reason_Code reason, struct _Unwind_Exception *exception)
{
    (void)reason;
    (void)exception;
    fail_and_stop(engine.running, BUG_ABORT, 0, HERE, "the end of a thread was caught and not thrown on");
}

static void look_for_unwinder(struct thread *t)
{
    static bool looked;
    if (looked)
        return;
    looked = true;
    engine.running = NULL; // heddle's own doing
    forced_unwind = (__typeof__(forced_unwind))(uintptr_t)dlsym(RTLD_DEFAULT, "_Unwind_ForcedUnwind");
    get_cfa = (__typeof__(get_cfa))(uintptr_t)dlsym(RTLD_DEFAULT, "_Unwind_GetCFA");
    engine.running = t;
}

static _Noreturn void leave_unwind(struct thread *t)
{
    look_for_unwinder(t);
    if (forced_unwind && get_cfa) {
        struct _Unwind_Exception *exception = &exceptions[t->actor];
        *exception = (struct _Unwind_Exception){.exception_cleanup = on_caught};
        forced_unwind(exception, leave_stop, t);
        unsupported(t, "a thread ends in the middle of something that cannot be unwound");
    }
    if (leaving[t->actor].innermost)
        run_handler(t, leaving[t->actor].innermost);
    thread_end(t, t->value);
}

_Noreturn void thread_leave(struct thread *t, void *value)
{
    t->value = value;
    once_left(t, t->stack_top);
    leave_unwind(t);
}

PUBLIC void pthread_exit(void *value)
{
    struct thread *t = engine.running;
    if (t)
        thread_leave(t, value);
    NATIVE(pthread_exit)(value);
    __builtin_unreachable();
}

// After a handler in a jump buffer has run.
PUBLIC void __pthread_unwind_next(__pthread_unwind_buf_t *buffer)
{
    struct thread *t = engine.running;
    if (t) {
        set_innermost(t, buffer->__pad[OUTER]);
        leave_unwind(t);
    }
    NATIVE(__pthread_unwind_next)(buffer);
    __builtin_unreachable();
}

_Noreturn void thread_end(struct thread *t, void *value)
{
    t->value = value;
    thread_locals_destroy(t);
    keys_destroy(t);
    robust_abandon(t);
    if (unlikely(engine.unlock_visible)) {
        uint64_t handle = (uint64_t)handle_of(t->actor);
        ask(t, OP_END, handle, place_at(handle), NULL);
        visible(t);
    }
    exits_thread_ends(t);
    if (unlikely(t->lent_bytes))
        lifetime_stack_ends(t);
    if (engine.swap_tls)
        lifetime_locals_end(t);
    t->ended = 1;
    thread_stop(t, ACTOR_ENDED);
}
