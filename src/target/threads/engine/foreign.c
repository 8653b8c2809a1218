#define _GNU_SOURCE
#include "target/threads/engine/foreign.h"

#include <link.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "target/threads/engine/state.h"
#include "target/threads/library/library_room.h"

enum { MOST = 256 };

static struct {
    struct {
        uint64_t start, end;
        const char *library; // null: the system's
        bool told;           // that it is at work, in some execution
    } code[MOST];
    uint32_t count;
    const char *trusted;
    // By actor: the frame of the function that foreign code called last and that has not ended; 0 if there is none.
    uint64_t frame[MAX_ACTORS];
    uint64_t called[MAX_ACTORS]; // whether it has ever called such code, in this execution
    uint64_t trusts[MAX_ACTORS]; // whether the function that it called last is one that the user trusts
    uint64_t used;               // whether anybody has
    struct value *values;        // of atomic variables
} foreign;

// What an atomic variable held when the program last used it. Anything else was written by code that nobody sees, and whoever
// reads it may be ordered by that.
struct value {
    uint64_t address, value;
};

enum { VALUES = 1 << 16 };

static void add_code(uint64_t start, uint64_t end, const char *library)
{
    require_room(foreign.count < MOST, "libraries that heddle does not know (256)");
    foreign.code[foreign.count].start = start;
    foreign.code[foreign.count].end = end;
    foreign.code[foreign.count++].library = library;
}

static int foreign_look_into(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        uint64_t start = info->dlpi_addr + h->p_vaddr;
        const char *library;
        if (h->p_type != PT_LOAD || !(h->p_flags & PF_X))
            continue;
        enum home home = home_of(start, &library);
        bool unknown = home == HOME_OTHER && *library && strncmp(library, "linux-vdso", 10) &&
                       !library_is_listed(foreign.trusted, library) && !framework_trusts("", library);
        if (unknown || home == HOME_SYSTEM)
            add_code(start, start + h->p_memsz, unknown ? library : NULL);
        *(bool *)found |= unknown;
    }
    return 0;
}

void foreign_look(const char *trusted)
{
    bool found = false;
    foreign.trusted = trusted;
    dl_iterate_phdr(foreign_look_into, &found);
    for (uint32_t i = 0; found && i < foreign.count; i++)
        if (foreign.code[i].start < engine.foreign_from)
            engine.foreign_from = foreign.code[i].start;
    engine.foreign = engine.foreign_from != UINT64_MAX;
}

// Its number among the pieces of code that are not the program's; `count` if it is.
static uint32_t find_code(const void *pc)
{
    uint32_t i = 0;
    while (i < foreign.count &&
           ((uint64_t)(uintptr_t)pc < foreign.code[i].start || (uint64_t)(uintptr_t)pc >= foreign.code[i].end))
        i++;
    return i;
}

// All that pass come one after the other.
static void foreign_pass_knowledge(struct thread *t, bool acquires, bool releases)
{
    struct place *place = &engine.places[place_at((uint64_t)(uintptr_t)&foreign | 1ull << 47)];
    if (acquires)
        know_acquire(&engine.races, &t->know, &place->release);
    if (!releases)
        return;
    keep_holding(place);
    know_release_more(&engine.races, &t->know, &place->release);
    state_releases_silently();
}

void foreign_call(struct thread *t, bool trusted)
{
    if (foreign.trusts[t->actor] != trusted) {
        undo_save_word(&engine.undo, &foreign.trusts[t->actor]);
        foreign.trusts[t->actor] = trusted;
    }
    if (trusted)
        return;
    if (!foreign.called[t->actor]) {
        undo_save_word(&engine.undo, &foreign.called[t->actor]);
        undo_save_word(&engine.undo, &foreign.used);
        foreign.called[t->actor] = foreign.used = 1;
    }
    foreign_pass_knowledge(t, true, true);
}

static uint64_t memory_at(const struct request *r)
{
    uint64_t value = 0;
    __builtin_memcpy(&value, (const void *)(uintptr_t)r->address, r->size < sizeof value ? r->size : sizeof value);
    return value;
}

// Two variables that share a place look as if they were written by foreign code.
static struct value *value_of(const struct request *r)
{
    if (!foreign.values)
        foreign.values = mem_reserve(VALUES * sizeof *foreign.values);
    return &foreign.values[(r->address * 0x9e3779b97f4a7c15u >> 32) % VALUES];
}

static bool passes_on(const struct request *r)
{
    return r->order || r->order_failure || op_table[r->kind].access == ACCESS_VOLATILE;
}

void foreign_before_atomic(struct thread *t, const struct request *r)
{
    const struct value *known = value_of(r);
    bool own = known->address == r->address && known->value == memory_at(r);
    if (foreign.used && passes_on(r) && (!own || op_table[r->kind].at_most == EFFECT_WRITE))
        foreign_pass_knowledge(t, !own, op_table[r->kind].at_most == EFFECT_WRITE);
}

void foreign_after_atomic(const struct request *r)
{
    struct value *known = value_of(r), now = {r->address, memory_at(r)};
    if (known->address == now.address && known->value == now.value)
        return;
    undo_save(&engine.undo, known, sizeof *known);
    *known = now;
}

// A system's library may be at work for a foreign one that the thread has called.
void foreign_pass(struct thread *t, const void *pc)
{
    uint32_t at = find_code(pc);
    const char *library = at < foreign.count ? foreign.code[at].library : NULL;
    if (at == foreign.count || (!library && !foreign.called[t->actor]))
        return;
    foreign_pass_knowledge(t, true, true);
    if (library && !engine.alone && !foreign.code[at].told && !foreign.trusts[t->actor]) {
        foreign.code[at].told = true;
        library_unseen(library, NULL);
    }
}

void foreign_calls_back(struct thread *t, const void *caller, const void *frame)
{
    uint32_t at = find_code(caller);
    if (at == foreign.count || !foreign.code[at].library)
        return;
    foreign_pass(t, caller);
    engine.called_back = true;
    undo_save_word(&engine.undo, &foreign.frame[t->actor]);
    foreign.frame[t->actor] = (uint64_t)(uintptr_t)frame;
}

// Where a function has its frame is known roughly only: it may have made room in between. So whatever ends in there, or
// beneath it, is about to go back to foreign code, until somebody ends or begins who is further up.
void foreign_called_back(struct thread *t, const void *frame, bool ends)
{
    enum { ROOM = 64 };
    uint64_t called = foreign.frame[t->actor];
    bool inside = (uint64_t)(uintptr_t)frame <= called + ROOM;
    if (called && inside && ends)
        foreign_pass_knowledge(t, true, true);
    if (!called || inside)
        return;
    undo_save_word(&engine.undo, &foreign.frame[t->actor]);
    foreign.frame[t->actor] = 0;
}
