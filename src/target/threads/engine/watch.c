#define _GNU_SOURCE
#include "target/threads/engine/watch.h"

#include <signal.h>
#include <stddef.h>
#include <ucontext.h>

#include "base/fail.h"
#include "target/threads/engine/engine.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/engine/execution.h"

enum { TRAP_FLAG = 0x100, MOST_TRAPS = 2000000, MOST_ATTEMPTS = 16, NOT_FOUND = UINT32_MAX };

static struct {
    volatile uint64_t *word;
    uint64_t mask;                // the bytes of it that were not put back
    const void *sp;               // of the stack's thread, if it is on one
    uint64_t value;               // at the last look …
    size_t mark;                  // … when the log was so long …
    uint32_t event;               // … and the execution
    uint32_t found;               // the write was in front of the step with this number, and after the one before it
    uint32_t attempts;            // to find it where a write to other bytes of the word was logged
    bool trapping;                // running again to see which instruction it is
    uint64_t left, last, program; // traps; where the last one was, and the last one in the program itself
    uint64_t base, size;          // of the program
} watch;

void watch_begin(const struct missed *place)
{
    watch.word = (volatile uint64_t *)(uintptr_t)(place->address & ~7ull);
    watch.mask = 0;
    for (uint64_t at = place->address & 7; at < 8 && at < (place->address & 7) + place->size; at++)
        watch.mask |= 0xffull << 8 * at;
    watch.found = NOT_FOUND;
    image_program(&watch.base, &watch.size);
    engine.missed = *place;
    engine.watching = engine.inspecting = true;
}

static void stop_watching(void)
{
    engine.watching = false;
    engine.inspecting = engine.verifying;
}

// ---- which step ----

static bool has_word(const struct undo_trailer *entry)
{
    uint64_t address = (uint64_t)(uintptr_t)watch.word;
    return entry->address < address + 8 && address < entry->address + entry->size;
}

static bool is_logged(size_t since)
{
    const uint8_t *from = engine.undo.start + since, *top = engine.undo.top;
    while (top > from) {
        const struct undo_trailer *trailer = (const struct undo_trailer *)top - 1;
        if (has_word(trailer))
            return true;
        top = (const uint8_t *)trailer - trailer->stored;
    }
    return false;
}

static bool has_changed(uint64_t before)
{
    return ((*watch.word ^ before) & watch.mask) != 0;
}

// The log keeps whole words: where it has this one, that may be for other bytes of it, and whether this write was seen shows
// only when it is run once more.
void watch_look(uint32_t event)
{
    if (!engine.watching || watch.found != NOT_FOUND || watch.trapping)
        return;
    bool begins = !event;
    uint64_t before = watch.value;
    const void *sp = engine.threads[engine.missed.owner].sp;
    bool known = begins ? image_word((uint64_t)(uintptr_t)watch.word, &before) : event == watch.event + 1;
    if (engine.missed.area == MISSED_STACK) // what the thread itself does there is kept with its steps
        known &= sp == watch.sp && event && engine.exec.events[event - 1].actor != engine.missed.owner;
    watch.sp = sp;
    if (known && has_changed(before) &&
        (watch.attempts < MOST_ATTEMPTS || !is_logged(begins ? engine.start_mark : watch.mark)))
        watch.found = event;
    watch.value = *watch.word;
    watch.mark = undo_mark(&engine.undo);
    watch.event = event;
}

// ---- which instruction ----

// A write that heddle sees is logged just before it is done.
static bool was_seen(void)
{
    return undo_mark(&engine.undo) > engine.start_mark && has_word((const struct undo_trailer *)engine.undo.top - 1);
}

static void on_trap(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    uint64_t pc = (uint64_t)registers[REG_RIP];
    bool found = has_changed(watch.value) && !was_seen();
    watch.value = *watch.word;
    if (found && !engine.missed.pc) {
        engine.missed.pc = watch.program ? watch.program : watch.last;
        engine.missed.writer = engine.running ? engine.running->actor : 0;
    }
    watch.last = pc;
    if (pc - watch.base < watch.size)
        watch.program = pc;
    if (found || !--watch.left)
        registers[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    else
        registers[REG_EFL] |= TRAP_FLAG;
}

void watch_repeated(uint32_t event)
{
    if (!watch.trapping || event != watch.found || watch.left)
        return;
    watch.left = MOST_TRAPS;
    watch.value = *watch.word;
    watch.last = watch.program = 0;
    __asm__ volatile("int3");
}

static void stop_trapping(void)
{
    watch.value = *watch.word;
    if (watch.left > 1 && !engine.missed.pc) { // or it would go on to the end
        watch.left = 1;
        __asm__ volatile("int3");
    }
}

void watch_pin_down(void)
{
    struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER}, before;
    watch_look(engine.exec.count);
    if (watch.found == NOT_FOUND)
        return;
    target_settle();
    require(!sigaction(SIGTRAP, &action, &before));
    watch.trapping = true;
    watch.left = 0;
    target_run_again(engine.exec.count);
    if (!engine.target.lost)
        target_settle();
    stop_trapping();
    watch.trapping = false;
    require(!sigaction(SIGTRAP, &before, NULL));
    watch.attempts++;
    watch.found = NOT_FOUND;
    if (engine.missed.pc)
        stop_watching();
}
