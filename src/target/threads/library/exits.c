// The order is the C library's: handlers, the newest first, then destructors of the program and its libraries, then what
// libraries had registered before the program began. Handlers may register others, which come next, and may call exit
// again, which goes on with what is left.
//
// All of this is code of the thread that ends the process, and others run as they always do; only the end itself depends
// on everything. Who registers a handler or takes the next matters only if several threads do either: when an execution
// shows that, the search begins anew with these as events on one object.
//
// If main has ended as a thread, the last thread to end runs the handlers, knowing what all the others did. Which
// thread is last is explored only where the order of events decides it, and an assumption says so. A handler that waits
// for ever is a deadlock. Handlers and destructors of libraries without hooks are left out, and an assumption says so.
//
// The event that ends the process (OP_EXIT) comes after all of this, so a program without handlers has the same
// executions as if there were no such thing. Two threads that call exit at the same time take handlers from one list,
// as in the C library, and the process may end while one of them is still in a handler.
#define _GNU_SOURCE
#include "target/threads/library/exits.h"

#include <stdlib.h>
#include <unistd.h>

#include "target/threads/library/framework_failures.h"
#include "target/threads/library/imports.h"
#include "target/threads/library/library_calls.h"
#include "target/threads/library/modules.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/pthread_room.h"
#include "target/threads/engine/engine_room.h"

#define REGISTERED 0xfe0000000000ull // no address of the program

enum { HANDLERS = 1 << 14 };

typedef void handler_function(void *);
typedef void status_function(int, void *);

struct handler {
    handler_function *function; // or null once it has run out of turn
    void *argument, *module;
    uint64_t wants_status; // it was registered by on_exit
};

struct handler_list {
    uint64_t count;
    struct handler handlers[HANDLERS];
};

static struct handler_list exit_handlers, quick_handlers;
static uint64_t of_libraries; // how many at the bottom are run after the destructors of modules
static uint64_t destroyed;    // somebody runs those, or has
static uint64_t registered;   // handlers in all, in this execution
static uint64_t user;         // who used the lists last while there were others, plus 1; 0: nobody

int __cxa_atexit(void (*function)(void *), void *argument, void *module);
int __cxa_at_quick_exit(void (*function)(void *), void *module);
void __cxa_finalize(void *module);

static void exits_set(uint64_t *where, uint64_t value)
{
    undo_save_word(&engine.undo, where);
    *where = value;
}

// Whether the caller is a library without hooks: what it would do at the end is left out, as its destructors are. Programs
// may register in each of many executions, so the answer is kept.
static bool is_foreign(const void *pc)
{
    enum { ANSWERS = 64 };
    static struct {
        const void *pc;
        bool foreign;
    } answers[ANSWERS]; // survives
    size_t at = (uintptr_t)pc % ANSWERS;
    if (answers[at].pc != pc) {
        struct thread *t = engine.running;
        const char *library;
        engine.running = NULL; // heddle's own doing
        answers[at].foreign = home_of((uint64_t)(uintptr_t)pc, &library) != HOME_PROGRAM;
        answers[at].pc = pc;
        engine.running = t;
    }
    return answers[at].foreign;
}

// Whether the order matters in which this thread and another one use them: not if there is nothing in them.
static bool interferes(const struct thread *t, enum op_kind kind)
{
    return user && user != t->actor + 1 && (kind == OP_AT_EXIT || registered || modules_have_destructors());
}

// A step of its own, if more than one thread does so in some execution.
static void use_lists(struct thread *t, enum op_kind kind, const void *pc)
{
    if (engine.alone || engine.over)
        return;
    if (interferes(t, kind))
        places_learn(t, REGISTERED);
    exits_set(&user, t->actor + 1);
    if (!places_know(REGISTERED))
        return;
    ask(t, kind, REGISTERED, place_at(REGISTERED), pc);
    visible(t);
}

static int exits_add(struct thread *t, struct handler_list *list, struct handler handler, const void *pc)
{
    if (is_foreign(pc))
        return 0;
    forked_refuse(t, "registers a function to be run at its end");
    use_lists(t, OP_AT_EXIT, pc);
    if (list->count == HANDLERS)
        unsupported(t, "the program registers more functions to be run at its end than heddle follows (16384)");
    struct handler *h = &list->handlers[list->count];
    undo_save(&engine.undo, h, sizeof *h);
    *h = handler;
    exits_set(&list->count, list->count + 1);
    exits_set(&registered, registered + 1);
    return 0;
}

PUBLIC int __cxa_atexit(void (*function)(void *), void *argument, void *module)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(__cxa_atexit)(function, argument, module);
    if (cxx_does_nothing(function))
        return 0;
    return exits_add(t, &exit_handlers, (struct handler){function, argument, module, false}, HERE);
}

PUBLIC int on_exit(status_function *function, void *argument)
{
    struct thread *t = engine.running;
    return t ? exits_add(t, &exit_handlers,
                         (struct handler){(handler_function *)(uintptr_t)function, argument, NULL, true}, HERE)
             : NATIVE(on_exit)(function, argument);
}

PUBLIC int __cxa_at_quick_exit(void (*function)(void *), void *module)
{
    struct thread *t = engine.running;
    return t ? exits_add(t, &quick_handlers, (struct handler){function, NULL, module, false}, HERE)
             : NATIVE(__cxa_at_quick_exit)(function, module);
}

uint64_t exits_registered(void)
{
    return exit_handlers.count;
}

void exits_libraries_are_ready(void)
{
    if (engine.running && exit_handlers.count)
        exits_set(&of_libraries, exit_handlers.count);
}

// What the C++ library does to take down a stream or a locale is left out when nobody else is there to see it: going back
// would not put it back.
static void exits_run(struct handler handler, int status)
{
    if (handler.wants_status)
        ((status_function *)(uintptr_t)handler.function)(status, handler.argument);
    else if (handler.function && !(engine.alone && library_changes_its_own(handler.function)))
        handler.function(handler.argument);
}

// A library is about to go, or the program: the handlers that belong to it come now.
static void finalize(struct thread *t, const void *module, const void *pc)
{
    for (uint64_t i = exit_handlers.count; i-- > 0;) {
        struct handler *h = &exit_handlers.handlers[i];
        if (!h->function || h->wants_status || (module && h->module != module))
            continue;
        use_lists(t, OP_NEXT_AT_EXIT, pc);
        struct handler handler = *h;
        undo_save(&engine.undo, h, sizeof *h);
        h->function = NULL;
        exits_run(handler, 0);
        i = exit_handlers.count; // it may have registered others
    }
}

PUBLIC void __cxa_finalize(void *module)
{
    if (engine.running)
        finalize(engine.running, module, HERE);
    else
        NATIVE(__cxa_finalize)(module);
}

// Takes the newest handler that is left; false if the destructors of modules come first.
static bool exits_take(struct handler_list *list, uint64_t left, struct handler *handler)
{
    if (list->count <= left)
        return false;
    exits_set(&list->count, list->count - 1);
    *handler = list->handlers[list->count];
    return true;
}

// In a process that the program forked: the handlers that there were then. The lists stay as they are, for the process
// that it was forked from.
static RARE void run_handlers_of_copy(const struct thread *t, const struct handler_list *list, int status)
{
    uint64_t libraries = list == &exit_handlers ? of_libraries : 0;
    for (uint64_t i = list == &exit_handlers ? forked_handlers(t) : list->count; i-- > 0;) {
        if (i + 1 == libraries)
            modules_destroy();
        exits_run(list->handlers[i], status);
    }
    if (list == &exit_handlers && !libraries)
        modules_destroy();
}

static void run_handlers(struct thread *t, struct handler_list *list, int status, const void *pc)
{
    if (t->process) {
        run_handlers_of_copy(t, list, status);
        return;
    }
    struct handler handler;
    volatile uint64_t taken =
        0; // on the stack: a function that is run twice in a row is no thread that goes in a circle
    for (;; taken++) {
        use_lists(t, OP_NEXT_AT_EXIT, pc);
        bool to_destroy = list == &exit_handlers && !destroyed && (of_libraries || modules_have_destructors());
        if (exits_take(list, to_destroy ? of_libraries : 0, &handler)) {
            exits_run(handler, status);
        } else if (to_destroy) {
            exits_set(&destroyed, 1);
            modules_destroy();
        } else {
            return;
        }
    }
}

// The parent of the process would be given the lowest byte only.
static void keep_status(struct thread *t, int status, const void *pc)
{
    undo_save_word(&engine.undo, &engine.status);
    engine.status = (uint8_t)status;
    if (engine.rules.framework && framework_judges_status(t, (uint8_t)status, pc))
        return;
    if (engine.status && engine.rules.status_matters)
        fail(t, BUG_EXIT, 0, pc, "the process ends with status %u", (uint8_t)status);
}

// From here on nobody runs.
static _Noreturn void end_process(struct thread *t, int status, const void *pc)
{
    if (unlikely(engine.forked)) {
        if (!t->process)
            keep_status(t, status, pc);
        forked_end(t, status, pc);
    }
    if (!engine.alone && !engine.over) {
        ask(t, OP_EXIT, 0, 0, pc);
        visible(t);
    }
    engine.over = true;
    keep_status(t, status, pc);
    thread_stop(t, ACTOR_ENDED);
}

_Noreturn void exits_as_expected(struct thread *t, const void *pc)
{
    if (!engine.alone && !engine.over) {
        ask(t, OP_EXIT, 0, 0, pc);
        visible(t);
    }
    engine.over = true;
    thread_stop(t, ACTOR_ENDED);
}

static RARE void record_handlers(struct thread *t, const struct handler_list *list, const void *pc)
{
    if (list->count || (list == &exit_handlers && modules_have_destructors()))
        record_silent(t, SILENT_EXIT, 0, 0, 0, pc);
}

_Noreturn void exits_leave(struct thread *t, int status, const void *pc)
{
    thread_locals_destroy(t);
    if (engine.record)
        record_handlers(t, &exit_handlers, pc);
    run_handlers(t, &exit_handlers, status, pc);
    end_process(t, status, pc);
}

static _Noreturn void leave_quickly(struct thread *t, int status, const void *pc)
{
    if (engine.record)
        record_handlers(t, &quick_handlers, pc);
    run_handlers(t, &quick_handlers, status, pc);
    end_process(t, status, pc);
}

#define EXITS(name, leave)                                                                                             \
    PUBLIC void name(int status)                                                                                       \
    {                                                                                                                  \
        if (engine.running)                                                                                            \
            leave(engine.running, status, HERE);                                                                       \
        NATIVE(name)(status);                                                                                          \
        __builtin_unreachable();                                                                                       \
    }
EXITS(exit, exits_leave)
EXITS(_exit, end_process)
EXITS(_Exit, end_process)
EXITS(quick_exit, leave_quickly)

static bool last_thread_left; // survives

bool exits_by_last_thread(void)
{
    return last_thread_left;
}

// The end of all threads comes before what the last of them does now.
static void learn_of_ends(struct thread *t)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        if (actor == t->actor || engine.exec.actors[actor].state != ACTOR_ENDED)
            continue;
        know_join(&engine.races, &t->know, &engine.threads[actor].know);
        exec_learn(&engine.exec, t->actor, engine.exec.actors[actor].clock);
        times_learn(t, engine.threads[actor].now);
    }
}

void exits_thread_ends(struct thread *t)
{
    if (engine.exec.live > 1 || engine.over || (!exit_handlers.count && !modules_have_destructors()))
        return;
    last_thread_left |= !engine.alone;
    learn_of_ends(t);
    exits_leave(t, 0, (const char *)(uintptr_t)t->start + 1);
}

static bool lies_in(uint64_t address, const void *start, size_t size)
{
    return address - (uint64_t)(uintptr_t)start < size;
}

bool exits_keep_there(uint64_t address)
{
    return lies_in(address, &exit_handlers, sizeof exit_handlers) ||
           lies_in(address, &quick_handlers, sizeof quick_handlers) ||
           lies_in(address, &of_libraries, sizeof of_libraries) || lies_in(address, &destroyed, sizeof destroyed) ||
           lies_in(address, &registered, sizeof registered);
}

void exits_hand_over(void)
{
    for (uint64_t i = 0; i < exit_handlers.count; i++) {
        const struct handler *h = &exit_handlers.handlers[i];
        if (h->wants_status)
            NATIVE(on_exit)((status_function *)(uintptr_t)h->function, h->argument);
        else if (h->function)
            NATIVE(__cxa_atexit)(h->function, h->argument, NULL);
    }
    for (uint64_t i = 0; i < quick_handlers.count; i++)
        NATIVE(__cxa_at_quick_exit)(quick_handlers.handlers[i].function, NULL);
}
