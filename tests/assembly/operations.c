// Three threads and two words, by inline assembly or (C11) by atomics: the same executions. Some operations store what was
// there, or fail. PART chooses among the threads' programs.
#include <heddle/heddle.h>
#include <pthread.h>

static int x, y;

#ifdef C11
#define ORDER __ATOMIC_SEQ_CST
static int load(int *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
static void store(int *p, int v) { __atomic_store_n(p, v, __ATOMIC_RELEASE); }
static int exchange(int *p, int v) { return __atomic_exchange_n(p, v, ORDER); }
static int add(int *p, int v) { return __atomic_fetch_add(p, v, ORDER); }
static void or(int *p, int v) { __atomic_fetch_or(p, v, ORDER); }
static void and(int *p, int v) { __atomic_fetch_and(p, v, ORDER); }
static void set_bit(int *p, int bit) { __atomic_fetch_or(p, 1 << bit, ORDER); }
static void increment(int *p) { store(p, load(p) + 1); }
static int swap(int *p, int old, int v) { return __atomic_compare_exchange_n(p, &old, v, 0, ORDER, ORDER); }
#else
static int load(int *p)
{
    int v;
    asm volatile("movl %1, %0" : "=r"(v) : "m"(*p) : "memory");
    return v;
}
static void store(int *p, int v) { asm volatile("movl %1, %0" : "=m"(*p) : "r"(v) : "memory"); }
static int exchange(int *p, int v)
{
    asm volatile("xchgl %0, %1" : "+r"(v), "+m"(*p)::"memory");
    return v;
}
static int add(int *p, int v)
{
    asm volatile("lock; xaddl %0, %1" : "+r"(v), "+m"(*p)::"memory", "cc");
    return v;
}
static void or(int *p, int v) { asm volatile("lock orl %1, %0" : "+m"(*p) : "ir"(v) : "memory", "cc"); }
static void and(int *p, int v) { asm volatile("lock andl %1, %0" : "+m"(*p) : "ir"(v) : "memory", "cc"); }
static void increment(int *p) { asm volatile("incl %0" : "+m"(*p)::"memory", "cc"); } // not locked
static void set_bit(int *p, int bit) { asm volatile("lock btsl %1, %0" : "+m"(*p) : "ir"(bit) : "memory", "cc"); }
static int swap(int *p, int old, int v)
{
    unsigned char done;
    int found = old;
#ifndef __clang__
    asm volatile("" ::"r"(&found) : "memory"); // in memory, as gcc has what the atomic one compares with: an access, too
#endif
    asm volatile("lock cmpxchgl %3, %1; sete %2" : "+a"(found), "+m"(*p), "=q"(done) : "r"(v) : "memory", "cc");
    return done;
}
#endif

static void *first(void *unused)
{
    if (PART & 1)
        add(&x, exchange(&y, 1));
    else
        store(&y, swap(&x, 0, 1) + 1);
    or(&x, 1);
    return unused;
}

static void *second(void *unused)
{
    if (PART & 2)
        set_bit(&x, load(&y));
    else
        and(&y, load(&x));
    if (PART & 8)
        increment(&y);
    else
        swap(&y, 1, 1);
    return unused;
}

static void *third(void *unused)
{
    if (PART & 4)
        add(&y, swap(&x, load(&y), 0));
    else
        exchange(&x, load(&x));
    increment(&y);
    return unused;
}

int main(void)
{
    pthread_t thread[3];
    pthread_create(&thread[0], NULL, first, NULL);
    pthread_create(&thread[1], NULL, second, NULL);
    pthread_create(&thread[2], NULL, third, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    heddle_assert(x + 10 * y != LOOKED_FOR);
}
