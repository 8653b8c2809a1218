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
        bool in_table;  // it stands for the function in tables of its library
        bool looked_up; // such a one: the fields below and its effects are as they should be
        bool early, late, trusted, made;
        bool framework; // of the test framework that the program uses
        bool foreign;   // of a library that heddle knows nothing of
    } call[MOST];
    uint32_t count;
    uint16_t by_native[2 * MOST]; // numbers + 1 of those in tables
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

void library_changes_unlogged(struct thread *t, const char *name)
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
        library_changes_unlogged(engine.running, name);
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

static void say_who_trusts(uint32_t number)
{
    const char *name = watched.call[number].name, *library = watched.call[number].library;
    watched.call[number].trusted =
        library_is_listed(watched.trusted, name) || library_is_listed(watched.trusted, library);
    watched.call[number].framework = framework_trusts(name, library);
}

// Of the many functions in tables few are called: they are looked up only then.
static const char *effects_of(uint32_t number)
{
    if (watched.call[number].in_table && !watched.call[number].looked_up) {
        watched.call[number].effects = library_known(watched.call[number].name, watched.call[number].library);
        say_who_trusts(number);
        watched.call[number].looked_up = true;
    }
    return watched.call[number].effects;
}

// The number of the stub at this place; MOST if there is none.
static uint32_t number_of_stub(uint64_t code)
{
    uint64_t first = (uint64_t)(uintptr_t)watched.stubs, number = (code - first) / STUB - 1;
    return first && code >= first + STUB && number < watched.count ? (uint32_t)number : MOST;
}

const char *library_function_at(uint64_t code)
{
    uint32_t number = number_of_stub(follow_jump((const uint8_t *)(uintptr_t)code));
    return number < MOST ? watched.call[number].name : NULL;
}

bool library_changes_its_own(void (*function)(void *))
{
    uint32_t number = number_of_stub(follow_jump((const uint8_t *)(uintptr_t)function));
    const char *effects = number < MOST ? effects_of(number) : NULL;
    return effects && *effects == UNLOGGED && imports_is_system(watched.call[number].library);
}

// Whether the call is one of the library's own, by its tables.
static bool is_inner_call(uint32_t number, const void *pc)
{
    const char *library;
    if (!watched.call[number].in_table)
        return false;
    struct thread *t = engine.running;
    engine.running = NULL; // heddle's own doing
    enum home home = home_of((uint64_t)(uintptr_t)pc, &library);
    engine.running = t;
    return home != HOME_PROGRAM;
}

// Returns where the call goes on.
uint64_t library_announce(const struct library_frame *frame)
{
    uint32_t number = (uint32_t)frame->number;
    struct thread *t = engine.running;
    if (t && !engine.plain && !is_inner_call(number, frame->pc)) {
        const char *effects = effects_of(number);
        if (!effects)
            keep_in_mind(number, frame->pc);
        if (watched.call[number].foreign)
            foreign_call(t, watched.call[number].trusted || watched.call[number].framework);
        watched.call[number].made |= engine.exec.actors[0].children > 0;
        if (effects)
            library_effects(effects, frame->argument, frame->pc);
        if (!effects || *effects == UNLOGGED) // an effect may have been an event, to which the search goes back
            library_changes_unlogged(t, watched.call[number].name);
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

static uint32_t number_new(const struct import *import, const char *library)
{
    require_room(watched.count < MOST, "functions of libraries that the program calls (4096)");
    uint32_t number = watched.count++;
    watched.call[number].name = import->name;
    watched.call[number].library = library;
    watched.call[number].native = *import->slot;
    write_stub(number);
    return number;
}

static uint32_t library_calls_number_of(const struct import *import, const char *library, const char *effects,
                                        bool foreign)
{
    for (uint32_t i = 0; i < watched.count; i++)
        if (watched.call[i].native == *import->slot && !strcmp(watched.call[i].name, import->name))
            return i;
    uint32_t number = number_new(import, library);
    watched.call[number].effects = effects;
    watched.call[number].foreign = foreign;
    say_who_trusts(number);
    return number;
}

static uint64_t stub_of(uint32_t number)
{
    return (uint64_t)(uintptr_t)(watched.stubs + (size_t)STUB * (number + 1));
}

static void library_calls_divert(const struct import *import, uint32_t number)
{
    void *page = (void *)((uintptr_t)import->slot & ~(uintptr_t)(PAGE - 1));
    if (import->sealed)
        require(!mprotect(page, PAGE, PROT_READ | PROT_WRITE));
    *import->slot = stub_of(number);
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

// Where the number of this function of the C++ library stands, if it is in a table.
static uint16_t *place_by_native(uint64_t native)
{
    uint64_t at = native / 16 % (2 * MOST);
    while (watched.by_native[at] && watched.call[watched.by_native[at] - 1].native != native)
        at = (at + 1) % (2 * MOST);
    return &watched.by_native[at];
}

static void library_calls_watch_table(const struct import *import)
{
    uint16_t *place = place_by_native(*import->slot);
    if (!*place && import->name) {
        const char *library;
        home_of(*import->slot, &library);
        uint32_t number = number_new(import, library);
        watched.call[number].in_table = true;
        *place = (uint16_t)(number + 1);
    }
    if (*place)
        *import->slot = stub_of(*place - 1u);
}

void library_calls_watch(const char *trusted)
{
    void *entry = (void *)(uintptr_t)library_entry;
    watched.trusted = trusted;
    watched.stubs = mmap(NULL, (size_t)STUB * (MOST + 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require(watched.stubs != MAP_FAILED);
    memcpy(watched.stubs, &entry, sizeof entry);
    imports_visit(library_calls_watch_module, NULL);
    imports_visit_tables(library_calls_watch_table);
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
