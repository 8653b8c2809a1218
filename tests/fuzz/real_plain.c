#include "fuzz/real_plain.h"
#include "fuzz/real_run.h"

#include <string.h>

#include "base/fail.h"

struct maker {
    struct real_plain *p;
    uint64_t state;
    bool values, mixed, unchanged, wide, exchange, alike;
    bool messages; // threads meet at few bytes
};

static uint8_t below(struct maker *m, uint32_t n)
{
    return (uint8_t)(splitmix(&m->state) % n);
}

static void insert(struct real_plain *p, uint32_t t, uint32_t at, struct plain_instr in)
{
    require(p->length[t] < PLAIN_CODE);
    memmove(&p->code[t][at + 1], &p->code[t][at], (p->length[t] - at) * sizeof in);
    p->code[t][at] = in;
    p->length[t]++;
}

static void add(struct maker *m, uint32_t t, struct plain_instr in)
{
    insert(m->p, t, m->p->length[t], in);
}

// Some bytes of plain memory that belong together.
static void choose_bytes(struct maker *m, struct plain_instr *in)
{
    static const struct {
        uint8_t at, size;
    } fields[] = {{0, 4},  {8, 4},  {0, 4},  {16, 1}, {17, 1}, {18, 2}, {20, 4}, {16, 8}, {24, 8}, {24, 4}, {28, 4},
                  {26, 2}, {24, 1}, {25, 1}, {27, 1}, {31, 1}, {32, 8}, {40, 8}, {30, 2}, {29, 2}, {18, 4}, {25, 4}};
    static const struct {
        uint8_t at, size;
    } wide[] = {{32, 16}, {36, 8}, {39, 2}, {30, 4}, {17, 15}};
    uint32_t which = m->messages ? (uint32_t)(below(m, 3) ? 8 : 11) : below(m, 22);
    in->at = fields[which].at;
    in->size = fields[which].size;
    if (m->wide && !m->messages && below(m, m->values ? 4 : 10) == 0) { // beyond the end of a word
        which = below(m, 5);
        in->at = wide[which].at;
        in->size = wide[which].size;
    }
    if (m->mixed && below(m, 4) == 0) {
        in->at = (uint8_t)(ATOMICS_AT + 4 * below(m, PLAIN_ATOMICS));
        in->size = 4;
    }
}

static void add_plain(struct maker *m, uint32_t t)
{
    struct plain_instr in = {.reg = below(m, PLAIN_REGS), .value = (uint8_t)(1 + below(m, 2)), .form = below(m, 4)};
    choose_bytes(m, &in);
    in.code = below(m, 2) ? PLAIN_WRITE : PLAIN_READ;
    in.from = in.code == PLAIN_WRITE && m->values && in.size <= 4 && below(m, 3) == 0;
    if (in.size > 8 || (!m->messages && below(m, 6) == 0)) {
        struct plain_instr from = in;
        for (int tries = 0; tries < 50; tries++) {
            choose_bytes(m, &from);
            bool apart = from.at + in.size <= in.at || in.at + in.size <= from.at;
            if (from.size == in.size && apart)
                break;
        }
        from.at = from.size == in.size && (from.at + in.size <= in.at || in.at + in.size <= from.at) ? from.at
                  : in.at + in.size <= 24                                                            ? 24
                                                                                                     : 0;
        in.code = PLAIN_COPY;
        in.from = from.at;
    }
    add(m, t, in);
    if (m->values && in.code == PLAIN_READ && below(m, 3) == 0)
        add(m, t, (struct plain_instr){.code = PLAIN_SKIP, .reg = in.reg, .value = below(m, 3)});
}

static void add_atomic(struct maker *m, uint32_t t)
{
    static const uint8_t orders[] = {__ATOMIC_RELAXED, __ATOMIC_RELAXED, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELEASE, __ATOMIC_ACQ_REL, __ATOMIC_SEQ_CST};
    struct plain_instr in = {
        .at = below(m, PLAIN_ATOMICS), .reg = below(m, PLAIN_REGS), .value = below(m, 3), .from = below(m, 2)};
    in.order = orders[below(m, 6)];
    in.code = (uint8_t)(PLAIN_LOAD + below(m, 5));
    bool decides = m->values || !m->mixed; // what the cell holds may decide what is done
    if (in.code == PLAIN_CAS && !decides)
        in.code = PLAIN_ADD;
    if (in.code == PLAIN_LOAD && (in.order == __ATOMIC_RELEASE || in.order == __ATOMIC_ACQ_REL))
        in.order = __ATOMIC_ACQUIRE;
    if (in.code == PLAIN_STORE && (in.order == __ATOMIC_ACQUIRE || in.order == __ATOMIC_ACQ_REL))
        in.order = __ATOMIC_RELEASE;
    if (in.code == PLAIN_FENCE && in.order == __ATOMIC_RELAXED)
        in.order = __ATOMIC_SEQ_CST;
    if (!m->unchanged && in.code == PLAIN_ADD)
        in.value |= !in.value;
    if (!m->unchanged && in.code == PLAIN_CAS && in.value == in.from)
        in.value++;
    if (m->exchange && in.code == PLAIN_ADD)
        in.form = below(m, FORMS);
    add(m, t, in);
    if (in.code != PLAIN_STORE && in.code != PLAIN_FENCE && decides && below(m, 2))
        add(m, t, (struct plain_instr){.code = PLAIN_SKIP, .reg = in.reg, .value = below(m, 2)});
}

static void add_section(struct maker *m, uint32_t t)
{
    uint8_t mutex = below(m, PLAIN_MUTEXES), reg = below(m, PLAIN_REGS);
    if (below(m, 4) == 0) {
        add(m, t, (struct plain_instr){.code = PLAIN_TRYLOCK, .at = mutex, .reg = reg});
        add(m, t, (struct plain_instr){.code = PLAIN_SKIP, .reg = reg, .value = 0});
    } else {
        add(m, t, (struct plain_instr){.code = PLAIN_LOCK, .at = mutex});
    }
    add_plain(m, t);
    if (below(m, 10))
        add(m, t, (struct plain_instr){.code = PLAIN_UNLOCK, .at = mutex});
}

static void add_fence(struct maker *m, uint32_t t, uint8_t usual)
{
    const uint8_t orders[] = {usual, usual, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE, __ATOMIC_ACQ_REL, __ATOMIC_SEQ_CST};
    if (below(m, 4))
        add(m, t, (struct plain_instr){.code = PLAIN_FENCE, .order = orders[below(m, 6)]});
}

static struct plain_instr message(struct maker *m, uint8_t usual)
{
    const uint8_t orders[] = {__ATOMIC_RELAXED, __ATOMIC_RELAXED, __ATOMIC_RELAXED, usual, __ATOMIC_SEQ_CST};
    return (struct plain_instr){
        .at = below(m, 5) == 0, .reg = below(m, PLAIN_REGS), .value = 1, .order = orders[below(m, 5)]};
}

// A message is passed: something plain, then an atomic that says so.
static void add_publish(struct maker *m, uint32_t t)
{
    add_plain(m, t);
    add_fence(m, t, __ATOMIC_RELEASE);
    struct plain_instr in = message(m, __ATOMIC_RELEASE);
    in.code = below(m, 2) ? PLAIN_STORE : PLAIN_ADD;
    if (m->exchange) {
        static const uint8_t codes[] = {PLAIN_STORE, PLAIN_ADD, PLAIN_ADD, PLAIN_CAS};
        in.code = codes[below(m, 4)];
        in.form = in.code == PLAIN_ADD ? below(m, FORMS) : 0;
        in.value = below(m, 4) == 0;
    }
    add(m, t, in);
}

// The message is taken, or nothing is done; a read-modify-write passes it on.
static void add_take(struct maker *m, uint32_t t)
{
    struct plain_instr in = message(m, __ATOMIC_ACQUIRE);
    in.code = below(m, 3) ? PLAIN_LOAD : PLAIN_ADD;
    add(m, t, in);
    if (!m->exchange || below(m, 4) == 0)
        add(m, t, (struct plain_instr){.code = PLAIN_END, .reg = in.reg, .value = 0});
    if (below(m, 3) == 0) // two messages
        add(m, t, (struct plain_instr){.code = PLAIN_END, .reg = in.reg, .value = 1});
    add_fence(m, t, __ATOMIC_ACQUIRE);
    add_plain(m, t);
}

static void add_threads(struct maker *m)
{
    struct real_plain *p = m->p;
    const bool joined = m->alike && below(m, 4); // all of them, in a row
    for (uint32_t child = 1; child < p->threads; child++) {
        uint32_t parent = m->alike || below(m, 3) ? 0 : below(m, child);
        uint32_t at = (m->messages || m->alike) && below(m, 4) ? 0 : below(m, p->length[parent] + 1u);
        if (m->values) // nothing may leave it out
            while (at > 0 && p->code[parent][at - 1].code == PLAIN_SKIP)
                at--;
        insert(p, parent, at, (struct plain_instr){.code = PLAIN_CREATE, .at = (uint8_t)child});
        if (m->values || joined || below(m, 4)) {
            uint32_t later =
                m->values || joined || below(m, 2) ? p->length[parent] : at + 1 + below(m, p->length[parent] - at);
            if (m->values && p->code[parent][later - 1].code == PLAIN_SKIP)
                p->length[parent]--, later--;
            insert(p, parent, later, (struct plain_instr){.code = PLAIN_JOIN, .at = (uint8_t)child});
        }
    }
}

// An access of theirs that can be made at the element of an array, or a write of something, or PLAIN_CODE if there is none.
static uint8_t telling_place(struct maker *m, uint32_t leader, enum plain_telling telling)
{
    const struct real_plain *p = m->p;
    for (uint32_t tries = 0; tries < 20 && p->length[leader]; tries++) {
        uint8_t at = below(m, p->length[leader]);
        const struct plain_instr *in = &p->code[leader][at];
        if (telling == TELLS_PLACE
                ? (in->code == PLAIN_READ || in->code == PLAIN_WRITE) && !(in->code == PLAIN_WRITE && in->from)
                : in->code == PLAIN_STORE || in->code == PLAIN_ADD)
            return at;
    }
    return PLAIN_CODE;
}

// All threads but main run the code of the first of them, or all but one.
static void make_alike(struct maker *m)
{
    struct real_plain *p = m->p;
    uint32_t leader = p->threads > 3 && below(m, 3) == 0 ? 2 : 1;
    p->telling = (enum plain_telling)below(m, PLAIN_TELLINGS);
    p->told_at = p->telling >= TELLS_PLACE ? telling_place(m, leader, p->telling) : PLAIN_CODE;
    if (p->told_at == PLAIN_CODE && p->telling >= TELLS_PLACE)
        p->telling = TELLS_UNUSED;
    struct plain_instr *told = p->told_at < PLAIN_CODE ? &p->code[leader][p->told_at] : NULL;
    if (told && p->telling == TELLS_PLACE)
        told->at = 32, told->size = 8, told->form = 1;
    for (uint32_t t = leader; t < p->threads; t++) {
        p->leader[t] = (uint8_t)(leader + 1);
        p->length[t] = p->length[leader];
        memcpy(p->code[t], p->code[leader], sizeof p->code[t]);
        if (told && p->telling == TELLS_PLACE)
            p->code[t][p->told_at].at = (uint8_t)(32 + 8 * ((t - leader) % 2));
        if (told && p->telling == TELLS_VALUE)
            p->code[t][p->told_at].value = (uint8_t)(told->value + (t - leader));
    }
}

uint64_t plain_weight(const uint8_t *registers)
{
    uint64_t all = registers[0] | (uint64_t)registers[1] << 8 | (uint64_t)registers[2] << 16;
    all = (all + 1) * 0x9e3779b97f4a7c15u;
    all = (all ^ all >> 31) * 0xbf58476d1ce4e5b9u;
    return all ^ all >> 29;
}

void real_plain_random(struct real_plain *p, uint32_t language, uint64_t seed)
{
    memset(p, 0, sizeof *p);
    struct maker m = {.p = p,
                      .state = seed * 16 + language,
                      .values = language & WITH_VALUES,
                      .mixed = language & WITH_MIXED,
                      .unchanged = language & WITH_UNCHANGED,
                      .wide = language & WITH_WIDE,
                      .exchange = language & WITH_EXCHANGE,
                      .alike = language & WITH_ALIKE};
    p->threads = m.alike ? 3u + below(&m, 2) : 2u + below(&m, 3);
    uint32_t longest = p->threads == 2 ? 6 : p->threads == 3 ? 4 : 3;
    m.messages = !m.values && !m.mixed && below(&m, 2);
    for (uint32_t t = 0; t < p->threads; t++) {
        uint32_t most = t ? longest : 3;
        if (m.messages) {
            t + 1 < p->threads &&below(&m, 4) ? add_publish(&m, t) : add_take(&m, t);
            continue;
        }
        while (p->length[t] < most && below(&m, 8)) {
            if (p->length[t] + 4 > most + 2 || below(&m, 3))
                below(&m, 2) ? add_plain(&m, t) : add_atomic(&m, t);
            else
                add_section(&m, t);
        }
    }
    if (m.alike)
        make_alike(&m);
    add_threads(&m);
}

bool real_plain_joins_all(const struct real_plain *p)
{
    uint32_t handled = 0;
    for (uint32_t t = 0; t < p->threads; t++) {
        for (uint32_t i = 0; i < p->length[t]; i++) {
            struct plain_instr in = p->code[t][i];
            if ((in.code == PLAIN_CREATE || in.code == PLAIN_JOIN) && (!i || p->code[t][i - 1].code != PLAIN_SKIP))
                handled |= 1u << (2 * in.at + (in.code == PLAIN_JOIN));
        }
    }
    return handled == (1u << 2 * p->threads) - 4;
}

const char *plain_name(uint32_t byte)
{
    static const char *const names[] = {"memory.p0",   "memory.p1",   "memory.s", "memory.u",
                                        "memory.w[0]", "memory.w[1]", "memory.a", "memory.a"};
    return names[byte / 8];
}

// ---- as C ----

void real_plain_print_memory(FILE *out)
{
    fprintf(out, "static struct {\n"
                 "    int p0, gap0, p1, gap1;\n"
                 "    struct { uint8_t a, b; uint16_t c; uint32_t d; } s;\n"
                 "    union { uint64_t w; uint32_t h[2]; uint16_t q[4]; uint8_t b[8]; } u;\n"
                 "    uint64_t w[2];\n"
                 "    _Atomic int a[3];\n"
                 "    int gap2;\n"
                 "} memory __attribute__((aligned(64)));\n"
                 "static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\n"
                 "static uint8_t regs[4][4], *rp[4];\n"
                 "static _Atomic uint64_t left;\n"
                 "__attribute__((unused)) static uint64_t weight(const uint8_t *r)\n"
                 "{\n"
                 "    uint64_t all = r[0] | (uint64_t)r[1] << 8 | (uint64_t)r[2] << 16;\n"
                 "    all = (all + 1) * 0x9e3779b97f4a7c15u; all = (all ^ all >> 31) * 0xbf58476d1ce4e5b9u;\n"
                 "    return all ^ all >> 29;\n"
                 "}\n"
                 "typedef uint8_t __attribute__((may_alias)) u1;\n"
                 "typedef uint16_t __attribute__((may_alias)) u2;\n"
                 "typedef uint32_t __attribute__((may_alias)) u4;\n"
                 "typedef uint64_t __attribute__((may_alias)) u8;\n"
                 "typedef uint16_t __attribute__((may_alias, aligned(1))) n2;\n"
                 "typedef uint32_t __attribute__((may_alias, aligned(1))) n4;\n"
                 "typedef uint64_t __attribute__((may_alias, aligned(1))) n8;\n"
                 "typedef u1 n1;\n"
                 "#define AT(at) ((void *)((char *)&memory + (at)))\n"
                 "static volatile int zero_;\n"
                 "UNSEEN static size_t hidden(size_t n) { return n + zero_; }\n\n");
}

static const char *order_name(int order)
{
    static const char *const names[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
    return names[order];
}

static const char *failure_order(int order)
{
    return order == __ATOMIC_SEQ_CST                                ? "seq_cst"
           : order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL ? "acquire"
                                                                    : "relaxed";
}

static void print_copy(struct plain_instr in, FILE *out)
{
    bool power = in.size <= 8 && !(in.size & (in.size - 1));
    if (in.form == 0)
        fprintf(out, "memcpy(AT(%u), AT(%u), hidden(%u));", in.at, in.from, in.size);
    else if (in.form == 1 || !power)
        fprintf(out, "memcpy(AT(%u), AT(%u), %u);", in.at, in.from, in.size);
    else
        fprintf(out, "*(n%u *)AT(%u) = *(n%u *)AT(%u);", in.size, in.at, in.size, in.from);
}

// What the instruction is that tells threads of one function apart.
static void print_telling(struct plain_instr in, FILE *out)
{
    unsigned r = in.reg, v = in.value;
    static const char *const rmws[FORMS] = {"fetch_add", "exchange", "fetch_or"};
    if (in.code == PLAIN_READ)
        fprintf(out, "r[%u] = *(u8 *)AT(32 + 8 * ((long)unused %% 2));", r);
    else if (in.code == PLAIN_WRITE)
        fprintf(out, "*(u8 *)AT(32 + 8 * ((long)unused %% 2)) = 0x%llx;", 0x0101010101010101ull * v);
    else if (in.code == PLAIN_STORE)
        fprintf(out, "atomic_store_explicit(&memory.a[%u], %u + (int)(long)unused, memory_order_%s);", in.at, v,
                order_name(in.order));
    else
        fprintf(out, "r[%u] = atomic_%s_explicit(&memory.a[%u], %u + (int)(long)unused, memory_order_%s);", r,
                rmws[in.form], in.at, v, order_name(in.order));
}

static void print_instr(struct plain_instr in, FILE *out)
{
    unsigned at = in.at, r = in.reg, v = in.value;
    const char *order = order_name(in.order);
    static const char *const rmws[FORMS] = {"fetch_add", "exchange", "fetch_or"};
    char kind = in.size && in.form && at % in.size == 0 ? 'u' : 'n';
    switch ((enum plain_code)in.code) {
    case PLAIN_READ:
        fprintf(out, "r[%u] = *(%c%u *)AT(%u);", r, kind, in.size, at);
        break;
    case PLAIN_WRITE:
        if (in.from)
            fprintf(out, "*(%c%u *)AT(%u) = r[%u] + %u;", kind, in.size, at, r, v);
        else
            fprintf(out, "*(%c%u *)AT(%u) = 0x%llx;", kind, in.size, at,
                    0x0101010101010101ull * v >> (64 - 8 * in.size));
        break;
    case PLAIN_COPY:
        print_copy(in, out);
        break;
    case PLAIN_LOAD:
        fprintf(out, "r[%u] = atomic_load_explicit(&memory.a[%u], memory_order_%s);", r, at, order);
        break;
    case PLAIN_STORE:
        fprintf(out, "atomic_store_explicit(&memory.a[%u], %u, memory_order_%s);", at, v, order);
        break;
    case PLAIN_ADD:
        fprintf(out, "r[%u] = atomic_%s_explicit(&memory.a[%u], %u, memory_order_%s);", r, rmws[in.form], at, v, order);
        break;
    case PLAIN_CAS:
        fprintf(out,
                "{ int e = %u; r[%u] = atomic_compare_exchange_strong_explicit(&memory.a[%u], &e, %u, memory_order_%s, "
                "memory_order_%s); }",
                in.from, r, at, v, order, failure_order(in.order));
        break;
    case PLAIN_FENCE:
        fprintf(out, "atomic_thread_fence(memory_order_%s);", order);
        break;
    case PLAIN_LOCK:
        fprintf(out, "pthread_mutex_lock(&m[%u]); own |= %u;", at, 1u << at);
        break;
    case PLAIN_UNLOCK:
        fprintf(out, "if (own & %u) { own &= ~%u; pthread_mutex_unlock(&m[%u]); }", 1u << at, 1u << at, at);
        break;
    case PLAIN_TRYLOCK:
        fprintf(out, "r[%u] = pthread_mutex_trylock(&m[%u]) == 0; if (r[%u]) own |= %u;", r, at, r, 1u << at);
        break;
    default:
        break;
    }
}

static bool has_alike(const struct real_plain *p)
{
    for (uint32_t t = 0; t < p->threads; t++)
        if (p->leader[t])
            return true;
    return false;
}

static void print_create(const struct real_plain *p, uint32_t k, uint32_t t, FILE *out)
{
    uint32_t leader = p->leader[t] ? p->leader[t] - 1u : t;
    fprintf(out, "pthread_create(&h[%u], NULL, thread%u_%u, (void *)%uL);", t, k, leader,
            p->telling == TELLS_NOTHING ? 0 : t - leader);
}

// What is left of the registers. Threads of one function leave a sum, in an order that nobody can tell.
static void print_end(const struct real_plain *p, uint32_t t, FILE *out)
{
    if (p->leader[t])
        fprintf(out, "    atomic_fetch_add_explicit(&left, weight(r), memory_order_relaxed);\n");
    else
        fprintf(out, "    for (int i = 0; i < 3; i++) regs[%u][i] = r[i];\n    rp[%u] = NULL;\n", t, t);
}

static void print_body(const struct real_plain *p, uint32_t k, uint32_t t, FILE *out)
{
    fprintf(out, "    uint8_t r[4] = {0}; unsigned own = 0; pthread_t h[4] = {0};");
    if (!has_alike(p)) // a pointer to main's stack would tell them apart
        fprintf(out, " rp[%u] = r;", t);
    fprintf(out, "\n");
    for (uint32_t i = 0; i < p->length[t]; i++) {
        struct plain_instr in = p->code[t][i];
        fprintf(out, "l%u:;\n    ", i);
        if (in.code == PLAIN_CREATE)
            print_create(p, k, in.at, out);
        else if (in.code == PLAIN_JOIN)
            fprintf(out, "if (h[%u]) pthread_join(h[%u], NULL);", in.at, in.at);
        else if (in.code == PLAIN_SKIP)
            fprintf(out, "if (r[%u] == %u) goto l%u;", in.reg, in.value, i + 2);
        else if (in.code == PLAIN_END)
            fprintf(out, "if (r[%u] == %u) goto l%u;", in.reg, in.value, p->length[t]);
        else if (p->leader[t] && p->telling >= TELLS_PLACE && i == p->told_at)
            print_telling(in, out);
        else
            print_instr(in, out);
        fprintf(out, " BARRIER;\n");
    }
    fprintf(out, "l%u:; l%u:;\n", p->length[t], p->length[t] + 1);
    print_end(p, t, out);
}

void real_plain_print(const struct real_plain *p, uint32_t k, FILE *out)
{
    for (uint32_t t = p->threads; t-- > 1;) {
        if (p->leader[t] && p->leader[t] != t + 1)
            continue;
        fprintf(out, "static void *thread%u_%u(void *unused)\n{\n", k, t);
        print_body(p, k, t, out);
        fprintf(out, "    return NULL;\n}\n");
    }
    fprintf(out, "static void begin%u(void)\n{\n", k);
    print_body(p, k, 0, out);
    fprintf(out,
            "}\nUNSEEN static void end%u(int status)\n{\n"
            "    uint8_t b[88]; int n = 0;\n"
            "    for (int i = 0; i < 64; i++) b[n++] = ((uint8_t *)&memory)[i];\n"
            "    for (int t = 0; t < 4; t++) for (int i = 0; i < 3; i++) b[n++] = rp[t] ? rp[t][i] : regs[t][i];\n"
            "    for (int i = 0; i < 8; i++) b[n++] = ((uint8_t *)&left)[i];\n"
            "    note(b, n);\n"
            "    for (int i = 0; i < 64; i++) b[i] = %d;\n"
            "    note(b, n);\n}\n\n",
            k, REAL_NO_CELL);
}
