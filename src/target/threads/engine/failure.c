// When the program fails: assertions, aborts, signals, misuse. The failure is kept, its thread stops, the others run on
// to the end of the execution: otherwise the search would not see what they would still have done.
#define _GNU_SOURCE
#include "target/threads/engine/engine.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/mem.h"
#include "base/raw.h"
#include "target/threads/engine/aftermath.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/engine/stops.h"
#include "target/threads/engine/failure.h"
#include "target/threads/engine/perform.h"
#include "target/threads/engine/record.h"
#include "target/threads/engine/tail.h"

#define HERE __builtin_return_address(0)

enum { STOPPING = 8 }; // of the failures of an execution: of those that stop nobody, as races, there may be very many

// Null if it is known. To a race its bytes matter, not which of the two places comes second.
static struct bug *new_failure(struct thread *t, enum bug_kind kind, uint64_t address, uint32_t size, uint32_t other,
                               const void *pc)
{
    const struct bug_traits *traits = bug_traits(kind);
    if (unlikely(engine.watches_tail))
        tail_spoil(); // whether or not it is tolerated
    for (uint32_t i = 0; i < engine.failure_count; i++) {
        struct bug *known = &engine.failures[i];
        if (known->kind == kind && known->address == address && known->size == size &&
            (known->pc == (uintptr_t)pc || (traits->shape == BUG_OF_TWO_ACCESSES && !engine.rules.tell_apart)))
            return NULL;
    }
    static struct bug bug; // not on a stack that is compared, and hardly ever that of the engine
    bug = (struct bug){.kind = kind,
                       .actor = t ? t->actor : 0,
                       .event = engine.exec.count - 1,
                       .last = engine.exec.count - 1,
                       .other = other,
                       .pc = (uint64_t)(uintptr_t)pc,
                       .address = address,
                       .size = size};
    if (traits->goes_on && engine.tolerates && engine.tolerates(&bug))
        return NULL;
    if (engine.failure_count >= MAX_FAILURES - (traits->goes_on ? STOPPING : 0u)) {
        engine.failures_dropped++;
        return NULL;
    }
    struct bug *kept = &engine.failures[engine.failure_count++];
    *kept = bug;
    aftermath_note(kept);
    return kept;
}

static void failure_describe(struct bug *bug, const char *format, va_list arguments)
{
    struct thread *running = engine.running;
    engine.running = NULL; // what follows is heddle's own doing
    vsnprintf(bug->text, sizeof bug->text, format, arguments);
    if (engine.record)
        record_bug(bug);
    engine.running = running;
    if (engine.real)
        stops_failure(bug);
}

void fail(struct thread *t, enum bug_kind kind, uint64_t address, const void *pc, const char *format, ...)
{
    struct bug *bug = new_failure(t, kind, address, 0, MAX_ACTORS, pc);
    if (!bug)
        return;
    va_list arguments;
    va_start(arguments, format);
    failure_describe(bug, format, arguments);
    va_end(arguments);
}

_Noreturn void fail_stop(struct thread *t)
{
    t->failed = 1;
    if (engine.record)
        record_silent(t, SILENT_FAILED, 0, 0, 0, NULL);
    thread_stop(t, ACTOR_STOPPED);
}

_Noreturn void fail_and_stop(struct thread *t, enum bug_kind kind, uint64_t address, const void *pc, const char *format,
                             ...)
{
    struct bug *bug = new_failure(t, kind, address, 0, MAX_ACTORS, pc);
    if (bug) {
        va_list arguments;
        va_start(arguments, format);
        failure_describe(bug, format, arguments);
        va_end(arguments);
    }
    fail_stop(t);
}

static void note_outlived(struct thread *t, const void *pc, const char *format, va_list arguments)
{
    static char text[BUG_TEXT];
    engine.running = NULL;
    vsnprintf(text, sizeof text, format, arguments);
    strncat(text, " (tolerated)", sizeof text - strlen(text) - 1);
    record_text(t, TRACE_NOTE, 0, pc, text);
    engine.running = t;
}

void misuse(struct thread *t, enum bug_kind kind, uint64_t address, const void *pc, const char *format, ...)
{
    struct bug wrong = {.kind = kind, .actor = t->actor, .other = MAX_ACTORS, .pc = (uintptr_t)pc, .address = address};
    bool tolerated = engine.outlives && engine.outlives(&wrong);
    va_list arguments;
    va_start(arguments, format);
    if (tolerated && engine.record)
        note_outlived(t, pc, format, arguments);
    struct bug *bug = tolerated ? NULL : new_failure(t, kind, address, 0, MAX_ACTORS, pc);
    if (bug) {
        bug->ends_call = 1;
        failure_describe(bug, format, arguments);
    }
    va_end(arguments);
    if (!tolerated && !engine.rules.outlives_all)
        fail_stop(t);
}

void fail_signal(struct thread *t, int number, uint64_t address, const void *pc, const char *format, ...)
{
    struct bug *bug = new_failure(t, BUG_SIGNAL, address, 0, MAX_ACTORS, pc);
    if (!bug)
        return;
    bug->number = (uint32_t)number;
    va_list arguments;
    va_start(arguments, format);
    failure_describe(bug, format, arguments);
    va_end(arguments);
}

static void describe_race(struct bug *bug, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    failure_describe(bug, format, arguments);
    va_end(arguments);
}

void fail_race(struct thread *t, uint64_t address, uint32_t size, bool write, uint32_t other, const void *pc)
{
    if (annotations_expect(t, address, size, write))
        return;
    engine.raced = true;
    struct bug *bug = new_failure(t, BUG_RACE, address, size, other, pc);
    if (!bug)
        return;
    bug->write = write;
    describe_race(bug, "data race on %u byte%s: %s without being ordered after another thread's access", size,
                  size == 1 ? "" : "s", write ? "written" : "read");
}

// The part of a larger access that races with one thread, as far as it has been looked at.
static struct {
    uint64_t address;
    uint32_t size, other;
} part;

void fail_range(struct thread *t, bool write, const void *pc)
{
    if (part.size)
        fail_race(t, part.address, part.size, write, part.other, pc);
    part.size = 0;
}

void fail_races(struct thread *t, uint64_t word, uint8_t racing, bool write, const void *pc, bool more)
{
    const uint32_t *rivals = engine.races.rivals;
    for (uint32_t i = 0; i < 8; i++) {
        if (!(racing >> i & 1))
            continue;
        if (part.size && (part.address + part.size != word + i || part.other != rivals[i]))
            fail_range(t, write, pc);
        if (!part.size)
            part.address = word + i;
        part.other = rivals[i];
        part.size++;
    }
    if (!more)
        fail_range(t, write, pc);
}

void cannot_follow(const char *what)
{
    size_t i = 0;
    for (; what[i] && i + 1 < sizeof engine.unsupported; i++)
        engine.unsupported[i] = what[i];
    engine.unsupported[i] = 0;
    engine.abandoned = true;
}

_Noreturn void unsupported(struct thread *t, const char *what)
{
    cannot_follow(what);
    thread_stop(t, ACTOR_STOPPED);
}

PUBLIC void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    struct thread *t = engine.running;
    if (!t) {
        fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, text);
        abort();
        __builtin_unreachable();
    }
    if (framework_expects_signal(SIGABRT))
        exits_as_expected(t, HERE);
    // cppcheck-suppress nullPointerRedundantCheck ; abort does not return
    fail_and_stop(t, BUG_ASSERTION, 0, HERE, "assertion `%s' failed in %s at %s:%u", text, function, file, line);
}

PUBLIC void abort(void)
{
    struct thread *t = engine.running;
    if (!t) {
        NATIVE(abort)();
        __builtin_unreachable();
    }
    if (framework_expects_signal(SIGABRT))
        exits_as_expected(t, HERE);
    if (engine.rules.framework)
        framework_aborts(t, HERE);
    terminate_aborts(t, HERE);
    fail_and_stop(t, BUG_ABORT, 0, HERE, "abort was called");
}

PUBLIC void heddle_assert_failed(const char *text, const char *file, int line, const char *function)
{
    struct thread *t = engine.running;
    if (!t) {
        fprintf(stderr, "%s:%d: %s: heddle_assert(%s) failed.\n", file, line, function, text);
        abort();
        __builtin_unreachable();
    }
    fail_and_stop(t, BUG_ASSERTION, 0, HERE, "heddle_assert(%s) failed in %s at %s:%d", text, function, file, line);
}

_Noreturn void fail_assumption(struct thread *t, const void *pc)
{
    engine.assumed = true;
    t->assumed = 1;
    if (engine.record)
        record_silent(t, SILENT_ASSUME, 0, 0, 0, pc);
    thread_stop(t, ACTOR_STOPPED);
}

PUBLIC void heddle_assume_failed(void)
{
    if (!engine.running)
        _exit(0);
    fail_assumption(engine.running, HERE);
}

PUBLIC int heddle_choose_at(int n)
{
    struct thread *t = engine.running;
    if (!t)
        return n > 1 ? rand() % n : 0;
    if (n < 1 || n > UINT16_MAX)
        fail_and_stop(t, BUG_ASSERTION, 0, HERE, "heddle_choose(%d): the number of choices must be from 1 to 65535", n);
    if (n == 1)
        return 0;
    return (int)search_chooses(t, CHOICE_OF_PROGRAM, (uint32_t)n, HERE);
}

PUBLIC void heddle_note_text(const char *format, ...)
{
    struct thread *t = engine.running;
    if (!t || !engine.record)
        return;
    static char text[1024];
    va_list arguments;
    va_start(arguments, format);
    engine.running = NULL;
    vsnprintf(text, sizeof text, format, arguments);
    record_text(t, TRACE_NOTE, 0, HERE, text);
    engine.running = t;
    va_end(arguments);
}

// The runtime of OpenMP is about to call a function that the compiler made, with variables that it put together.
PUBLIC void heddle_outlined(void (*function)(void *), const void *shared)
{
    struct thread *t = engine.running;
    if (t && engine.record)
        record_silent(t, SILENT_OUTLINED, (uint64_t)(uintptr_t)shared, (uint64_t)(uintptr_t)function, 0, HERE);
}

static bool in_guard_page(const struct thread *t, uint64_t address)
{
    uint64_t low = (uint64_t)(uintptr_t)t->own_stack.low, top = (uint64_t)(uintptr_t)arena_stack_top(t->actor);
    bool large = t->own_stack.top != arena_stack_top(t->actor);
    return address < low && address >= (large ? low - (16 << 20) : top - STACK_ROOM);
}

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

bool in_heddle(uint64_t pc)
{
    return pc >= (uint64_t)(uintptr_t)__ehdr_start && pc < (uint64_t)(uintptr_t)etext;
}

// Whether the operation that is being carried out is on this memory: then the program has asked for what it may not do.
static bool is_asked_for(uint64_t address)
{
    enum { MOST = 16 };
    uint32_t steps = *engine.steps_taken;
    const struct request *r = steps ? &engine.threads[engine.steps[steps - 1].actor].request : NULL;
    return r && r->address && address - r->address < MOST;
}

// Entries of the log, from its end, that keep words one after the other, as a store or a copy does: down to the one for `word`.
// Null if it is not among them.
static struct undo_trailer *find_kept(uint64_t word)
{
    const uint8_t *top = engine.undo.top, *until = engine.undo.start + engine.start_mark;
    for (uint64_t next = 0; top > until;) {
        struct undo_trailer *trailer = (struct undo_trailer *)(uintptr_t)top - 1;
        if (trailer->size != 8 || (next && trailer->address + 8 != next))
            return NULL;
        if (trailer->address == word)
            return trailer;
        next = trailer->address;
        top = (const uint8_t *)trailer - trailer->stored;
    }
    return NULL;
}

// A store that faulted has changed nothing there or behind it, and the log must not put that back: it would fault as well.
static void forget_store(uint64_t address)
{
    static uint64_t nowhere[2];
    struct undo_trailer *last = find_kept(address & ~7ull);
    for (struct undo_trailer *t = (struct undo_trailer *)(uintptr_t)engine.undo.top - 1; last && t >= last;
         t = (struct undo_trailer *)((uintptr_t)t - t->stored) - 1)
        t->address = (uint64_t)(uintptr_t)nowhere;
}

static const void *expected_pc;

static void resume_to_end(void)
{
    exits_as_expected(engine.running, expected_pc);
}

// The thread goes on at the end of the process, on its own stack: not in a handler, where it could not be parked.
static void end_as_expected(ucontext_t *context, const void *pc)
{
    enum { RED_ZONE = 128 };
    greg_t *registers = context->uc_mcontext.gregs;
    expected_pc = pc;
    registers[REG_RSP] = ((registers[REG_RSP] - RED_ZONE) & ~(greg_t)15) - (greg_t)sizeof(void *); // as after a call
    registers[REG_RIP] = (greg_t)(uintptr_t)resume_to_end;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    struct thread *t = engine.running;
    uint64_t pc = (uint64_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    uint64_t address = (uint64_t)(uintptr_t)info->si_addr;
    if (!t) { // heddle itself: the supervisor will say so
        uint64_t start = (uint64_t)(uintptr_t)__ehdr_start;
        if (!is_asked_for(address))
            *engine.death = (struct death){(uint32_t)number, in_heddle(pc) ? pc - start : 0, address};
        signal(number, SIG_DFL);
        return;
    }
    pc = in_heddle(pc) && engine.probing ? (uint64_t)(uintptr_t)engine.probing : pc + 1;
    if (framework_expects_signal(number)) {
        end_as_expected((ucontext_t *)context, (void *)(uintptr_t)pc);
        return;
    }
    bool write = ((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2; // so the processor says
    if (number == SIGSEGV && maps_explain(t, address, write, (void *)(uintptr_t)pc))
        fail_stop(t);
    struct bug *bug = new_failure(t, BUG_SIGNAL, number == SIGFPE ? 0 : address, 0, MAX_ACTORS, (void *)(uintptr_t)pc);
    if (bug) {
        bug->number = (uint32_t)number;
        if (number == SIGSEGV && opened_holds_gone(address))
            describe_race(bug, "segmentation fault: runs code of a library that was closed");
        else if (number == SIGSEGV && in_guard_page(t, address))
            describe_race(bug, "stack overflow: the thread used more than %llu KiB of stack",
                          (unsigned long long)t->own_stack.size >> 10);
        else if (number == SIGSEGV || number == SIGBUS)
            describe_race(bug, "%s at address 0x%llx", number == SIGBUS ? "bus error" : "segmentation fault",
                          (unsigned long long)address);
        else
            describe_race(bug, "%s", strsignal(number));
    }
    if (write)
        forget_store(address);
    fail_stop(t);
}

enum { STUCK_TICKS = 25, LOST_TICKS = 300 }; // of 0.2 seconds of processor time

static void on_tick(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    static uint64_t last;
    static int same;
    engine.ticks++;
    struct thread *t = engine.running;
    uint64_t progress = engine.exec.count + engine.progress * 1000003 + (t ? t->plain + t->yields * 7919ull : 0);
    same = progress == last ? same + 1 : 0;
    last = progress;
    *engine.beats += !same;
    if (t && engine.late)
        thread_stop(t, ACTOR_STOPPED); // it goes on for ever, or nearly so
    if (engine.is_late && engine.is_late())
        engine.late = engine.abandoned = true; // the execution ends where the next thread would have its turn
    if (!t && same >= LOST_TICKS)              // heddle itself goes in circles, and cannot tell why
        raw_call(SYS_exit_group, ENGINE_LOST, 0, 0);
    if (!t || same < STUCK_TICKS)
        return;
    same = 0;
    engine.stuck_pc = (uint64_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    if (in_heddle(engine.stuck_pc) &&
        t->request.pc) // it is in an operation that needs no turn: where the program asked for it
        engine.stuck_pc = (uint64_t)(uintptr_t)t->request.pc;
    engine.stuck_actor = t->actor;
    engine.stuck = engine.abandoned = true;
    thread_stop(t, ACTOR_STOPPED);
}

void failure_alternate_stack(void)
{
    enum { ALTERNATE = 1 << 16 };
    stack_t stack = {.ss_sp = mem_reserve(ALTERNATE), .ss_size = ALTERNATE};
    require(!sigaltstack(&stack, NULL));
}

// What ends a command may be sent to its whole group (timeout does so). The supervisor says when the search is to end.
static void on_end(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    (void)context;
}

void failure_let_end(void)
{
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
}

void failure_catch_signals(void)
{
    failure_alternate_stack();
    struct sigaction outlast = {.sa_sigaction = on_end, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    require(!sigaction(SIGTERM, &outlast, NULL) && !sigaction(SIGHUP, &outlast, NULL));
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        require(!sigaction(fatal[i], &action, NULL));
    if (engine.real) // whoever watches it in a debugger decides how long is too long
        return;
    action.sa_sigaction = on_tick;
    require(!sigaction(SIGVTALRM, &action, NULL));
}

void failure_start_timer(void)
{
    struct itimerval timer = {{0, 200000}, {0, 200000}};
    require(!setitimer(ITIMER_VIRTUAL, &timer, NULL));
}

void failure_stop_timer(void)
{
    struct itimerval none = {0};
    require(!setitimer(ITIMER_VIRTUAL, &none, NULL));
}
