#include "target/threads/engine/tail.h"

#include <string.h>

#include "base/lanes.h"
#include "base/mem.h"
#include "target/threads/engine/client.h"
#include "target/threads/engine/engine.h"
#include "target/threads/engine/turn.h"
#include "target/threads/library/library_room.h"
#include "target/threads/memory/memory_room.h"

// Functions after which either the tail is not remembered, or which depend on nothing but what is compared. Names that end in *
// stand for all that begin so.
static const char *const tail_imports[] = {"__tsan_read*",
                                           "__tsan_write*",
                                           "__tsan_unaligned_*",
                                           "__tsan_func_*",
                                           "__tsan_atomic*", // hooks.c, atomics.c
                                           "__tsan_volatile_*",
                                           "__tsan_vptr_*",
                                           "__tsan_init",
                                           "__ubsan_handle_out_of_bounds*", // bounds.c: a failure
                                           "__heddle_asm*",                 // assembly.c
                                           "__heddle_globals",              // told before main
                                           "__heddle_flows",
                                           "__libc_start_main",
                                           "__gmon_start__",
                                           "pthread_create",
                                           "pthread_join",
                                           "pthread_mutex_init",
                                           "pthread_mutex_destroy",
                                           "pthread_mutex_lock",
                                           "pthread_mutex_unlock",
                                           "pthread_mutex_trylock",
                                           "pthread_cond_init",
                                           "pthread_cond_destroy",
                                           "pthread_cond_wait",
                                           "pthread_cond_signal",
                                           "pthread_cond_broadcast",
                                           "exit",
                                           "abort",
                                           "__assert_fail",
                                           "__stack_chk_fail",
                                           "heddle_assert_failed",
                                           "heddle_assume_failed",
                                           "heddle_choose_at",
                                           "memset",
                                           "memcpy",
                                           "memmove",
                                           "sched_yield",
                                           "printf",
                                           "puts",
                                           "putchar",
                                           NULL};

// The reads and joins of tails that began in one state are a tree: what is done next depends only on what was read so far.
struct tail_node {
    uint64_t *word;       // that was read; null: an actor is joined, or the process ends
    uint64_t mask;        // the bytes of it
    uint64_t value;       // that they had; the actor
    uint64_t marks;       // bits of the cell from `object` on that must not be set …
    uint32_t writers;     // … and bits of its last write
    uint32_t next, other; // what follows, and the same read with another value; 0: nothing
    bool ends;
};

enum { NODES = 4096, NOTES = 512, STACK_MOST = 16384, MOST_VALUES = 16, PATIENCE = 64 };
// What is compared of a record: all but what main knows of others, which decides nothing but whether a plain read races.
enum {
    RECORD_FROM = offsetof(struct thread, know) + offsetof(struct know, used),
    RECORD_BYTES = sizeof(struct thread) - RECORD_FROM
};

_Static_assert(RECORD_BYTES % sizeof(undo_lane) == 0, "same_lanes");

static struct {
    uint64_t known, watched; // tails that did not have to run, and that were watched
    struct tail_node *nodes; // number 0 is none
    uint32_t used;
    uint32_t root;
    // The state in which the tails of the tree begin.
    uint8_t record[RECORD_BYTES];
    uint64_t strangers, joined[MAX_ACTORS / 64];
    uint32_t children; // that main had created
    uint8_t *stack;
    size_t stack_bytes;
    // The tail that is watched.
    struct tail_node notes[NOTES];
    uint32_t noted;
    size_t log;
    bool spoilt;
} tail;

static bool tail_has_import(const char *name)
{
    for (const char *const *known = tail_imports; *known; known++) {
        size_t length = strlen(*known);
        bool begins = (*known)[length - 1] == '*';
        if (begins ? !strncmp(name, *known, length - 1) : !strcmp(name, *known))
            return true;
    }
    return false;
}

static bool tail_lacks_import(const struct import *import, void *lacks)
{
    bool lacking = import->foreign || !tail_has_import(import->name);
    *(bool *)lacks |= lacking;
    return lacking;
}

void tail_begin(enum tail_mode mode)
{
    if (mode != TAIL_REMEMBER || !engine.undoing || engine.verifying || engine.keeps_output || engine.turns ||
        engine.rules.leaks || engine.rules.memory_errors || engine.rules.framework || client_run.job)
        return;
    bool lacks = false;
    imports_visit(tail_lacks_import, &lacks);
    if (lacks || image_has_foreign_objects() || assembly_acts_unseen())
        return;
    tail.nodes = mem_reserve(NODES * sizeof *tail.nodes);
    tail.stack = mem_reserve(STACK_MOST);
    engine.knows_tails = true;
}

// Above a stack's top there is room for what rounding up reads too many.
static size_t tail_stack_bytes(const struct thread *t)
{
    return (size_t)(t->stack_top - (uint8_t *)t->sp + 15) & ~(size_t)15;
}

static IN_PLACE bool tail_same_joining(void)
{
    uint64_t differs = (engine.strangers ^ tail.strangers) | (engine.exec.actors[0].children ^ tail.children);
    for (int i = 0; i < MAX_ACTORS / 64; i++)
        differs |= engine.joined[i] ^ tail.joined[i];
    return !differs;
}

static IN_PLACE bool tail_same_state(const struct thread *t)
{
    return tail.root && same_lanes((const uint8_t *)t + RECORD_FROM, tail.record, RECORD_BYTES) &&
           tail_stack_bytes(t) == tail.stack_bytes && same_lanes(t->sp, tail.stack, tail.stack_bytes) &&
           tail_same_joining();
}

static void tail_take_state(const struct thread *t)
{
    copy_lanes(tail.record, (const uint8_t *)t + RECORD_FROM, RECORD_BYTES);
    tail.stack_bytes = tail_stack_bytes(t);
    copy_lanes(tail.stack, t->sp, tail.stack_bytes);
    tail.strangers = engine.strangers;
    tail.children = engine.exec.actors[0].children;
    for (int i = 0; i < MAX_ACTORS / 64; i++)
        tail.joined[i] = engine.joined[i];
    tail.root = 0;
    tail.used = 1;
}

// Whether the hooks would find nothing wrong with the read.
static IN_PLACE bool tail_may_read(const struct tail_node *n)
{
    const struct cell *cell = engine.races.shadow.low + ((uint64_t)(uintptr_t)n->word >> 3);
    uint64_t marks; // `object`, `mask` and `state` in one word
    __builtin_memcpy(&marks, &cell->object, sizeof marks);
    return !(marks & n->marks) && !(cell->write & n->writers);
}

static IN_PLACE bool tail_may_join(uint64_t actor)
{
    const struct thread *t = &engine.threads[actor];
    return engine.exec.actors[actor].state == ACTOR_ENDED && t->ended && !t->detached;
}

// The end of a tail that begins in this state; null if it is not known.
static IN_PLACE const struct tail_node *tail_find_end(void)
{
    const struct tail_node *n = &tail.nodes[tail.root];
    while (n != tail.nodes && !n->ends) {
        bool same = n->word ? (*n->word & n->mask) == n->value : tail_may_join(n->value);
        if (same && n->word && !tail_may_read(n))
            return NULL;
        n = &tail.nodes[same ? n->next : n->other];
    }
    return n != tail.nodes ? n : NULL;
}

static void tail_watch(const struct thread *t)
{
    if (!tail_same_state(t))
        tail_take_state(t);
    tail.watched++;
    tail.noted = 0;
    tail.spoilt = false;
    engine.watches_tail = engine.closer = true;
}

bool tail_is_known(const struct thread *t)
{
    if (!steps_are_usual() || engine.incidents || engine.failure_count || engine.status || engine.closer ||
        engine.repeating || engine.settles_all || engine.fills_stacks)
        return false;
    if (tail_same_state(t) && tail_find_end()) {
        tail.known++;
        exec_leave(&engine.exec, t->actor, ACTOR_ENDED);
        update_alone();
        engine.over = true;
        return true;
    }
    if (tail_stack_bytes(t) > STACK_MOST || tail.watched > PATIENCE + tail.known / 4)
        engine.knows_tails = false;
    else
        tail_watch(t);
    return false;
}

void tail_runs(void)
{
    engine.step_number++; // nothing counts as kept, so that all that is changed is logged
    tail.log = undo_mark(&engine.undo);
}

void tail_spoil(void)
{
    tail.spoilt = true;
}

static void tail_note(struct tail_node note)
{
    if (tail.noted == NOTES)
        tail_spoil();
    else
        tail.notes[tail.noted++] = note;
}

// Nobody else is live: if main has created as many threads, its own have all ended.
void tail_join(uint32_t actor)
{
    if (engine.exec.actors[actor].parent)
        tail_note((struct tail_node){.value = actor});
}

static bool tail_was_read(const struct tail_node *note)
{
    for (uint32_t i = 0; i < tail.noted; i++)
        if (tail.notes[i].word == note->word && !(note->mask & ~tail.notes[i].mask))
            return true;
    return false;
}

void tail_access(const struct thread *t, uint64_t address, uint32_t size, bool write)
{
    enum { LOWEST = 65536 };
    const uint64_t shift = address % 8 * 8;
    bool others_stack = address >> 32 == STACKS_START >> 32 && (address - STACKS_START) / STACK_ROOM != t->actor;
    if (write || others_stack || address < LOWEST || address >= SHADOW_LOW_END || address % 8 + size > 8) {
        tail_spoil();
        return;
    }
    struct tail_node note = {.word = (uint64_t *)(uintptr_t)(address & ~7ull),
                             .mask = (size == 8 ? ~0ull : (1ull << 8 * size) - 1) << shift,
                             .marks = engine.strangers ? ~(0xffull << 32)
                                                       : (uint64_t)(uint8_t) ~(CELL_SPLIT | CELL_SHARED) << 40,
                             .writers = engine.strangers ? ~(uint32_t)TIME_LIMIT : 0};
    note.value = *note.word & note.mask;
    if (!tail_may_read(&note))
        tail_spoil();
    else if (!tail_was_read(&note)) // nothing was written since
        tail_note(note);
}

void tail_operation(const struct thread *t)
{
    const struct request *r = &t->request;
    if (r->kind == OP_LOAD || r->kind == OP_VOLATILE_READ)
        tail_access(t, r->address, r->size, false);
    else
        tail_spoil();
}

static bool tail_same_step(const struct tail_node *a, const struct tail_node *b)
{
    return a->word == b->word && a->mask == b->mask && a->marks == b->marks && a->writers == b->writers &&
           a->ends == b->ends;
}

// Puts what was noted into the tree, in which the first notes may be already.
static void tail_plant(void)
{
    uint32_t *place = &tail.root;
    for (uint32_t i = 0; i < tail.noted; i++) {
        uint32_t values = 0;
        while (*place && tail.nodes[*place].value != tail.notes[i].value && values++ < MOST_VALUES)
            place = &tail.nodes[*place].other;
        if (!*place) {
            tail.nodes[tail.used] = tail.notes[i];
            *place = tail.used++;
        } else if (values > MOST_VALUES || !tail_same_step(&tail.nodes[*place], &tail.notes[i])) {
            return;
        }
        place = &tail.nodes[*place].next;
    }
}

void tail_end(void)
{
    // Of the joins, and of the status.
    const size_t logged = undo_size(JOINING_KEPT) + sizeof(uint64_t) + sizeof(struct undo_trailer);
    engine.watches_tail = false;
    engine.closer = engine.annotated;
    bool plain = !tail.spoilt && engine.over && !engine.exec.live && !engine.failure_count && !engine.status &&
                 !engine.incidents && !engine.unsupported[0] && undo_mark(&engine.undo) - tail.log == logged;
    tail_note((struct tail_node){.ends = true});
    if (plain && !tail.spoilt && tail.used + tail.noted <= NODES)
        tail_plant();
}
