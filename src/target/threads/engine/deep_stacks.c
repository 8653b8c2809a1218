#include "target/threads/engine/deep_stacks.h"

#include <string.h>

#include "base/mem.h"
#include "target/threads/engine/engine.h"
#include "target/threads/engine/turn.h"
#include "target/threads/library/library_room.h"
#include "target/threads/memory/memory_room.h"

// Functions with which calls end otherwise than by returning, or that need others to. Names that end in * stand for all that
// begin so. All C++ has a personality.
static const char *const deep_spoilers[] = {
    "setjmp*",     "_setjmp*",    "sigsetjmp*",         "__sigsetjmp*",       "longjmp*",    "_longjmp*",
    "__longjmp*",  "siglongjmp*", "_Unwind_*",          "__gcc_personality*", "getcontext",  "setcontext",
    "makecontext", "swapcontext", "__gxx_personality*", "sigaltstack",        "__pthread_*", NULL};

enum { PATIENCE = 1000 };

struct deep_calls deep_calls[MAX_ACTORS];

enum { DEEP_KEPT = sizeof(struct deep_calls) - offsetof(struct deep_calls, kept_to) };

static bool deep_stacks_spoils(const struct import *import, void *spoilt)
{
    for (const char *const *known = deep_spoilers; *known; known++) {
        size_t length = strlen(*known);
        bool begins = (*known)[length - 1] == '*';
        *(bool *)spoilt |= begins ? !strncmp(import->name, *known, length - 1) : !strcmp(import->name, *known);
    }
    *(bool *)spoilt |= import->foreign;
    return *(bool *)spoilt;
}

static bool deep_stacks_are_possible(void)
{
    bool spoilt = image_has_foreign_objects() || assembly_acts_unseen();
    imports_visit(deep_stacks_spoils, &spoilt);
    return engine.undoing && !engine.undo_forced && !engine.real && !engine.forking && !spoilt;
}

void deep_stacks_begin(void)
{
    engine.deep_stacks = engine.learnt.deep_stacks && deep_stacks_are_possible();
}

// Where the part ends that the thread can change unlogged while it is in so many functions.
static const uint8_t *deep_stacks_end(const struct thread *t, const struct deep_calls *c, uint32_t count)
{
    enum { MARGIN = 3 }; // the function that runs, its caller, and that one's
    if (count < MARGIN)
        return t->stack_top;
    uint32_t known = count - MARGIN < DEEP_FRAMES ? count - MARGIN : DEEP_FRAMES - 1;
    return (const uint8_t *)(uintptr_t)c->sp[known];
}

// A search in which this happens often, or cannot be done with this much, begins anew. Returns whether it does.
static bool deep_stacks_learn(size_t size)
{
    static uint32_t kept;
    if ((size <= LARGE_STACK && ++kept != PATIENCE) || engine.learnt.deep_stacks || engine.record || engine.bare ||
        !deep_stacks_are_possible())
        return false;
    engine.learnt.deep_stacks = true;
    search_again(NULL);
    return true;
}

RARE size_t deep_stacks_keep(struct thread *t)
{
    struct deep_calls *c = &deep_calls[t->actor];
    const uint8_t *sp = t->sp, *end = engine.deep_stacks ? deep_stacks_end(t, c, c->count) : t->stack_top;
    const size_t size = (size_t)(end - sp);
    if (!engine.deep_stacks && deep_stacks_learn(size))
        return size;
    if (size > LARGE_STACK)
        turn_keep_large(t);
    else
        undo_save(&engine.undo, sp, (size + 63) & ~(size_t)63);
    if (!engine.deep_stacks)
        return size;
    undo_save(&engine.undo, &c->kept_to, DEEP_KEPT);
    c->low = c->begun = c->count;
    c->kept_to = end;
    return size;
}

void deep_stacks_clear(const struct thread *t)
{
    struct deep_calls *c = &deep_calls[t->actor];
    undo_save(&engine.undo, &c->kept_to, DEEP_KEPT);
    c->count = c->low = c->begun = 0;
    c->kept_to = t->stack_top;
}

// Keeps the stack up to `end`, too. An entry of the log that is not one word is taken for such a part (spin.c).
static void deep_stacks_extend(struct deep_calls *c, const uint8_t *end)
{
    if (end <= c->kept_to)
        return;
    const size_t size = (size_t)(end - c->kept_to);
    undo_save(&engine.undo, c->kept_to, size > sizeof(uint64_t) ? size : 2 * sizeof(uint64_t));
    c->kept_to = end;
}

// The next call is deeper than any so far. Returns whether there is room for its stack pointer.
bool deep_stacks_make_room(struct deep_calls *c)
{
    if (!c->sp)
        c->sp = mem_reserve(DEEP_FRAMES * sizeof *c->sp);
    c->room = DEEP_FRAMES;
    return c->count < c->room;
}

// It may well return from some more. As much again as it has returned from is kept at once, or one that returns from all would
// spend most of its time here.
void deep_stacks_lower(const struct thread *t, struct deep_calls *c)
{
    enum { MORE = 32 };
    const uint32_t more = MORE + (c->begun - c->count), low = c->count > more ? c->count - more : 0;
    const uint32_t known = c->low < DEEP_FRAMES ? c->low : DEEP_FRAMES;
    if (low < known) // going back needs them, and calls overwrite them
        undo_save(&engine.undo, &c->sp[low], (known - low) * sizeof *c->sp);
    c->low = low;
    deep_stacks_extend(c, deep_stacks_end(t, c, low));
}

void deep_stacks_leave_unseen(const struct thread *t, struct deep_calls *c)
{
    deep_stacks_extend(c, t->stack_top);
}

// Takes back in a copy of the stack from `from` on what was logged from byte `since` to byte `until`.
static void deep_stacks_take_back(const struct thread *t, const uint8_t *from, uint8_t *copy, size_t since,
                                  size_t until)
{
    const uint8_t *top = engine.undo.start + until, *stop = engine.undo.start + since;
    while (top > stop) {
        const struct undo_trailer *trailer = (const struct undo_trailer *)top - 1;
        top = (const uint8_t *)trailer - trailer->stored;
        const uint8_t *start = (const uint8_t *)(uintptr_t)trailer->address, *end = start + trailer->size;
        const uint8_t *first = start > from ? start : from, *last = end < t->stack_top ? end : t->stack_top;
        for (const uint8_t *p = first; p < last; p++)
            copy[p - from] = top[p - start];
    }
}

bool deep_stacks_same(const struct thread *t, const uint8_t *from, size_t then, size_t now)
{
    static uint8_t *copies;
    const size_t size = from < t->stack_top ? (size_t)(t->stack_top - from) : 0;
    if (size > STACK_ROOM)
        return false;
    if (!copies)
        copies = mem_reserve(2 * STACK_ROOM);
    uint8_t *a = copies, *b = copies + STACK_ROOM;
    for (size_t i = 0; i < size; i++)
        a[i] = from[i];
    deep_stacks_take_back(t, from, a, now, undo_mark(&engine.undo));
    for (size_t i = 0; i < size; i++)
        b[i] = a[i];
    deep_stacks_take_back(t, from, b, then, now);
    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i])
            return false;
    return true;
}
