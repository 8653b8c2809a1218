// The interface of ThreadSanitizer that programs use to tell what it cannot see (sanitizer/tsan_interface.h), and the older
// dynamic annotations (Annotate…), which say much the same with a file and a line in front.
//
// A release or an acquire is an event, because their order decides what threads know afterwards. Annotations of a
// mutex are none: the mutex itself, which heddle follows, has an order already.
#include "target/threads/memory/annotations.h"

#include "target/threads/memory/access.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/pthread_room.h"
#include "target/threads/engine/engine_room.h"

enum { MOST_RANGES = 256 };

static uint64_t ignoring[MAX_ACTORS][2]; // depth of regions in which a thread's reads, writes are not to be looked at
static struct {
    uint64_t start, end;
} benign[MOST_RANGES];
static uint64_t benign_count;
static uint64_t disabled; // nobody is to look at all

// ---- races that are expected ----

static bool annotations_ignores(const struct thread *t, bool write)
{
    return disabled || ignoring[t->actor][write];
}

void annotations_note(struct thread *t, struct cell *cell, bool write)
{
    if (cell->ignored || !annotations_ignores(t, write))
        return;
    race_keep(&engine.races, cell);
    cell->ignored = 1;
    state_releases_silently(); // whether it was ignored is seen later, too
}

static bool is_benign(uint64_t address, uint64_t size)
{
    for (uint64_t i = 0; i < benign_count; i++)
        if (address < benign[i].end && address + size > benign[i].start)
            return true;
    return false;
}

static bool was_ignored(uint64_t address, uint64_t size)
{
    for (uint64_t a = address & ~7ull; a < address + size; a += 8)
        if (shadow_cell(&engine.races.shadow, a)->ignored)
            return true;
    return false;
}

bool annotations_expect(struct thread *t, uint64_t address, uint32_t size, bool write)
{
    if (!engine.annotated ||
        (!annotations_ignores(t, write) && !is_benign(address, size) && !was_ignored(address, size)))
        return false;
    for (uint64_t a = address & ~7ull; a < address + size; a += 8) {
        if (engine.expected_count == EXPECTED) {
            cannot_follow("the program's annotations expect races on more words than heddle explores");
            return true;
        }
        engine.expected[engine.expected_count++] = a;
    }
    engine.again = engine.abandoned = engine.target.lost = true;
    return true;
}

// From now on accesses are looked at one by one.
static void annotations_look_closer(void)
{
    engine.annotated = engine.closer = true;
}

static void annotations_ignore(uint64_t *depth, bool more)
{
    undo_save_word(&engine.undo, depth);
    *depth = more ? *depth + 1 : *depth ? *depth - 1 : 0;
    annotations_look_closer();
}

static void ignore_all(struct thread *t, bool more)
{
    annotations_ignore(&ignoring[t->actor][false], more);
    annotations_ignore(&ignoring[t->actor][true], more);
}

static void expect_races(uint64_t start, uint64_t size)
{
    if (is_benign(start, size) || !size)
        return;
    if (benign_count == MOST_RANGES) {
        cannot_follow("the program's annotations expect races in more places than heddle keeps track of (256)");
        return;
    }
    undo_save_word(&engine.undo, &benign_count);
    undo_save(&engine.undo, &benign[benign_count], sizeof *benign);
    benign[benign_count].start = start;
    benign[benign_count++].end = start + size;
    annotations_look_closer();
}

// ---- what is released and acquired ----

// An object beside the memory that lies there, which may be something else.
static uint32_t annotations_beside(const void *address)
{
    return place_at((uint64_t)(uintptr_t)address | 1ull << 47);
}

static void acquire_silently(struct thread *t, const void *address)
{
    know_acquire(&engine.races, &t->know, &engine.places[annotations_beside(address)].release);
}

static void release_silently(struct thread *t, const void *address)
{
    struct place *place = &engine.places[annotations_beside(address)];
    keep_holding(place);
    know_release_more(&engine.races, &t->know, &place->release);
    state_releases_silently();
}

static void annotations_event(struct thread *t, const void *address, enum op_kind kind, const char *name,
                              const void *pc)
{
    ask(t, kind, 0, annotations_beside(address), pc)->operand = (uintptr_t)name;
    visible(t);
}

static void annotations_acquire(const void *address, const char *name, const void *pc)
{
    struct thread *t = engine.running;
    if (!t)
        return;
    annotations_event(t, address, OP_LOOK, name, pc);
    acquire_silently(t, address);
}

static void annotations_release(const void *address, const char *name, const void *pc)
{
    struct thread *t = engine.running;
    if (!t)
        return;
    annotations_event(t, address, OP_LIBRARY, name, pc);
    release_silently(t, address);
}

void annotations_exchange(struct thread *t, const void *address, const char *name, const void *pc)
{
    annotations_event(t, address, OP_LIBRARY, name, pc);
    acquire_silently(t, address);
    release_silently(t, address);
}

#define ANNOTATION(name, parameters, ...)                                                                              \
    void name parameters;                                                                                              \
    PUBLIC void name parameters                                                                                        \
    {                                                                                                                  \
        struct thread *t = engine.running;                                                                             \
        (void)t;                                                                                                       \
        __VA_ARGS__;                                                                                                   \
    }

// ---- sanitizer/tsan_interface.h ----

enum { TRY_LOCK_FAILED = 1 << 5, RECURSIVE_LOCK = 1 << 6, RECURSIVE_UNLOCK = 1 << 7 };

ANNOTATION(__tsan_acquire, (void *address), annotations_acquire(address, "__tsan_acquire", HERE))
ANNOTATION(__tsan_release, (void *address), annotations_release(address, "__tsan_release", HERE))
ANNOTATION(__tsan_mutex_create, (void *mutex, unsigned flags), (void)mutex; (void)flags)
ANNOTATION(__tsan_mutex_destroy, (void *mutex, unsigned flags), (void)mutex; (void)flags)

#define REGION(name, more)                                                                                             \
    ANNOTATION(name, (void *mutex, unsigned flags), (void)mutex; (void)flags; if (t) ignore_all(t, more))
REGION(__tsan_mutex_pre_lock, true)
REGION(__tsan_mutex_post_unlock, false)
REGION(__tsan_mutex_pre_signal, true)
REGION(__tsan_mutex_post_signal, false)
REGION(__tsan_mutex_pre_divert, false)
REGION(__tsan_mutex_post_divert, true)

ANNOTATION(
    __tsan_mutex_post_lock, (void *mutex, unsigned flags, int recursion), (void)recursion; if (t) {
        ignore_all(t, false);
        if (!(flags & (TRY_LOCK_FAILED)))
            acquire_silently(t, mutex);
    })

int __tsan_mutex_pre_unlock(void *mutex, unsigned flags);

PUBLIC int __tsan_mutex_pre_unlock(void *mutex, unsigned flags)
{
    struct thread *t = engine.running;
    (void)flags;
    if (t) {
        release_silently(t, mutex);
        ignore_all(t, true);
    }
    return 1;
}

ANNOTATION(__tsan_ignore_thread_begin, (void), if (t) ignore_all(t, true))
ANNOTATION(__tsan_ignore_thread_end, (void), if (t) ignore_all(t, false))
ANNOTATION(__tsan_flush_memory, (void), )

// Logical accesses of an object, by its address.
void *__tsan_external_register_tag(const char *type);
PUBLIC void *__tsan_external_register_tag(const char *type)
{
    return (void *)(uintptr_t)type;
}
ANNOTATION(__tsan_external_register_header, (void *tag, const char *header), (void)tag; (void)header)
ANNOTATION(__tsan_external_assign_tag, (void *address, void *tag), (void)address; (void)tag)
ANNOTATION(__tsan_external_read, (void *address, void *pc, void *tag), (void)tag; if (t) access_read(address, 1, pc))
ANNOTATION(__tsan_external_write, (void *address, void *pc, void *tag), (void)tag; if (t) access_write(address, 1, pc))

// Fibers of the program's own run one after the other in one thread, which orders them.
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
static uint64_t fibers;

PUBLIC void *__tsan_get_current_fiber(void)
{
    return engine.running ? (void *)(uintptr_t)(engine.running->actor + 1) : NULL;
}

PUBLIC void *__tsan_create_fiber(unsigned flags)
{
    (void)flags;
    if (engine.running)
        undo_save_word(&engine.undo, &fibers);
    return (void *)(uintptr_t)(MAX_ACTORS + 1 + fibers++);
}
ANNOTATION(__tsan_destroy_fiber, (void *fiber), (void)fiber)
ANNOTATION(__tsan_switch_to_fiber, (void *fiber, unsigned flags), (void)fiber; (void)flags)
ANNOTATION(__tsan_set_fiber_name, (void *fiber, const char *name), (void)fiber; (void)name)

// ---- dynamic annotations ----

#define AT const char *file, int line
#define DYNAMIC(name, parameters, ...) ANNOTATION(name, parameters, (void)file; (void)line; __VA_ARGS__)

DYNAMIC(AnnotateHappensBefore, (AT, const volatile void *p),
        annotations_release((const void *)p, "AnnotateHappensBefore", HERE))
DYNAMIC(AnnotateHappensAfter, (AT, const volatile void *p),
        annotations_acquire((const void *)p, "AnnotateHappensAfter", HERE))
DYNAMIC(AnnotateCondVarSignal, (AT, const volatile void *p),
        annotations_release((const void *)p, "AnnotateCondVarSignal", HERE))
DYNAMIC(AnnotateCondVarSignalAll, (AT, const volatile void *p),
        annotations_release((const void *)p, "AnnotateCondVarSignalAll", HERE))
DYNAMIC(AnnotateCondVarWait, (AT, const volatile void *p, const volatile void *lock), (void)lock;
        annotations_acquire((const void *)p, "AnnotateCondVarWait", HERE))
DYNAMIC(AnnotatePCQCreate, (AT, const volatile void *p), (void)p)
DYNAMIC(AnnotatePCQDestroy, (AT, const volatile void *p), (void)p)
DYNAMIC(AnnotatePCQPut, (AT, const volatile void *p), annotations_release((const void *)p, "AnnotatePCQPut", HERE))
DYNAMIC(AnnotatePCQGet, (AT, const volatile void *p), annotations_acquire((const void *)p, "AnnotatePCQGet", HERE))
DYNAMIC(AnnotateRWLockCreate, (AT, const volatile void *lock), (void)lock)
DYNAMIC(AnnotateRWLockCreateStatic, (AT, const volatile void *lock), (void)lock)
DYNAMIC(AnnotateRWLockDestroy, (AT, const volatile void *lock), (void)lock)
DYNAMIC(AnnotateRWLockAcquired, (AT, const volatile void *lock, long writes), (void)writes;
        if (t) acquire_silently(t, (const void *)lock))
DYNAMIC(AnnotateRWLockReleased, (AT, const volatile void *lock, long writes), (void)writes;
        if (t) release_silently(t, (const void *)lock))
DYNAMIC(AnnotateMutexIsNotPHB, (AT, const volatile void *lock), (void)lock)
DYNAMIC(AnnotateMutexIsUsedAsCondVar, (AT, const volatile void *lock), (void)lock)
DYNAMIC(AnnotateUnpublishMemoryRange, (AT, const volatile void *p, long size), (void)p; (void)size)
DYNAMIC(AnnotatePublishMemoryRange, (AT, const volatile void *p, long size), (void)p; (void)size)
DYNAMIC(AnnotateNewMemory, (AT, const volatile void *p, long size), (void)p; (void)size)
DYNAMIC(AnnotateBenignRace, (AT, const volatile void *p, const char *why), (void)why;
        if (t) expect_races((uint64_t)(uintptr_t)p, 8))
DYNAMIC(AnnotateBenignRaceSized, (AT, const volatile void *p, long size, const char *why), (void)why;
        if (t) expect_races((uint64_t)(uintptr_t)p, (uint64_t)size))
DYNAMIC(AnnotateExpectRace, (AT, const volatile void *p, const char *why), (void)why;
        if (t) expect_races((uint64_t)(uintptr_t)p, 8))
DYNAMIC(AnnotateFlushExpectedRaces, (AT), )
DYNAMIC(AnnotateFlushState, (AT), )
DYNAMIC(AnnotateIgnoreReadsBegin, (AT), if (t) annotations_ignore(&ignoring[t->actor][false], true))
DYNAMIC(AnnotateIgnoreReadsEnd, (AT), if (t) annotations_ignore(&ignoring[t->actor][false], false))
DYNAMIC(AnnotateIgnoreWritesBegin, (AT), if (t) annotations_ignore(&ignoring[t->actor][true], true))
DYNAMIC(AnnotateIgnoreWritesEnd, (AT), if (t) annotations_ignore(&ignoring[t->actor][true], false))
DYNAMIC(AnnotateIgnoreSyncBegin, (AT), )
DYNAMIC(AnnotateIgnoreSyncEnd, (AT), )
DYNAMIC(AnnotateEnableRaceDetection, (AT, int enable), if (t) annotations_ignore(&disabled, !enable))
DYNAMIC(AnnotateThreadName, (AT, const char *name), (void)name)
DYNAMIC(AnnotateTraceMemory, (AT, const volatile void *p), (void)p)
DYNAMIC(AnnotateNoOp, (AT, const volatile void *p), (void)p)
DYNAMIC(AnnotateMemoryIsInitialized, (AT, const volatile void *p, long size), (void)p; (void)size)
DYNAMIC(AnnotateMemoryIsUninitialized, (AT, const volatile void *p, long size), (void)p; (void)size)

int RunningOnValgrind(void);
PUBLIC int RunningOnValgrind(void)
{
    return 0;
}

double ValgrindSlowdown(void);
PUBLIC double ValgrindSlowdown(void)
{
    return 1;
}
