// Who keeps a value: variables of every sort, objects of the thread library, the C library, the kernel. Threads put values there
// and get them, one call at a time, and carry what they got in another place that is theirs alone until they end. The program
// claims that one pattern of answers is never seen. Whether it can be is found by trying all orders of the calls on a model.
#include "draw.h"

#include <stdbool.h>
#include <string.h>

enum { THREADS = 3, CALLS = 3, ROOM = 8, ANSWERS = THREADS * CALLS + 1, OUTCOMES = 4096 };
enum puts { SETS, ADDS, PUSHES, SWAPS };
enum gets { LOOKS, TAKES_ONE, TAKES_ALL, POPS, COUNTS };
enum care { ANY_ORDER, NEEDS_LOCK };

// put(v) and get() are its functions: v is 1, 2 or 3, and get() gives 0 while there is nothing.
struct keeper {
    enum puts puts;
    enum gets gets;
    enum care care;
    bool exact; // heddle has to follow it; others may be incomplete
    const char *variables, *prepare, *put, *get;
};

static const struct keeper keepers[] = {
    {SETS, LOOKS, ANY_ORDER, true, "static volatile int x;", "", "x = v;", "return x;"},
    {SETS, LOOKS, ANY_ORDER, true, "static atomic_long x;", "", "atomic_store_explicit(&x, v, memory_order_relaxed);",
     "return (int)atomic_load_explicit(&x, memory_order_relaxed);"},
    {SWAPS, LOOKS, ANY_ORDER, true, "static _Atomic short x;", "", "return atomic_exchange(&x, (short)v);", "return x;"},
    {SETS, LOOKS, ANY_ORDER, true, "static _Atomic struct { long a, b, c; } x;", "",
     "__typeof__(x) y; struct { long a, b, c; } z = {v, v, v}; memcpy(&y, &z, sizeof z); atomic_store(&x, y);",
     "struct { long a, b, c; } z; __typeof__(x) y = atomic_load(&x); memcpy(&z, &y, sizeof z); assert(z.a == z.c); return (int)z.b;"},
    {SWAPS, LOOKS, ANY_ORDER, true, "static int x;", "", "int old = v; __asm__ volatile(\"xchgl %0, %1\" : \"+r\"(old), \"+m\"(x) : : \"memory\"); return old;",
     "return __sync_fetch_and_add(&x, 0);"},
    {ADDS, LOOKS, ANY_ORDER, true, "static int x;", "", "__sync_fetch_and_add(&x, 1);", "return __atomic_load_n(&x, __ATOMIC_ACQUIRE);"},
    {ADDS, LOOKS, NEEDS_LOCK, true, "static struct { unsigned a : 3, x : 5, b : 7; } s;", "", "s.x++;", "assert(!s.a && !s.b); return s.x;"},
    {SETS, LOOKS, NEEDS_LOCK, true, "static struct { char c; long x; } __attribute__((packed)) s[2];", "", "s[1].x = v;", "return (int)s[1].x;"},
    {SETS, LOOKS, NEEDS_LOCK, true, "static long double x;", "", "x = v;", "return (int)x;"},
    {SETS, LOOKS, NEEDS_LOCK, true, "static char x[40];", "", "sprintf(x, \"%d and more of it\", v);", "return atoi(x);"},
    {SETS, LOOKS, NEEDS_LOCK, true, "static int *x;", "", "free(x); x = malloc(sizeof *x); *x = v;", "return x ? *x : 0;"},
    {SETS, LOOKS, NEEDS_LOCK, true, "static char *x;", "", "x = realloc(x, (size_t)v * 100); x[v * 100 - 1] = 1; x[0] = (char)v;", "return x ? x[0] : 0;"},
    {PUSHES, POPS, NEEDS_LOCK, true, "static struct node { struct node *next; int v; } *first, **last = &first;", "",
     "struct node *n = calloc(1, sizeof *n); n->v = v; *last = n; last = &n->next;",
     "struct node *n = first; if (!n) return 0; int v = n->v; if (!(first = n->next)) last = &first; free(n); return v;"},
    {SETS, LOOKS, NEEDS_LOCK, false, "", "", "char t[2] = {(char)('0' + v), 0}; setenv(\"X\", t, 1);", "const char *t = getenv(\"X\"); return t ? atoi(t) : 0;"},
    {SETS, LOOKS, NEEDS_LOCK, false, "static struct tm *x;", "x = gmtime(&(time_t){0});", "x = gmtime(&(time_t){v});", "return x->tm_sec;"},
    {SETS, LOOKS, NEEDS_LOCK, false, "#include <getopt.h>\n", "optind = 0;", "optind = v;", "return optind;"},
    {ADDS, LOOKS, ANY_ORDER, true, "static sem_t x;", "sem_init(&x, 0, 0);", "sem_post(&x);", "int v; sem_getvalue(&x, &v); return v;"},
    {ADDS, TAKES_ONE, ANY_ORDER, true, "static sem_t x;", "sem_init(&x, 0, 0);", "sem_post(&x);", "return !sem_trywait(&x);"},
    {ADDS, TAKES_ONE, ANY_ORDER, true, "static sem_t *x;", "x = sem_open(\"/x\", O_CREAT, 0600, 0);", "sem_post(x);", "return !sem_trywait(x);"},
    {ADDS, TAKES_ALL, ANY_ORDER, true, "static int x;", "x = eventfd(0, EFD_NONBLOCK);", "eventfd_write(x, 1);", "eventfd_t v = 0; return eventfd_read(x, &v) ? 0 : (int)v;"},
    {ADDS, TAKES_ONE, ANY_ORDER, true, "static int x;", "x = eventfd(0, EFD_NONBLOCK | EFD_SEMAPHORE);", "eventfd_write(x, 1);",
     "eventfd_t v = 0; return eventfd_read(x, &v) ? 0 : (int)v;"},
    {PUSHES, POPS, ANY_ORDER, true, "static int x[2];", "assert(!pipe2(x, O_NONBLOCK));", "char c = (char)v; assert(write(x[1], &c, 1) == 1);",
     "char c = 0; return read(x[0], &c, 1) == 1 ? c : 0;"},
    {PUSHES, POPS, ANY_ORDER, true, "static int x[2];", "assert(!socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, x));", "char c = (char)v; assert(send(x[1], &c, 1, 0) == 1);",
     "char c = 0; return recv(x[0], &c, 1, 0) == 1 ? c : 0;"},
    {ADDS, LOOKS, ANY_ORDER, true, "static int x[2];", "assert(!pipe(x));", "assert(write(x[1], \"a\", 1) == 1);", "int n = 0; ioctl(x[0], FIONREAD, &n); return n;"},
    {ADDS, TAKES_ONE, ANY_ORDER, true, "static int x[2];", "assert(!pipe2(x, O_NONBLOCK));", "assert(write(x[1], \"a\", 1) == 1);",
     "struct pollfd p = {x[0], POLLIN, 0}; char c; return poll(&p, 1, 0) == 1 && read(x[0], &c, 1) == 1;"},
    {SETS, LOOKS, ANY_ORDER, true, "static int x[2];", "assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, x));", "int on = v & 1; setsockopt(x[0], SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);",
     "int on; socklen_t size = sizeof on; getsockopt(x[0], SOL_SOCKET, SO_KEEPALIVE, &on, &size); return on;"},
    {SETS, LOOKS, ANY_ORDER, true, "static int x[2];", "assert(!pipe(x));", "fcntl(x[0], F_SETFL, v & 1 ? O_NONBLOCK : 0);", "return !!(fcntl(x[0], F_GETFL) & O_NONBLOCK);"},
    {SETS, LOOKS, ANY_ORDER, true, "static pthread_t x;", "x = pthread_self(); pthread_setname_np(x, \"0\");", "char t[2] = {(char)('0' + v), 0}; pthread_setname_np(x, t);",
     "char t[16]; pthread_getname_np(x, t, sizeof t); return atoi(t);"},
    {SETS, LOOKS, ANY_ORDER, true, "", "", "pthread_setconcurrency(v);", "return pthread_getconcurrency();"},
    {SETS, LOOKS, ANY_ORDER, true, "enum { LEAST = 65536 };\n", "pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setstacksize(&a, LEAST); pthread_setattr_default_np(&a);",
     "pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setstacksize(&a, LEAST + (size_t)v * 4096); pthread_setattr_default_np(&a);",
     "pthread_attr_t a; size_t size; pthread_getattr_default_np(&a); pthread_attr_getstacksize(&a, &size); return (int)((size - LEAST) / 4096);"},
    {SETS, COUNTS, ANY_ORDER, true, "static pthread_key_t x;", "assert(!pthread_key_create(&x, 0));", "", "pthread_key_t k; assert(!pthread_key_create(&k, 0)); return (int)(k - x - 1);"},
    {SETS, LOOKS, ANY_ORDER, false, "static FILE *x;", "x = tmpfile(); fputs(\"abcdef\", x); rewind(x);", "fseek(x, v, SEEK_SET);", "return (int)ftell(x);"},
    {SETS, COUNTS, ANY_ORDER, false, "static FILE *x;", "x = tmpfile(); fputs(\"0123456789\", x); rewind(x);", "", "return getc(x) - '0';"},
    {SETS, LOOKS, ANY_ORDER, false, "static int x;", "char name[] = \"xXXXXXX\"; x = mkstemp(name); assert(write(x, \"0\", 1) == 1);",
     "char c = (char)('0' + v); assert(pwrite(x, &c, 1, 0) == 1);", "char c; assert(pread(x, &c, 1, 0) == 1); return c - '0';"},
    {SETS, LOOKS, ANY_ORDER, false, "static int x;", "char name[] = \"xXXXXXX\"; x = mkstemp(name);", "lseek(x, v, SEEK_SET);", "return (int)lseek(x, 0, SEEK_CUR);"},
    {SWAPS, LOOKS, ANY_ORDER, false, "", "umask(0);", "return (int)umask((mode_t)v);", "struct stat s; close(open(\"u\", O_CREAT | O_WRONLY, 7)); stat(\"u\", &s); unlink(\"u\"); return ~s.st_mode & 7;"},
    {SETS, LOOKS, ANY_ORDER, false, "", "", "if (v & 1) mkdir(\"d\", 0700); else rmdir(\"d\");", "return !access(\"d\", F_OK);"},
    {SETS, LOOKS, ANY_ORDER, false, "", "errno = 0; setpriority(PRIO_PROCESS, 0, 0);", "setpriority(PRIO_PROCESS, 0, v);", "return getpriority(PRIO_PROCESS, 0);"},
};

// Where a thread keeps what it got. keep(v) and kept().
static const struct {
    const char *variables, *keep, *kept;
} pockets[] = {
    {"static __thread int own;", "own = v;", "return own;"},
    {"static pthread_key_t own;\n__attribute__((constructor)) static void make_key(void)\n{\n    pthread_key_create(&own, 0);\n}\n", "pthread_setspecific(own, (void *)(intptr_t)v);",
     "return (int)(intptr_t)pthread_getspecific(own);"},
    {"static tss_t own;\n__attribute__((constructor)) static void make_key(void)\n{\n    tss_create(&own, 0);\n}\n", "tss_set(own, (void *)(intptr_t)v);", "return (int)(intptr_t)tss_get(own);"},
    {"", "char t[12]; sprintf(t, \"%d\", v); pthread_setname_np(pthread_self(), t);", "char t[16]; pthread_getname_np(pthread_self(), t, sizeof t); return atoi(t);"},
    {"", "sigset_t s; sigemptyset(&s); for (int i = 0; i < 9; i++) if (v >> i & 1) sigaddset(&s, SIGRTMIN + i); pthread_sigmask(SIG_SETMASK, &s, 0);",
     "sigset_t s; int v = 0; pthread_sigmask(0, 0, &s); for (int i = 0; i < 9; i++) v |= sigismember(&s, SIGRTMIN + i) << i; return v;"},
    {"static __thread int *own;", "free(own); own = calloc((size_t)v + 1, sizeof *own); *own = v;", "return *own;"},
    {"static __thread jmp_buf own;\nstatic __thread int jumped;\n", "jumped = v + 1;", "int v = setjmp(own); if (!v) longjmp(own, jumped ? jumped : 1); return v - 1;"},
    {"static _Thread_local double own;\n", "own = v / 4.0;", "return (int)(own * 4);"},
};
enum { KEEPERS = sizeof keepers / sizeof *keepers, POCKETS = sizeof pockets / sizeof *pockets };

struct call {
    bool put;
    int value;
};

struct world {
    int at[THREADS], list[ROOM], count, answers[ANSWERS];
};

static const struct keeper *keeper;
static struct call calls[THREADS][CALLS];
static int threads, lengths[THREADS];
static bool whole; // each thread is one critical section
static int outcomes[OUTCOMES][ANSWERS], outcome_count;

static int model_put(struct world *w, int v)
{
    int old = w->count ? w->list[0] : 0;
    switch (keeper->puts) {
    case ADDS:
        w->list[0] = old + 1;
        break;
    case PUSHES:
        w->list[w->count] = v;
        break;
    default:
        w->list[0] = v;
    }
    w->count = keeper->puts == PUSHES ? w->count + 1 : 1;
    return keeper->puts == SWAPS ? old : 0;
}

static int model_get(struct world *w)
{
    int old = w->count ? w->list[0] : 0;
    switch (keeper->gets) {
    case TAKES_ONE:
        w->list[0] = old ? old - 1 : 0;
        return old > 0;
    case TAKES_ALL:
        w->list[0] = 0;
        return old;
    case COUNTS:
        w->list[0] = old + 1;
        w->count = 1;
        return old;
    case POPS:
        if (w->count)
            memmove(w->list, w->list + 1, (size_t)--w->count * sizeof *w->list);
        return old;
    default:
        return old;
    }
}

static void model_call(struct world *w, int thread)
{
    int k = w->at[thread]++;
    const struct call *c = &calls[thread][k];
    w->answers[thread * CALLS + k] = c->put ? model_put(w, c->value) : model_get(w);
}

static void note(const struct world *w)
{
    for (int i = 0; i < outcome_count; i++)
        if (!memcmp(outcomes[i], w->answers, sizeof w->answers))
            return;
    if (outcome_count == OUTCOMES)
        exit(1);
    memcpy(outcomes[outcome_count++], w->answers, sizeof w->answers);
}

static void try_all(struct world w)
{
    bool over = true;
    for (int t = 0; t < threads; t++) {
        if (w.at[t] == lengths[t])
            continue;
        struct world next = w;
        over = false;
        do
            model_call(&next, t);
        while (whole && next.at[t] < lengths[t]);
        try_all(next);
    }
    if (over) {
        w.answers[ANSWERS - 1] = model_get(&w);
        note(&w);
    }
}

// A pattern that is seen, or one that is not: another one with one answer changed.
static bool choose_claim(int claim[ANSWERS])
{
    bool seen = draw(2);
    memcpy(claim, outcomes[draw((unsigned)outcome_count)], sizeof *outcomes);
    for (int tries = 0; !seen && tries < 50; tries++) {
        int at = (int)draw(ANSWERS);
        if (at < ANSWERS - 1 && (at / CALLS >= threads || at % CALLS >= lengths[at / CALLS]))
            continue;
        claim[at] = (int)draw(4);
        bool met = false;
        for (int i = 0; i < outcome_count; i++)
            met |= !memcmp(outcomes[i], claim, sizeof *outcomes);
        if (!met)
            return false;
        memcpy(claim, outcomes[draw((unsigned)outcome_count)], sizeof *outcomes);
    }
    return true;
}

// The SETS of some keepers keep one bit only.
static int value_of(int v)
{
    return strstr(keeper->put, "v & 1") ? v & 1 : v;
}

static void write_program(const int claim[ANSWERS], bool locked, int pocket)
{
    printf("#define _GNU_SOURCE\n#include <assert.h>\n#include <errno.h>\n#include <fcntl.h>\n#include <poll.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <setjmp.h>\n"
           "#include <signal.h>\n#include <stdatomic.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/eventfd.h>\n"
           "#include <sys/ioctl.h>\n#include <sys/resource.h>\n#include <sys/socket.h>\n#include <sys/stat.h>\n#include <threads.h>\n#include <time.h>\n#include <unistd.h>\n\n"
           "static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\nstatic int seen[%d];\n%s\n%s\n\n",
           ANSWERS, keeper->variables, pockets[pocket].variables);
    printf("static int put(int v)\n{\n    %s\n    return (void)v, 0;\n}\n\nstatic int get(void)\n{\n    %s\n}\n\n", keeper->put, keeper->get);
    printf("static void keep(int v)\n{\n    %s\n}\n\nstatic int kept(void)\n{\n    %s\n}\n\n", pockets[pocket].keep, pockets[pocket].kept);
    const char *lock = locked ? "    pthread_mutex_lock(&mutex);\n" : "", *unlock = locked ? "    pthread_mutex_unlock(&mutex);\n" : "";
    for (int t = 0; t < threads; t++) {
        printf("static void *thread%d(void *argument)\n{\n    int v;\n%s", t, whole ? lock : "");
        for (int k = 0; k < lengths[t]; k++) {
            const struct call *c = &calls[t][k];
            printf("%s    v = ", whole ? "" : lock);
            c->put ? printf("put(%d);\n", c->value) : printf("get();\n");
            printf("%s", whole ? "" : unlock);
            if (k)
                printf("    keep(kept() * 8 + v);\n");
            else
                printf("    keep(v);\n");
        }
        printf("%s    v = kept();\n    for (int i = %d; i >= 0; i--, v /= 8)\n        seen[%d + i] = v %% 8;\n    return argument;\n}\n\n", whole ? unlock : "", lengths[t] - 1, t * CALLS);
    }
    printf("int main(void)\n{\n    %s\n    pthread_t t[%d];\n", keeper->prepare, threads);
    for (int t = 0; t < threads; t++)
        printf("    pthread_create(&t[%d], 0, thread%d, 0);\n", t, t);
    for (int t = 0; t < threads; t++)
        printf("    pthread_join(t[%d], 0);\n", t);
    printf("    seen[%d] = get();\n    assert(!(1", ANSWERS - 1);
    for (int i = 0; i < ANSWERS; i++)
        if (i == ANSWERS - 1 || (i / CALLS < threads && i % CALLS < lengths[i / CALLS]))
            printf(" && seen[%d] == %d", i, claim[i]);
    printf("));\n    return 0;\n}\n");
}

int main(int argc, char **argv)
{
    uint64_t number = draw_begin(argc, argv);
    keeper = &keepers[number % KEEPERS];
    threads = 2 + (draw(3) == 0);
    for (int t = 0; t < threads; t++) {
        lengths[t] = 1 + (int)draw(threads == 2 ? 3 : 2);
        for (int k = 0; k < lengths[t]; k++)
            calls[t][k] = (struct call){keeper->gets != COUNTS && draw(2), value_of(1 + (int)draw(3))};
    }
    bool locked = keeper->care == NEEDS_LOCK || draw(3) == 0;
    whole = locked && draw(2);
    try_all((struct world){0});
    int claim[ANSWERS];
    bool seen = choose_claim(claim);
    int pocket = (int)draw(POCKETS);
    printf("// expect: %s options: --time 20 %s\n", !keeper->exact ? (seen ? "wrong" : "right") : seen ? "bug assertion" : "verified",
           draw_of("", "", "--strategy optimal", "--strategy dpor", "--strategy dfs", "--strategy rf", "--strategy states", "--strategy states", "--strategy dlspor",
                   "--strategy spor", "--strategy sdpor", "--strategy bounded", "--strategy states --symmetry on", "--restart replay"));
    write_program(claim, locked, pocket);
    return 0;
}
