// libatomic's functions for objects of any size, in front of its own: atomic operations that the compiler leaves to a library,
// since no instruction does them. Each is an event on all bytes of the object, sequentially consistent, as libatomic's lock makes
// it. (Those of 1, 2, 4, 8 and 16 bytes are what the hooks do: atomics.c.)
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/public.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/pthread/pthread_room.h"

enum { SEQ_CST = 5 };

static char native_lock; // for programs that run without heddle

static void take_native(void)
{
    while (__atomic_test_and_set(&native_lock, __ATOMIC_ACQUIRE))
        ;
}

static void let_go_native(void)
{
    __atomic_clear(&native_lock, __ATOMIC_RELEASE);
}

// Whether the memory is still there, and plain accesses that race with it.
static void check_plain(struct thread *t, uint64_t address, uint64_t size, bool write, const void *pc)
{
    lifetime_look_at_atomic(t, address, size, atomic_use, pc);
    if (!engine.check_races || !engine.strangers)
        return;
    for (uint64_t a = address & ~7ull; a < address + size; a += 8) {
        uint64_t from = address > a ? address - a : 0, until = address + size < a + 8 ? address + size - a : 8;
        uint8_t mask = (uint8_t)((1u << until) - (1u << from));
        uint8_t racing = race_passing(&engine.races, &t->know, shadow_cell(&engine.races.shadow, a), mask, write);
        if (racing)
            fail_races(t, a, racing, write, pc, false);
        if (journal_is_kept())
            journal_put(JOURNAL_ATOMIC, t->actor, a, mask, pc);
    }
}

static struct place *libc_atomic_look(struct thread *t, const void *object, size_t size, const char *name,
                                      const void *pc)
{
    uint32_t number = place_of_span((uint64_t)(uintptr_t)object, size);
    ask(t, OP_LOOK, 0, number, pc)->operand = (uintptr_t)name;
    visible(t);
    know_load(&engine.races, &t->know, &engine.places[number].release, SEQ_CST);
    check_plain(t, (uint64_t)(uintptr_t)object, size, false, pc);
    return &engine.places[number];
}

static void libc_atomic_change(struct thread *t, void *object, size_t size, const char *name, const void *pc)
{
    uint32_t number = place_of_span((uint64_t)(uintptr_t)object, size);
    struct place *place = &engine.places[number];
    ask(t, OP_LIBRARY, 0, number, pc)->operand = (uintptr_t)name;
    visible(t);
    keep_holding(place);
    know_rmw(&engine.races, &t->know, &place->release, SEQ_CST);
    check_plain(t, (uint64_t)(uintptr_t)object, size, true, pc);
    undo_save(&engine.undo, object, size);
}

// Copies as the program's own code would: what it reads and writes besides the object is plain memory.
static void libc_atomic_give(void *to, const void *from, size_t size, const void *pc)
{
    if (engine.running)
        access_write(to, size, pc);
    plain_move(to, from, size);
}

#define NAMED(name) __asm__("__atomic_" #name)

PUBLIC void atomic_load_any(size_t size, const void *object, void *to, int order) NAMED(load);
PUBLIC void atomic_store_any(size_t size, void *object, const void *from, int order) NAMED(store);
PUBLIC void atomic_exchange_any(size_t size, void *object, const void *from, void *to, int order) NAMED(exchange);
PUBLIC bool atomic_compare_exchange_any(size_t size, void *object, void *expected, const void *from, int order,
                                        int failure) NAMED(compare_exchange);

void atomic_load_any(size_t size, const void *object, void *to, int order)
{
    struct thread *t = engine.running;
    (void)order;
    if (!t)
        take_native();
    else
        libc_atomic_look(t, object, size, "__atomic_load", HERE);
    libc_atomic_give(to, object, size, HERE);
    if (!t)
        let_go_native();
}

void atomic_store_any(size_t size, void *object, const void *from, int order)
{
    struct thread *t = engine.running;
    (void)order;
    if (!t) {
        take_native();
    } else {
        access_read(from, size, HERE);
        libc_atomic_change(t, object, size, "__atomic_store", HERE);
    }
    plain_move(object, from, size);
    if (!t)
        let_go_native();
}

void atomic_exchange_any(size_t size, void *object, const void *from, void *to, int order)
{
    struct thread *t = engine.running;
    uint8_t before[size + 1];
    (void)order;
    if (!t) {
        take_native();
    } else {
        access_read(from, size, HERE);
        libc_atomic_change(t, object, size, "__atomic_exchange", HERE);
    }
    plain_move(before, object, size);
    plain_move(object, from, size);
    if (!t)
        let_go_native();
    libc_atomic_give(to, before, size, HERE);
}

// Whether it changes the object is not known before it is its turn, so it counts as if it did.
bool atomic_compare_exchange_any(size_t size, void *object, void *expected, const void *from, int order, int failure)
{
    struct thread *t = engine.running;
    uint8_t before[size + 1];
    (void)order;
    (void)failure;
    if (!t) {
        take_native();
    } else {
        access_read(expected, size, HERE);
        access_read(from, size, HERE);
        libc_atomic_change(t, object, size, "__atomic_compare_exchange", HERE);
    }
    plain_move(before, object, size);
    bool same = plain_differ(object, expected, size) == size;
    if (same)
        plain_move(object, from, size);
    if (!t)
        let_go_native();
    if (!same)
        libc_atomic_give(expected, before, size, HERE);
    return same;
}
