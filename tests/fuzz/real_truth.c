// The truth about programs of the second family: every interleaving of every instruction, with vector clocks by the
// rules of C11. The time of an instruction in its thread is its place there, plus 1; which ones a
// thread has done is a set of bits: nothing is forgotten.
#include "fuzz/real_plain.h"
#include "fuzz/real_run.h"

#include <string.h>

typedef uint8_t clocks[PLAIN_THREADS];

enum { OBJECTS = PLAIN_ATOMICS + PLAIN_MUTEXES };

struct world {
    uint8_t pc[PLAIN_THREADS], created[PLAIN_THREADS], half[PLAIN_THREADS]; // half: a copy has read
    uint16_t done[PLAIN_THREADS];
    uint8_t reg[PLAIN_THREADS][PLAIN_REGS];
    uint8_t atomic_write[PLAIN_THREADS][2]; // bits: which of its atomic instructions did write
    uint8_t owner[PLAIN_MUTEXES];
    uint8_t memory[PLAIN_BYTES], held[PLAIN_THREADS][16];
    clocks knows[PLAIN_THREADS], seen[PLAIN_THREADS], fenced[PLAIN_THREADS], passes[OBJECTS];
};

struct enumeration {
    const struct real_plain *p;
    struct plain_truth *truth;
    struct set seen;
    uint32_t limit;
    bool values;
};

static void join(clocks to, const clocks from)
{
    for (int i = 0; i < PLAIN_THREADS; i++)
        to[i] = to[i] > from[i] ? to[i] : from[i];
}

static bool acquires(int order)
{
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static bool releases(int order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static uint64_t bytes(uint32_t at, uint32_t size)
{
    return ((size == 64 ? 0 : 1ull << size) - 1) << at;
}

struct access {
    uint64_t reads, writes;
    bool atomic;
};

static struct access access_of(const struct world *w, uint32_t t, uint32_t pc, const struct plain_instr *in)
{
    uint64_t cell = bytes(ATOMICS_AT + 4u * in->at, 4);
    bool wrote = w->atomic_write[t][pc / 8] >> pc % 8 & 1;
    switch ((enum plain_code)in->code) {
    case PLAIN_READ:
        return (struct access){.reads = bytes(in->at, in->size)};
    case PLAIN_WRITE:
        return (struct access){.writes = bytes(in->at, in->size)};
    case PLAIN_COPY:
        return (struct access){.reads = bytes(in->from, in->size), .writes = bytes(in->at, in->size)};
    case PLAIN_LOAD:
        return (struct access){.reads = cell, .atomic = true};
    case PLAIN_STORE:
        return (struct access){.writes = cell, .atomic = true};
    case PLAIN_ADD:
    case PLAIN_CAS:
        return (struct access){.reads = cell, .writes = wrote ? cell : 0, .atomic = true};
    default:
        return (struct access){0};
    }
}

// The instruction is done: compares it with everything others have done that is not known to come before.
static void check_races(struct enumeration *en, const struct world *w, uint32_t t)
{
    struct access a = access_of(w, t, w->pc[t], &en->p->code[t][w->pc[t]]);
    for (uint32_t u = 0; u < en->p->threads; u++) {
        for (uint32_t pc = w->knows[t][u]; u != t && pc < en->p->length[u]; pc++) {
            struct access b = access_of(w, u, pc, &en->p->code[u][pc]);
            if (w->done[u] >> pc & 1 && !(a.atomic && b.atomic))
                en->truth->racy |= (a.writes & (b.reads | b.writes)) | (a.reads & b.writes);
        }
    }
}

static void explore(struct enumeration *en, const struct world *w);

static void next(struct enumeration *en, struct world *w, uint32_t t)
{
    check_races(en, w, t);
    w->done[t] |= (uint16_t)(1u << w->pc[t]);
    w->pc[t]++;
    w->half[t] = 0;
    memset(w->held[t], 0, sizeof w->held[t]);
    explore(en, w);
}

static void do_atomic(struct world *w, uint32_t t, const struct plain_instr *in)
{
    uint8_t *cell = &w->memory[ATOMICS_AT + 4 * in->at], old = *cell, *reg = &w->reg[t][in->reg];
    uint8_t *passes = w->passes[in->at];
    int order = in->order;
    bool writes = in->code != PLAIN_LOAD && !(in->code == PLAIN_CAS && old != in->from);
    // the other bytes of a cell differ from zero only where it is written plainly
    if (in->code == PLAIN_CAS && (cell[1] | cell[2] | cell[3]))
        writes = false;
    if (in->code == PLAIN_CAS && !writes)
        order = order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : order;
    if (in->code != PLAIN_STORE)
        join(acquires(order) ? w->knows[t] : w->seen[t], passes);
    if (in->code == PLAIN_LOAD || in->code == PLAIN_ADD)
        *reg = old;
    if (in->code == PLAIN_CAS)
        *reg = writes;
    if (!writes)
        return;
    w->atomic_write[t][w->pc[t] / 8] |= (uint8_t)(1u << w->pc[t] % 8);
    if (in->code == PLAIN_STORE)
        memset(passes, 0, sizeof(clocks));
    w->knows[t][t] = (uint8_t)(w->pc[t] + 1);
    join(passes, releases(order) ? w->knows[t] : w->fenced[t]);
    uint32_t whole;
    memcpy(&whole, cell, 4);
    bool adds = in->code == PLAIN_ADD && in->form == FORM_ADD, ors = in->code == PLAIN_ADD && in->form == FORM_OR;
    whole = adds ? whole + in->value : ors ? whole | in->value : in->value;
    memcpy(cell, &whole, 4);
}

static void do_fence(struct world *w, uint32_t t, int order)
{
    w->knows[t][t] = (uint8_t)(w->pc[t] + 1);
    if (acquires(order))
        join(w->knows[t], w->seen[t]);
    if (releases(order))
        memcpy(w->fenced[t], w->knows[t], sizeof(clocks));
}

static void do_plain(struct world *w, uint32_t t, const struct plain_instr *in)
{
    if (in->code == PLAIN_READ) {
        w->reg[t][in->reg] = w->memory[in->at];
    } else if (in->from) {
        uint64_t value = (uint64_t)w->reg[t][in->reg] + in->value;
        memcpy(&w->memory[in->at], &value, in->size);
    } else {
        memset(&w->memory[in->at], in->value, in->size);
    }
}

static void take(struct world *w, uint32_t t, uint32_t mutex)
{
    w->owner[mutex] = (uint8_t)(t + 1);
    join(w->knows[t], w->passes[PLAIN_ATOMICS + mutex]);
}

static void let_go(struct world *w, uint32_t t, uint32_t mutex)
{
    if (w->owner[mutex] != t + 1)
        return;
    w->owner[mutex] = 0;
    w->knows[t][t] = (uint8_t)(w->pc[t] + 1);
    memcpy(w->passes[PLAIN_ATOMICS + mutex], w->knows[t], sizeof(clocks));
}

static void create(struct world *w, uint32_t t, uint32_t child)
{
    w->created[child] = 1;
    w->knows[t][t] = (uint8_t)(w->pc[t] + 1);
    memcpy(w->knows[child], w->knows[t], sizeof(clocks));
}

static void step(struct enumeration *en, struct world w, uint32_t t)
{
    const struct plain_instr *in = &en->p->code[t][w.pc[t]];
    switch ((enum plain_code)in->code) {
    case PLAIN_READ:
    case PLAIN_WRITE:
        if (en->values)
            do_plain(&w, t, in);
        break;
    case PLAIN_COPY:
        if (en->values && !w.half[t]) {
            memcpy(w.held[t], &w.memory[in->from], in->size);
            w.half[t] = 1;
            explore(en, &w);
            return;
        }
        if (en->values)
            memcpy(&w.memory[in->at], w.held[t], in->size);
        break;
    case PLAIN_LOAD:
    case PLAIN_STORE:
    case PLAIN_ADD:
    case PLAIN_CAS:
        do_atomic(&w, t, in);
        break;
    case PLAIN_FENCE:
        do_fence(&w, t, in->order);
        break;
    case PLAIN_LOCK:
        take(&w, t, in->at);
        break;
    case PLAIN_TRYLOCK:
        w.reg[t][in->reg] = !w.owner[in->at];
        if (!w.owner[in->at])
            take(&w, t, in->at);
        break;
    case PLAIN_UNLOCK:
        let_go(&w, t, in->at);
        break;
    case PLAIN_SKIP:
        w.pc[t] += w.reg[t][in->reg] == in->value;
        break;
    case PLAIN_END:
        if (w.reg[t][in->reg] == in->value)
            w.pc[t] = PLAIN_CODE;
        break;
    case PLAIN_CREATE:
        create(&w, t, in->at);
        break;
    case PLAIN_JOIN:
        if (w.created[in->at])
            join(w.knows[t], w.knows[in->at]);
        break;
    }
    if (in->code == PLAIN_SKIP || in->code == PLAIN_END) { // looks at nothing but registers
        w.pc[t]++;
        explore(en, &w);
    } else {
        next(en, &w, t);
    }
}

static bool has_ended(const struct enumeration *en, const struct world *w, uint32_t t)
{
    return w->pc[t] >= en->p->length[t];
}

static bool can_go(const struct enumeration *en, const struct world *w, uint32_t t)
{
    const struct plain_instr *in = &en->p->code[t][w->pc[t]];
    if (in->code == PLAIN_LOCK)
        return !w->owner[in->at];
    return in->code != PLAIN_JOIN || !w->created[in->at] || has_ended(en, w, in->at);
}

static void note_outcome(struct enumeration *en, const struct world *w)
{
    uint8_t out[PLAIN_BYTES + PLAIN_THREADS * PLAIN_REGS + 8] = {0};
    uint64_t left = 0;
    memcpy(out, w->memory, PLAIN_BYTES);
    for (uint32_t t = 0; t < en->p->threads; t++)
        if (en->p->leader[t])
            left += plain_weight(w->reg[t]);
        else
            memcpy(out + PLAIN_BYTES + t * PLAIN_REGS, w->reg[t], PLAIN_REGS);
    memcpy(out + sizeof out - 8, &left, 8);
    set_add(&en->truth->outcomes, real_hash(out, sizeof out));
    memset(out, REAL_NO_CELL, PLAIN_BYTES);
    set_add(&en->truth->outcomes, real_hash(out, sizeof out));
    set_add(&en->truth->locals, real_hash(out, sizeof out));
}

static void explore(struct enumeration *en, const struct world *w)
{
    if (en->seen.count > en->limit || !set_add(&en->seen, hash_bytes(w, sizeof *w)))
        return;
    bool moved = false;
    for (uint32_t t = 0; t < en->p->threads; t++) {
        if (!w->created[t] || has_ended(en, w, t) || !can_go(en, w, t))
            continue;
        moved = true;
        struct world after = *w;
        if (en->p->code[t][w->pc[t]].code == PLAIN_JOIN && w->created[en->p->code[t][w->pc[t]].at]) {
            // all that the other has done comes before, the last of it too
            uint32_t other = en->p->code[t][w->pc[t]].at;
            after.knows[other][other] = PLAIN_CODE + 1;
        }
        step(en, after, t);
    }
    if (has_ended(en, w, 0))
        note_outcome(en, w);
    else if (!moved)
        en->truth->deadlock = true;
}

bool real_plain_truth(const struct real_plain *p, bool values, struct plain_truth *truth, uint32_t limit)
{
    struct enumeration en = {.p = p, .truth = truth, .limit = limit, .values = values};
    struct world w;
    memset(&w, 0, sizeof w);
    w.created[0] = 1;
    explore(&en, &w);
    bool whole = en.seen.count <= limit;
    set_free(&en.seen);
    return whole;
}
