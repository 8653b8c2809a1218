// What the threads of the run have to do with the orders: who has come where, who has to wait for whom, and what came about.
//
// Each order has one *instance* at a time: the threads and the memory that it is about in this run, which the first that come to its
// points decide. An instance that leads nowhere makes room for the next one as soon as nobody waits in it. All of this is done
// under the lock of holder_start.c.
#include "holder/holder.h"

#include <time.h>

enum { HEADS = 4096, ENTRIES = 2 * HOLDING_ORDERS * HOLDING_POINTS, NOTHING = UINT32_MAX };

struct instance {
    uint32_t age;
    uint32_t passed, done, waiting;  // bits by point
    uint64_t began;                  // in ms
    uint32_t number[HOLDING_POINTS]; // by thread of the prediction; 0: nobody yet
    const struct holder_thread *who[HOLDING_POINTS];
    uint64_t address[HOLDING_POINTS];  // by variable; 0: not known yet
    uint64_t base[HOLDING_POINTS];     // by block, the same
    uint64_t call[HOLDING_POINTS];     // by point: the call that it has to be in
    uint32_t level[HOLDING_POINTS];    // … and how deep that is; HOLDER_CALLS: it does not matter
    uint32_t releases[HOLDING_POINTS]; // by point: how many the thread may have made when it comes there
};

static struct {
    struct instance instance[HOLDING_ORDERS];
    uint32_t head[HEADS];
    struct {
        uint32_t order, point, next;
        bool gate;
    } entry[ENTRIES];
    uint32_t entries, numbers;
} orders;

static struct hold_order *order_of(uint32_t o)
{
    return &holder.block->order[o];
}

static uint32_t head_of(uint64_t pc)
{
    return holder_hash((const void *)(uintptr_t)pc) % HEADS;
}

static void watch_place(uint64_t pc, uint32_t o, uint32_t i, bool gate)
{
    uint32_t bit = holder_hash((const void *)(uintptr_t)pc), *head = &orders.head[head_of(pc)];
    holder.watched[bit / 64] |= 1ull << bit % 64;
    orders.entry[orders.entries].order = o;
    orders.entry[orders.entries].point = i;
    orders.entry[orders.entries].gate = gate;
    orders.entry[orders.entries].next = *head;
    *head = orders.entries++;
}

void orders_begin(void)
{
    for (uint32_t i = 0; i < HEADS; i++)
        orders.head[i] = NOTHING;
    for (uint32_t o = 0; o < holder.block->order_count; o++)
        for (uint32_t i = 0; i < order_of(o)->point_count; i++) {
            const struct hold_point *p = &order_of(o)->point[i];
            watch_place(p->pc, o, i, false);
            if (p->gate && holder.block->gates)
                watch_place(p->gate, o, i, true);
        }
}

static uint64_t now_ms(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void instance_reset(struct instance *x)
{
    uint32_t age = x->age;
    __builtin_memset(x, 0, sizeof *x);
    x->age = age + 1;
}

void orders_finish_pending(struct holder_thread *me)
{
    for (uint32_t i = 0; i < me->pending_count; i++) {
        struct instance *x = &orders.instance[me->pending[i].order];
        if (x->age != me->pending[i].age)
            continue;
        x->done |= 1u << me->pending[i].point;
        if (x->waiting)
            holder_tell();
    }
    me->pending_count = 0;
}

// ---- whether an arrival belongs to the instance ----

static bool overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
    return a < b + b_size && b < a + a_size;
}

static bool fits_memory(const struct instance *x, const struct hold_point *p, uint64_t address, uint64_t size)
{
    uint64_t known = p->address ? p->address : x->address[p->variable], base = x->base[p->block];
    uint64_t slack = p->size ? p->size : 1;
    if (known && !overlap(address, size, known, slack))
        return false;
    return p->address || !base || overlap(address - p->offset, slack, base, slack);
}

static bool fits_thread(const struct hold_order *o, const struct instance *x, uint32_t role, uint32_t number)
{
    for (uint32_t i = 0; i < o->point_count; i++)
        if (o->point[i].thread != role && x->number[o->point[i].thread] == number)
            return false;
    return !x->number[role] || x->number[role] == number;
}

// A later point of a thread has to be in the same call as the one before, and may have let go of no more locks than in the recorded run.
static bool fits_region(const struct instance *x, const struct hold_point *p, uint32_t i,
                        const struct holder_thread *me)
{
    if (p->previous == HOLDING_ANY)
        return true;
    if (!(x->done >> p->previous & 1) || me->releases > x->releases[i])
        return false;
    return x->level[i] == HOLDER_CALLS || (x->level[i] < me->depth && me->call[x->level[i]] == x->call[i]);
}

// Whether the instance is about something else than what arrives, and nobody would miss it: it is old, its thread begins anew, or
// nobody but a thread with the same part has come so far.
static bool is_stale(const struct hold_order *o, const struct instance *x, uint32_t i, const struct holder_thread *me)
{
    const struct hold_point *p = &o->point[i];
    bool begun = false, answered = false;
    if (x->waiting || !x->passed || p->previous != HOLDING_ANY)
        return false;
    for (uint32_t k = 0; k < o->point_count; k++) {
        bool passed = x->passed >> k & 1;
        begun |= passed && o->point[k].thread == p->thread;
        answered |= passed && o->point[k].thread != p->thread;
    }
    if (now_ms() - x->began > holder.block->hold_ms)
        return true;
    return begun && (x->number[p->thread] == me->number || !answered);
}

// ---- what becomes of an arrival ----

static void instance_bind(struct instance *x, const struct hold_point *p, const struct holder_thread *me,
                          uint64_t address)
{
    x->number[p->thread] = me->number;
    x->who[p->thread] = me;
    if (!x->address[p->variable])
        x->address[p->variable] = address;
    if (!x->base[p->block])
        x->base[p->block] = address - p->offset;
    if (!x->began)
        x->began = now_ms();
}

// What the points that follow in this thread have to keep to.
static void note_region(const struct hold_order *o, struct instance *x, uint32_t i, const struct holder_thread *me)
{
    for (uint32_t k = 0; k < o->point_count; k++) {
        const struct hold_point *p = &o->point[k];
        if (p->previous != i)
            continue;
        bool known = p->outward != HOLDING_ANY && me->depth > p->outward && me->depth <= HOLDER_CALLS;
        x->releases[k] = me->releases + p->releases;
        x->level[k] = known ? me->depth - 1 - p->outward : HOLDER_CALLS;
        x->call[k] = known ? me->call[x->level[k]] : 0;
    }
}

static void came_about(uint32_t o)
{
    order_of(o)->confirmed++;
    instance_reset(&orders.instance[o]);
    holder_tell();
}

static void pass_point(uint32_t o, uint32_t i, struct holder_thread *me)
{
    struct instance *x = &orders.instance[o];
    x->passed |= 1u << i;
    me->keeps |= order_of(o)->point[i].kind == HOLD_RELEASE;
    note_region(order_of(o), x, i, me);
    if (me->pending_count < HOLDER_PENDING)
        me->pending[me->pending_count++] = (struct holder_pending){o, i, x->age};
    if (x->passed == (1u << order_of(o)->point_count) - 1)
        came_about(o);
}

static bool must_wait(const struct hold_order *o, const struct instance *x, uint32_t i)
{
    for (uint32_t k = 0; k < o->pair_count; k++)
        if (o->pair[k].after == i && !(x->done >> o->pair[k].before & 1))
            return true;
    return false;
}

static bool holds_lock(const struct holder_thread *who, uint64_t lock)
{
    for (uint32_t i = 0; i < who->lock_count && i < HOLDER_LOCKS; i++)
        if (who->locks[i] == lock)
            return true;
    return false;
}

// Whether each thread wants a lock that another of them holds: then they wait in a circle.
static bool is_circle(const struct hold_order *o, const struct instance *x)
{
    for (uint32_t i = 0; i < o->point_count; i++) {
        bool held = false;
        for (uint32_t k = 0; k < o->point_count; k++)
            held |= k != i && holds_lock(x->who[o->point[k].thread], x->address[o->point[i].variable]);
        if (!held)
            return false;
    }
    return true;
}

static void all_have_met(uint32_t o)
{
    struct hold_order *order = order_of(o);
    const struct instance *x = &orders.instance[o];
    for (uint32_t i = 0; i < order->point_count && order->point[i].kind == HOLD_LOCK; i++) {
        // It is held, or is the one that calls this.
        ((struct holder_thread *)(uintptr_t)x->who[order->point[i].thread])->stuck = o + 1;
        order->stuck = order->point_count;
    }
    came_about(o);
}

enum step { GOES_ON, WAITS };

static enum step meet(uint32_t o, uint32_t i)
{
    const struct hold_order *order = order_of(o);
    struct instance *x = &orders.instance[o];
    x->waiting |= 1u << i;
    if (x->waiting != (1u << order->point_count) - 1)
        return WAITS;
    if (order->point[0].kind == HOLD_LOCK && !is_circle(order, x)) {
        x->waiting &= ~(1u << i);
        x->number[order->point[i].thread] = 0;
        return GOES_ON;
    }
    all_have_met(o);
    return GOES_ON;
}

static enum step arrive_at(uint32_t o, uint32_t i, struct holder_thread *me, uint64_t address, uint64_t size)
{
    struct hold_order *order = order_of(o);
    struct instance *x = &orders.instance[o];
    const struct hold_point *p = &order->point[i];
    order->seen[i]++;
    if (order->confirmed >= holder.block->most_seen || order->held >= holder.block->most_held)
        return GOES_ON;
    if (is_stale(order, x, i, me))
        instance_reset(x);
    if ((x->passed | x->waiting) >> i & 1 || !fits_thread(order, x, p->thread, me->number) ||
        !fits_memory(x, p, address, size))
        return GOES_ON;
    if (!fits_region(x, p, i, me)) {
        if (!x->waiting && x->number[p->thread] == me->number)
            instance_reset(x);
        return GOES_ON;
    }
    instance_bind(x, p, me, address);
    if (order->meets)
        return meet(o, i);
    if (!must_wait(order, x, i))
        pass_point(o, i, me);
    else if (!p->gate || !holder.block->gates)
        return WAITS;
    return GOES_ON;
}

// The thread is about to take the lock that the point is done under. Which memory it is about will be known there.
static enum step arrive_at_gate(uint32_t o, uint32_t i, const struct holder_thread *me)
{
    struct hold_order *order = order_of(o);
    struct instance *x = &orders.instance[o];
    const struct hold_point *p = &order->point[i];
    if (order->confirmed >= holder.block->most_seen || order->held >= holder.block->most_held ||
        (x->passed | x->waiting) >> i & 1 || !must_wait(order, x, i) || !fits_thread(order, x, p->thread, me->number) ||
        !fits_region(x, p, i, me))
        return GOES_ON;
    x->number[p->thread] = me->number;
    x->who[p->thread] = me;
    return WAITS;
}

// A thread that could wait in several orders waits in the one for which that was done least; the others have to begin anew.
static void choose(struct hold_visit *best, bool *some, struct hold_visit other)
{
    struct hold_visit loser = other;
    if (!*some) {
        *best = other;
        *some = true;
        return;
    }
    if (order_of(other.order)->held < order_of(best->order)->held) {
        loser = *best;
        *best = other;
    }
    struct instance *x = &orders.instance[loser.order];
    x->waiting &= ~(1u << loser.point);
    if (!x->waiting)
        instance_reset(x);
}

bool orders_arrive(struct holder_thread *me, uint64_t address, uint64_t size, uint64_t pc, struct hold_visit *visit)
{
    bool some = false;
    if (!me->number)
        me->number = ++orders.numbers;
    for (uint32_t e = orders.head[head_of(pc)]; e != NOTHING; e = orders.entry[e].next) {
        uint32_t o = orders.entry[e].order, i = orders.entry[e].point;
        const struct hold_point *p = &order_of(o)->point[i];
        bool gate = orders.entry[e].gate;
        if ((gate ? p->gate : p->pc) == pc &&
            (gate ? arrive_at_gate(o, i, me) : arrive_at(o, i, me, address, size)) == WAITS)
            choose(visit, &some, (struct hold_visit){o, i, orders.instance[o].age, gate});
    }
    if (some) {
        orders.instance[visit->order].waiting |= 1u << visit->point;
        order_of(visit->order)->waits++;
    }
    return some;
}

bool orders_ready(struct holder_thread *me, const struct hold_visit *visit)
{
    struct instance *x = &orders.instance[visit->order];
    if (x->age != visit->age)
        return true;
    if (order_of(visit->order)->meets || must_wait(order_of(visit->order), x, visit->point))
        return false;
    x->waiting &= ~(1u << visit->point);
    if (!visit->gate)
        pass_point(visit->order, visit->point, me);
    return true;
}

void orders_give_up(const struct hold_visit *visit)
{
    struct hold_order *o = order_of(visit->order);
    struct instance *x = &orders.instance[visit->order];
    if (x->age != visit->age)
        return;
    o->held++;
    for (uint32_t i = 0; i < o->point_count; i++)
        if (i != visit->point && !((x->done | x->waiting) >> i & 1)) {
            o->missing = i;
            break;
        }
    x->waiting &= ~(1u << visit->point);
    instance_reset(x);
    holder_tell();
}
