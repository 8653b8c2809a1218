// Two or three threads that each do a few random operations on the same locks, semaphores and threads, told by a number.
// What they saw is added to a file when they are done, one line a run, so that the outcomes of two searches can be compared.
//
//     orders FAMILY SEED FILE
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

int add_line(const char *path, const char *line, long size); // orders_file.c

enum op {
    LOAD, STORE, LOAD_OTHER, STORE_OTHER, LOCK, TIMEDLOCK, UNLOCK, RDLOCK, WRLOCK, TRYRDLOCK, TRYWRLOCK, TIMEDRDLOCK, RWUNLOCK,
    POST, WAIT, TRYWAIT, VALUE, ROBUST, ROBUST_TRY, CONSISTENT, CANCEL, TESTCANCEL, DISABLE, COND_WAIT, COND_SIGNAL, KILL,
    SIGWAIT, SIGTRY, END
};

static const struct family {
    char letter;
    enum op ops[12];
} families[] = {
    {'r', {RDLOCK, WRLOCK, TRYRDLOCK, TRYWRLOCK, TIMEDRDLOCK, RWUNLOCK, RWUNLOCK, LOAD, STORE, LOAD_OTHER, STORE_OTHER, END}},
    {'s', {POST, WAIT, TRYWAIT, VALUE, LOCK, TIMEDLOCK, UNLOCK, LOAD, STORE, END}},
    {'o', {ROBUST, ROBUST_TRY, CONSISTENT, ROBUST, LOAD, STORE, END}},
    {'c', {CANCEL, CANCEL, TESTCANCEL, DISABLE, WAIT, POST, COND_WAIT, COND_SIGNAL, LOAD, STORE, END}},
    {'k', {KILL, KILL, SIGWAIT, SIGTRY, SIGTRY, LOAD, STORE, END}},
};

enum { THREADS = 3, OPS = 4, SEEN = OPS };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, robust;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static atomic_int cell[2];
static pthread_t handle[THREADS];
static int threads, length;
static enum op program[THREADS][OPS];
static char seen[THREADS][SEEN];
static const struct timespec past = {.tv_sec = 1};

static void let_go(void *m)
{
    pthread_mutex_unlock(m);
}

struct holds {
    int mutex, reads, writes, robust;
};

static char do_rwlock(enum op op, struct holds *h)
{
    int error = 0;
    if (op == RWUNLOCK) {
        if (h->reads || h->writes)
            pthread_rwlock_unlock(&lock);
        h->reads -= h->reads > 0;
        h->writes = 0;
        return 0;
    }
    if (h->writes || (h->reads && op != TRYRDLOCK))
        return 0;
    switch (op) {
    case RDLOCK: pthread_rwlock_rdlock(&lock), h->reads++; return 0;
    case WRLOCK: pthread_rwlock_wrlock(&lock), h->writes = 1; return 0;
    case TRYRDLOCK: error = pthread_rwlock_tryrdlock(&lock); break;
    case TRYWRLOCK: error = pthread_rwlock_trywrlock(&lock); break;
    default: error = pthread_rwlock_timedrdlock(&lock, &past); break;
    }
    if (!error)
        *(op == TRYWRLOCK ? &h->writes : &h->reads) += 1;
    return error ? 'b' : 'g';
}

static char do_mutex(enum op op, struct holds *h)
{
    int error = 0;
    if (op == UNLOCK && h->mutex)
        h->mutex = 0, pthread_mutex_unlock(&mutex);
    if (op == UNLOCK || h->mutex)
        return 0;
    if (op == LOCK)
        pthread_mutex_lock(&mutex);
    else
        error = pthread_mutex_timedlock(&mutex, &past);
    h->mutex = !error;
    return op == LOCK ? 0 : error ? 'b' : 'g';
}

static char do_robust(enum op op, struct holds *h)
{
    if (op == CONSISTENT)
        return h->robust ? (pthread_mutex_consistent(&robust) ? 'e' : 'c') : 0;
    if (h->robust) { // so that it is let go now and then
        h->robust = 0;
        pthread_mutex_unlock(&robust);
        return 0;
    }
    int error = op == ROBUST ? pthread_mutex_lock(&robust) : pthread_mutex_trylock(&robust);
    h->robust = !error || error == EOWNERDEAD;
    return error == 0 ? 'g' : error == EOWNERDEAD ? 'd' : error == EBUSY ? 'b' : 'n';
}

static char do_signal(enum op op, int self, int other)
{
    sigset_t set;
    int number;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    if (op == KILL) {
        if (other >= 0)
            pthread_kill(handle[other], self == 2 ? SIGUSR1 : SIGUSR2);
        return 0;
    }
    if (op == SIGWAIT)
        sigwait(&set, &number);
    else
        number = sigtimedwait(&set, NULL, &(struct timespec){0});
    return number == SIGUSR1 ? '1' : number == SIGUSR2 ? '2' : 'b';
}

static char step(enum op op, int self, int at, struct holds *h)
{
    int other = self ? at % self : -1, count; // one that has begun for certain
    switch (op) {
    case LOAD: return (char)('0' + cell[0]);
    case LOAD_OTHER: return (char)('0' + cell[1]);
    case STORE: cell[0] = self + 1; return 0;
    case STORE_OTHER: cell[1] = self + 1; return 0;
    case POST: sem_post(&sem); return 0;
    case WAIT: sem_wait(&sem); return 'w';
    case TRYWAIT: return sem_trywait(&sem) ? 'b' : 'g';
    case VALUE: sem_getvalue(&sem, &count); return (char)('0' + count);
    case CANCEL:
        if (other >= 0)
            pthread_cancel(handle[other]);
        return 0;
    case TESTCANCEL: pthread_testcancel(); return 't';
    case DISABLE: pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL); return 0;
    case COND_SIGNAL: pthread_cond_signal(&condition); return 0;
    case COND_WAIT:
        pthread_mutex_lock(&mutex);
        pthread_cleanup_push(let_go, &mutex);
        pthread_cond_wait(&condition, &mutex);
        pthread_cleanup_pop(1);
        return 'w';
    default: break;
    }
    if (op >= RDLOCK && op <= RWUNLOCK)
        return do_rwlock(op, h);
    if (op >= LOCK && op <= UNLOCK)
        return do_mutex(op, h);
    return op >= KILL ? do_signal(op, self, other) : do_robust(op, h);
}

static void *run(void *number)
{
    int self = (int)(long)number;
    struct holds h = {0};
    for (int i = 0; i < length; i++)
        seen[self][i] = step(program[self][i], self, i, &h);
    while (h.reads || h.writes)
        do_rwlock(RWUNLOCK, &h);
    do_mutex(UNLOCK, &h);
    return &program[self]; // a robust mutex stays locked
}

static unsigned next(unsigned long *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33);
}

static void make(char letter, const char *seed)
{
    const struct family *f = families;
    unsigned long state = 88172645463325252u;
    int ops = 0;
    for (; *seed; seed++)
        state = (state ^ (unsigned long)*seed) * 1099511628211u;
    while (f->letter != letter)
        f++;
    while (f->ops[ops] != END)
        ops++;
    threads = 2 + (int)(next(&state) % 2);
    length = threads == 2 ? OPS : OPS - 2;
    for (int t = 0; t < threads; t++)
        for (int i = 0; i < length; i++)
            program[t][i] = f->ops[next(&state) % (unsigned)ops];
    sem_init(&sem, 0, next(&state) % 2);
}

int main(int argc, char **argv)
{
    char line[64], *to = line;
    sigset_t set;
    pthread_mutexattr_t attributes;
    if (argc != 4)
        return 2;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attributes);
    make(argv[1][0], argv[2]);
    for (long t = 0; t < threads; t++)
        pthread_create(&handle[t], NULL, run, (void *)t);
    for (int t = 0; t < threads; t++) {
        void *value = NULL;
        int early = t == 0 && pthread_tryjoin_np(handle[t], &value) == 0;
        if (!early)
            pthread_join(handle[t], &value);
        *to++ = (char)('A' + early * 2 + (value == PTHREAD_CANCELED));
        for (int i = 0; i < SEEN; i++)
            *to++ = seen[t][i] ? seen[t][i] : '-';
    }
    *to++ = '\n';
    return !add_line(argv[3], line, to - line);
}
