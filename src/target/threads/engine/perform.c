// Carrying out visible operations: what each does to memory and to the synchronisation objects, and what effect it had.
#include "target/threads/engine/engine.h"
#include "target/threads/engine/foreign.h"
#include "target/threads/engine/times.h"

#include <errno.h>

#include "base/fail.h"
#include "target/threads/descriptor/descriptor_room.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/engine/operations.h"
#include "target/threads/engine/sleep.h"
#include "target/threads/engine/turn.h"
#include "target/threads/engine/failure.h"
#include "target/threads/engine/faults.h"
#include "target/threads/engine/perform.h"
#include "target/threads/engine/record.h"
#include "target/threads/engine/spin.h"
#include "target/threads/engine/tail.h"

static struct place *place_of(const struct request *r)
{
    return &engine.places[r->object];
}

wide read_memory(uint64_t address, uint32_t size)
{
    const void *p = (const void *)(uintptr_t)address;
    switch (size) {
    case 1:
        return *(const uint8_t *)p;
    case 2:
        return *(const uint16_t *)p;
    case 4:
        return *(const uint32_t *)p;
    case 8:
        return *(const uint64_t *)p;
    case 16:
        return *(const wide *)p;
    default:
        break;
    }
    wide value = 0; // a part of a word, or more than fits
    for (uint32_t i = 0; i < size && i < sizeof value; i++)
        value |= (wide)((const uint8_t *)p)[i] << 8 * i;
    return value;
}

static void write_memory(uint64_t address, uint32_t size, wide value)
{
    void *p = (void *)(uintptr_t)address;
    undo_save_word(&engine.undo, (void *)(uintptr_t)(address & ~7ull));
    if (size == 16)
        undo_save_word(&engine.undo, (uint8_t *)p + 8);
    store_memory(p, size, value);
}

static wide truncated(wide value, uint32_t size)
{
    return size == 16 ? value : value & (((wide)1 << (8 * size)) - 1);
}

wide combine(enum rmw op, wide old, wide operand)
{
    switch (op) {
    case RMW_EXCHANGE:
        return operand;
    case RMW_ADD:
        return old + operand;
    case RMW_SUB:
        return old - operand;
    case RMW_AND:
        return old & operand;
    case RMW_OR:
        return old | operand;
    case RMW_XOR:
        return old ^ operand;
    case RMW_NAND:
        return ~(old & operand);
    case RMW_NEGATE:
        return -old;
    }
    return old;
}

static RARE void check_words_against_plain(struct thread *t, const struct request *r, bool write, uint32_t time)
{
    for (uint64_t a = r->address & ~7ull; a < r->address + r->size; a += 8) {
        struct cell *cell = shadow_cell(&engine.races.shadow, a);
        uint64_t from = r->address > a ? r->address - a : 0;
        uint64_t until = r->address + r->size < a + 8 ? r->address + r->size - a : 8;
        uint8_t mask = (uint8_t)((1u << until) - (1u << from));
        uint8_t racing = race_passing(&engine.races, &t->know, cell, mask, write);
        if (racing)
            fail_races(t, a, racing, write, r->pc, false);
        if (journal_is_kept())
            journal_put(JOURNAL_ATOMIC, t->actor, a, mask, r->pc);
    }
    if (engine.learnt.mixed)
        mixed_note(t, r->object, write, time);
}

static bool is_in_two_words(const struct request *r)
{
    return (r->address & 7) + r->size > 8;
}

static RARE void look_against_plain(struct thread *t, const struct request *r, const struct cell *cell, bool write,
                                    uint32_t time)
{
    const bool is_volatile = r->kind == OP_VOLATILE_READ || r->kind == OP_VOLATILE_WRITE;
    if (lifetime_is_gone(cell, r->address, r->size) || is_in_two_words(r) || is_on_stack(r->address))
        lifetime_look_at_atomic(t, r->address, r->size, is_volatile ? volatile_use : atomic_use, r->pc);
    if (engine.check_races && engine.strangers)
        check_words_against_plain(t, r, write, time);
}

// Whether the memory is still there, and plain accesses that the atomic one races with. To be asked when the thread has acquired what
// this very operation acquires: what came before the release that it reads from comes before it. `time` is that of the access: who
// learns what it releases learns of it as well.
static IN_PLACE void check_against_plain_at(struct thread *t, const struct request *r, bool write, uint32_t time)
{
    const struct cell *cell = shadow_cell(&engine.races.shadow, r->address);
    bool only_atomic = !(cell->write | cell->read | (cell->state & CELL_SPLIT)) &&
                       !unlikely(lifetime_is_gone(cell, r->address, r->size));
    if (unlikely(!only_atomic || is_in_two_words(r) || is_on_stack(r->address) || engine.learnt.mixed ||
                 journal_is_kept()))
        look_against_plain(t, r, cell, write, time);
}

static IN_PLACE void check_against_plain(struct thread *t, const struct request *r, bool write)
{
    check_against_plain_at(t, r, write, t->know.time);
}

OFTEN enum effect do_load(struct thread *t, struct request *r)
{
    t->result = read_memory(r->address, r->size);
    know_load(&engine.races, &t->know, &place_of(r)->release, r->order);
    check_against_plain(t, r, false);
    return EFFECT_READ;
}

static void keep_release(const struct request *r)
{
    keep_holding(place_of(r));
}

static OFTEN enum effect do_store(struct thread *t, struct request *r)
{
    check_against_plain(t, r, true);
    keep_release(r);
    know_store(&engine.races, &t->know, &place_of(r)->release, r->order);
    write_memory(r->address, r->size, r->operand);
    return EFFECT_WRITE;
}

// A read-modify-write that stores what was there is a read to everybody else, unless it releases what others could not
// learn from this place before: then it matters to the race detector who comes first.
static enum effect perform_change(struct thread *t, struct request *r, wide old, wide value)
{
    uint32_t time = t->know.time; // before it releases
    keep_release(r);
    if (unlikely(engine.learnt.mixed))
        t->know.used = 1; // the access is noted, so whoever reads what it leaves has to learn of it
    bool releases = know_rmw(&engine.races, &t->know, &place_of(r)->release, r->order);
    check_against_plain_at(t, r, true, time);
    if (value == old) {
        engine.marks[engine.exec.count].same = true;
        return releases ? EFFECT_WRITE : EFFECT_READ;
    }
    write_memory(r->address, r->size, value);
    return EFFECT_WRITE;
}

static OFTEN enum effect do_rmw(struct thread *t, struct request *r)
{
    wide old = read_memory(r->address, r->size);
    t->result = old;
    return perform_change(t, r, old, truncated(combine(r->rmw, old, r->operand), r->size));
}

static OFTEN enum effect do_cas(struct thread *t, struct request *r)
{
    wide old = read_memory(r->address, r->size);
    t->result = old;
    if (old == r->expected)
        return perform_change(t, r, old, truncated(r->operand, r->size));
    know_load(&engine.races, &t->know, &place_of(r)->release, r->order_failure);
    check_against_plain(t, r, false);
    return EFFECT_READ;
}

// Volatile accesses happen in the program itself, right after this; they count as sequentially consistent.
static enum effect do_volatile(struct thread *t, struct request *r, bool write)
{
    enum { SEQ_CST = 5 };
    if (write) {
        check_against_plain(t, r, true);
        keep_release(r);
        know_store(&engine.races, &t->know, &place_of(r)->release, SEQ_CST);
        for (uint64_t a = r->address & ~7ull; a < r->address + r->size; a += 8)
            undo_save_word(&engine.undo, (void *)(uintptr_t)a);
        return EFFECT_WRITE;
    }
    know_load(&engine.races, &t->know, &place_of(r)->release, SEQ_CST);
    check_against_plain(t, r, false);
    return EFFECT_READ;
}

static void perform_take(struct thread *t, struct place *m, uint32_t depth)
{
    keep_holding(m);
    m->owner = t->actor + 1;
    m->depth = depth;
    know_acquire(&engine.races, &t->know, &m->release);
    journal_note(JOURNAL_LOCK, t, m->address);
}

// After a wait that left the thread some of its levels of a recursive mutex: nobody else is concerned.
static RARE enum effect do_lock_again(struct thread *t, struct place *m)
{
    keep_holding(m);
    m->depth = t->wait_depth;
    t->wait_depth = 0;
    t->result = 0;
    return EFFECT_NONE;
}

static OFTEN enum effect do_lock(struct thread *t, struct request *r)
{
    mixed_use(t, r->object, "locks a mutex", r->pc);
    if (unlikely(t->wait_depth > 1) && place_of(r)->owner == t->actor + 1)
        return do_lock_again(t, place_of(r));
    perform_take(t, place_of(r), t->wait_depth ? t->wait_depth : 1);
    t->wait_depth = 0;
    t->result = 0;
    return EFFECT_WRITE;
}

static enum effect do_trylock(struct thread *t, struct request *r)
{
    struct place *m = place_of(r);
    if (m->owner) {
        t->result = EBUSY;
        return EFFECT_READ;
    }
    perform_take(t, m, 1);
    t->result = 0;
    return EFFECT_WRITE;
}

enum { WAS_ITS_OWN, WAS_ANOTHERS, WAS_FREE }; // results of an unlock; the latter two only where that is tolerated

static enum effect do_unlock(struct thread *t, struct request *r)
{
    struct place *m = place_of(r);
    t->result = m->owner == t->actor + 1 ? WAS_ITS_OWN : m->owner ? WAS_ANOTHERS : WAS_FREE;
    place_let_go(t, m);
    return EFFECT_WRITE;
}

// The next to lock it comes after this. Where it was free already, that could have come before.
static void after_unlock(struct thread *t, const struct request *r)
{
    if (unlikely(t->result == WAS_FREE))
        exec_hold(&engine.exec, r->object, engine.exec.count - 1);
    exec_release(&engine.exec, t->actor, r->object);
}

// A wait lets go of one level of a recursive mutex, as glibc has it. POSIX leaves that open, so the report says that it
// mattered.
static RARE void let_go_of_level(struct place *m)
{
    engine.recursive_wait = true;
    keep_holding(m);
    m->depth--;
}

static enum effect do_wait(struct thread *t, struct request *r)
{
    struct place *cond = place_of(r), *m = &engine.places[r->mutex];
    t->wait_depth = m->owner == t->actor + 1 ? m->depth : 1;
    engine.waits_seen = true;
    keep_place(cond);
    cond->waiters[t->actor / 64] |= 1ull << (t->actor % 64);
    if (unlikely(m->depth > 1)) {
        let_go_of_level(m);
        return EFFECT_ADD;
    }
    if (engine.unlock_visible) // the mutex is let go in an operation of its own: see pthread_cond_wait
        return EFFECT_ADD;
    if (engine.record)
        record_silent(t, SILENT_UNLOCK, m->address, 0, 0, r->pc);
    place_let_go(t, m);
    return EFFECT_ADD;
}

static uint32_t count_waiters(const struct place *cond)
{
    uint32_t n = 0;
    for (int i = 0; i < MAX_ACTORS / 64; i++)
        n += (uint32_t)__builtin_popcountll(cond->waiters[i]);
    return n;
}

// A waiter goes on to take its mutex again.
static void perform_wake(struct thread *by, struct place *cond, uint32_t actor)
{
    struct thread *t = &engine.threads[actor];
    undo_save(&engine.undo, t, sizeof *t);
    cond->waiters[actor / 64] &= ~(1ull << (actor % 64));
    if (engine.exec.actors[actor].state != ACTOR_WAITING) { // it has yet to let its mutex go
        t->woken = 1;
        t->woken_clock = engine.exec.actors[by->actor].clock;
        t->woken_now = by->now;
        engine.exec.actors[by->actor].own = 0;
        return;
    }
    t->request.kind = OP_LOCK;
    t->request.object = t->request.mutex;
    t->request.address = engine.places[t->request.mutex].address;
    t->request.alternatives = 1;
    exec_learn(&engine.exec, actor, engine.exec.actors[by->actor].clock);
    times_learn(t, by->now);
    thread_wake(t);
    if (engine.record)
        record_silent(t, SILENT_WOKEN, cond->address, by->actor, 0, NULL);
}

static void wake_nth(struct thread *by, struct place *cond, uint32_t nth)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        if (cond->waiters[actor / 64] >> (actor % 64) & 1 && !nth--) {
            perform_wake(by, cond, actor);
            return;
        }
    }
}

static __attribute__((noinline)) enum effect perform_other(struct thread *t, uint32_t alternative)
{
    struct request *r = &t->request;
    if (op_table[r->kind].does)
        mixed_use(t, r->object, op_table[r->kind].does, r->pc);
    switch ((enum op_kind)r->kind) {
    case OP_VOLATILE_READ:
        return do_volatile(t, r, false);
    case OP_VOLATILE_WRITE:
        return do_volatile(t, r, true);
    case OP_PLAIN_READ:
        return EFFECT_READ;
    case OP_PLAIN_WRITE:
        return EFFECT_WRITE;
    case OP_TRYLOCK:
        return do_trylock(t, r);
    case OP_UNLOCK:
        return do_unlock(t, r);
    case OP_WAIT:
        return do_wait(t, r);
    case OP_SIGNAL:
    case OP_BROADCAST:
        return count_waiters(place_of(r)) ? EFFECT_WRITE : EFFECT_READ;
    case OP_CHOOSE:
    case OP_FAULT:
        t->result = alternative;
        return EFFECT_NONE;
    case OP_BEGIN:
    case OP_YIELD:
        return EFFECT_NONE;
    case OP_EXIT:
        engine.over = true;
        return EFFECT_ALL;
    case OP_FD_READ:
    case OP_FD_POLL:
    case OP_FD_CONTROL:
        return do_descriptor_among_timers(t, alternative);
    default:
        require(operations[r->kind].perform);
        return operations[r->kind].perform(t, place_of(r));
    }
}

// Memory that was unmapped since the thread came here, or that is protected.
static RARE bool is_forbidden(struct thread *t, enum effect *effect)
{
    enum op_kind kind = t->request.kind;
    bool write = op_writes(kind);
    *effect = write ? EFFECT_WRITE : EFFECT_READ;
    return op_table[kind].access && maps_forbid(t, write);
}

enum effect perform_request(struct thread *t, uint32_t alternative)
{
    struct request *r = &t->request;
    enum effect forbidden;
    if (unlikely(r->address >> SHADOW_LOW_BITS) && is_forbidden(t, &forbidden))
        return forbidden;
    switch ((enum op_kind)r->kind) {
    case OP_LOAD:
        return do_load(t, r);
    case OP_STORE:
        return do_store(t, r);
    case OP_RMW:
        return do_rmw(t, r);
    case OP_CAS:
        return do_cas(t, r);
    case OP_LOCK:
        return do_lock(t, r);
    default:
        return perform_other(t, alternative);
    }
}

static RARE enum effect perform_beside_foreign(struct thread *t, uint32_t alternative)
{
    const struct request *r = &t->request;
    enum effect forbidden;
    enum op_access access = op_table[r->kind].access;
    if ((access != ACCESS_ATOMIC && access != ACCESS_VOLATILE) ||
        (r->address >> SHADOW_LOW_BITS && is_forbidden(t, &forbidden)))
        return perform_request(t, alternative);
    foreign_before_atomic(t, r);
    enum effect effect = perform_request(t, alternative);
    foreign_after_atomic(r);
    return effect;
}

enum effect perform(struct thread *t, uint32_t alternative)
{
    return foreign_is_there() ? perform_beside_foreign(t, alternative) : perform_request(t, alternative);
}

void perform_follow(struct thread *t, enum effect effect, uint32_t alternative)
{
    struct request *r = &t->request;
    struct place *place = place_of(r);
    switch ((enum op_kind)r->kind) {
    case OP_WAIT:
        if (!engine.unlock_visible && t->wait_depth == 1) {
            exec_release(&engine.exec, t->actor, r->mutex);
            times_release(t, r->mutex);
        }
        break;
    case OP_UNLOCK:
        after_unlock(t, r);
        break;
    case OP_TRYLOCK:
        if (effect == EFFECT_WRITE)
            exec_hold(&engine.exec, r->object, engine.exec.count - 1);
        break;
    case OP_SIGNAL:
    case OP_BROADCAST:
        if (effect != EFFECT_WRITE)
            break;
        keep_place(place);
        if (r->kind == OP_SIGNAL)
            wake_nth(t, place, alternative);
        else
            for (uint32_t n = count_waiters(place); n > 0; n--)
                wake_nth(t, place, 0);
        break;
    case OP_FUTEX_WAKE:
        futex_wake(t, alternative);
        break;
    default:
        if (operations[r->kind].after)
            operations[r->kind].after(t, effect);
    }
}

bool request_ready(struct thread *t)
{
    const struct request *r = &t->request;
    if (t->spinning_since && spin_holds(t))
        return false;
    switch ((enum op_kind)r->kind) {
    case OP_LOCK:
        return request_can_lock(t, place_of(r));
    default:
        return !operations[r->kind].ready || operations[r->kind].ready(t, place_of(r));
    }
}

// How many outcomes the search may choose between.
static uint32_t outcomes(const struct request *r, uint32_t actor)
{
    if (r->kind == OP_FUTEX_WAKE)
        return futex_outcomes(r);
    if (r->kind == OP_FAULT)
        return faults_outcomes(r);
    if (op_table[r->kind].on_descriptor)
        return timers_outcomes(&engine.threads[actor]);
    if (r->kind != OP_SIGNAL)
        return r->alternatives ? r->alternatives : 1;
    uint32_t n = count_waiters(place_of(r));
    return n ? n : 1;
}

uint32_t request_outcomes(const struct thread *t)
{
    return outcomes(&t->request, t->actor);
}

RARE void do_alone(struct thread *t)
{
    const struct request *r = &t->request;
    uint64_t before = engine.record ? record_value(r->address, r->size) : 0;
    t->plain = 0;
    if (unlikely(engine.watches_tail))
        tail_operation(t);
    enum effect effect = perform(t, 0);
    perform_after(t, EFFECT_NONE, 0);
    if (engine.record)
        record_event(t, effect, before, record_value(r->address, r->size), 0);
}

RARE bool could_be_alone(struct thread *t)
{
    const struct request *r = &t->request;
    if (looks_count_alone() && op_table[r->kind].access) {
        if (!engine.over)
            return false;
        if (op_reads(r->kind)) // nobody can be scheduled any more
            order_of_writes_matters(t);
    }
    if (op_table[r->kind].on_descriptor && request_outcomes(t) > 1)
        return false;
    return r->alternatives <= 1 && !op_table[r->kind].needs_others && request_ready(t) && !would_sleep(t);
}

CROSSES_SWITCH __attribute__((noinline)) static wide take_turn(struct thread *t)
{
    return turn_take(t);
}

wide visible(struct thread *t)
{
    turn_clear_for_call();
    return take_turn(t);
}

uint32_t search_chooses(struct thread *t, enum choice about, uint32_t n, const void *pc)
{
    struct request *r = ask(t, OP_CHOOSE, 0, 0, pc);
    r->alternatives = (uint16_t)n;
    r->operand = about;
    return (uint32_t)visible(t);
}
