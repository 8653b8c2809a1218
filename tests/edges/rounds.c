// Threads that poll under a lock, and others that look whether the lock is free: by trylock, timed and clock variants, of
// mutexes, C11's mutexes, spin locks, readers-writer locks and semaphores, or by the value of a semaphore. What they see depends on how often a poller has gone round. The program
// claims that one pattern of answers is never seen; whether it can be is found by going through all states of a small
// machine, which runs the same threads one instruction at a time.
#include "draw.h"

#include <stdbool.h>
#include <string.h>

enum { THREADS = 3, LOCKS = 2, CODE = 64, LOOKS = 4 };

enum op { TAKE, TRY, LOOK, LET_GO, LOAD, STORE, NOTE, JUMP_IF_BUSY, JUMP_IF_ZERO, END };

struct instruction {
    enum op op;
    uint8_t lock, share, to; // which lock, whether to read it, where a jump leads or which bit a note sets
};

static struct program {
    struct instruction code[CODE];
    uint32_t length;
    char text[4096];
} programs[THREADS];
static uint32_t threads, locks;
static char kind_of[LOCKS]; // m: mutex, c: C11's, s: spin lock, r: readers-writer lock, p: semaphore
static bool atomic_flag;

// What the threads of a program are written in: each of these writes C and code for the machine.
static void say(struct program *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
#include <stdarg.h>
static void say(struct program *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t used = strlen(p->text);
    vsnprintf(p->text + used, sizeof p->text - used, format, arguments);
    va_end(arguments);
}

static uint32_t emit(struct program *p, enum op op, uint32_t lock, bool share, uint32_t to)
{
    if (p->length == CODE)
        exit(1);
    p->code[p->length] = (struct instruction){op, (uint8_t)lock, share, (uint8_t)to};
    return p->length++;
}

static const char *lock_call(uint32_t lock, bool share)
{
    switch (kind_of[lock]) {
    case 'm':
        return "pthread_mutex_lock";
    case 'c':
        return "mtx_lock";
    case 's':
        return "pthread_spin_lock";
    case 'p':
        return "sem_wait";
    default:
        return share ? "pthread_rwlock_rdlock" : "pthread_rwlock_wrlock";
    }
}

static const char *unlock_call(uint32_t lock)
{
    switch (kind_of[lock]) {
    case 'm':
        return "pthread_mutex_unlock";
    case 'c':
        return "mtx_unlock";
    case 's':
        return "pthread_spin_unlock";
    case 'p':
        return "sem_post";
    default:
        return "pthread_rwlock_unlock";
    }
}

static void write_take(struct program *p, uint32_t lock, bool share)
{
    say(p, " %s(&l%u);", lock_call(lock, share), lock);
    emit(p, TAKE, lock, share, 0);
}

static void write_let_go(struct program *p, uint32_t lock)
{
    say(p, " %s(&l%u);", unlock_call(lock), lock);
    emit(p, LET_GO, lock, false, 0);
}

// An expression that is not 0 if the lock could not be had.
static void write_try(struct program *p, uint32_t lock, bool share)
{
    const char *way = draw_of("try", "timed", "clock");
    char call[64];
    if (kind_of[lock] == 's')
        snprintf(call, sizeof call, "pthread_spin_trylock(&l%u)", lock);
    else if (kind_of[lock] == 'c')
        snprintf(call, sizeof call, "mtx_%slock(&l%u%s)", *way == 'c' ? "timed" : way, lock,
                 way[2] == 'y' ? "" : ", &soon");
    else if (kind_of[lock] == 'p')
        snprintf(call, sizeof call, "sem_%swait(&l%u%s%s)", way, lock, *way == 'c' ? ", CLOCK_REALTIME" : "",
                 way[2] == 'y' ? "" : ", &soon");
    else if (kind_of[lock] == 'm' && way[2] == 'y')
        snprintf(call, sizeof call, "pthread_mutex_trylock(&l%u)", lock);
    else if (way[2] == 'y')
        snprintf(call, sizeof call, "pthread_rwlock_try%slock(&l%u)", share ? "rd" : "wr", lock);
    else
        snprintf(call, sizeof call, "pthread_%s_%s%slock(&l%u, %s&soon)", kind_of[lock] == 'm' ? "mutex" : "rwlock",
                 way,
                 kind_of[lock] == 'm' ? ""
                 : share              ? "rd"
                                      : "wr",
                 lock, *way == 'c' ? "CLOCK_REALTIME, " : "");
    say(p, "%s", call);
    emit(p, TRY, lock, share, 0);
}

static bool draw_share(uint32_t lock)
{
    return kind_of[lock] == 'r' && draw(2);
}

static void write_load(struct program *p)
{
    say(p, " seen = flag;");
    emit(p, LOAD, 0, false, 0);
}

// Goes round until the flag is set.
static void write_poller(struct program *p)
{
    uint32_t lock = atomic_flag ? draw(locks) : 0, other = 1 - lock;
    bool share = draw_share(lock), nested = locks == 2 && lock == 0 && !draw(3);
    say(p, "    int seen = 0;\n    do {\n");
    if (draw(4)) {
        say(p, "       ");
        write_take(p, lock, share);
        if (nested)
            write_take(p, other, false);
        write_load(p);
        if (nested)
            write_let_go(p, other);
        write_let_go(p, lock);
        emit(p, JUMP_IF_ZERO, 0, false, 0);
    } else {
        say(p, "        if (!");
        write_try(p, lock, share);
        uint32_t jump = emit(p, JUMP_IF_BUSY, 0, false, 0);
        say(p, ") {");
        write_load(p);
        write_let_go(p, lock);
        say(p, " }");
        emit(p, JUMP_IF_ZERO, 0, false, 0);
        p->code[jump].to = 0;
    }
    say(p, "\n    } while (!seen);\n");
}

// Looks a few times; each answer is a bit.
static void write_observer(struct program *p, const char *bits)
{
    uint32_t looks = 2 + draw(threads == 2 ? LOOKS - 1 : 2);
    for (uint32_t i = 0; i < looks; i++) {
        uint32_t lock = draw(locks);
        say(p, "    if (");
        if (kind_of[lock] == 'p' && draw(2)) {
            say(p, "is_zero(&l%u))\n        %s |= %u;\n", lock, bits, 1u << i);
            emit(p, LOOK, lock, false, 0);
            emit(p, NOTE, 0, false, i);
            continue;
        }
        write_try(p, lock, draw_share(lock));
        emit(p, NOTE, 0, false, i);
        uint32_t jump = emit(p, JUMP_IF_BUSY, 0, false, 0);
        say(p, ")\n        %s |= %u;\n    else\n       ", bits, 1u << i);
        write_let_go(p, lock);
        say(p, "\n");
        p->code[jump].to = (uint8_t)p->length;
    }
}

static void write_setter(struct program *p)
{
    say(p, "   ");
    if (!atomic_flag)
        write_take(p, 0, false);
    say(p, " flag = 1;");
    emit(p, STORE, 0, false, 0);
    if (!atomic_flag)
        write_let_go(p, 0);
    say(p, "\n");
}

// A state of the machine; no padding, so that states compare as bytes.
struct state {
    uint8_t at[THREADS], value[THREADS], seen[THREADS];
    uint8_t owner[LOCKS], readers[LOCKS]; // thread + 1; a bit for each thread
    uint8_t flag;
};

enum { STATES = 1 << 20 };
static struct state states[STATES];
static uint32_t table[2 * STATES], state_count;

static void visit(const struct state *s)
{
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < sizeof *s; i++)
        hash = (hash ^ ((const uint8_t *)s)[i]) * 1099511628211u;
    uint32_t at = (uint32_t)(hash >> 20) % (2 * STATES);
    for (; table[at]; at = (at + 1) % (2 * STATES))
        if (!memcmp(&states[table[at] - 1], s, sizeof *s))
            return;
    if (state_count == STATES)
        exit(1);
    states[state_count] = *s;
    table[at] = ++state_count;
}

static bool is_free(const struct state *s, const struct instruction *i)
{
    return !s->owner[i->lock] && (i->share || !s->readers[i->lock]);
}

static void take(struct state *s, const struct instruction *i, uint32_t thread)
{
    if (i->share)
        s->readers[i->lock] |= (uint8_t)(1u << thread);
    else
        s->owner[i->lock] = (uint8_t)(thread + 1);
}

static void step(const struct state *from, uint32_t thread)
{
    struct state s = *from;
    const struct instruction *i = &programs[thread].code[s.at[thread]];
    uint8_t *value = &s.value[thread];
    s.at[thread]++;
    switch (i->op) {
    case TAKE:
        if (!is_free(&s, i))
            return;
        take(&s, i, thread);
        break;
    case TRY:
        *value = !is_free(&s, i);
        if (!*value)
            take(&s, i, thread);
        break;
    case LOOK:
        *value = !is_free(&s, i);
        break;
    case LET_GO:
        if (s.owner[i->lock] == thread + 1)
            s.owner[i->lock] = 0;
        s.readers[i->lock] &= (uint8_t) ~(1u << thread);
        break;
    case LOAD:
        *value = s.flag;
        break;
    case STORE:
        s.flag = 1;
        break;
    case NOTE:
        s.seen[thread] |= (uint8_t)(*value << i->to);
        break;
    case JUMP_IF_BUSY:
        if (*value)
            s.at[thread] = i->to;
        break;
    case JUMP_IF_ZERO:
        if (!*value)
            s.at[thread] = i->to;
        break;
    case END:
        return;
    }
    visit(&s);
}

// Whether an execution ends in which main sees one pattern and the second observer another.
static bool can_be_seen(uint32_t first, uint32_t second)
{
    struct state begin = {0};
    visit(&begin);
    bool found = false;
    for (uint32_t i = 0; i < state_count; i++) {
        const struct state s = states[i];
        bool over = true;
        for (uint32_t thread = 0; thread < threads; thread++) {
            over &= programs[thread].code[s.at[thread]].op == END;
            step(&s, thread);
        }
        found |= over && s.seen[0] == first && (second == UINT32_MAX || s.seen[2] == second);
    }
    return found;
}

static void print_locks(void)
{
    for (uint32_t i = 0; i < locks; i++)
        printf(kind_of[i] == 'm'   ? "static pthread_mutex_t l%u = PTHREAD_MUTEX_INITIALIZER;\n"
               : kind_of[i] == 's' ? "static pthread_spinlock_t l%u;\n"
               : kind_of[i] == 'c' ? "static mtx_t l%u;\n"
               : kind_of[i] == 'p' ? "static sem_t l%u;\n"
                                   : "static pthread_rwlock_t l%u = PTHREAD_RWLOCK_INITIALIZER;\n",
               i);
}

static void print_main(uint32_t first, uint32_t second)
{
    printf("int main(void)\n{\n    pthread_t t[2];\n    unsigned bits = 0;\n");
    for (uint32_t i = 0; i < locks; i++)
        if (kind_of[i] != 'm' && kind_of[i] != 'r')
            printf(kind_of[i] == 's'   ? "    pthread_spin_init(&l%u, 0);\n"
                   : kind_of[i] == 'c' ? "    mtx_init(&l%u, mtx_timed);\n"
                                       : "    sem_init(&l%u, 0, 1);\n",
                   i);
    for (uint32_t i = 1; i < threads; i++)
        printf("    pthread_create(&t[%u], 0, thread%u, 0);\n", i - 1, i);
    printf("%s", programs[0].text);
    for (uint32_t i = 1; i < threads; i++)
        printf("    pthread_join(t[%u], 0);\n", i - 1);
    if (second == UINT32_MAX)
        printf("    assert(bits != %u);\n", first);
    else
        printf("    assert(bits != %u || others != %u);\n", first, second);
    printf("    return 0;\n}\n");
}

int main(int argc, char **argv)
{
    draw_begin(argc, argv);
    threads = 2 + (draw(3) == 0);
    locks = 1 + draw(2);
    atomic_flag = draw(2);
    bool observer = threads == 3 && draw(2);
    for (uint32_t i = 0; i < locks; i++)
        kind_of[i] = "mmcsrp"[draw(6)];
    write_observer(&programs[0], "bits");
    write_setter(&programs[0]);
    emit(&programs[0], END, 0, false, 0);
    for (uint32_t i = 1; i < threads; i++) {
        if (i == 2 && observer)
            write_observer(&programs[i], "others");
        else
            write_poller(&programs[i]);
        emit(&programs[i], END, 0, false, 0);
    }
    uint32_t first = draw(1u << 3), second = observer ? draw(1u << 2) : UINT32_MAX;
    bool bug = can_be_seen(first, second);
    if (threads == 2)
        printf("// expect: %s options: --strategy %s\n", bug ? "bug assertion" : "verified",
               draw_of("optimal", "dpor", "optimal", "dfs", "bounded"));
    else // some have millions of executions
        printf("// expect: %s options: --time 5 --strategy %s\n", bug ? "wrong assertion" : "right",
               draw_of("optimal", "dpor", "optimal", "bounded", "random"));
    printf("#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include "
           "<threads.h>\n#include "
           "<time.h>\n\n");
    print_locks();
    printf("static __attribute__((unused)) int is_zero(sem_t *s)\n{\n    int value;\n    sem_getvalue(s, &value);\n    "
           "return "
           "!value;\n}\n");
    printf("static %sint flag;\nstatic const struct timespec soon = {1, 0};\n", atomic_flag ? "_Atomic " : "");
    printf("%s\n", observer ? "static unsigned others;\n" : "");
    for (uint32_t i = 1; i < threads; i++)
        printf("static void *thread%u(void *argument)\n{\n%s    return argument;\n}\n\n", i, programs[i].text);
    printf("#pragma GCC diagnostic ignored \"-Wunused-const-variable\"\n");
    print_main(first, second);
    return 0;
}
