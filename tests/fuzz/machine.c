#include "fuzz/machine.h"

#include <string.h>

#include "base/fail.h"
#include "base/mem.h"

enum {
    FIRST_CELL = 1,
    FIRST_MUTEX = FIRST_CELL + MAX_CELLS,
    FIRST_COND = FIRST_MUTEX + MAX_MUTEXES,
    FIRST_ONCE = FIRST_COND + MAX_CONDS,
    FIRST_RWLOCK = FIRST_ONCE + MAX_ONCES,
    FIRST_SEM = FIRST_RWLOCK + MAX_RWLOCKS,
    THE_BARRIER = FIRST_SEM + MAX_SEMS,
    OBJECTS
};

static struct machine *self(struct target *target)
{
    return (struct machine *)target;
}

static uint32_t actor_of(const struct machine *m, uint32_t thread)
{
    return m->now.thread[thread].actor;
}

static uint32_t thread_of(const struct machine *m, uint32_t actor)
{
    uint32_t t = 0;
    while (m->now.thread[t].actor != actor)
        t++;
    return t;
}

// Actor 0 makes the threads that run from the beginning, and is gone.
static void start(struct machine *m, uint32_t parent, uint32_t thread)
{
    m->now.thread[thread].actor = (uint8_t)exec_create(&m->exec, parent);
    m->now.thread[thread].status = IS_RUNNING;
}

static uint32_t waiters(const struct machine *m, uint32_t cond, uint32_t *out)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < m->program->threads; t++) {
        const struct machine_thread *th = &m->now.thread[t];
        bool waits = th->status == IS_WAITING || (th->status == IS_LEAVING && !th->woken);
        if (waits && th->cond == cond)
            out[n++] = t;
    }
    return n;
}

static void park(struct machine *m, uint32_t t, enum op_kind kind, uint32_t object, uint32_t alternatives)
{
    struct op op = {.kind = (uint8_t)kind, .alternatives = (uint16_t)alternatives, .object = object};
    exec_park(&m->exec, actor_of(m, t), op);
}

static void park_signal(struct machine *m, uint32_t t, uint32_t cond)
{
    uint32_t who[MAX_THREADS];
    uint32_t n = waiters(m, cond, who);
    park(m, t, OP_SIGNAL, FIRST_COND + cond, n ? n : 1);
}

// Signals that are pending choose among those who wait now.
static void renew_signals(struct machine *m, uint32_t cond)
{
    for (uint32_t t = 0; t < m->program->threads; t++) {
        const struct machine_thread *th = &m->now.thread[t];
        const struct instr *in = program_at(m->program, t, th->pc);
        if (th->status == IS_RUNNING && exec_is_parked(&m->exec, actor_of(m, t)) && in->code == DO_SIGNAL &&
            in->object == cond)
            park_signal(m, t, cond);
    }
}

static void park_fault(struct machine *m, uint32_t t)
{
    park(m, t, OP_FAULT, 0, m->now.faults < m->program->faults ? 2 : 1);
}

// Calls that are pending may fail only if faults are left.
static void renew_faults(struct machine *m)
{
    for (uint32_t t = 0; t < m->program->threads; t++) {
        const struct machine_thread *th = &m->now.thread[t];
        const struct instr *in = program_at(m->program, t, th->pc);
        if (th->status == IS_RUNNING && exec_is_parked(&m->exec, actor_of(m, t)) && in->code == DO_FAULT)
            park_fault(m, t);
    }
}

static uint32_t readers(const struct machine *m, uint32_t lock)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < m->program->threads; t++)
        n += m->now.reads[lock][t];
    return n;
}

// Whether more threads use the barrier than go through at once: then their order matters.
static bool crowded(const struct machine *m)
{
    return program_users(m->program, DO_BARRIER) > m->program->barrier;
}

static void park_at(struct machine *m, uint32_t t, const struct instr *in)
{
    static const uint8_t kinds[DO_KINDS] = {
        [DO_LOAD] = OP_LOAD,
        [DO_STORE] = OP_STORE,
        [DO_COPY] = OP_STORE,
        [DO_ADD] = OP_RMW,
        [DO_CAS] = OP_CAS,
        [DO_CAS_REG] = OP_CAS,
        [DO_LOCK] = OP_LOCK,
        [DO_UNLOCK] = OP_UNLOCK,
        [DO_TRYLOCK] = OP_TRYLOCK,
        [DO_WAIT] = OP_WAIT,
        [DO_BROADCAST] = OP_BROADCAST,
        [DO_CHOOSE] = OP_CHOOSE,
        [DO_EXIT] = OP_EXIT,
        [DO_RDLOCK] = OP_RDLOCK,
        [DO_WRLOCK] = OP_WRLOCK,
        [DO_SEM_WAIT] = OP_SEM_WAIT,
        [DO_SEM_TRYWAIT] = OP_SEM_TRYWAIT,
        [DO_SEM_POST] = OP_SEM_POST,
    };
    switch (in->code) {
    case DO_SIGNAL:
        park_signal(m, t, in->object);
        return;
    case DO_CHOOSE:
        park(m, t, OP_CHOOSE, 0, in->value);
        return;
    case DO_FAULT:
        park_fault(m, t);
        return;
    case DO_ONCE:
        park(m, t, OP_ONCE, FIRST_ONCE + in->object, 1);
        return;
    case DO_JOIN:
        park(m, t, OP_JOIN, 0, 1);
        return;
    case DO_BACK:
        park(m, t, OP_YIELD, 0, 1);
        return;
    case DO_EXIT:
        park(m, t, OP_EXIT, 0, 1);
        return;
    case DO_LOCK:
    case DO_UNLOCK:
    case DO_TRYLOCK:
        park(m, t, kinds[in->code], FIRST_MUTEX + in->object, 1);
        return;
    case DO_WAIT:
    case DO_BROADCAST:
        park(m, t, kinds[in->code], FIRST_COND + in->object, 1);
        return;
    case DO_RDLOCK:
    case DO_WRLOCK:
        park(m, t, kinds[in->code], FIRST_RWLOCK + in->object, 1);
        return;
    case DO_SEM_WAIT:
    case DO_SEM_TRYWAIT:
    case DO_SEM_POST:
        park(m, t, kinds[in->code], FIRST_SEM + in->object, 1);
        return;
    case DO_BARRIER:
        park(m, t, crowded(m) ? OP_CROWDED_BARRIER : OP_BARRIER, THE_BARRIER, 1);
        return;
    default:
        park(m, t, kinds[in->code], FIRST_CELL + in->object, 1);
        return;
    }
}

static void leave(struct machine *m, uint32_t t, enum status status)
{
    m->now.thread[t].status = (uint8_t)status;
    enum actor_state state = status == IS_ENDED ? ACTOR_ENDED : status == IS_STOPPED ? ACTOR_STOPPED : ACTOR_WAITING;
    exec_leave(&m->exec, actor_of(m, t), state);
}

static void let_go(struct machine *m, uint32_t t, uint32_t mutex)
{
    m->now.owner[mutex] = 0;
    exec_release(&m->exec, actor_of(m, t), FIRST_MUTEX + mutex);
}

static void unlock_rw(struct machine *m, uint32_t t, uint32_t lock)
{
    if (m->now.writer[lock] == actor_of(m, t)) {
        m->now.writer[lock] = 0;
        exec_release(&m->exec, actor_of(m, t), FIRST_RWLOCK + lock);
    } else if (m->now.reads[lock][t]) {
        m->now.reads[lock][t]--;
        exec_release_shared(&m->exec, actor_of(m, t), FIRST_RWLOCK + lock);
    }
}

static void run_on(struct machine *m, uint32_t t);

// Carries out an instruction that no other thread can notice; false if it needs a step.
static bool silent(struct machine *m, uint32_t t, const struct instr *in)
{
    struct machine_thread *th = &m->now.thread[t];
    uint8_t reg = th->reg[in->reg];
    switch (in->code) {
    case DO_UNLOCK:
        if (m->now.owner[in->object] == actor_of(m, t)) {
            if (m->visible_unlock)
                return false;
            let_go(m, t, in->object);
        }
        break;
    case DO_DONE:
        if (m->now.once[in->object] == actor_of(m, t)) {
            m->now.once[in->object] = ONCE_DONE;
            exec_release(&m->exec, actor_of(m, t), FIRST_ONCE + in->object);
        }
        break;
    case DO_START:
        if (m->now.thread[in->object].status == IS_ABSENT) {
            start(m, actor_of(m, t), in->object);
            run_on(m, in->object);
        }
        break;
    case DO_WAIT:
        if (m->now.owner[in->other] == actor_of(m, t))
            return false;
        break;
    case DO_ASSUME:
    case DO_ASSERT:
        if ((reg == in->value) != (in->code == DO_ASSUME)) {
            m->now.failed |= in->code == DO_ASSERT;
            leave(m, t, IS_STOPPED);
            return true;
        }
        break;
    case DO_SKIP:
        th->pc += reg == in->value;
        break;
    case DO_END:
        if (reg == in->value)
            th->pc = MAX_CODE;
        break;
    case DO_RDLOCK:
    case DO_WRLOCK:
        if (m->now.writer[in->object] != actor_of(m, t))
            return false;
        break;
    case DO_RWUNLOCK:
        unlock_rw(m, t, in->object);
        break;
    default:
        return false;
    }
    th->pc++;
    return true;
}

static void run_on(struct machine *m, uint32_t t)
{
    struct machine_thread *th = &m->now.thread[t];
    for (;;) {
        const struct instr *in = program_at(m->program, t, th->pc);
        if (!in) {
            leave(m, t, IS_ENDED);
            return;
        }
        if (!silent(m, t, in)) {
            park_at(m, t, in);
            return;
        }
        if (th->status == IS_STOPPED)
            return;
    }
}

static void wake(struct machine *m, uint32_t t, uint32_t event)
{
    struct machine_thread *th = &m->now.thread[t];
    clock_id clock = m->exec.events[event].clock;
    if (th->status ==
        IS_LEAVING) { // it will learn of this when it has let go of the mutex, which does not depend on it
        th->woken = 1;
        th->waker = clock;
        return;
    }
    th->status = IS_WOKEN;
    exec_learn(&m->exec, actor_of(m, t), clock);
    park(m, t, OP_LOCK, FIRST_MUTEX + th->mutex, 1);
}

static enum effect change(uint8_t *cell, uint8_t value, bool releases)
{
    bool same = *cell == value;
    *cell = value;
    return same && !releases ? EFFECT_READ : EFFECT_WRITE;
}

// What the instruction does to its cell and registers.
static enum effect access(struct machine *m, uint32_t t, const struct instr *in)
{
    uint8_t *reg = m->now.thread[t].reg, *cell = &m->now.cell[in->object], old = *cell;
    switch (in->code) {
    case DO_LOAD:
        reg[in->reg] = old;
        return EFFECT_READ;
    case DO_STORE:
        *cell = in->value;
        return EFFECT_WRITE;
    case DO_COPY:
        *cell = (uint8_t)(reg[in->reg] + in->value);
        return EFFECT_WRITE;
    case DO_ADD:
        reg[in->reg] = old;
        return change(cell, (uint8_t)(old + in->value), in->releases);
    case DO_CAS:
        reg[in->reg] = old == in->other;
        return old == in->other ? change(cell, in->value, in->releases) : EFFECT_READ;
    default: {
        bool equal = old == reg[in->reg];
        enum effect effect = equal ? change(cell, (uint8_t)(old + in->value), in->releases) : EFFECT_READ;
        reg[in->reg] = old;
        reg[in->other] = equal;
        return effect;
    }
    }
}

static uint32_t append(struct machine *m, uint32_t t, enum effect effect, uint32_t alternative)
{
    struct exec *x = &m->exec;
    uint32_t number = exec_append(x, actor_of(m, t), effect, alternative);
    const struct event *e = &x->events[number];
    struct {
        uint32_t head[6], lanes[MAX_THREADS + 1];
    } key = {.head = {t, e->index, e->kind, e->object, e->effect, e->alternative}};
    for (uint32_t other = 0; other < m->program->threads;
         other++) // by thread: actors have other numbers in other searches
        if (actor_of(m, other))
            key.lanes[other] = clock_lane(&x->clocks, e->clock, actor_of(m, other));
    m->now.trace += hash_bytes(&key, sizeof key);
    return number;
}

static void step_wait(struct machine *m, uint32_t t, const struct instr *in)
{
    struct machine_thread *th = &m->now.thread[t];
    append(m, t, EFFECT_ADD, 0);
    th->cond = in->object;
    th->mutex = in->other;
    th->woken = 0;
    if (m->visible_unlock) {
        th->status = IS_LEAVING;
        park(m, t, OP_UNLOCK, FIRST_MUTEX + th->mutex, 1);
    } else {
        let_go(m, t, th->mutex);
        leave(m, t, IS_WAITING);
    }
    renew_signals(m, in->object);
}

// The second step of a wait, where it has two.
static void step_leave(struct machine *m, uint32_t t)
{
    struct machine_thread *th = &m->now.thread[t];
    append(m, t, EFFECT_WRITE, 0);
    let_go(m, t, th->mutex);
    if (!th->woken) {
        leave(m, t, IS_WAITING);
        return;
    }
    th->status = IS_WOKEN;
    exec_learn(&m->exec, actor_of(m, t), th->waker);
    th->waker = 0;
    th->woken = 0;
    park(m, t, OP_LOCK, FIRST_MUTEX + th->mutex, 1);
}

static void step_wake(struct machine *m, uint32_t t, const struct instr *in, uint32_t alternative)
{
    uint32_t who[MAX_THREADS];
    uint32_t n = waiters(m, in->object, who);
    uint32_t event = append(m, t, n ? EFFECT_WRITE : EFFECT_READ, alternative);
    if (in->code == DO_SIGNAL && n)
        wake(m, who[alternative], event);
    else
        for (uint32_t i = 0; i < n; i++)
            wake(m, who[i], event);
    m->now.thread[t].pc++;
    run_on(m, t);
    renew_signals(m, in->object);
}

static void step_mutex(struct machine *m, uint32_t t, const struct instr *in)
{
    struct machine_thread *th = &m->now.thread[t];
    uint32_t mutex = th->status == IS_WOKEN ? th->mutex : in->object;
    uint8_t *owner = &m->now.owner[mutex];
    if (th->status == IS_WOKEN || in->code == DO_LOCK) {
        require(!*owner);
        append(m, t, EFFECT_WRITE, 0);
        *owner = (uint8_t)actor_of(m, t);
        th->status = IS_RUNNING;
    } else if (in->code == DO_TRYLOCK) {
        th->reg[in->reg] = !*owner;
        uint32_t event = append(m, t, *owner ? EFFECT_READ : EFFECT_WRITE, 0);
        if (!*owner) {
            exec_hold(&m->exec, FIRST_MUTEX + mutex, event);
            *owner = (uint8_t)actor_of(m, t);
        }
    } else {
        append(m, t, EFFECT_WRITE, 0);
        let_go(m, t, mutex);
    }
    th->pc++;
    run_on(m, t);
}

static void step_rw(struct machine *m, uint32_t t, const struct instr *in)
{
    append(m, t, in->code == DO_WRLOCK ? EFFECT_WRITE : EFFECT_READ, 0);
    if (in->code == DO_WRLOCK)
        m->now.writer[in->object] = (uint8_t)actor_of(m, t);
    else
        m->now.reads[in->object][t]++;
}

static void step_sem(struct machine *m, uint32_t t, const struct instr *in)
{
    uint8_t *count = &m->now.sem[in->object];
    bool posts = in->code == DO_SEM_POST, goes = posts || *count;
    uint32_t event = append(m, t, goes ? EFFECT_WRITE : EFFECT_READ, 0), object = FIRST_SEM + in->object;
    if (in->code == DO_SEM_TRYWAIT)
        m->now.thread[t].reg[in->reg] = goes;
    if (!goes)
        return;
    if (*count) // somebody else could have waited in front of this
        exec_hold(&m->exec, object, event);
    *count = (uint8_t)(posts ? *count + 1 : *count - 1);
    exec_release(&m->exec, actor_of(m, t), object);
}

// Everybody who came knows what all the others knew, and has to take one more step.
static void let_through(struct machine *m, const uint32_t *who, uint32_t n)
{
    for (uint32_t i = 0; i + 1 < n; i++)
        exec_learn(&m->exec, actor_of(m, who[n - 1]), m->exec.actors[actor_of(m, who[i])].clock);
    for (uint32_t i = 0; i < n; i++) {
        exec_learn(&m->exec, actor_of(m, who[i]), m->exec.actors[actor_of(m, who[n - 1])].clock);
        m->now.thread[who[i]].status = IS_WOKEN;
        park(m, who[i], OP_YIELD, 0, 1);
    }
}

static void step_barrier(struct machine *m, uint32_t t)
{
    struct machine_thread *th = &m->now.thread[t];
    uint32_t who[MAX_THREADS], n = 0;
    if (th->status == IS_WOKEN) {
        append(m, t, EFFECT_NONE, 0);
        th->status = IS_RUNNING;
        th->pc++;
        run_on(m, t);
        return;
    }
    append(m, t, crowded(m) ? EFFECT_WRITE : EFFECT_ADD, 0);
    leave(m, t, IS_ARRIVED);
    for (uint32_t other = 0; other < m->program->threads; other++)
        if (m->now.thread[other].status == IS_ARRIVED)
            who[n++] = other;
    if (n >= m->program->barrier)
        let_through(m, who, n);
}

static void machine_step(struct target *target, uint32_t actor, uint32_t alternative)
{
    struct machine *m = self(target);
    uint32_t t = thread_of(m, actor);
    const struct instr *in = program_at(m->program, t, m->now.thread[t].pc);
    struct machine_thread *th = &m->now.thread[t];
    require(exec_is_parked(&m->exec, actor) && target->ready(target, actor));
    require(alternative < m->exec.actors[actor].pending.alternatives);
    m->saved[m->exec.count] = m->now;
    if (th->status == IS_LEAVING) {
        step_leave(m, t);
        return;
    }
    switch (in->code) {
    case DO_WAIT:
        if (th->status == IS_WOKEN)
            step_mutex(m, t, in);
        else
            step_wait(m, t, in);
        return;
    case DO_LOCK:
    case DO_TRYLOCK:
    case DO_UNLOCK:
        step_mutex(m, t, in);
        return;
    case DO_SIGNAL:
    case DO_BROADCAST:
        step_wake(m, t, in, alternative);
        return;
    case DO_EXIT:
        append(m, t, EFFECT_ALL, 0);
        m->now.exited = 1;
        leave(m, t, IS_ENDED);
        return;
    case DO_ONCE:
        th->reg[in->reg] = !m->now.once[in->object];
        append(m, t, m->now.once[in->object] ? EFFECT_READ : EFFECT_WRITE, 0);
        if (!m->now.once[in->object])
            m->now.once[in->object] = (uint8_t)actor;
        break;
    case DO_RDLOCK:
    case DO_WRLOCK:
        step_rw(m, t, in);
        break;
    case DO_SEM_WAIT:
    case DO_SEM_TRYWAIT:
    case DO_SEM_POST:
        step_sem(m, t, in);
        break;
    case DO_BARRIER:
        step_barrier(m, t);
        return;
    case DO_JOIN:
        exec_learn(&m->exec, actor, m->exec.actors[actor_of(m, in->object)].clock);
        append(m, t, EFFECT_NONE, 0);
        break;
    case DO_BACK:
        append(m, t, EFFECT_NONE, 0);
        th->pc = (uint8_t)(th->reg[in->reg] == in->value ? in->other : th->pc + 1);
        run_on(m, t);
        return;
    case DO_CHOOSE:
        append(m, t, EFFECT_NONE, alternative);
        th->reg[in->reg] = (uint8_t)alternative;
        break;
    case DO_FAULT:
        append(m, t, EFFECT_NONE, alternative);
        th->reg[in->reg] = (uint8_t)alternative;
        m->now.faults = (uint8_t)(m->now.faults + alternative);
        th->pc++;
        run_on(m, t);
        renew_faults(m);
        return;
    default: {
        enum effect effect = access(m, t, in);
        append(m, t, effect, 0);
    }
    }
    th->pc++;
    run_on(m, t);
}

static bool machine_ready(struct target *target, uint32_t actor)
{
    struct machine *m = self(target);
    struct op op = m->exec.actors[actor].pending;
    if (m->now.exited)
        return false;
    if (op.kind == OP_JOIN) {
        uint32_t t = thread_of(m, actor);
        return m->now.thread[program_at(m->program, t, m->now.thread[t].pc)->object].status == IS_ENDED;
    }
    if (op.kind == OP_RDLOCK || op.kind == OP_WRLOCK)
        return !m->now.writer[op.object - FIRST_RWLOCK] &&
               (op.kind == OP_RDLOCK || !readers(m, op.object - FIRST_RWLOCK));
    if (op.kind == OP_SEM_WAIT)
        return m->now.sem[op.object - FIRST_SEM] > 0;
    if (op.kind == OP_ONCE)
        return m->now.once[op.object - FIRST_ONCE] == 0 || m->now.once[op.object - FIRST_ONCE] == ONCE_DONE;
    return op.kind != OP_LOCK || !m->now.owner[op.object - FIRST_MUTEX];
}

// What an instruction on a cell would have done, had it found there what another found.
static enum foresight machine_foresee(struct target *target, uint32_t event, uint32_t like)
{
    struct machine *m = self(target);
    const struct event *e = &m->exec.events[event];
    if ((e->kind != OP_CAS && e->kind != OP_RMW) || !op_table[m->exec.events[like].kind].access)
        return FORESEE_NOTHING;
    const struct machine_state now = m->now;
    m->now = m->saved[event];
    uint32_t t = thread_of(m, e->actor);
    const struct instr *in = program_at(m->program, t, m->now.thread[t].pc);
    memcpy(m->now.cell, m->saved[like].cell, sizeof m->now.cell);
    bool changes = access(m, t, in) != EFFECT_READ;
    m->now = now;
    return changes ? FORESEE_A_CHANGE : FORESEE_A_LOOK;
}

// The machine does the same each time, so no plan may expect anything else.
static void machine_surprise(struct target *target, uint32_t actor, struct op expected)
{
    (void)target;
    (void)actor;
    (void)expected;
    fail_at(__FILE__, __LINE__, "a plan expects an operation that its actor does not do");
}

static void machine_restart(struct target *target, uint32_t events)
{
    struct machine *m = self(target);
    if (events < m->exec.count)
        m->now = m->saved[events];
    exec_cut(&m->exec, events);
}

void machine_init(struct machine *m, const struct program *program)
{
    memset(m, 0, sizeof *m);
    exec_init(&m->exec, MACHINE_STEPS, OBJECTS);
    m->target = (struct target){.exec = &m->exec,
                                .ready = machine_ready,
                                .step = machine_step,
                                .restart = machine_restart,
                                .foresee = machine_foresee,
                                .surprise = machine_surprise};
    m->program = program;
    m->visible_unlock = program_has(program, DO_TRYLOCK);
    memcpy(m->now.sem, program->sem, sizeof m->now.sem);
    m->saved = mem_reserve((MACHINE_STEPS + 1) * sizeof *m->saved);
    for (uint32_t t = 0; t < program->threads; t++)
        if (program_runs_at_first(program, t))
            start(m, 0, t);
    exec_leave(&m->exec, 0, ACTOR_ENDED);
    for (uint32_t t = 0; t < program->threads; t++)
        if (program_runs_at_first(program, t))
            run_on(m, t);
}

void machine_free(struct machine *m)
{
    exec_free(&m->exec);
    mem_release(m->saved, (MACHINE_STEPS + 1) * sizeof *m->saved);
}

bool machine_finished(struct machine *m)
{
    for (uint32_t actor = 0; actor < m->exec.known; actor++)
        if (exec_is_parked(&m->exec, actor) && machine_ready(&m->target, actor))
            return false;
    return true;
}

static uint64_t hash_outcome(const struct machine *m, bool with_cells)
{
    struct outcome out = {.failed = m->now.failed, .exited = m->now.exited};
    if (with_cells)
        memcpy(out.cell, m->now.cell, sizeof out.cell);
    for (uint32_t t = 0; t < m->program->threads; t++) {
        const struct machine_thread *th = &m->now.thread[t];
        out.thread[t].status = th->status;
        if (th->status == IS_LEAVING) // at the end of the process nobody can tell that it still has its mutex
            out.thread[t].status = th->woken ? IS_WOKEN : IS_WAITING;
        out.thread[t].pc = th->status == IS_ENDED ? 0 : th->pc;
        memcpy(out.thread[t].reg, th->reg, sizeof th->reg);
    }
    return hash_bytes(&out, sizeof out);
}

uint64_t machine_outcome(const struct machine *m)
{
    return hash_outcome(m, true);
}

uint64_t machine_local_outcome(const struct machine *m)
{
    return hash_outcome(m, false);
}

uint64_t machine_hash(const struct machine *m)
{
    struct machine_state state = m->now;
    state.trace = 0;
    for (uint32_t t = 0; t < MAX_THREADS; t++)
        state.thread[t].waker = 0;
    return hash_bytes(&state, sizeof state);
}
