#define _GNU_SOURCE
#include "target/threads/library/library_calls.h"

#include <string.h>
#include <sys/mman.h>

#include "base/fail.h"
#include "target/threads/library/demangle.h"
#include "target/threads/library/framework_failures.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/library/imports.h"
#include "target/threads/library/library_effects.h"
#include "target/threads/library/library_table.h"
#include "target/threads/libc/libc_room.h"

enum { MOST = 4096, STUB = 16, PAGE = 4096 };

struct library_frame { // library_entry.S
    uint64_t argument[6], r11, r10, rax, number;
    const void *pc;
};

static struct {
    struct {
        const char *name, *library;
        const char *effects; // null: not known
        uint64_t native, pc;
        bool early, late, trusted, made;
        bool framework; // of the test framework that the program uses
        bool foreign;   // of a library that heddle knows nothing of
    } call[MOST];
    uint32_t count;
    uint8_t *stubs;
    const char *trusted;
} watched;

void library_entry(void);
uint64_t library_announce(const struct library_frame *frame);

bool library_is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    while (list && *list) {
        size_t here = strcspn(list, ",");
        bool versioned = here > 3 && length > here && name[here] == '.' && !strncmp(list + here - 3, ".so", 3);
        if ((here == length || versioned) && !strncmp(list, name, here))
            return true;
        list += here + (list[here] == ',');
    }
    return false;
}

// The log of writes does not have what such a call changes: it is to be made only where nothing before it has to be gone back
// to.
static void learn_unlogged(struct thread *t, const char *name)
{
    engine.early_unlogged |= !engine.exec.count;
    if (!engine.undoing || engine.undo_forced || engine.real || !engine.exec.count)
        return;
    demangle(name, engine.learnt.unlogged, sizeof engine.learnt.unlogged);
    search_again(t);
}

static void keep_in_mind(uint32_t number, const void *pc)
{
    bool early = engine.alone || !engine.exec.actors[0].children;
    if (early ? watched.call[number].early : watched.call[number].late)
        return;
    *(early ? &watched.call[number].early : &watched.call[number].late) = true;
    watched.call[number].pc = (uint64_t)(uintptr_t)pc;
}

static uint32_t number_by_name(const char *name)
{
    uint32_t number = 0;
    while (number < watched.count && strcmp(watched.call[number].name, name))
        number++;
    require_room(number < MOST, "functions of libraries that the program calls (4096)");
    if (number == watched.count) {
        watched.count++;
        watched.call[number].name = name;
        watched.call[number].library = "libc.so.6";
        watched.call[number].trusted = library_is_listed(watched.trusted, name);
    }
    return number;
}

void library_unseen(const char *what, const void *pc)
{
    uint32_t number = number_by_name(what);
    watched.call[number].library = what;
    watched.call[number].late = true;
    watched.call[number].pc = (uint64_t)(uintptr_t)pc;
}

void library_call_missed(const char *name, const void *pc)
{
    keep_in_mind(number_by_name(name), pc);
    if (engine.running)
        learn_unlogged(engine.running, name);
}

// Where a jump by way of a slot leads, as programs have it in front of functions of libraries; else the function itself.
static uint64_t follow_jump(const uint8_t *code)
{
    static const uint8_t landing[] = {0xf3, 0x0f, 0x1e, 0xfa}; // endbr64
    const uint8_t *at = code;
    int32_t distance;
    if (plain_differ(at, landing, sizeof landing) == sizeof landing)
        at += sizeof landing;
    at += *at == 0xf2;
    if (at[0] != 0xff || at[1] != 0x25)
        return (uint64_t)(uintptr_t)code;
    __builtin_memcpy(&distance, at + 2, sizeof distance);
    return *(const uint64_t *)(at + 6 + distance);
}

bool library_changes_its_own(void (*function)(void *))
{
    uint64_t stub = follow_jump((const uint8_t *)(uintptr_t)function), first = (uint64_t)(uintptr_t)watched.stubs;
    uint64_t number = (stub - first) / STUB - 1;
    if (!first || stub < first + STUB || number >= watched.count || !watched.call[number].effects)
        return false;
    return *watched.call[number].effects == UNLOGGED && imports_is_system(watched.call[number].library);
}

// Returns where the call goes on.
uint64_t library_announce(const struct library_frame *frame)
{
    uint32_t number = (uint32_t)frame->number;
    struct thread *t = engine.running;
    const char *effects = watched.call[number].effects;
    if (t && !engine.plain) {
        if (!effects)
            keep_in_mind(number, frame->pc);
        if (watched.call[number].foreign)
            foreign_call(t, watched.call[number].trusted || watched.call[number].framework);
        if (!effects || *effects == UNLOGGED)
            learn_unlogged(t, watched.call[number].name);
        watched.call[number].made |= engine.exec.actors[0].children > 0;
        if (effects)
            library_effects(effects, frame->argument, frame->pc);
    }
    return watched.call[number].native;
}

// pushq $number; jmpq *entry(%rip). The address of the entry stands in front of all stubs.
static void write_stub(uint32_t number)
{
    uint8_t *stub = watched.stubs + (size_t)STUB * (number + 1);
    int32_t back = (int32_t)(watched.stubs - (stub + 11));
    stub[0] = 0x68;
    memcpy(stub + 1, &number, sizeof number);
    stub[5] = 0xff;
    stub[6] = 0x25;
    memcpy(stub + 7, &back, sizeof back);
}

static uint32_t library_calls_number_of(const struct import *import, const char *library, const char *effects,
                                        bool foreign)
{
    for (uint32_t i = 0; i < watched.count; i++)
        if (watched.call[i].native == *import->slot && !strcmp(watched.call[i].name, import->name))
            return i;
    require_room(watched.count < MOST, "functions of libraries that the program calls (4096)");
    uint32_t number = watched.count++;
    watched.call[number].name = import->name;
    watched.call[number].library = library;
    watched.call[number].effects = effects;
    watched.call[number].native = *import->slot;
    watched.call[number].foreign = foreign;
    watched.call[number].trusted =
        library_is_listed(watched.trusted, import->name) || library_is_listed(watched.trusted, library);
    watched.call[number].framework = framework_trusts(import->name, library);
    write_stub(number);
    return number;
}

static void library_calls_divert(const struct import *import, uint32_t number)
{
    void *page = (void *)((uintptr_t)import->slot & ~(uintptr_t)(PAGE - 1));
    if (import->sealed)
        require(!mprotect(page, PAGE, PROT_READ | PROT_WRITE));
    *import->slot = (uint64_t)(uintptr_t)(watched.stubs + (size_t)STUB * (number + 1));
    if (import->sealed)
        require(!mprotect(page, PAGE, PROT_READ));
}

static bool library_calls_watch_module(const struct import *import, void *none)
{
    (void)none;
    const char *library, *effects = NULL;
    if (import->foreign)
        return false;
    enum home home = home_of(*import->slot, &library);
    if (home == HOME_PROGRAM || home == HOME_DATA)
        return false;
    if (home == HOME_HEDDLE)
        effects = library_passes_on(import->name);
    else if (home == HOME_SYSTEM)
        effects = library_known(import->name, library);
    if (!effects || *effects)
        library_calls_divert(import, library_calls_number_of(import, library, effects, home == HOME_OTHER));
    return false;
}

void library_calls_watch(const char *trusted)
{
    void *entry = (void *)(uintptr_t)library_entry;
    watched.trusted = trusted;
    watched.stubs = mmap(NULL, (size_t)STUB * (MOST + 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require(watched.stubs != MAP_FAILED);
    memcpy(watched.stubs, &entry, sizeof entry);
    imports_visit(library_calls_watch_module, NULL);
    foreign_look(trusted);
    require(!mprotect(watched.stubs, (size_t)STUB * (MOST + 1), PROT_READ | PROT_EXEC));
}

// Whether it stands for a whole library of which functions are named as well.
static bool says_less(uint32_t number)
{
    for (uint32_t i = 0; i < watched.count; i++)
        if (i != number && watched.call[i].late && watched.call[i].name != watched.call[i].library &&
            !strcmp(watched.call[i].library, watched.call[number].name))
            return true;
    return false;
}

void library_calls_made(void (*tell)(void *context, const struct library_call *), void *context)
{
    for (uint32_t i = 0; i < watched.count; i++)
        if ((watched.call[i].early || watched.call[i].late || watched.call[i].made) && !says_less(i))
            tell(context, &(struct library_call){.name = watched.call[i].name,
                                                 .library = watched.call[i].library,
                                                 .pc = watched.call[i].pc,
                                                 .early = !watched.call[i].late,
                                                 .trusted = watched.call[i].trusted,
                                                 .framework = watched.call[i].framework,
                                                 .known = watched.call[i].effects != NULL});
}
