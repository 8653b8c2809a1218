#define _GNU_SOURCE
#include "spread/ledger.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/fail.h"
#include "base/raw.h"
#include "base/shared_lock.h"
#include "base/time.h"

enum { ROOT = 0, WAIT_MS = 20, NO_SLOT = SLOTS, LARGE_PART = 1 << 20 };

// Who has a slot: nobody, a unit, or a worker that is about to give it to a unit (its number, plus 1).
enum { FREE = 0, HELD = UINT8_MAX };

// What waits, what is explored, and for each worker that tells what it will be and what it gives away.
static uint32_t slots_for(uint32_t workers, uint32_t kept)
{
    uint32_t slots = 4 * workers + kept;
    return slots < SLOTS ? slots : SLOTS;
}

size_t ledger_size(uint32_t workers, uint32_t kept)
{
    return sizeof(struct ledger) + (size_t)slots_for(workers, kept) * SLOT_BYTES;
}

static struct search_part *part_in(const struct ledger *l, uint32_t slot)
{
    return (struct search_part *)((uintptr_t)(l + 1) + (size_t)slot * SLOT_BYTES);
}

const struct search_part *ledger_part(const struct ledger *l, uint32_t unit)
{
    return l->unit[unit].slot == NO_SLOT ? NULL : part_in(l, l->unit[unit].slot);
}

// Wakes everybody who waits; with the lock.
static void tell(struct ledger *l)
{
    l->changes++;
    if (l->idle)
        raw_call(SYS_futex, (long)&l->changes, FUTEX_WAKE, WORKERS);
}

bool ledger_is_before(const struct ledger *l, uint32_t unit, uint32_t other)
{
    return l->unit[unit].label < l->unit[other].label;
}

// Labels as far from one another as there is room.
static void label_anew(struct ledger *l)
{
    uint64_t label = 0, step = UINT64_MAX / (l->units + 2ull);
    for (uint32_t i = ROOT; i != NO_UNIT; i = l->unit[i].next)
        l->unit[i].label = label += step;
}

void ledger_open(struct ledger *l, uint32_t workers, uint32_t kept, uint32_t limit)
{
    l->workers = workers;
    l->limit = limit;
    l->slots = slots_for(workers, kept);
    l->last = NO_UNIT;
    if (kept)
        return;
    l->units = l->running = 1;
    l->executions = l->charged[0] = 1; // the first one
    l->holder[0] = HELD;
    l->unit[ROOT] = (struct unit){.next = NO_UNIT, .state = UNIT_RUNS, .began = time_now()};
    *part_in(l, 0) = (struct search_part){.whole = 1};
}

bool ledger_put(struct ledger *l, const struct counts *counts, const struct search_part *part)
{
    uint32_t slot = NO_SLOT, unit = l->units;
    if (unit == UNITS)
        return false;
    if (part) {
        for (slot = 0; slot < l->slots && l->holder[slot] != FREE;)
            slot++;
        if (slot == l->slots || part_bytes(part) > SLOT_BYTES)
            return false;
        l->holder[slot] = HELD;
        memcpy(part_in(l, slot), part, part_bytes(part));
        l->waits[l->waiting++] = unit;
    }
    l->unit[unit] = (struct unit){.next = NO_UNIT,
                                  .state = part ? UNIT_WAITS : UNIT_DONE,
                                  .worker = NO_UNIT,
                                  .slot = slot,
                                  .counts = *counts,
                                  .kept = *counts};
    if (unit)
        l->unit[unit - 1].next = unit;
    l->units++;
    l->executions += counts->executions;
    l->gone += (double)counts->executions;
    label_anew(l);
    return true;
}

// A unit right behind the one that gives it away.
static void link_behind(struct ledger *l, uint32_t unit, uint32_t new)
{
    struct unit *before = &l->unit[unit];
    if (before->next == new)
        return;
    uint64_t end = before->next == NO_UNIT ? UINT64_MAX : l->unit[before->next].label;
    l->unit[new].next = before->next;
    l->unit[new].label = before->label + (end - before->label) / 2;
    __atomic_store_n(&before->next, new, __ATOMIC_RELEASE);
}

static bool comes_too_late(const struct ledger *l, uint32_t unit)
{
    return l->last != NO_UNIT && unit != l->last && (l->at_once || ledger_is_before(l, l->last, unit));
}

bool ledger_drops(struct ledger *l, uint32_t unit)
{
    if (l->last == NO_UNIT)
        return false;
    shared_lock(&l->lock);
    bool drops = comes_too_late(l, unit);
    shared_unlock(&l->lock);
    return drops;
}

// What waits and comes too late is never begun; with the lock.
static void drop_waiting(struct ledger *l)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < l->waiting; i++) {
        uint32_t unit = l->waits[i];
        if (comes_too_late(l, unit))
            l->unit[unit].state = UNIT_DROPPED;
        else
            l->waits[left++] = unit;
    }
    l->waiting = left;
}

// All of a change but for what can be counted afterwards. To do it twice is the same as to do it once.
static void perform_deed(struct ledger *l, const struct deed *d)
{
    struct unit *unit = &l->unit[d->unit];
    if (d->new != NO_UNIT) {
        struct unit *new = &l->unit[d->new];
        if (unit->next != d->new)
            *new = (struct unit){.state = UNIT_WAITS, .worker = NO_UNIT, .slot = d->new_slot};
        link_behind(l, d->unit, d->new);
        l->units = d->new + 1;
        l->holder[d->new_slot] = HELD;
        if (new->label == unit->label)
            label_anew(l);
    }
    if (d->slot != NO_SLOT)
        l->holder[d->slot] = HELD;
    unit->slot = d->slot;
    unit->counts = d->counts;
    unit->kept = d->kept;
    unit->state = d->state;
    unit->worker = d->worker;
    l->valid[d->worker] = d->told;
    if (d->state == UNIT_LAST && (l->last == NO_UNIT || ledger_is_before(l, d->unit, l->last)))
        l->last = d->unit;
}

// Makes a change, with the lock, so that it is made as a whole or not at all.
static void make_deed(struct ledger *l, const struct deed *deed)
{
    l->deed = *deed;
    __atomic_store_n(&l->deed.under_way, 1, __ATOMIC_SEQ_CST);
    perform_deed(l, &l->deed);
    __atomic_store_n(&l->deed.under_way, 0, __ATOMIC_SEQ_CST);
}

static uint32_t take_slot(struct ledger *l, uint32_t worker)
{
    uint32_t slot = 0;
    shared_lock(&l->lock);
    while (slot < l->slots && l->holder[slot] != FREE)
        slot++;
    if (slot < l->slots)
        l->holder[slot] = (uint8_t)(worker + 1);
    shared_unlock(&l->lock);
    return slot < l->slots ? slot : NO_SLOT;
}

// With the lock, or for a slot that no unit has. What was large gives its memory back.
static void free_slot(struct ledger *l, uint32_t slot)
{
    if (slot == NO_SLOT)
        return;
    if (part_bytes(part_in(l, slot)) > LARGE_PART)
        raw_call(SYS_madvise, (long)part_in(l, slot), SLOT_BYTES, MADV_REMOVE);
    __atomic_store_n(&l->holder[slot], FREE, __ATOMIC_RELEASE);
}

static struct counts counts_since(const struct counts *now, const struct counts *before)
{
    return (struct counts){.executions = now->executions - before->executions,
                           .blocked = now->blocked - before->blocked,
                           .events = now->events - before->events,
                           .redundant = now->redundant - before->redundant,
                           .cut = now->cut - before->cut};
}

void counts_add(struct counts *sum, const struct counts *more)
{
    sum->executions += more->executions;
    sum->blocked += more->blocked;
    sum->events += more->events;
    sum->redundant += more->redundant;
    sum->cut += more->cut;
}

// The unit as it is, with what its worker has counted and found by now.
static struct deed deed_about(struct ledger *l, const struct job *job, uint32_t unit)
{
    const struct unit *u = &l->unit[unit];
    const uint32_t worker = job->task.worker, told = !l->valid[worker];
    struct deed deed = {.worker = worker,
                        .unit = unit,
                        .state = u->state,
                        .slot = u->slot,
                        .told = told,
                        .new = NO_UNIT,
                        .kept = u->kept,
                        .counts = counts_since(&job->answer.counts, &u->before)};
    counts_add(&deed.counts, &u->base);
    struct told *into = &l->told[worker][told];
    into->steps_used = job->steps_used;
    memcpy(&into->answer, &job->answer, offsetof(struct answer, bug) + job->answer.bugs * sizeof *job->answer.bug);
    return deed;
}

// Makes the change that a worker has prepared.
static void tell_deed(struct ledger *l, struct deed *deed)
{
    const uint32_t before = l->unit[deed->unit].slot;
    shared_lock(&l->lock);
    if (deed->new != NO_UNIT)
        deed->new = l->units;
    make_deed(l, deed);
    if (before != deed->slot)
        free_slot(l, before);
    l->charged[deed->worker] = deed->state == UNIT_RUNS; // the one that comes next
    if (deed->new != NO_UNIT)
        l->waits[l->waiting++] = deed->new;
    if (deed->state != UNIT_RUNS)
        l->running--;
    if (deed->state == UNIT_LAST)
        drop_waiting(l);
    if (deed->new != NO_UNIT || deed->state != UNIT_RUNS)
        tell(l);
    shared_unlock(&l->lock);
}

// Takes a slot for what is left of the unit; NO_SLOT if there is none, or it is too large.
static uint32_t keep_rest(struct ledger *l, const struct job *job, struct strategy *strategy)
{
    uint32_t slot = take_slot(l, job->task.worker);
    if (slot == NO_SLOT || strategy->keep(strategy, part_in(l, slot), SLOT_BYTES))
        return slot;
    *part_in(l, slot) = (struct search_part){0};
    free_slot(l, slot);
    return NO_SLOT;
}

bool ledger_tell(struct ledger *l, const struct job *job, uint32_t unit, struct strategy *strategy)
{
    uint32_t slot = keep_rest(l, job, strategy);
    if (slot == NO_SLOT)
        return false;
    struct deed deed = deed_about(l, job, unit);
    deed.slot = slot;
    deed.kept = deed.counts;
    tell_deed(l, &deed);
    return true;
}

// What is left without the part must have room before the part is taken out of it. It has as much as it needed with the part.
bool ledger_give(struct ledger *l, const struct job *job, uint32_t unit, struct strategy *strategy)
{
    uint32_t slot = keep_rest(l, job, strategy), new_slot = NO_SLOT;
    if (slot != NO_SLOT && l->units < UNITS - WORKERS)
        new_slot = take_slot(l, job->task.worker);
    if (new_slot == NO_SLOT || !strategy->give(strategy, part_in(l, new_slot), SLOT_BYTES)) {
        free_slot(l, slot);
        free_slot(l, new_slot);
        return false;
    }
    require(strategy->keep(strategy, part_in(l, slot), SLOT_BYTES));
    struct deed deed = deed_about(l, job, unit);
    deed.slot = slot;
    deed.kept = deed.counts;
    deed.new = l->units;
    deed.new_slot = new_slot;
    tell_deed(l, &deed);
    return true;
}

void ledger_leave(struct ledger *l, const struct job *job, uint32_t unit, enum unit_state state,
                  struct strategy *strategy)
{
    uint32_t slot = strategy ? keep_rest(l, job, strategy) : NO_SLOT;
    struct deed deed = deed_about(l, job, unit);
    deed.state = state;
    if (state == UNIT_DONE || slot != NO_SLOT) {
        deed.slot = slot;
        deed.kept = deed.counts;
    } else if (state == UNIT_LEFT)
        deed.counts = deed.kept;
    l->unit[unit].ended = time_now();
    tell_deed(l, &deed);
}

static void set_idle(struct ledger *l, uint32_t worker, bool idle)
{
    uint32_t all = 0;
    l->is_idle[worker] = idle;
    for (uint32_t i = 0; i < l->workers; i++)
        all += l->is_idle[i];
    l->idle = all;
}

void ledger_set_idle(struct ledger *l, uint32_t worker, bool idle)
{
    shared_lock(&l->lock);
    set_idle(l, worker, idle);
    shared_unlock(&l->lock);
}

uint32_t ledger_take(struct ledger *l, const struct job *job)
{
    const uint32_t worker = job->task.worker;
    uint32_t at = 0, first = NO_UNIT;
    shared_lock(&l->lock);
    for (uint32_t i = 0; i < l->waiting; i++)
        if (first == NO_UNIT || ledger_is_before(l, l->waits[i], first))
            first = l->waits[at = i];
    if (first != NO_UNIT) {
        struct unit *unit = &l->unit[first];
        unit->worker = worker;
        unit->before = job->answer.counts;
        unit->base = unit->counts;
        unit->began = time_now();
        __atomic_store_n(&unit->state, UNIT_RUNS, __ATOMIC_RELEASE);
        l->running++;
        l->waits[at] = l->waits[--l->waiting];
        set_idle(l, worker, false);
    }
    shared_unlock(&l->lock);
    return first;
}

void ledger_stop(struct ledger *l, uint32_t unit)
{
    shared_lock(&l->lock);
    if (!l->at_once) {
        l->last = unit;
        l->at_once = true;
        drop_waiting(l);
    }
    tell(l);
    shared_unlock(&l->lock);
}

bool ledger_is_over(struct ledger *l)
{
    if (l->waiting || l->running)
        return false;
    shared_lock(&l->lock); // one may have changed while the other was looked at
    bool over = !l->waiting && !l->running;
    shared_unlock(&l->lock);
    return over;
}

bool ledger_is_complete(const struct ledger *l)
{
    for (uint32_t i = 0; i < l->units; i++)
        if (l->unit[i].state != UNIT_DONE)
            return false;
    return true;
}

void ledger_wait(struct ledger *l)
{
    struct timespec most = {.tv_nsec = WAIT_MS * 1000000L};
    uint32_t seen = l->changes;
    if (l->waiting || ledger_is_over(l))
        return;
    register long timeout __asm__("r10") = (long)&most;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(SYS_futex), "D"(&l->changes), "S"(FUTEX_WAIT), "d"(seen), "r"(timeout)
                     : "rcx", "r11", "memory");
}

// What waits is in nobody's estimate.
struct share ledger_share(const struct ledger *l)
{
    struct prospect all = {l->gone, l->gone, l->gone, l->gone};
    for (uint32_t i = 0; i < l->workers; i++) {
        const struct prospect *p = &l->prospect[i];
        if (p->total <= 0 || l->waiting)
            return share_unknown;
        all.done += p->done;
        all.total += p->total;
        all.least += p->least;
        all.most += p->most;
    }
    return (struct share){.likely = all.done / all.total, .least = all.done / all.most, .most = all.done / all.least};
}

// What follows from the states of the units, where a change to it may have been left half made.
static void count_anew(struct ledger *l, uint32_t dead)
{
    bool needed[SLOTS] = {false};
    uint32_t waiting = 0, running = 0;
    for (uint32_t i = 0; i < l->units; i++) {
        const struct unit *unit = &l->unit[i];
        if (unit->state == UNIT_WAITS)
            l->waits[waiting++] = i;
        running += unit->state == UNIT_RUNS;
        if (unit->slot != NO_SLOT)
            needed[unit->slot] = true;
    }
    l->running = running;
    l->waiting = waiting;
    for (uint32_t i = 0; i < l->slots; i++)
        if (l->holder[i] == dead + 1 || (l->holder[i] == HELD && !needed[i]))
            free_slot(l, i);
    drop_waiting(l);
    set_idle(l, dead, false);
}

void ledger_bury(struct ledger *l, uint32_t worker, uint32_t process)
{
    shared_lock_bury(&l->identities.lock, process);
    shared_lock_inherit(&l->lock, process);
    if (l->deed.under_way && l->deed.worker == worker) {
        perform_deed(l, &l->deed);
        l->deed.under_way = 0;
        label_anew(l);
    }
    count_anew(l, worker);
    tell(l);
    shared_unlock(&l->lock);
}

uint32_t ledger_unit_of(const struct ledger *l, uint32_t worker)
{
    uint32_t left = l->running, unit = 0;
    for (; left && unit < l->units; unit++) {
        left -= l->unit[unit].state == UNIT_RUNS;
        if (l->unit[unit].state == UNIT_RUNS && l->unit[unit].worker == worker)
            return unit;
    }
    return NO_UNIT;
}

uint32_t ledger_return(struct ledger *l, uint32_t worker, enum unit_state state)
{
    shared_lock(&l->lock);
    uint32_t unit = ledger_unit_of(l, worker);
    if (unit != NO_UNIT) {
        struct unit *u = &l->unit[unit];
        u->state = comes_too_late(l, unit) ? UNIT_DROPPED : state;
        u->counts = u->kept;
        u->ended = time_now();
        l->running--;
        if (u->state == UNIT_WAITS)
            l->waits[l->waiting++] = unit;
    }
    l->executions -= l->charged[worker];
    l->charged[worker] = 0;
    l->gone += (double)l->told[worker][l->valid[worker]].answer.counts.executions;
    l->prospect[worker] = (struct prospect){0};
    tell(l);
    shared_unlock(&l->lock);
    return unit;
}

uint64_t ledger_executions_in(const struct ledger *l, uint32_t unit, uint64_t counted)
{
    const struct unit *u = &l->unit[unit];
    return u->base.executions + (counted - u->before.executions);
}

struct counts ledger_counts(const struct ledger *l)
{
    struct counts sum = {0};
    for (uint32_t i = 0; i < l->units; i++)
        if (l->at_once || (l->unit[i].state != UNIT_DROPPED && !comes_too_late(l, i)))
            counts_add(&sum, &l->unit[i].counts);
    return sum;
}

uint64_t ledger_executions_before(const struct ledger *l, uint32_t unit)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < l->units; i++)
        if (i != unit && ledger_is_before(l, i, unit))
            sum += l->unit[i].counts.executions;
    return sum;
}
