#include "fuzz/oracle.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

// The plain interpreter. Its state holds nothing but what later steps depend on.
struct world {
    struct outcome at;          // pc, status, registers and cells as they stand
    uint8_t owner[MAX_MUTEXES]; // thread + 1, or 0
    uint8_t woken[MAX_THREADS];
    uint8_t once[MAX_ONCES]; // thread + 1 while it is at it
    uint8_t done[MAX_ONCES];
    uint8_t writer[MAX_RWLOCKS], reads[MAX_RWLOCKS][MAX_THREADS]; // thread + 1; how often each thread reads
    uint8_t sem[MAX_SEMS];
    uint8_t faults; // so far
};

struct enumeration {
    const struct program *p;
    struct set seen, *outcomes, *locals;
    uint32_t limit;
    bool exact; // the program tries locks: when exactly a mutex is let go can be seen
};

static bool local(struct world *w, uint32_t t, const struct instr *in)
{
    uint8_t *pc = &w->at.thread[t].pc, reg = w->at.thread[t].reg[in->reg];
    switch (in->code) {
    case DO_UNLOCK:
        if (w->owner[in->object] == t + 1)
            return false;
        break;
    case DO_DONE:
        if (w->once[in->object] == t + 1)
            return false;
        break;
    case DO_WAIT:
        if (w->owner[in->other] == t + 1)
            return false;
        break;
    case DO_RDLOCK:
    case DO_WRLOCK:
        if (w->writer[in->object] != t + 1)
            return false;
        break;
    case DO_RWUNLOCK:
        if (w->writer[in->object] == t + 1 || w->reads[in->object][t])
            return false;
        break;
    case DO_ASSUME:
        if (reg != in->value) {
            w->at.thread[t].status = IS_STOPPED;
            return true;
        }
        break;
    case DO_ASSERT:
        if (reg == in->value) {
            w->at.thread[t].status = IS_STOPPED;
            w->at.failed = 1;
            return true;
        }
        break;
    case DO_SKIP:
        if (reg == in->value)
            ++*pc;
        break;
    case DO_END:
        if (reg == in->value)
            *pc = MAX_CODE;
        break;
    default:
        return false;
    }
    ++*pc;
    return true;
}

static void settle(const struct program *p, struct world *w, uint32_t t)
{
    while (w->at.thread[t].status == IS_RUNNING) {
        const struct instr *in = program_at(p, t, w->at.thread[t].pc);
        if (!in) {
            w->at.thread[t].status = IS_ENDED;
            w->at.thread[t].pc = 0;
        } else if (!local(w, t, in)) {
            return;
        }
    }
}

static void start(const struct program *p, struct world *w, uint32_t t)
{
    if (w->at.thread[t].status != IS_ABSENT)
        return;
    w->at.thread[t].status = IS_RUNNING;
    settle(p, w, t);
}

// At the end of the process it does not matter whether a start or, if nobody tries locks, an unlock has been reached.
static void settle_silent(const struct program *p, struct world *w, bool unlocks)
{
    for (uint32_t t = 0; t < p->threads; t++) {
        if (unlocks && w->at.thread[t].status == IS_LEAVING)
            w->at.thread[t].status = w->woken[t] ? IS_WOKEN : IS_WAITING;
        const struct instr *in = program_at(p, t, w->at.thread[t].pc);
        if (w->at.thread[t].status != IS_RUNNING ||
            !(in->code == DO_START || in->code == DO_DONE || (unlocks && in->code == DO_UNLOCK)))
            continue;
        if (in->code == DO_START)
            start(p, w, in->object);
        else if (in->code == DO_DONE)
            w->once[in->object] = 0;
        else
            w->owner[in->object] = 0;
        w->at.thread[t].pc++;
        settle(p, w, t);
        t = UINT32_MAX; // from the beginning
    }
}

static void explore(struct enumeration *en, const struct world *w);

static void go(struct enumeration *en, struct world w, uint32_t t)
{
    if (w.at.thread[t].status == IS_RUNNING && !w.at.exited) {
        w.at.thread[t].pc++;
        settle(en->p, &w, t);
    }
    explore(en, &w);
}

static bool waits(const struct enumeration *en, const struct world *w, uint32_t t, uint32_t cond)
{
    uint8_t status = w->at.thread[t].status;
    if (status != IS_WAITING && (status != IS_LEAVING || w->woken[t]))
        return false;
    return program_at(en->p, t, w->at.thread[t].pc)->object == cond;
}

static void wake(struct world *w, uint32_t t)
{
    if (w->at.thread[t].status == IS_LEAVING)
        w->woken[t] = 1;
    else
        w->at.thread[t].status = IS_WOKEN;
}

static bool wake_some(struct enumeration *en, struct world w, uint32_t t, const struct instr *in)
{
    uint32_t n = 0;
    struct world all = w;
    for (uint32_t other = 0; other < en->p->threads; other++) {
        if (!waits(en, &w, other, in->object))
            continue;
        n++;
        wake(&all, other);
        if (in->code == DO_SIGNAL) {
            struct world one = w;
            wake(&one, other);
            go(en, one, t);
        }
    }
    if (!n || in->code == DO_BROADCAST)
        go(en, all, t);
    return true;
}

static void take(struct world *w, uint32_t t, uint32_t mutex)
{
    w->owner[mutex] = (uint8_t)(t + 1);
    w->at.thread[t].status = IS_RUNNING;
}

static bool is_read(const struct world *w, uint32_t lock)
{
    bool read = false;
    for (uint32_t t = 0; t < MAX_THREADS; t++)
        read |= w->reads[lock][t] > 0;
    return read;
}

// The last one to come lets the others through.
static void meet(const struct program *p, struct world *w, uint32_t t)
{
    uint32_t n = 1;
    for (uint32_t u = 0; u < p->threads; u++)
        n += w->at.thread[u].status == IS_ARRIVED;
    w->at.thread[t].status = IS_ARRIVED;
    for (uint32_t u = 0; u < p->threads && n >= p->barrier; u++) {
        if (w->at.thread[u].status != IS_ARRIVED)
            continue;
        w->at.thread[u].status = IS_RUNNING;
        w->at.thread[u].pc++;
        settle(p, w, u);
    }
}

// Everything thread t can do now; false if it can do nothing.
static bool step(struct enumeration *en, struct world w, uint32_t t)
{
    uint8_t status = w.at.thread[t].status, *reg = w.at.thread[t].reg;
    if (status != IS_RUNNING && status != IS_LEAVING && status != IS_WOKEN)
        return false;
    const struct instr *in = program_at(en->p, t, w.at.thread[t].pc);
    if (status == IS_LEAVING) {
        w.owner[in->other] = 0;
        w.at.thread[t].status = w.woken[t] ? IS_WOKEN : IS_WAITING;
        w.woken[t] = 0;
        explore(en, &w);
        return true;
    }
    uint8_t *cell = &w.at.cell[in->object], old = *cell;
    switch (in->code) {
    case DO_LOAD:
        reg[in->reg] = old;
        break;
    case DO_STORE:
        *cell = in->value;
        break;
    case DO_COPY:
        *cell = (uint8_t)(reg[in->reg] + in->value);
        break;
    case DO_ADD:
        reg[in->reg] = old;
        *cell = (uint8_t)(old + in->value);
        break;
    case DO_CAS:
        if (old == in->other)
            *cell = in->value;
        reg[in->reg] = old == in->other;
        break;
    case DO_CAS_REG: {
        bool equal = old == reg[in->reg];
        if (equal)
            *cell = (uint8_t)(old + in->value);
        reg[in->reg] = old;
        reg[in->other] = equal;
        break;
    }
    case DO_LOCK:
        if (w.owner[in->object])
            return false;
        take(&w, t, in->object);
        break;
    case DO_TRYLOCK:
        reg[in->reg] = !w.owner[in->object];
        if (!w.owner[in->object])
            take(&w, t, in->object);
        break;
    case DO_UNLOCK:
        w.owner[in->object] = 0;
        break;
    case DO_WAIT:
        if (status == IS_WOKEN) {
            if (w.owner[in->other])
                return false;
            take(&w, t, in->other);
            break;
        }
        w.at.thread[t].status = IS_LEAVING;
        explore(en, &w);
        return true;
    case DO_SIGNAL:
    case DO_BROADCAST:
        return wake_some(en, w, t, in);
    case DO_ONCE:
        if (w.once[in->object])
            return false;
        reg[in->reg] = !w.done[in->object];
        if (!w.done[in->object])
            w.once[in->object] = (uint8_t)(t + 1);
        w.done[in->object] = 1;
        break;
    case DO_DONE:
        w.once[in->object] = 0;
        break;
    case DO_RDLOCK:
        if (w.writer[in->object])
            return false;
        w.reads[in->object][t]++;
        break;
    case DO_WRLOCK:
        if (w.writer[in->object] || is_read(&w, in->object))
            return false;
        w.writer[in->object] = (uint8_t)(t + 1);
        break;
    case DO_RWUNLOCK:
        if (w.writer[in->object] == t + 1)
            w.writer[in->object] = 0;
        else
            w.reads[in->object][t]--;
        break;
    case DO_SEM_TRYWAIT:
        reg[in->reg] = w.sem[in->object] > 0;
        w.sem[in->object] -= w.sem[in->object] > 0;
        break;
    case DO_SEM_WAIT:
        if (!w.sem[in->object])
            return false;
        w.sem[in->object]--;
        break;
    case DO_SEM_POST:
        w.sem[in->object]++;
        break;
    case DO_BARRIER:
        meet(en->p, &w, t);
        explore(en, &w);
        return true;
    case DO_START:
        start(en->p, &w, in->object);
        break;
    case DO_JOIN:
        if (w.at.thread[in->object].status != IS_ENDED)
            return false;
        break;
    case DO_BACK:
        if (reg[in->reg] == in->value) {
            w.at.thread[t].pc = in->other;
            settle(en->p, &w, t);
            explore(en, &w);
            return true;
        }
        break;
    case DO_CHOOSE:
        for (uint8_t v = 0; v < in->value; v++) {
            reg[in->reg] = v;
            go(en, w, t);
        }
        return true;
    case DO_FAULT:
        for (uint8_t v = 0; v < 1 + (w.faults < en->p->faults); v++) {
            struct world then = w;
            then.at.thread[t].reg[in->reg] = v;
            then.faults = (uint8_t)(w.faults + v);
            go(en, then, t);
        }
        return true;
    case DO_EXIT:
        w.at.exited = 1;
        w.at.thread[t].status = IS_ENDED;
        w.at.thread[t].pc = 0;
        settle_silent(en->p, &w, !en->exact);
        break;
    }
    go(en, w, t);
    return true;
}

// At the end of the process nobody can tell that a thread that waits still has its mutex.
static uint64_t hash_end(const struct world *w, bool with_cells)
{
    struct outcome end = w->at;
    if (!with_cells)
        memset(end.cell, 0, sizeof end.cell);
    for (uint32_t t = 0; t < MAX_THREADS; t++)
        if (end.thread[t].status == IS_LEAVING)
            end.thread[t].status = w->woken[t] ? IS_WOKEN : IS_WAITING;
    return hash_bytes(&end, sizeof end);
}

static void explore(struct enumeration *en, const struct world *w)
{
    if (en->seen.count > en->limit || !set_add(&en->seen, hash_bytes(w, sizeof *w)))
        return;
    bool moved = false;
    for (uint32_t t = 0; t < en->p->threads && !w->at.exited; t++)
        moved |= step(en, *w, t);
    if (moved)
        return;
    set_add(en->outcomes, hash_end(w, true));
    if (en->locals)
        set_add(en->locals, hash_end(w, false));
}

bool oracle_outcomes(const struct program *p, struct set *outcomes, struct set *locals, uint32_t limit)
{
    struct enumeration en = {
        .p = p, .outcomes = outcomes, .locals = locals, .limit = limit, .exact = program_has(p, DO_TRYLOCK)};
    struct world w;
    memset(&w, 0, sizeof w);
    memcpy(w.sem, p->sem, sizeof w.sem);
    for (uint32_t t = 0; t < p->threads; t++)
        if (program_runs_at_first(p, t))
            start(p, &w, t);
    explore(&en, &w);
    bool whole = en.seen.count <= limit;
    set_free(&en.seen);
    return whole;
}

struct walk {
    struct machine *m;
    struct set seen, *found;
    uint32_t limit, bound;
    bool by_trace;
};

static bool can_go(struct machine *m, uint32_t actor)
{
    return exec_is_parked(&m->exec, actor) && m->target.ready(&m->target, actor);
}

// Whether the actor that ran last could have gone on: to its next operation, or to the failure that stopped it.
static bool could_go_on(struct machine *m, uint32_t last)
{
    return last && (can_go(m, last) || m->exec.actors[last].state == ACTOR_STOPPED);
}

static void walk(struct walk *w, uint32_t last, uint32_t spent)
{
    struct machine *m = w->m;
    struct {
        uint64_t state, last, spent;
    } key = {machine_hash(m), last, spent};
    uint64_t hash = w->by_trace ? m->now.trace : hash_bytes(&key, sizeof key);
    if (w->seen.count > w->limit || !set_add(&w->seen, hash))
        return;
    uint32_t depth = m->exec.count;
    bool moved = false, goes_on = could_go_on(m, last);
    for (uint32_t actor = 1; actor < m->exec.known; actor++) {
        if (!can_go(m, actor))
            continue;
        moved = true;
        uint32_t total = spent + (goes_on && actor != last && !w->by_trace);
        if (total > w->bound)
            continue;
        uint32_t alternatives = m->exec.actors[actor].pending.alternatives;
        for (uint32_t a = 0; a < alternatives; a++) {
            m->target.step(&m->target, actor, a);
            walk(w, w->by_trace ? 0 : actor, total);
            m->target.restart(&m->target, depth);
        }
    }
    if (!moved)
        set_add(w->found, w->by_trace ? m->now.trace : machine_outcome(m));
}

static bool walk_all(struct walk w)
{
    walk(&w, 0, 0);
    bool whole = w.seen.count <= w.limit;
    set_free(&w.seen);
    return whole;
}

bool oracle_traces(struct machine *m, struct set *traces, uint32_t limit)
{
    return walk_all((struct walk){.m = m, .found = traces, .limit = limit, .by_trace = true});
}

bool oracle_bounded(struct machine *m, uint32_t bound, struct set *outcomes, uint32_t limit)
{
    return walk_all((struct walk){.m = m, .found = outcomes, .limit = limit, .bound = bound});
}

// The machine's graph of states, as lists of edges.
struct graph {
    struct machine *m;
    uint64_t *state; // by number
    bool *ends;      // an end can be reached from it
    uint32_t (*edge)[2], states, edges, limit;
};

static uint32_t number_of(const struct graph *g, uint64_t state)
{
    uint32_t number = 0;
    while (number < g->states && g->state[number] != state)
        number++;
    return number;
}

static void draw(struct graph *g)
{
    struct machine *m = g->m;
    uint32_t depth = m->exec.count, number = g->states;
    if (g->states >= g->limit || g->edges + MAX_THREADS >= g->limit * 8 || depth + 1 >= MACHINE_STEPS) {
        g->states = g->limit;
        return;
    }
    g->state[g->states++] = machine_hash(m);
    g->ends[number] = machine_finished(m);
    for (uint32_t actor = 1; actor < m->exec.known; actor++) {
        uint32_t alternatives = can_go(m, actor) ? m->exec.actors[actor].pending.alternatives : 0;
        for (uint32_t a = 0; a < alternatives && g->states < g->limit && g->edges < g->limit * 8; a++) {
            m->target.step(&m->target, actor, a);
            uint32_t to = number_of(g, machine_hash(m));
            g->edge[g->edges][0] = number;
            g->edge[g->edges++][1] = to;
            if (to == g->states)
                draw(g);
            m->target.restart(&m->target, depth);
        }
    }
}

bool oracle_endless(struct machine *m, uint32_t limit, bool *endless)
{
    struct graph g = {.m = m, .limit = limit};
    g.state = calloc(limit + 1, sizeof *g.state);
    g.ends = calloc(limit + 1, sizeof *g.ends);
    g.edge = calloc(limit * 8 + MAX_THREADS, sizeof *g.edge);
    require(g.state && g.ends && g.edge);
    draw(&g);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < g.edges; i++) {
            if (!g.ends[g.edge[i][1]] || g.ends[g.edge[i][0]])
                continue;
            g.ends[g.edge[i][0]] = changed = true;
        }
    }
    *endless = false;
    for (uint32_t i = 0; i < g.states; i++)
        *endless |= !g.ends[i];
    free(g.state);
    free(g.ends);
    free(g.edge);
    return g.states < limit && g.edges < limit * 8;
}
