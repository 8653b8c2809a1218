#define _GNU_SOURCE
#include "spread/ledger.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/raw.h"
#include "base/shared_lock.h"

enum { ROOT = 0, WAIT_MS = 20 };

static size_t part_bytes(uint32_t limit)
{
    return sizeof(struct search_part) + (limit + 2ull) * (sizeof(struct plan_step) + sizeof(struct detour));
}

size_t ledger_size(uint32_t workers, uint32_t limit)
{
    return sizeof(struct ledger) + workers * part_bytes(limit);
}

// Each process has the memory somewhere else.
static struct search_part *part_of_slot(struct ledger *l, uint32_t slot, struct search_part *part)
{
    uint8_t *at = (uint8_t *)(l + 1) + slot * part_bytes(l->limit);
    struct search_part *kept = (struct search_part *)(void *)at;
    *part = *kept;
    part->detour = (struct detour *)(void *)(at + sizeof *kept);
    part->step = (struct plan_step *)(void *)(part->detour + l->limit + 2);
    return kept;
}

void ledger_open(struct ledger *l, uint32_t workers, uint32_t limit)
{
    l->workers = workers;
    l->limit = limit;
    l->last = NO_UNIT;
    l->units = l->running = 1;
    l->executions = 1; // the first one
    l->unit[ROOT] = (struct unit){.next = NO_UNIT, .state = UNIT_RUNS};
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
    uint64_t label = 0, step = UINT64_MAX / (l->units + 1ull);
    for (uint32_t i = ROOT; i != NO_UNIT; i = l->unit[i].next)
        l->unit[i].label = label += step;
}

// A new unit right behind the one that gives it away.
static void insert_behind(struct ledger *l, uint32_t unit, uint32_t new)
{
    struct unit *before = &l->unit[unit];
    uint64_t end = before->next == NO_UNIT ? UINT64_MAX : l->unit[before->next].label;
    l->unit[new].next = before->next;
    l->unit[new].label = before->label + (end - before->label) / 2;
    before->next = new;
    if (l->unit[new].label == before->label)
        label_anew(l);
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

// A slot that nobody uses; there is one for each worker, and no more units wait than there are workers.
static uint32_t take_slot(struct ledger *l)
{
    uint32_t slot = 0;
    shared_lock(&l->lock);
    while (slot < l->workers && l->slot_used[slot])
        slot++;
    if (l->units == UNITS)
        slot = l->workers;
    if (slot < l->workers)
        l->slot_used[slot] = true;
    shared_unlock(&l->lock);
    return slot;
}

bool ledger_give(struct ledger *l, uint32_t unit, struct strategy *strategy)
{
    struct search_part part;
    uint32_t slot = take_slot(l);
    if (slot == l->workers)
        return false;
    struct search_part *kept = part_of_slot(l, slot, &part);
    bool given = strategy->give(strategy, &part);
    *kept = part;
    shared_lock(&l->lock);
    l->slot_used[slot] = given;
    if (given) {
        l->unit[l->units] = (struct unit){.state = UNIT_WAITS, .worker = NO_UNIT, .slot = slot};
        insert_behind(l, unit, l->units++);
        l->waiting++;
        tell(l);
    }
    shared_unlock(&l->lock);
    return given;
}

static uint32_t first_waiting(struct ledger *l)
{
    uint32_t first = NO_UNIT, left = l->waiting;
    for (uint32_t i = l->units; left && i-- > 0;) {
        if (l->unit[i].state != UNIT_WAITS)
            continue;
        left--;
        if (first == NO_UNIT || ledger_is_before(l, i, first))
            first = i;
    }
    return first;
}

uint32_t ledger_take(struct ledger *l, uint32_t worker, const struct counts *counts, struct search_part *part)
{
    shared_lock(&l->lock);
    uint32_t first = first_waiting(l);
    if (first != NO_UNIT) {
        struct unit *unit = &l->unit[first];
        unit->state = UNIT_RUNS;
        unit->worker = worker;
        unit->before = *counts;
        l->waiting--;
        l->idle--;
        l->running++;
        part_of_slot(l, unit->slot, part);
    }
    shared_unlock(&l->lock);
    return first;
}

void ledger_begun(struct ledger *l, uint32_t unit)
{
    shared_lock(&l->lock);
    l->slot_used[l->unit[unit].slot] = false;
    shared_unlock(&l->lock);
}

static struct counts counts_since(const struct counts *now, const struct counts *before)
{
    return (struct counts){.executions = now->executions - before->executions,
                           .blocked = now->blocked - before->blocked,
                           .events = now->events - before->events,
                           .redundant = now->redundant - before->redundant,
                           .cut = now->cut - before->cut};
}

// What waits and comes too late is never begun.
static void drop_waiting(struct ledger *l)
{
    for (uint32_t i = 0; l->waiting && i < l->units; i++) {
        struct unit *unit = &l->unit[i];
        if (unit->state != UNIT_WAITS || !comes_too_late(l, i))
            continue;
        unit->state = UNIT_DROPPED;
        l->slot_used[unit->slot] = false;
        l->waiting--;
    }
}

static void end_with(struct ledger *l, uint32_t unit)
{
    if (l->last == NO_UNIT || ledger_is_before(l, unit, l->last))
        l->last = unit;
    drop_waiting(l);
}

void ledger_leave(struct ledger *l, uint32_t unit, enum unit_state state, const struct counts *counts)
{
    shared_lock(&l->lock);
    struct unit *left = &l->unit[unit];
    left->counts = counts_since(counts, &left->before);
    left->state = state;
    l->running--;
    if (state == UNIT_LAST)
        end_with(l, unit);
    tell(l);
    shared_unlock(&l->lock);
}

void ledger_stop(struct ledger *l, uint32_t unit)
{
    shared_lock(&l->lock);
    if (!l->at_once) {
        l->at_once = true;
        l->last = unit;
        drop_waiting(l);
    }
    tell(l);
    shared_unlock(&l->lock);
}

bool ledger_is_over(struct ledger *l)
{
    return !l->waiting && !l->running;
}

void ledger_wait(struct ledger *l)
{
    struct timespec most = {.tv_nsec = WAIT_MS * 1000000};
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
    struct prospect all = {0};
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

void ledger_bury(struct ledger *l, uint32_t process)
{
    shared_lock_bury(&l->lock, process);
    shared_lock_bury(&l->identities.lock, process);
}

static void add_counts(struct counts *sum, const struct counts *c)
{
    sum->executions += c->executions;
    sum->blocked += c->blocked;
    sum->events += c->events;
    sum->redundant += c->redundant;
    sum->cut += c->cut;
}

struct counts ledger_counts(const struct ledger *l)
{
    struct counts sum = {0};
    for (uint32_t i = 0; i < l->units; i++)
        if (l->at_once || (l->unit[i].state != UNIT_DROPPED && !comes_too_late(l, i)))
            add_counts(&sum, &l->unit[i].counts);
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
