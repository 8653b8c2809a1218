#include "target/threads/memory/frame_variables.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/mem.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/memory/arena.h"
#include "target/threads/memory/defined.h"
#include "target/threads/memory/frames.h"

// As build/cc_driver.c tells clang: for each eight bytes of addresses there is one here.
#define NOTES_START 0x300000000000ull
#define NOTES_BYTES (1ull << 44)

struct frame_variable {
    uint64_t start, end;
    const char *name;
    uint32_t length; // of the name
};

static PROCESS_STATE bool has_notes;

bool frame_variables_is_note(uint64_t address)
{
    return address - NOTES_START < NOTES_BYTES;
}

// ---- what the compiler calls ----

PUBLIC void __asan_init(void)
{
    if (!has_notes && !mem_reserve_at((void *)(uintptr_t)NOTES_START, NOTES_BYTES))
        fail_at(__FILE__, __LINE__, "out of address space for --memory-errors");
    has_notes = true;
}

PUBLIC void __asan_version_mismatch_check_v8(void)
{
}

PUBLIC void __asan_handle_no_return(void)
{
}

// Programs that take themselves for built with AddressSanitizer may call these.
PUBLIC void __asan_poison_memory_region(const volatile void *start, size_t size)
{
    (void)start;
    (void)size;
}

PUBLIC void __asan_unpoison_memory_region(const volatile void *start, size_t size)
{
    (void)start;
    (void)size;
}

PUBLIC int __asan_address_is_poisoned(const volatile void *address)
{
    (void)address;
    return 0;
}

PUBLIC void *__asan_region_is_poisoned(void *start, size_t size)
{
    (void)start;
    (void)size;
    return NULL;
}

// A function that is about to return finds its guard overwritten.
PUBLIC _Noreturn void __stack_chk_fail(void)
{
    struct thread *t = engine.running;
    if (!t) {
        fputs("*** stack smashing detected ***: terminated\n", stderr);
        abort();
    }
    // cppcheck-suppress nullPointerRedundantCheck ; abort does not return
    fail_and_stop(t, BUG_OUT_OF_BOUNDS, 0, __builtin_return_address(0),
                  "returns from a function in whose frame something was written behind the last array");
}

// ---- descriptions ----

static uint64_t read_number(const char **at)
{
    uint64_t number = 0;
    while (**at == ' ')
        ++*at;
    while (**at >= '0' && **at <= '9')
        number = number * 10 + (uint64_t)(*(*at)++ - '0');
    return number;
}

static struct frame_variable read_variable(const char **at, uint64_t header)
{
    struct frame_variable v = {.start = header + read_number(at)};
    v.end = v.start + read_number(at);
    v.length = (uint32_t)read_number(at);
    v.name = *at + (**at == ' ');
    for (uint32_t i = 0; i < v.length && v.name[i]; i++)
        if (v.name[i] == ':') // and the line
            v.length = i;
    *at = v.name;
    while (**at && **at != ' ')
        ++*at;
    return v;
}

// At least so many bytes behind a variable belong to nobody.
static uint64_t room_behind(const struct frame_variable *v)
{
    uint64_t size = v->end - v->start;
    return size <= 4 ? 16 - size : size <= 16 ? 32 - size : 32;
}

// What is known of the frame that the address lies in, and where its stack began; null if nothing is. Frames that are not in order
// may be of functions that were left by a jump.
static const struct defined_site *find_frame(const struct thread *owner, uint64_t address, uint64_t *sp)
{
    const struct call_frame *frame = frames_of(owner);
    uint32_t depth = owner->depth, found = depth;
    if (!depth || depth > CALL_DEPTH || owner->stack_low != owner->own_stack.low)
        return NULL;
    for (uint32_t i = 0; i < depth; i++) {
        if (i && frame[i].sp >= frame[i - 1].sp)
            return NULL;
        if (found == depth && frame[i].sp <= address)
            found = i;
    }
    if (found == depth || !frame[found].pc)
        return NULL;
    *sp = frame[found].sp;
    return defined_entry(frame[found].pc);
}

static const struct frame_header *description_of(const struct defined_site *site, uint64_t sp)
{
    if (site->header == NOT_IN_FRAME)
        return NULL;
    const struct frame_header *header = (const struct frame_header *)(uintptr_t)(sp + (uint64_t)site->header);
    return header->magic == FRAME_HEADER_MAGIC ? header : NULL;
}

// The guard of the stack protector: the same in all frames of a process.
static uint64_t guard_value(void)
{
    uint64_t value;
    __asm__("movq %%fs:40, %0" : "=r"(value));
    return value;
}

// Without a description, the guard is what certainly is no variable. It lies behind the arrays of the frame.
static void look_at_guard(struct thread *t, uint64_t guard, uint64_t address, uint64_t size, const char *does,
                          const void *pc)
{
    bool touches = address < guard + FRAME_GUARD_BYTES && address + size > guard;
    if (!touches || *(const uint64_t *)(uintptr_t)guard != guard_value())
        return;
    uint64_t first = address > guard ? address : guard;
    fail(t, BUG_OUT_OF_BOUNDS, first, pc, "%s the byte at offset %llu behind the last array of a function's frame",
         does, (unsigned long long)(first - guard));
}

static void report_outside(struct thread *t, const struct frame_variable *v, uint64_t first, const char *does,
                           const void *pc)
{
    fail(t, BUG_OUT_OF_BOUNDS, first, pc, "%s the byte at offset %lld of the variable %.*s of %llu bytes", does,
         (long long)(first - v->start), (int)v->length, v->name, (unsigned long long)(v->end - v->start));
}

void frame_variables_look(struct thread *t, uint64_t address, uint64_t size, const char *does, const void *pc)
{
    struct frame_variable before = {0};
    if (address < STACKS_START || address >= STACKS_END)
        return;
    uint64_t sp;
    const struct defined_site *site = find_frame(&engine.threads[(address - STACKS_START) / STACK_ROOM], address, &sp);
    if (site && site->guard != NOT_IN_FRAME)
        look_at_guard(t, sp + (uint64_t)site->guard, address, size, does, pc);
    const struct frame_header *header = site ? description_of(site, sp) : NULL;
    if (!header || address + size <= (uint64_t)(uintptr_t)(header + 1)) // the function itself writes its description
        return;
    const char *at = header->variables;
    for (uint64_t left = read_number(&at); left; left--) {
        struct frame_variable v = read_variable(&at, (uint64_t)(uintptr_t)header);
        if (address < v.start) {
            report_outside(t, before.name ? &before : &v, address, does, pc);
            return;
        }
        if (address < v.end) {
            if (size > v.end - address)
                report_outside(t, &v, v.end, does, pc);
            return;
        }
        before = v;
    }
    if (before.name && address < before.end + room_behind(&before))
        report_outside(t, &before, address, does, pc);
}
