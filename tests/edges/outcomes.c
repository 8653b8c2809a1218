// What calls of several families return: mutexes of every type, condition variables, readers–writer locks, semaphores,
// cancellation, with and without time-outs, mixed in a few threads. All outcomes are found by going through all states. A
// program asserts that its outcome is one of them, or one of all but one.
#include "draw.h"

#include <stdbool.h>
#include <string.h>

enum { THREADS = 3, CODE = 6, MUTEXES = 2, STATES = 1 << 18, OUTCOMES = 1 << 12 };

enum op {
    LOCK,
    TRY,
    TIMED,
    UNLOCK,
    CONSISTENT,
    WAIT,
    WAIT_TIMED,
    SIGNAL,
    BROADCAST,
    SEM_WAIT,
    SEM_TRY,
    SEM_TIMED,
    POST,
    VALUE,
    READ,
    WRITE,
    TRY_READ,
    TRY_WRITE,
    TIMED_READ,
    TIMED_WRITE,
    RW_UNLOCK,
    CANCEL,
    TEST,
    OPS
};
enum type { NORMAL, RECURSIVE, CHECKED, ROBUST, TYPES };

// The digits that stand for what a call returned: see code_of below.
enum answer { DONE, BUSY, NOT_PERMITTED, DEAD_OWNER, LOST, SKIPPED, CANCELLED };

static struct instr {
    uint8_t op, object;
} code[THREADS][CODE];
static unsigned threads, length[THREADS], keeps[THREADS], posted;
static enum type type[MUTEXES];

enum phase { RUNS, SLEEPS, WOKEN, LATE, CLEANS };

struct state {
    uint64_t out[THREADS];
    uint8_t at[THREADS], phase[THREADS], ended[THREADS], asked[THREADS];
    uint8_t owner[MUTEXES], depth[MUTEXES], broken[MUTEXES]; // 1: the owner died, 2: never to be taken again
    uint8_t tokens, writer, reads[THREADS];
};

static struct state states[STATES];
static uint32_t count, table[STATES * 2];
static bool moved;
static uint64_t outcomes[OUTCOMES];
static unsigned outcome_count;

static void visit(const struct state *s)
{
    uint64_t hash = 0;
    moved = true;
    for (size_t i = 0; i < sizeof *s; i++)
        hash = (hash ^ ((const uint8_t *)s)[i]) * 0x100000001b3u + 7;
    uint32_t slot = (uint32_t)(hash >> 20) % (STATES * 2);
    for (; table[slot]; slot = (slot + 1) % (STATES * 2))
        if (!memcmp(&states[table[slot] - 1], s, sizeof *s))
            return;
    if (count == STATES)
        exit(1);
    states[count++] = *s;
    table[slot] = count;
}

static void answer(struct state s, unsigned t, enum answer a)
{
    s.out[t] = s.out[t] * 8 + a + 1;
    s.at[t]++;
    s.phase[t] = RUNS;
    visit(&s);
}

static void clean(struct state s, unsigned t)
{
    s.phase[t] = CLEANS;
    visit(&s);
}

static bool held(const struct state *s, unsigned t, unsigned m)
{
    return s->owner[m] == t + 1;
}

static void let_go(struct state *s, unsigned m)
{
    if (--s->depth[m])
        return;
    s->owner[m] = 0;
    if (s->broken[m] == 1)
        s->broken[m] = 2;
}

// Takes a mutex that is free.
static enum answer take(struct state *s, unsigned t, unsigned m)
{
    if (s->broken[m] == 2)
        return LOST;
    s->owner[m] = (uint8_t)(t + 1);
    s->depth[m] = 1;
    return s->broken[m] ? DEAD_OWNER : DONE;
}

static void lock(struct state s, unsigned t, enum op op, unsigned m)
{
    if (!s.owner[m]) {
        enum answer a = take(&s, t, m);
        answer(s, t, a);
        return;
    }
    if (held(&s, t, m) && type[m] == RECURSIVE) {
        s.depth[m]++;
        answer(s, t, DONE);
    } else if (op == TRY) {
        answer(s, t, BUSY);
    } else if (held(&s, t, m) && type[m] == CHECKED) {
        answer(s, t, NOT_PERMITTED); // EDEADLK
    } else if (op == TIMED) {
        answer(s, t, BUSY);
    }
}

static void unlock(struct state s, unsigned t, unsigned m)
{
    if (!held(&s, t, m)) {
        answer(s, t, type[m] == NORMAL ? SKIPPED : NOT_PERMITTED);
        return;
    }
    let_go(&s, m);
    answer(s, t, DONE);
}

static void sleep_on(struct state s, unsigned t, unsigned m)
{
    if (!held(&s, t, m) || s.depth[m] != 1) {
        answer(s, t, SKIPPED);
        return;
    }
    if (s.asked[t]) {
        clean(s, t);
        return;
    }
    let_go(&s, m);
    s.phase[t] = SLEEPS;
    visit(&s);
}

// A thread that sleeps, or has to take its mutex again.
static void awake(struct state s, unsigned t)
{
    const struct instr in = code[t][s.at[t]];
    unsigned m = in.object;
    if (s.phase[t] == SLEEPS) {
        if (in.op == WAIT_TIMED) {
            struct state late = s;
            late.phase[t] = LATE;
            visit(&late);
        }
        if (s.asked[t] && !s.owner[m]) {
            take(&s, t, m);
            clean(s, t);
        }
        return;
    }
    if (s.owner[m])
        return;
    bool late = s.phase[t] == LATE;
    enum answer a = take(&s, t, m);
    answer(s, t, a != DONE ? a : late ? BUSY : DONE);
}

static void signal_one(struct state s, unsigned t, bool all)
{
    bool some = false;
    for (unsigned i = 0; i < threads; i++) {
        if (s.phase[i] != SLEEPS)
            continue;
        some = true;
        struct state woken = s;
        woken.phase[i] = WOKEN;
        if (all)
            s = woken;
        else
            answer(woken, t, DONE);
    }
    if (all || !some)
        answer(s, t, DONE);
}

static void semaphore(struct state s, unsigned t, enum op op)
{
    if (s.asked[t] && (op == SEM_WAIT || op == SEM_TIMED)) {
        clean(s, t);
    } else if (s.tokens) {
        s.tokens--;
        answer(s, t, DONE);
    } else if (op != SEM_WAIT) {
        answer(s, t, BUSY);
    }
}

static void read_lock(struct state s, unsigned t, enum op op)
{
    if (!s.writer) {
        s.reads[t]++;
        answer(s, t, DONE);
    } else if (op == TRY_READ) {
        answer(s, t, BUSY);
    } else if (s.writer == t + 1) {
        answer(s, t, NOT_PERMITTED);
    } else if (op == TIMED_READ) {
        answer(s, t, BUSY);
    }
}

static void write_lock(struct state s, unsigned t, enum op op)
{
    bool taken = s.writer;
    for (unsigned i = 0; i < threads; i++)
        taken |= s.reads[i] > 0;
    if (!taken) {
        s.writer = (uint8_t)(t + 1);
        answer(s, t, DONE);
    } else if (op == TRY_WRITE) {
        answer(s, t, BUSY);
    } else if (s.writer == t + 1) {
        answer(s, t, NOT_PERMITTED);
    } else if (op == TIMED_WRITE) {
        answer(s, t, BUSY);
    }
}

static void rw_unlock(struct state s, unsigned t)
{
    bool mine = s.writer == t + 1 || s.reads[t];
    if (s.writer == t + 1)
        s.writer = 0;
    else if (mine)
        s.reads[t]--;
    answer(s, t, mine ? DONE : SKIPPED);
}

// The end of a thread: it lets everything go, one step each, but for a robust mutex that it keeps.
static void finish(struct state s, unsigned t)
{
    bool cancelled = s.phase[t] == CLEANS;
    for (unsigned m = 0; m < MUTEXES; m++)
        if (held(&s, t, m) && !(type[m] == ROBUST && keeps[t])) {
            let_go(&s, m);
            visit(&s);
            return;
        }
    if (s.writer == t + 1 || s.reads[t]) {
        if (s.writer == t + 1)
            s.writer = 0;
        else
            s.reads[t]--;
        visit(&s);
        return;
    }
    for (unsigned m = 0; m < MUTEXES; m++)
        if (held(&s, t, m)) {
            s.owner[m] = s.depth[m] = 0;
            s.broken[m] = 1;
        }
    s.ended[t] = 1;
    if (cancelled)
        s.out[t] = s.out[t] * 8 + CANCELLED + 1;
    visit(&s);
}

static void step(struct state s, unsigned t)
{
    if (s.ended[t])
        return;
    if (s.phase[t] == CLEANS || s.at[t] == length[t]) {
        finish(s, t);
        return;
    }
    if (s.phase[t] != RUNS) {
        awake(s, t);
        return;
    }
    const struct instr in = code[t][s.at[t]];
    switch ((enum op)in.op) {
    case LOCK:
    case TRY:
    case TIMED:
        lock(s, t, in.op, in.object);
        break;
    case UNLOCK:
        unlock(s, t, in.object);
        break;
    case CONSISTENT:
        if (!held(&s, t, in.object)) {
            answer(s, t, SKIPPED);
            break;
        }
        bool was = s.broken[in.object] == 1;
        s.broken[in.object] = 0;
        answer(s, t, was ? DONE : LOST); // EINVAL
        break;
    case WAIT:
    case WAIT_TIMED:
        sleep_on(s, t, in.object);
        break;
    case SIGNAL:
    case BROADCAST:
        signal_one(s, t, in.op == BROADCAST);
        break;
    case SEM_WAIT:
    case SEM_TRY:
    case SEM_TIMED:
        semaphore(s, t, in.op);
        break;
    case POST:
        s.tokens++;
        answer(s, t, DONE);
        break;
    case VALUE:
        answer(s, t, (enum answer)s.tokens);
        break;
    case READ:
    case TRY_READ:
    case TIMED_READ:
        read_lock(s, t, in.op);
        break;
    case WRITE:
    case TRY_WRITE:
    case TIMED_WRITE:
        write_lock(s, t, in.op);
        break;
    case RW_UNLOCK:
        rw_unlock(s, t);
        break;
    case CANCEL:
        if (s.ended[in.object])
            answer(s, t, DONE);
        else {
            s.asked[in.object] = 1;
            answer(s, t, DONE);
        }
        break;
    case TEST:
        if (s.asked[t])
            clean(s, t);
        else
            answer(s, t, DONE);
        break;
    default:
        exit(1);
    }
}

static uint64_t outcome_of(const struct state *s)
{
    uint64_t outcome = 0;
    for (unsigned t = 0; t < threads; t++)
        outcome |= s->out[t] << 21 * t;
    return outcome;
}

static void keep_outcome(uint64_t outcome)
{
    for (unsigned i = 0; i < outcome_count; i++)
        if (outcomes[i] == outcome)
            return;
    if (outcome_count == OUTCOMES)
        exit(1);
    outcomes[outcome_count++] = outcome;
}

// Finds all outcomes; whether threads can wait for ever.
static bool explore(void)
{
    struct state begin;
    memset(&begin, 0, sizeof begin);
    begin.tokens = (uint8_t)posted;
    visit(&begin);
    bool stuck = false;
    for (uint32_t n = 0; n < count; n++) {
        const struct state s = states[n];
        bool over = true;
        moved = false;
        for (unsigned t = 0; t < threads; t++) {
            over &= s.ended[t];
            step(s, t);
        }
        if (over)
            keep_outcome(outcome_of(&s));
        else
            stuck |= !moved;
    }
    return stuck;
}

static void make_thread(unsigned t, unsigned families)
{
    length[t] = 2 + draw(CODE - 2);
    keeps[t] = draw(2);
    for (unsigned i = 0; i < length[t]; i++) {
        struct instr *in = &code[t][i];
        in->object = (uint8_t)draw(MUTEXES);
        do {
            in->op = (uint8_t)draw(OPS);
        } while (!(in->op < WAIT       ? families & 1
                   : in->op < SEM_WAIT ? families & 2
                   : in->op < READ     ? families & 4
                   : in->op < CANCEL   ? families & 8
                                       : families & 16));
        if (in->op == CONSISTENT && type[in->object] != ROBUST)
            in->op = UNLOCK;
        if (in->op == CANCEL)
            in->object = (uint8_t)draw(threads);
        if ((in->op == WAIT || in->op == WAIT_TIMED) && draw(2) && i)
            in[-1] = (struct instr){LOCK, in->object};
    }
}

static void print_instr(struct instr in)
{
    static const char *const text[OPS] = {
        [LOCK] = "r = pthread_mutex_lock(&m[%u]); own[%u] += r == 0 || r == EOWNERDEAD;",
        [TRY] = "r = pthread_mutex_trylock(&m[%u]); own[%u] += r == 0 || r == EOWNERDEAD;",
        [TIMED] = "r = pthread_mutex_timedlock(&m[%u], &far); own[%u] += r == 0 || r == EOWNERDEAD;",
        [CONSISTENT] = "r = own[%u] ? pthread_mutex_consistent(&m[%u]) : SKIPPED;",
        [WAIT] = "r = SKIPPED; if (own[%u] == 1) r = pthread_cond_wait(&c, &m[%u]);",
        [WAIT_TIMED] = "r = SKIPPED; if (own[%u] == 1) r = pthread_cond_timedwait(&c, &m[%u], &far);",
        [SIGNAL] = "r = pthread_cond_signal(&c);",
        [BROADCAST] = "r = pthread_cond_broadcast(&c);",
        [SEM_WAIT] = "r = sem_wait(&s) ? errno : 0;",
        [SEM_TRY] = "r = sem_trywait(&s) ? errno : 0;",
        [SEM_TIMED] = "r = sem_timedwait(&s, &far) ? errno : 0;",
        [POST] = "r = sem_post(&s);",
        [VALUE] = "sem_getvalue(&s, &r); r = -r;",
        [READ] = "r = pthread_rwlock_rdlock(&l); rw += r == 0;",
        [WRITE] = "r = pthread_rwlock_wrlock(&l); rw += r == 0;",
        [TRY_READ] = "r = pthread_rwlock_tryrdlock(&l); rw += r == 0;",
        [TRY_WRITE] = "r = pthread_rwlock_trywrlock(&l); rw += r == 0;",
        [TIMED_READ] = "r = pthread_rwlock_timedrdlock(&l, &far); rw += r == 0;",
        [TIMED_WRITE] = "r = pthread_rwlock_timedwrlock(&l, &far); rw += r == 0;",
        [RW_UNLOCK] = "r = SKIPPED; if (rw) { rw--; r = pthread_rwlock_unlock(&l); }",
        [CANCEL] = "r = pthread_cancel(t[%u]);",
        [TEST] = "pthread_testcancel(); r = 0;",
    };
    printf("    ");
    if (in.op == UNLOCK)
        printf(type[in.object] == NORMAL ? "r = SKIPPED; if (own[%u]) { own[%u]--; r = pthread_mutex_unlock(&m[%u]); }"
                                         : "r = pthread_mutex_unlock(&m[%u]); own[%u] -= r == 0; (void)own[%u];",
               in.object, in.object, in.object);
    else
        printf(text[in.op], in.object, in.object);
    printf(" note(me, r);\n");
}

static void print_program(void)
{
    printf(
        "#define _GNU_SOURCE\n#include <assert.h>\n#include <errno.h>\n#include <pthread.h>\n#include <semaphore.h>\n\n"
        "enum { SKIPPED = 10000 };\n"
        "static pthread_mutex_t m[2];\nstatic pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
        "static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\nstatic sem_t s;\nstatic pthread_t t[3];\nstatic "
        "pthread_barrier_t all_there;\n"
        "static const struct timespec far = {.tv_sec = 4000000000};\nstatic unsigned long out[3];\n"
        "static __thread int own[2], rw;\n\n"
        "static void note(long me, int r)\n{\n"
        "    int digit = r <= 0                                     ? -r\n"
        "                : r == EBUSY || r == ETIMEDOUT || r == EAGAIN ? 1\n"
        "                : r == EPERM || r == EDEADLK               ? 2\n"
        "                : r == EOWNERDEAD                          ? 3\n"
        "                : r == ENOTRECOVERABLE || r == EINVAL      ? 4\n"
        "                : r == SKIPPED                             ? 5\n"
        "                                                           : 7;\n"
        "    assert(digit < 7);\n    out[me] = out[me] * 8 + digit + 1;\n}\n\n"
        "static void finish(void *keeps)\n{\n");
    for (unsigned i = 0; i < MUTEXES; i++)
        printf("    while (own[%u]%s) own[%u]--, pthread_mutex_unlock(&m[%u]);\n", i,
               type[i] == ROBUST ? " && !keeps" : "", i, i);
    printf("    while (rw) rw--, pthread_rwlock_unlock(&l);\n}\n\n");
    for (unsigned t = 0; t < threads; t++) {
        printf("static void *thread%u(void *argument)\n{\n    long me = %u;\n    int r;\n    "
               "pthread_barrier_wait(&all_there);\n"
               "    pthread_cleanup_push(finish, (void *)%uL);\n",
               t, t, keeps[t]);
        for (unsigned i = 0; i < length[t]; i++)
            print_instr(code[t][i]);
        printf("    int old;\n    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);\n    pthread_cleanup_pop(1);\n "
               "   return argument;\n}\n\n");
    }
    printf("int main(void)\n{\n    pthread_mutexattr_t a;\n    sem_init(&s, 0, %u);\n", posted);
    for (unsigned i = 0; i < MUTEXES; i++)
        printf("    pthread_mutexattr_init(&a);\n    pthread_mutexattr_set%s);\n    pthread_mutex_init(&m[%u], &a);\n",
               ((const char *[]){"type(&a, PTHREAD_MUTEX_NORMAL", "type(&a, PTHREAD_MUTEX_RECURSIVE",
                                 "type(&a, PTHREAD_MUTEX_ERRORCHECK", "robust(&a, PTHREAD_MUTEX_ROBUST"})[type[i]],
               i);
    printf("    pthread_barrier_init(&all_there, 0, %u);\n", threads + 1);
    for (unsigned t = 0; t < threads; t++)
        printf("    pthread_create(&t[%u], 0, thread%u, 0);\n", t, t);
    printf("    pthread_barrier_wait(&all_there);\n    unsigned long all = 0;\n    void *how;\n");
    for (unsigned t = 0; t < threads; t++)
        printf("    pthread_join(t[%u], &how);\n    if (how == PTHREAD_CANCELED) note(%u, -6);\n    all |= out[%u] << "
               "%u;\n",
               t, t, t, 21 * t);
    printf("    static const unsigned long known[] = {");
    for (unsigned i = 0; i < outcome_count; i++)
        printf("%s%lu", i ? ", " : "", outcomes[i]);
    printf("};\n    int found = 0;\n    for (unsigned i = 0; i < %u; i++)\n        found |= known[i] == all;\n"
           "    assert(found);\n}\n",
           outcome_count);
}

int main(int argc, char **argv)
{
    uint64_t number = draw_begin(argc, argv);
    threads = 2 + draw(2);
    posted = draw(2);
    for (unsigned m = 0; m < MUTEXES; m++)
        type[m] = (enum type)draw(TYPES);
    unsigned families = 1 + draw(31);
    if (families & 2)
        families |= 1;
    for (unsigned t = 0; t < threads; t++)
        make_thread(t, families);
    bool stuck = explore();
    bool lacks = !stuck && number % 2 && outcome_count > 1;
    if (lacks)
        outcomes[draw(outcome_count)] = outcomes[outcome_count - 1], outcome_count--;
    printf("// expect: %s\n", stuck ? "bug deadlock" : lacks ? "bug assertion" : "verified");
    print_program();
    return 0;
}
