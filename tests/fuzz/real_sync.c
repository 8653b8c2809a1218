#include "fuzz/real_sync.h"

#include <string.h>

#include "fuzz/real_kin.h"
#include "fuzz/real_run.h"

void real_sync_random(struct real_sync *s, uint32_t language, uint64_t seed, bool tls)
{
    uint64_t state = seed ^ 0x5eed;
    *s = (struct real_sync){0};
    program_random(&s->program, language, seed);
    s->storage = (enum real_storage)(splitmix(&state) % STORAGES);
    s->cell_size = (uint8_t)(1u << splitmix(&state) % 4);
    s->main_is_first = splitmix(&state) % 2;
    bool exits = program_has(&s->program, DO_EXIT);
    for (uint32_t t = 0; t < s->program.threads; t++) {
        s->regs[t] = (enum real_regs)(splitmix(&state) % REGS_KINDS);
        if ((s->regs[t] == REGS_TLS && !tls) || (s->regs[t] == REGS_MACHINE && exits)) // exit has to find them
            s->regs[t] = REGS_LOCAL;
        if (t && splitmix(&state) % 4 == 0)
            s->parent[t] = (uint8_t)(1 + splitmix(&state) % t);
    }
    for (uint32_t i = 0; i < MAX_SEMS; i++) // only sockets can be tried
        s->semaphore[i] = (enum real_semaphore)(splitmix(&state) %
                                                (program_has(&s->program, DO_SEM_TRYWAIT) ? BY_EPOLL + 1 : SEMAPHORES));
    if (language & WITH_KIN)
        real_kin_make(s, seed);
}

// ---- the C program ----

static bool has_kin(const struct real_sync *s)
{
    return s->program.leader[1];
}

static const char *type_of(const struct real_sync *s)
{
    return s->cell_size == 1 ? "uint8_t" : s->cell_size == 2 ? "uint16_t" : s->cell_size == 4 ? "int" : "long";
}

static void print_shared(const struct real_sync *s, uint32_t k, FILE *out)
{
    fprintf(out,
            "static struct shared%u {\n"
            "    _Atomic %s c[%d];\n"
            "    pthread_mutex_t m[%d];\n"
            "    pthread_cond_t v[%d];\n"
            "    uint8_t r[%u][%d], *rp[%u], mine[%u];\n"
            "    pthread_t h[%u];\n"
            "    int in[%d], out[%d], epoll[%d];\n"
            "} static%u = {.m = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER},\n"
            "    .v = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER}}, *s%u;\n",
            k, type_of(s), MAX_CELLS, MAX_MUTEXES, MAX_CONDS, s->program.threads, MAX_REGS, s->program.threads,
            s->program.threads, s->program.threads, MAX_SEMS, MAX_SEMS, MAX_SEMS, k, k);
}

static void print_semaphore(const struct real_sync *s, uint32_t k, uint32_t i, FILE *out)
{
    static const char *const make[SEMAPHORES] = {
        [BY_PIPE] = "pipe(both)", [BY_EVENTS] = "(both[0] = both[1] = eventfd(0, EFD_SEMAPHORE)) < 0"};
    enum real_semaphore kind = s->semaphore[i];
    fprintf(out, "    if (%s) abort();\n    s%u->in[%u] = both[0], s%u->out[%u] = both[1];\n",
            make[kind] ? make[kind] : "socketpair(AF_UNIX, SOCK_STREAM, 0, both)", k, i, k, i);
    if (kind == BY_EPOLL)
        fprintf(out,
                "    s%u->epoll[%u] = epoll_create1(0);\n"
                "    if (epoll_ctl(s%u->epoll[%u], EPOLL_CTL_ADD, both[0], &(struct epoll_event){.events = EPOLLIN})) "
                "abort();\n",
                k, i, k, i);
    for (uint32_t n = 0; n < s->program.sem[i]; n++)
        fprintf(out, "    post(both[1], %d);\n", kind == BY_EVENTS ? 8 : 1);
}

static void print_semaphores(const struct real_sync *s, uint32_t k, FILE *out)
{
    bool used[MAX_SEMS] = {0};
    for (uint32_t t = 0; t < s->program.threads; t++)
        for (uint32_t i = 0; i < s->program.length[t]; i++)
            if (s->program.code[t][i].code >= DO_SEM_WAIT && s->program.code[t][i].code <= DO_SEM_POST)
                used[s->program.code[t][i].object] = true;
    fprintf(out, "    int both[2]; (void)both;\n");
    for (uint32_t i = 0; i < MAX_SEMS; i++)
        if (used[i])
            print_semaphore(s, k, i, out);
}

static void print_take(const struct real_sync *s, uint32_t k, uint32_t i, FILE *out)
{
    switch (s->semaphore[i]) {
    case BY_POLL:
        fprintf(out, "do poll(&(struct pollfd){s%u->in[%u], POLLIN, 0}, 1, -1); while (!try(s%u->in[%u]));\n", k, i, k,
                i);
        break;
    case BY_EPOLL:
        fprintf(out, "do { struct epoll_event e; epoll_wait(s%u->epoll[%u], &e, 1, -1); } while (!try(s%u->in[%u]));\n",
                k, i, k, i);
        break;
    default:
        fprintf(out, "take(s%u->in[%u], %d);\n", k, i, s->semaphore[i] == BY_EVENTS ? 8 : 1);
        break;
    }
}

static void print_instr(const struct real_sync *s, uint32_t k, uint32_t t, uint32_t i, FILE *out)
{
    struct instr in = s->program.code[t][i];
    unsigned o = in.object, r = in.reg, w = in.other;
    const char *v = real_kin_value(s, k, t, i);
    const char *order = in.releases ? "memory_order_seq_cst" : "memory_order_acquire";
    fprintf(out, "l%u:;\n    ", i);
    if (in.releases) // so that there is something new to release
        fprintf(out, "s%u->mine[%u]++; ", k, t);
    switch (in.code) {
    case DO_LOAD:
        fprintf(out, "r[%u] = s%u->c[%u];\n", r, k, o);
        break;
    case DO_STORE:
        fprintf(out, "s%u->c[%u] = %s;\n", k, o, v);
        break;
    case DO_COPY:
        fprintf(out, "s%u->c[%u] = r[%u] + %s;\n", k, o, r, v);
        break;
    case DO_ADD:
        fprintf(out, "r[%u] = atomic_fetch_add_explicit(&s%u->c[%u], %s, %s);\n", r, k, o, v, order);
        break;
    case DO_CAS:
        fprintf(out, "{ %s e = %u; r[%u] = atomic_compare_exchange_strong_explicit(&s%u->c[%u], &e, %s, %s, %s); }\n",
                type_of(s), w, r, k, o, v, order, order);
        break;
    case DO_CAS_REG:
        fprintf(out,
                "{ %s e = r[%u]; _Bool ok = atomic_compare_exchange_strong_explicit(&s%u->c[%u], &e, r[%u] + %s, %s, "
                "%s); r[%u] = e; r[%u] = ok; }\n",
                type_of(s), r, k, o, r, v, order, order, r, w);
        break;
    case DO_LOCK:
        fprintf(out, "pthread_mutex_lock(&s%u->m[%u]); own |= %u;\n", k, o, 1u << o);
        break;
    case DO_UNLOCK:
        fprintf(out, "if (own & %u) { own &= ~%u; pthread_mutex_unlock(&s%u->m[%u]); }\n", 1u << o, 1u << o, k, o);
        break;
    case DO_TRYLOCK:
        fprintf(out, "r[%u] = pthread_mutex_trylock(&s%u->m[%u]) == 0; if (r[%u]) own |= %u;\n", r, k, o, r, 1u << o);
        break;
    case DO_WAIT:
        fprintf(out, "if (own & %u) pthread_cond_wait(&s%u->v[%u], &s%u->m[%u]);\n", 1u << w, k, o, k, w);
        break;
    case DO_SIGNAL:
        fprintf(out, "pthread_cond_signal(&s%u->v[%u]);\n", k, o);
        break;
    case DO_BROADCAST:
        fprintf(out, "pthread_cond_broadcast(&s%u->v[%u]);\n", k, o);
        break;
    case DO_CHOOSE:
        fprintf(out, "r[%u] = heddle_choose(%s);\n", r, v);
        break;
    case DO_FAULT: // which prints nothing
        fprintf(out, "r[%u] = write(1, \"\", 0) < 0;\n", r);
        break;
    case DO_SEM_WAIT:
        print_take(s, k, o, out);
        break;
    case DO_SEM_TRYWAIT:
        fprintf(out, "r[%u] = try(s%u->in[%u]);\n", r, k, o);
        break;
    case DO_SEM_POST:
        fprintf(out, "post(s%u->out[%u], %d);\n", k, o, s->semaphore[o] == BY_EVENTS ? 8 : 1);
        break;
    case DO_JOIN:
        fprintf(out, "pthread_join(s%u->h[%u], NULL);\n", k, o);
        break;
    case DO_EXIT:
        fprintf(out, "exit(%u);\n", t + 1);
        break;
    case DO_ASSUME:
        fprintf(out, "heddle_assume(r[%u] == %s);\n", r, v);
        break;
    case DO_ASSERT:
        fprintf(out, "%s(r[%u] != %s && \"a%u.%u\");\n", i % 2 ? "assert" : "heddle_assert", r, v, t, i);
        break;
    case DO_SKIP:
        fprintf(out, "if (r[%u] == %s) goto l%u;\n", r, v, i + 2);
        break;
    case DO_END:
        fprintf(out, "if (r[%u] == %s) goto end;\n", r, v);
        break;
    default:
        fprintf(out, "#error\n");
        break;
    }
}

static void print_create(const struct real_sync *s, uint32_t k, uint32_t parent, FILE *out)
{
    for (uint32_t t = s->main_is_first; t < s->program.threads; t++)
        if (s->program.leader[t] && !parent)
            real_kin_print_create(s, k, t, out);
        else if (s->parent[t] == parent && !s->program.leader[t])
            fprintf(out, "    pthread_create(&s%u->h[%u], NULL, thread%u_%u, NULL);\n", k, t, k, t);
}

static bool is_joined_early(const struct real_sync *s, uint32_t t)
{
    for (uint32_t i = 0; i < s->program.length[0]; i++)
        if (s->program.code[0][i].code == DO_JOIN && s->program.code[0][i].object == t)
            return true;
    return false;
}

static void print_join(const struct real_sync *s, uint32_t k, uint32_t parent, FILE *out)
{
    for (uint32_t t = s->main_is_first; t < s->program.threads; t++)
        if (s->parent[t] == parent && !is_joined_early(s, t))
            fprintf(out, "    pthread_join(s%u->h[%u], NULL);\n", k, t);
}

static void print_thread(const struct real_sync *s, uint32_t k, uint32_t t, FILE *out)
{
    static const char *const declare[] = {"uint8_t *r = s%u->r[%u];\n", "uint8_t r[3] = {0}; s%u->rp[%u] = r;\n",
                                          "static __thread uint8_t r[3]; s%u->rp[%u] = r;\n", "uint8_t r[3] = {0};\n"};
    fprintf(out, "static void *thread%u_%u(void *unused)\n{\n    unsigned own = 0;\n    ", k, t);
    fprintf(out, declare[s->regs[t]], k, t);
    if (s->program.leader[t])
        real_kin_print_begin(s, k, out);
    else
        print_create(s, k, t + 1, out);
    for (uint32_t i = 0; i < s->program.length[t]; i++)
        print_instr(s, k, t, i, out);
    fprintf(out, "l%u:; l%u:; end:\n", s->program.length[t], s->program.length[t] + 1);
    if (!has_kin(s))
        print_join(s, k, t + 1, out);
    if (s->program.leader[t])
        real_kin_print_end(s, k, t, out);
    else if (s->regs[t] != REGS_SHARED)
        fprintf(out, "    for (int i = 0; i < 3; i++) s%u->r[%u][i] = r[i];\n    s%u->rp[%u] = NULL;\n", k, t, k, t);
    fprintf(out, "    return NULL;\n}\n");
}

// The cells that the handler of exit loads, each in a step of its own: those that the program uses, at most that many. Returns
// how many.
enum { MOST_LOADED = 2 };

static uint32_t cells_loaded(const struct program *p, uint8_t *cells)
{
    uint32_t used = 0, n = 0;
    for (uint32_t t = 0; t < p->threads; t++)
        for (uint32_t i = 0; i < p->length[t]; i++)
            if (p->code[t][i].code <= DO_CAS_REG)
                used |= 1u << p->code[t][i].object;
    for (uint32_t cell = 0; cell < MAX_CELLS && n < MOST_LOADED; cell++)
        if (used >> cell & 1)
            cells[n++] = (uint8_t)cell;
    return n;
}

// Outcome: the cells, the registers, who called exit (0: nobody, main has returned); and the same without the cells. If somebody did, the others may still run: then
// it is what the handler has loaded, and the registers are those of the thread that is in it.
static void print_end(const struct real_sync *s, uint32_t k, FILE *out)
{
    uint8_t loaded[MOST_LOADED];
    char left[128] = "";
    if (has_kin(s))
        snprintf(left, sizeof left, "    memcpy(b + n, left%u, sizeof left%u); n += sizeof left%u;\n", k, k, k);
    fprintf(out,
            "UNSEEN static void outcome%u(const uint8_t *cells, int who)\n{\n"
            "    uint8_t b[128]; int n = 0;\n"
            "    for (int i = 0; i < %d; i++) b[n++] = who ? cells[i] : *(%s *)(void *)&s%u->c[i];\n"
            "    for (int t = 0; t < %u; t++)\n"
            "        for (int i = 0; i < 3; i++) b[n++] = who && who != t + 1 ? 0 : s%u->rp[t] ? "
            "s%u->rp[t][i] : s%u->r[t][i];\n"
            "    b[n++] = who;\n"
            "%s"
            "    note(b, n);\n"
            "    for (int i = 0; i < %d && !who; i++) b[i] = %d;\n"
            "    note(b, n);\n"
            "}\n"
            "static void end%u(int who)\n{\n"
            "    uint8_t cells[%d] = {0};\n"
            "    if (who) {\n",
            k, MAX_CELLS, type_of(s), k, s->program.threads, k, k, k, left, MAX_CELLS, REAL_NO_CELL, k, MAX_CELLS);
    for (uint32_t i = 0, n = cells_loaded(&s->program, loaded); i < n; i++)
        fprintf(out, "        cells[%u] = s%u->c[%u];\n", loaded[i], k, loaded[i]);
    fprintf(out, "    }\n    outcome%u(cells, who);\n}\n", k);
}

void real_sync_print(const struct real_sync *s, uint32_t k, FILE *out)
{
    print_shared(s, k, out);
    if (has_kin(s))
        real_kin_print_shared(s, k, out);
    for (uint32_t t = s->program.threads; t-- > 0;)
        if (!s->program.leader[t] || s->program.leader[t] == t + 1)
            print_thread(s, k, t, out);
    print_end(s, k, out);
    fprintf(out, "static void begin%u(void)\n{\n", k);
    if (s->storage == IN_STATIC)
        fprintf(out, "    s%u = &static%u;\n", k, k);
    else if (s->storage == IN_HEAP)
        fprintf(out, "    s%u = malloc(sizeof *s%u); *s%u = static%u;\n", k, k, k, k);
    else
        fprintf(out, "    struct shared%u here = static%u; s%u = &here;\n", k, k, k);
    print_semaphores(s, k, out);
    if (s->telling == TOLD_BY_KEY)
        fprintf(out, "    pthread_key_create(&key%u, NULL);\n", k);
    if (s->telling == TOLD_BY_HANDLE)
        fprintf(out, "    pthread_mutex_lock(&leaving%u);\n", k);
    print_create(s, k, 0, out);
    if (s->telling == TOLD_BY_HANDLE)
        fprintf(out, "    pthread_mutex_unlock(&leaving%u);\n", k);
    if (s->main_is_first)
        fprintf(out, "    thread%u_0(NULL);\n", k);
    print_join(s, k, 0, out);
    if (s->storage == IN_STACK) // the handler comes after this function
        fprintf(out, "    static%u = here; s%u = &static%u;\n", k, k, k);
    fprintf(out, "}\n\n");
}

// ---- the truth: an interpreter in which every instruction is a step ----

struct world {
    uint8_t cell[MAX_CELLS], owner[MAX_MUTEXES], sem[MAX_SEMS]; // owner: thread + 1
    struct {
        uint8_t pc, status, woken, reg[MAX_REGS]; // woken: before it let the mutex go
    } thread[MAX_THREADS];
    uint8_t assumed, failed;
    uint8_t faults;                             // so far
    uint8_t leaver, loads, loaded[MOST_LOADED]; // thread + 1 that is in the handler of exit, and what it has seen
};

struct enumeration {
    const struct program *p;
    struct real_truth *truth;
    struct set seen;
    uint32_t limit;
};

static void explore(struct enumeration *en, const struct world *w);

static void next(struct enumeration *en, struct world w, uint32_t t)
{
    w.thread[t].pc++;
    explore(en, &w);
}

static void note_outcome(struct enumeration *en, const struct world *w)
{
    uint8_t bytes[128] = {0}, cells[MOST_LOADED];
    uint64_t left[MAX_THREADS] = {0};
    uint32_t n = MAX_CELLS;
    if (!w->leaver)
        memcpy(bytes, w->cell, MAX_CELLS);
    for (uint32_t i = 0, loads = cells_loaded(en->p, cells); i < loads && w->leaver; i++)
        bytes[cells[i]] = w->loaded[i];
    for (uint32_t t = 0; t < en->p->threads; t++)
        for (uint32_t i = 0; i < MAX_REGS; i++)
            bytes[n++] = (w->leaver && w->leaver != t + 1) || en->p->leader[t] ? 0 : w->thread[t].reg[i];
    bytes[n++] = w->leaver;
    for (uint32_t t = 0; t < en->p->threads; t++)
        if (en->p->leader[t])
            left[en->p->leader[t] - 1] += real_kin_weight(w->thread[t].reg);
    if (en->p->leader[1]) {
        memcpy(bytes + n, left, en->p->threads * sizeof *left);
        n += en->p->threads * (uint32_t)sizeof *left;
    }
    set_add(&en->truth->outcomes, real_hash(bytes, n));
    if (!w->leaver)
        memset(bytes, REAL_NO_CELL, MAX_CELLS);
    set_add(&en->truth->outcomes, real_hash(bytes, n));
    set_add(&en->truth->locals, real_hash(bytes, n));
}

// One step of the handler. After the last nothing is left to be seen: the process ends, or others go on to what they can come to without
// this exit as well. If the handler is another thread's already, exit ends the process at once.
static void step_exit(struct enumeration *en, struct world w, uint32_t t)
{
    uint8_t cells[MOST_LOADED];
    uint32_t loads = cells_loaded(en->p, cells);
    if (w.leaver && w.leaver != t + 1)
        return;
    if (w.leaver) {
        w.loaded[w.loads] = w.cell[cells[w.loads]];
        w.loads++;
    }
    w.leaver = (uint8_t)(t + 1);
    if (w.loads == loads)
        note_outcome(en, &w);
    else
        explore(en, &w);
}

static void stop(struct enumeration *en, struct world w, uint32_t t, bool failed)
{
    w.thread[t].status = IS_STOPPED;
    if (failed) {
        en->truth->failing[en->p->leader[t] ? en->p->leader[t] - 1u : t] |= 1ull << w.thread[t].pc;
        w.failed = 1;
    } else {
        w.assumed = 1;
    }
    explore(en, &w);
}

static void wake_one(struct world *w, uint32_t t)
{
    if (w->thread[t].status == IS_LEAVING)
        w->thread[t].woken = 1;
    else
        w->thread[t].status = IS_WOKEN;
}

static void wake(struct enumeration *en, struct world w, uint32_t t, const struct instr *in)
{
    struct world all = w;
    bool any = false;
    for (uint32_t u = 0; u < en->p->threads; u++) {
        bool waits = w.thread[u].status == IS_WAITING || (w.thread[u].status == IS_LEAVING && !w.thread[u].woken);
        if (!waits || program_at(en->p, u, w.thread[u].pc)->object != in->object)
            continue;
        any = true;
        wake_one(&all, u);
        struct world one = w;
        wake_one(&one, u);
        if (in->code == DO_SIGNAL)
            next(en, one, t);
    }
    if (!any || in->code == DO_BROADCAST)
        next(en, all, t);
}

// Steps that wait, wake or stop; false if this is none of them.
static bool step_special(struct enumeration *en, struct world w, uint32_t t, const struct instr *in)
{
    uint8_t *reg = w.thread[t].reg;
    switch (in->code) {
    case DO_WAIT:
        if (w.thread[t].status == IS_WOKEN) {
            w.owner[in->other] = (uint8_t)(t + 1);
            w.thread[t].status = IS_RUNNING;
            next(en, w, t);
        } else if (w.thread[t].status == IS_LEAVING) { // it waits first and lets go then, which only a trylock can tell
            w.owner[in->other] = 0;
            w.thread[t].status = w.thread[t].woken ? IS_WOKEN : IS_WAITING;
            w.thread[t].woken = 0;
            explore(en, &w);
        } else if (w.owner[in->other] == t + 1) {
            w.thread[t].status = IS_LEAVING;
            explore(en, &w);
        } else {
            next(en, w, t);
        }
        return true;
    case DO_SIGNAL:
    case DO_BROADCAST:
        wake(en, w, t, in);
        return true;
    case DO_CHOOSE:
        for (uint8_t v = 0; v < in->value; v++) {
            reg[in->reg] = v;
            next(en, w, t);
        }
        return true;
    case DO_FAULT:
        for (uint8_t v = 0; v < 1 + (w.faults < en->p->faults); v++) {
            struct world then = w;
            then.thread[t].reg[in->reg] = v;
            then.faults = (uint8_t)(w.faults + v);
            next(en, then, t);
        }
        return true;
    case DO_EXIT:
        step_exit(en, w, t);
        return true;
    case DO_ASSUME:
    case DO_ASSERT:
        if ((reg[in->reg] == in->value) == (in->code == DO_ASSUME))
            next(en, w, t);
        else
            stop(en, w, t, in->code == DO_ASSERT);
        return true;
    default:
        return false;
    }
}

static void step(struct enumeration *en, struct world w, uint32_t t, const struct instr *in)
{
    if (step_special(en, w, t, in))
        return;
    uint8_t *reg = w.thread[t].reg, *cell = &w.cell[in->object], old = *cell;
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
        *cell = old == in->other ? in->value : old;
        reg[in->reg] = old == in->other;
        break;
    case DO_CAS_REG: {
        bool equal = old == reg[in->reg];
        *cell = equal ? (uint8_t)(old + in->value) : old;
        reg[in->reg] = old;
        reg[in->other] = equal;
        break;
    }
    case DO_TRYLOCK:
        reg[in->reg] = !w.owner[in->object];
        if (w.owner[in->object])
            break;
        // fall through
    case DO_LOCK:
        w.owner[in->object] = (uint8_t)(t + 1);
        break;
    case DO_UNLOCK:
        if (w.owner[in->object] == t + 1)
            w.owner[in->object] = 0;
        break;
    case DO_SEM_TRYWAIT:
        reg[in->reg] = w.sem[in->object] > 0;
        if (!w.sem[in->object])
            break;
        // fall through
    case DO_SEM_WAIT:
        w.sem[in->object]--;
        break;
    case DO_SEM_POST:
        w.sem[in->object]++;
        break;
    case DO_SKIP:
        w.thread[t].pc += reg[in->reg] == in->value;
        break;
    case DO_END:
        if (reg[in->reg] == in->value)
            w.thread[t].pc = MAX_CODE;
        break;
    }
    next(en, w, t);
}

static bool can_go(const struct program *p, const struct world *w, uint32_t t, const struct instr *in)
{
    if (in->code == DO_JOIN && w->thread[t].status == IS_RUNNING)
        return w->thread[in->object].status == IS_RUNNING && !program_at(p, in->object, w->thread[in->object].pc);
    if (w->thread[t].status == IS_WOKEN)
        return !w->owner[in->other];
    if (w->thread[t].status == IS_LEAVING)
        return true;
    bool waits = (in->code == DO_LOCK && w->owner[in->object]) || (in->code == DO_SEM_WAIT && !w->sem[in->object]);
    return w->thread[t].status == IS_RUNNING && !waits;
}

static void explore(struct enumeration *en, const struct world *w)
{
    if (en->seen.count > en->limit || !set_add(&en->seen, hash_bytes(w, sizeof *w)))
        return;
    bool moved = false, stuck = false;
    for (uint32_t t = 0; t < en->p->threads; t++) {
        const struct instr *in = program_at(en->p, t, w->thread[t].pc);
        if (!in)
            continue;
        if (can_go(en->p, w, t, in)) {
            moved = true;
            step(en, *w, t, in);
        } else {
            stuck = true; // or stopped
        }
    }
    if (moved)
        return;
    if (!stuck)
        note_outcome(en, w);
    else if (!w->assumed && !w->failed)
        en->truth->deadlock = true;
}

bool real_sync_truth(const struct program *p, struct real_truth *truth, uint32_t limit)
{
    struct enumeration en = {.p = p, .truth = truth, .limit = limit};
    struct world w = {0};
    for (uint32_t t = 0; t < p->threads; t++)
        w.thread[t].status = IS_RUNNING;
    memcpy(w.sem, p->sem, sizeof w.sem);
    explore(&en, &w);
    bool whole = en.seen.count <= limit;
    set_free(&en.seen);
    return whole;
}
