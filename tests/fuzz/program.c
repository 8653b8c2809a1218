#include "fuzz/program.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/fail.h"

uint64_t splitmix(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t hash_bytes(const void *bytes, size_t n)
{
    return XXH3_64bits(bytes, n);
}

struct maker {
    struct program *p;
    uint64_t state;
    uint32_t language, cells, mutexes, conds;
};

static uint8_t below(struct maker *m, uint32_t n)
{
    return (uint8_t)(splitmix(&m->state) % n);
}

void program_add(struct program *p, uint32_t thread, struct instr instr)
{
    require(p->length[thread] < MAX_CODE);
    p->code[thread][p->length[thread]++] = instr;
}

static void add_atomic(struct maker *m, uint32_t t)
{
    struct instr in = {
        .object = below(m, m->cells), .reg = below(m, MAX_REGS), .value = below(m, 3), .other = below(m, 2)};
    static const uint8_t codes[] = {DO_LOAD, DO_LOAD, DO_STORE, DO_STORE, DO_COPY,
                                    DO_ADD,  DO_ADD,  DO_CAS,   DO_CAS,   DO_CAS_REG};
    in.code = codes[below(m, sizeof codes)];
    in.releases = in.code >= DO_ADD && below(m, 2);
    if (in.code == DO_LOAD && below(m, 3) == 0) { // what was read decides what is done
        program_add(m->p, t, in);
        in = (struct instr){.code = below(m, 3) ? DO_SKIP : DO_END, .reg = in.reg, .value = below(m, 2)};
    }
    program_add(m->p, t, in);
}

// A critical section, sometimes left open, sometimes around another.
static void add_section(struct maker *m, uint32_t t, uint32_t depth)
{
    uint8_t mutex = below(m, m->mutexes), reg = below(m, MAX_REGS);
    if (m->language & WITH_TRYLOCK && below(m, 2)) {
        program_add(m->p, t, (struct instr){.code = DO_TRYLOCK, .object = mutex, .reg = reg});
        if (below(m, 2))
            program_add(m->p, t, (struct instr){.code = DO_SKIP, .reg = reg, .value = 0});
    } else {
        program_add(m->p, t, (struct instr){.code = DO_LOCK, .object = mutex});
    }
    if (m->language & WITH_COND && below(m, 2))
        program_add(m->p, t, (struct instr){.code = DO_WAIT, .object = below(m, m->conds), .other = mutex});
    else if (m->mutexes > 1 && depth == 0 && below(m, 3) == 0)
        add_section(m, t, 1);
    else if (below(m, 4))
        add_atomic(m, t);
    if (below(m, 12))
        program_add(m->p, t, (struct instr){.code = DO_UNLOCK, .object = mutex});
}

static void add_once(struct maker *m, uint32_t t)
{
    uint8_t once = below(m, MAX_ONCES), reg = below(m, MAX_REGS);
    program_add(m->p, t, (struct instr){.code = DO_ONCE, .object = once, .reg = reg});
    if (below(m, 2))
        program_add(m->p, t, (struct instr){.code = DO_SKIP, .reg = reg, .value = 0});
    if (below(m, 4))
        add_atomic(m, t);
    if (below(m, 12))
        program_add(m->p, t, (struct instr){.code = DO_DONE, .object = once});
}

static void add_rw_section(struct maker *m, uint32_t t)
{
    uint8_t lock = below(m, 4) == 0;
    program_add(m->p, t, (struct instr){.code = below(m, 5) < 3 ? DO_RDLOCK : DO_WRLOCK, .object = lock});
    if (below(m, 4))
        add_atomic(m, t);
    if (below(m, 12))
        program_add(m->p, t, (struct instr){.code = DO_RWUNLOCK, .object = lock});
}

static void add_sem(struct maker *m, uint32_t t)
{
    uint8_t sem = below(m, 4) == 0, reg = below(m, MAX_REGS);
    static const uint8_t codes[] = {DO_SEM_WAIT, DO_SEM_WAIT, DO_SEM_POST, DO_SEM_POST, DO_SEM_TRYWAIT};
    uint8_t code = codes[below(m, sizeof codes)];
    program_add(m->p, t, (struct instr){.code = code, .object = sem, .reg = reg});
    if (code == DO_SEM_POST || below(m, 2)) // else it is used like a lock
        return;
    add_atomic(m, t);
    program_add(m->p, t, (struct instr){.code = DO_SEM_POST, .object = sem});
}

// Goes round until something is read, or for ever.
static void add_loop(struct maker *m, uint32_t t)
{
    uint8_t from = (uint8_t)m->p->length[t], reg = below(m, MAX_REGS);
    if (m->language & WITH_MUTEX && below(m, 3) == 0)
        add_section(m, t, 1);
    else if (below(m, 3) == 0)
        add_atomic(m, t);
    program_add(m->p, t, (struct instr){.code = DO_LOAD, .object = below(m, m->cells), .reg = reg});
    program_add(m->p, t, (struct instr){.code = DO_BACK, .reg = reg, .value = below(m, 2), .other = from});
}

static void add_something(struct maker *m, uint32_t t)
{
    if (m->language & WITH_LOOPS && below(m, 3) == 0) {
        add_loop(m, t);
        return;
    }
    uint32_t kind = below(m, 16);
    uint8_t reg = below(m, MAX_REGS);
    uint32_t waits = m->language & (WITH_RWLOCK | WITH_SEM | WITH_BARRIER) ? below(m, 6) : 6;
    if (waits < 2 && m->language & WITH_RWLOCK)
        add_rw_section(m, t);
    else if (waits >= 2 && waits < 4 && m->language & WITH_SEM)
        add_sem(m, t);
    else if (waits == 4 && m->language & WITH_BARRIER)
        program_add(m->p, t, (struct instr){.code = DO_BARRIER});
    else if (kind < 5 && m->language & (WITH_MUTEX | WITH_TRYLOCK | WITH_COND))
        add_section(m, t, 0);
    else if (kind < 8 && m->language & WITH_COND)
        program_add(m->p, t,
                    (struct instr){.code = below(m, 4) ? DO_SIGNAL : DO_BROADCAST, .object = below(m, m->conds)});
    else if (kind == 8 && m->language & WITH_CHOOSE)
        program_add(m->p, t, (struct instr){.code = DO_CHOOSE, .reg = reg, .value = (uint8_t)(2 + below(m, 2))});
    else if (kind >= 13 && m->language & WITH_FAULTS)
        program_add(m->p, t, (struct instr){.code = DO_FAULT, .reg = reg});
    else if (kind == 9 && m->language & WITH_STOP)
        program_add(m->p, t, (struct instr){.code = DO_ASSUME, .reg = reg, .value = below(m, 2)});
    else if (kind == 10 && m->language & WITH_STOP)
        program_add(m->p, t, (struct instr){.code = DO_ASSERT, .reg = reg, .value = (uint8_t)(1 + below(m, 2))});
    else if (kind >= 12 && kind < 14 && m->language & WITH_THREADS)
        program_add(m->p, t, (struct instr){.code = DO_JOIN, .object = below(m, m->p->threads)});
    else if (kind >= 14 && m->language & WITH_ONCE)
        add_once(m, t);
    else if (kind == 11 && m->language & WITH_EXIT)
        program_add(m->p, t, (struct instr){.code = DO_EXIT});
    else
        add_atomic(m, t);
}

// Lets some threads be started by others.
static void add_starts(struct maker *m)
{
    struct program *p = m->p;
    for (uint32_t child = 1; child < p->threads; child++) {
        if (below(m, 3) == 0)
            continue;
        uint32_t parent = below(m, child), at = below(m, p->length[parent] + 1);
        program_add(p, parent, (struct instr){0});
        memmove(&p->code[parent][at + 1], &p->code[parent][at], (p->length[parent] - 1 - at) * sizeof(struct instr));
        p->code[parent][at] = (struct instr){.code = DO_START, .object = (uint8_t)child};
    }
}

void program_random(struct program *p, uint32_t language, uint64_t seed)
{
    memset(p, 0, sizeof *p);
    struct maker m = {.p = p, .state = seed * 256 + language, .language = language};
    static const uint8_t longest[] = {0, 0, 5, 4, 3, 3};
    p->threads = 2 + below(&m, 4);
    m.cells = 1 + below(&m, 3);
    m.mutexes = 1 + below(&m, 2);
    m.conds = 1 + below(&m, 4) / 3;
    for (uint32_t t = 0; t < p->threads; t++)
        for (uint32_t n = 1 + below(&m, longest[p->threads]); n > 0; n--)
            add_something(&m, t);
    if (language & WITH_THREADS)
        add_starts(&m);
    for (uint32_t i = 0; i < MAX_SEMS && language & WITH_SEM; i++)
        p->sem[i] = below(&m, 3);
    if (language & WITH_BARRIER)
        p->barrier = (uint8_t)(2 + below(&m, p->threads - 1));
    if (language & WITH_FAULTS)
        p->faults = (uint8_t)(1 + below(&m, 4) / 3);
}

void program_delete(struct program *p, uint32_t thread, uint32_t at)
{
    uint32_t after = --p->length[thread] - at;
    memmove(&p->code[thread][at], &p->code[thread][at + 1], after * sizeof p->code[thread][0]);
}

void program_delete_thread(struct program *p, uint32_t thread)
{
    p->threads--;
    for (uint32_t t = thread; t < p->threads; t++) {
        memcpy(p->code[t], p->code[t + 1], sizeof p->code[t]);
        p->length[t] = p->length[t + 1];
    }
    for (uint32_t t = 0; t < p->threads; t++) {
        for (uint32_t i = p->length[t]; i-- > 0;) {
            struct instr *in = &p->code[t][i];
            if (in->code != DO_START && in->code != DO_JOIN)
                continue;
            if (in->object == thread)
                program_delete(p, t, i);
            else if (in->object > thread)
                in->object--;
        }
    }
}

bool program_runs_at_first(const struct program *p, uint32_t thread)
{
    for (uint32_t t = 0; t < p->threads; t++)
        for (uint32_t i = 0; i < p->length[t]; i++)
            if (p->code[t][i].code == DO_START && p->code[t][i].object == thread)
                return false;
    return true;
}

bool program_has(const struct program *p, enum code code)
{
    for (uint32_t t = 0; t < p->threads; t++)
        for (uint32_t i = 0; i < p->length[t]; i++)
            if (p->code[t][i].code == code)
                return true;
    return false;
}

uint32_t program_users(const struct program *p, enum code code)
{
    uint32_t users = 0;
    for (uint32_t t = 0; t < p->threads; t++) {
        bool uses = false;
        for (uint32_t i = 0; i < p->length[t]; i++)
            uses |= p->code[t][i].code == code;
        users += uses;
    }
    return users;
}

void program_print(const struct program *p, FILE *out)
{
    if (program_has(p, DO_SEM_WAIT) || program_has(p, DO_SEM_TRYWAIT))
        fprintf(out, "  at first: s0=%u; s1=%u\n", p->sem[0], p->sem[1]);
    if (program_has(p, DO_BARRIER))
        fprintf(out, "  barrier for %u\n", p->barrier);
    if (program_has(p, DO_FAULT))
        fprintf(out, "  at most %u fault%s\n", p->faults, p->faults == 1 ? "" : "s");
    for (uint32_t t = 0; t < p->threads; t++) {
        fprintf(out, "  thread %u:", t + 1);
        for (uint32_t i = 0; i < p->length[t]; i++) {
            struct instr in = p->code[t][i];
            unsigned o = in.object, r = in.reg, v = in.value, w = in.other;
            const char *release = in.releases ? "release " : "";
            switch (in.code) {
            case DO_LOAD:
                fprintf(out, " r%u=c%u;", r, o);
                break;
            case DO_STORE:
                fprintf(out, " c%u=%u;", o, v);
                break;
            case DO_COPY:
                fprintf(out, " c%u=r%u+%u;", o, r, v);
                break;
            case DO_ADD:
                fprintf(out, " r%u=%sadd(c%u,%u);", r, release, o, v);
                break;
            case DO_CAS:
                fprintf(out, " r%u=%scas(c%u,%u,%u);", r, release, o, w, v);
                break;
            case DO_CAS_REG:
                fprintf(out, " r%u=%scas(c%u,r%u,r%u+%u);", w, release, o, r, r, v);
                break;
            case DO_LOCK:
                fprintf(out, " lock(m%u);", o);
                break;
            case DO_UNLOCK:
                fprintf(out, " unlock(m%u);", o);
                break;
            case DO_TRYLOCK:
                fprintf(out, " r%u=trylock(m%u);", r, o);
                break;
            case DO_WAIT:
                fprintf(out, " wait(v%u,m%u);", o, w);
                break;
            case DO_SIGNAL:
                fprintf(out, " signal(v%u);", o);
                break;
            case DO_BROADCAST:
                fprintf(out, " broadcast(v%u);", o);
                break;
            case DO_CHOOSE:
                fprintf(out, " r%u=choose(%u);", r, v);
                break;
            case DO_FAULT:
                fprintf(out, " r%u=fault();", r);
                break;
            case DO_ONCE:
                fprintf(out, " r%u=once(o%u);", r, o);
                break;
            case DO_DONE:
                fprintf(out, " done(o%u);", o);
                break;
            case DO_START:
                fprintf(out, " start(%u);", o + 1);
                break;
            case DO_JOIN:
                fprintf(out, " join(%u);", o + 1);
                break;
            case DO_EXIT:
                fprintf(out, " exit;");
                break;
            case DO_ASSUME:
                fprintf(out, " assume(r%u==%u);", r, v);
                break;
            case DO_ASSERT:
                fprintf(out, " assert(r%u!=%u);", r, v);
                break;
            case DO_SKIP:
                fprintf(out, " if(r%u!=%u)", r, v);
                break;
            case DO_END:
                fprintf(out, " if(r%u==%u) end;", r, v);
                break;
            case DO_RDLOCK:
                fprintf(out, " rdlock(w%u);", o);
                break;
            case DO_WRLOCK:
                fprintf(out, " wrlock(w%u);", o);
                break;
            case DO_RWUNLOCK:
                fprintf(out, " rwunlock(w%u);", o);
                break;
            case DO_SEM_WAIT:
                fprintf(out, " sem_wait(s%u);", o);
                break;
            case DO_SEM_TRYWAIT:
                fprintf(out, " r%u=sem_trywait(s%u);", r, o);
                break;
            case DO_SEM_POST:
                fprintf(out, " sem_post(s%u);", o);
                break;
            case DO_BARRIER:
                fprintf(out, " barrier;");
                break;
            case DO_BACK:
                fprintf(out, " if(r%u==%u) goto %u;", r, v, w);
                break;
            }
        }
        fprintf(out, "\n");
    }
}

static uint32_t find(const struct set *set, uint64_t hash)
{
    uint32_t at = (uint32_t)hash & (set->limit - 1);
    while (set->slot[at] && set->slot[at] != hash)
        at = (at + 1) & (set->limit - 1);
    return at;
}

static void grow(struct set *set)
{
    struct set old = *set;
    set->limit = old.limit ? old.limit * 2 : 64;
    set->slot = calloc(set->limit, sizeof *set->slot);
    require(set->slot);
    for (uint32_t i = 0; i < old.limit; i++)
        if (old.slot[i])
            set->slot[find(set, old.slot[i])] = old.slot[i];
    free(old.slot);
}

bool set_add(struct set *set, uint64_t hash)
{
    hash += !hash; // an empty slot is 0
    if (set->count * 2 >= set->limit)
        grow(set);
    uint32_t at = find(set, hash);
    if (set->slot[at])
        return false;
    set->slot[at] = hash;
    set->count++;
    return true;
}

bool set_has(const struct set *set, uint64_t hash)
{
    hash += !hash;
    return set->limit && set->slot[find(set, hash)];
}

bool set_equal(const struct set *a, const struct set *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->limit; i++)
        if (a->slot[i] && !set_has(b, a->slot[i]))
            return false;
    return true;
}

void set_free(struct set *set)
{
    free(set->slot);
    *set = (struct set){0};
}
