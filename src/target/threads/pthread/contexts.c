#define _GNU_SOURCE
#include "target/threads/pthread/contexts.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <ucontext.h>

#include "base/mem.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/surface.h"
#include "target/threads/engine/engine_room.h"

enum { MARGIN = 64 }; // keeping a stack rounds up

// A stack that a context was made for, and the calls under way on it while nobody runs there.
struct context_stack {
    uint64_t low, top;
    uint64_t depth;
    uint64_t calls[CALL_DEPTH];
    struct call_frame frames[CALL_DEPTH];
};

// The stacks of actors come first; those that makecontext was given follow.
enum { GIVEN = MAX_ACTORS, STACKS = GIVEN + 4096 };
static struct context_stack *stacks;
static uint64_t given; // in this execution

// Every one that was ever given; survives.
static struct {
    uint64_t low, top;
} ever[STACKS - GIVEN];
static uint32_t ever_count;

static struct context_stack *stack_at(uint32_t number)
{
    if (!stacks)
        stacks = mem_reserve(STACKS * sizeof *stacks);
    return &stacks[number];
}

static struct context_stack *find_given(uint64_t sp)
{
    for (uint32_t i = GIVEN; i < GIVEN + given; i++)
        if (sp > stacks[i].low && sp <= stacks[i].top)
            return &stacks[i];
    return NULL;
}

static void contexts_set(uint64_t *where, uint64_t value)
{
    undo_save_word(&engine.undo, where);
    *where = value;
}

static void contexts_remember(uint64_t low, uint64_t top)
{
    for (uint32_t i = 0; i < ever_count; i++)
        if (ever[i].low == low && ever[i].top == top)
            return;
    if (ever_count == STACKS - GIVEN)
        return;
    ever[ever_count].low = low;
    ever[ever_count++].top = top;
}

// The stack that a context is made for. Others that it overlaps are no more.
static struct context_stack *contexts_give(struct thread *t, uint64_t low, uint64_t top)
{
    struct context_stack *own = NULL;
    contexts_remember(low, top);
    for (uint32_t i = GIVEN; i < GIVEN + given; i++) {
        struct context_stack *s = &stacks[i];
        if (s->top <= low || s->low >= top)
            continue;
        if (own)
            contexts_set(&s->top, s->low);
        else
            own = s;
    }
    if (!own && given == STACKS - GIVEN)
        unsupported(t, "the program makes contexts on more stacks than heddle follows (4096)");
    if (!own) {
        own = stack_at(GIVEN + (uint32_t)given);
        contexts_set(&given, given + 1);
    }
    contexts_set(&own->low, low);
    contexts_set(&own->top, top);
    contexts_set(&own->depth, 0);
    return own;
}

static bool is_own(const struct thread *t, uint64_t sp)
{
    return sp > (uint64_t)(uintptr_t)t->own_stack.low && sp <= (uint64_t)(uintptr_t)t->own_stack.top;
}

static bool is_of_other(const struct thread *t, uint64_t sp)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++)
        if (actor != t->actor && engine.exec.actors[actor].state != ACTOR_ABSENT && is_own(&engine.threads[actor], sp))
            return true;
    return false;
}

// Call stacks are the stack's, not the thread's.
static RARE void exchange_calls(struct thread *t, struct context_stack *left, const struct context_stack *entered)
{
    struct call_frame *frames = frames_of(t);
    uint64_t *calls = engine.calls[t->actor];
    uint32_t depth = t->depth < CALL_DEPTH ? t->depth : CALL_DEPTH;
    contexts_set(&left->depth, t->depth);
    undo_save(&engine.undo, left->calls, depth * sizeof *calls);
    plain_move(left->calls, calls, depth * sizeof *calls);
    undo_save(&engine.undo, left->frames, depth * sizeof *frames);
    plain_move(left->frames, frames, depth * sizeof *frames);
    depth = entered->depth < CALL_DEPTH ? (uint32_t)entered->depth : CALL_DEPTH;
    plain_move(calls, entered->calls, depth * sizeof *calls);
    plain_move(frames, entered->frames, depth * sizeof *frames);
    t->depth = t->lowest = (uint32_t)entered->depth;
}

static struct context_stack *contexts_current(const struct thread *t)
{
    struct context_stack *s = find_given((uint64_t)(uintptr_t)t->stack_low + 1);
    return s ? s : stack_at(t->actor);
}

static bool is_within(uint64_t sp, const struct thread *t)
{
    return sp > (uint64_t)(uintptr_t)t->stack_low && sp <= (uint64_t)(uintptr_t)t->stack_top;
}

// The stack that a context was made for may be an array on the thread's own stack. Then other frames of the thread lie on both
// sides of it. Those above are kept with it at each step; to those below only hooks write, until the thread is back there. But they
// belong to the thread's state, which is taken from one piece of memory.
static struct context_stack *contexts_find(struct thread *t, uint64_t sp)
{
    struct context_stack *entered = find_given(sp);
    bool own = is_own(t, sp);
    if (!entered && !own)
        unsupported(
            t, is_of_other(t, sp)
                   ? "the program goes on with a context on the stack of another thread, which heddle does not follow"
                   : "the program goes on with a context on a stack that heddle does not know");
    if (entered && own && engine.matching)
        unsupported(t, "a context runs on an array that lies on the stack of its thread: heddle cannot compare states "
                       "of such a thread");
    return entered ? entered : stack_at(t->actor);
}

void contexts_enter(struct thread *t, uint64_t sp)
{
    bool near = is_within(sp, t) && is_within((uint64_t)(uintptr_t)__builtin_frame_address(0), t);
    if (near && !given)
        return;
    struct context_stack *left = contexts_current(t), *entered = contexts_find(t, sp);
    if (near && left == entered)
        return; // it stays where it is
    bool given_to_it = entered != stack_at(t->actor);
    if (engine.follow_calls)
        exchange_calls(t, left, entered);
    uint8_t *top = is_own(t, sp) ? t->own_stack.top - MARGIN : (uint8_t *)(uintptr_t)entered->top;
    undo_save(&engine.undo, &t->stack_top, 2 * sizeof t->stack_top);
    t->stack_top = top;
    t->stack_low = given_to_it ? (uint8_t *)(uintptr_t)entered->low : t->own_stack.low;
    if (top - (uint8_t *)(uintptr_t)sp > LARGE_STACK)
        turn_keep_large(t);
    else
        undo_save(&engine.undo, (const void *)(uintptr_t)sp,
                  (size_t)(top - (uint8_t *)(uintptr_t)sp + 63) & ~(size_t)63);
}

bool contexts_part(uint64_t from, uint64_t until, uint64_t *start, uint64_t *end)
{
    *start = UINT64_MAX;
    for (uint32_t i = GIVEN; i < GIVEN + given; i++) {
        if (stacks[i].top <= from || stacks[i].low >= until || stacks[i].low >= *start)
            continue;
        *start = stacks[i].low > from ? stacks[i].low : from;
        *end = stacks[i].top;
    }
    return *start != UINT64_MAX;
}

bool contexts_ever(uint64_t from, uint64_t until, uint64_t *start, uint64_t *end)
{
    *start = UINT64_MAX;
    for (uint32_t i = 0; i < ever_count; i++) {
        if (ever[i].top <= from || ever[i].low >= until || ever[i].low >= *start)
            continue;
        *start = ever[i].low > from ? ever[i].low : from;
        *end = ever[i].top < until ? ever[i].top : until;
    }
    return *start != UINT64_MAX;
}

void contexts_jump(struct thread *t, const void *buffer, const void *pc)
{
    enum { STACK_POINTER = 6 }; // where it is in a jmp_buf, mangled as the C library does it
    const struct __jmp_buf_tag *b = buffer;
    uint64_t sp, guard;
    if (b->__mask_was_saved)
        signals_restore_mask(t, &b->__saved_mask, pc);
    __builtin_memcpy(&sp, (const uint64_t *)buffer + STACK_POINTER, sizeof sp);
    __asm__("movq %%fs:0x30, %0" : "=r"(guard));
    contexts_enter(t, (sp >> 17 | sp << 47) ^ guard);
}

static uint64_t stack_pointer(const ucontext_t *u)
{
    return (uint64_t)u->uc_mcontext.gregs[REG_RSP];
}

PUBLIC int swapcontext(ucontext_t *restrict kept, const ucontext_t *restrict next)
{
    struct thread *t = engine.running;
    int (*native)(ucontext_t *, const ucontext_t *) = NATIVE(swapcontext);
    if (t) {
        access_write(kept, sizeof *kept, HERE);
        access_read(next, sizeof *next, HERE);
        signals_keep_mask(t, &kept->uc_sigmask);
        signals_restore_mask(t, &next->uc_sigmask, HERE);
        contexts_enter(t, stack_pointer(next));
    }
    return native(kept, next);
}

static int go_to(struct thread *t, const ucontext_t *next, const void *pc)
{
    int (*native)(const ucontext_t *) = NATIVE(setcontext);
    if (t) {
        access_read(next, sizeof *next, pc);
        signals_restore_mask(t, &next->uc_sigmask, pc);
        contexts_enter(t, stack_pointer(next));
    }
    return native(next);
}

PUBLIC int setcontext(const ucontext_t *next)
{
    return go_to(engine.running, next, HERE);
}

// The function of a context has returned. Where nothing follows, the C library ends the process.
__attribute__((used, visibility("hidden"))) _Noreturn void contexts_ended(const ucontext_t *next)
{
    struct thread *t = engine.running;
    if (next)
        go_to(t, next, HERE);
    if (t)
        exits_leave(t, 0, HERE);
    exit(0);
}

extern const char contexts_entry[] __attribute__((visibility("hidden")));

// As the C library's, but for what the function returns to.
PUBLIC void makecontext(ucontext_t *u, void (*function)(void), int count, ...)
{
    static const int places[] = {REG_RDI, REG_RSI, REG_RDX, REG_RCX, REG_R8, REG_R9};
    enum { IN_REGISTERS = sizeof places / sizeof *places };
    struct thread *t = engine.running;
    uint64_t low = (uint64_t)(uintptr_t)u->uc_stack.ss_sp, top = ((low + u->uc_stack.ss_size) & ~63ull) - MARGIN;
    uint64_t more = count > IN_REGISTERS ? (uint64_t)(count - IN_REGISTERS) : 0;
    uint64_t *sp = (uint64_t *)((top - more * sizeof *sp) & ~15ull) - 1;
    if (t) {
        access_write(u, sizeof *u, HERE);
        contexts_give(t, low, top);
        undo_save(&engine.undo, sp, (size_t)(top - (uint64_t)(uintptr_t)sp));
    }
    va_list arguments;
    va_start(arguments, count);
    for (int i = 0; i < count; i++) {
        greg_t value = va_arg(arguments, greg_t);
        if (i < IN_REGISTERS)
            u->uc_mcontext.gregs[places[i]] = value;
        else
            sp[1 + i - IN_REGISTERS] = (uint64_t)value;
    }
    va_end(arguments);
    sp[0] = (uint64_t)(uintptr_t)contexts_entry;
    u->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)function;
    u->uc_mcontext.gregs[REG_RSP] = (greg_t)(uintptr_t)sp;
    u->uc_mcontext.gregs[REG_RBX] = (greg_t)(uintptr_t)u->uc_link;
    u->uc_mcontext.gregs[REG_RBP] = 0;
}
