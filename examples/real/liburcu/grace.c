// Userspace RCU: what a reader has found is not freed before it is done with it, in each flavour (-DRCU_MB, -DRCU_QSBR).
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef RCU_QSBR
#include <urcu-qsbr.h>
#else
#include <urcu.h>
#endif

struct config {
    int number, same;
};

static struct config *current;
static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;

static struct config *make(int number)
{
    struct config *c = malloc(sizeof *c);
    *c = (struct config){number, number};
    return c;
}

static void look(void)
{
    rcu_read_lock();
    const struct config *c = rcu_dereference(current);
    heddle_assert(c->number == c->same);
    rcu_read_unlock();
    rcu_quiescent_state(); // nothing but in QSBR
}

static void *reader(void *times)
{
    rcu_register_thread();
    for (int i = 0; i < *(int *)times; i++)
        look();
    rcu_unregister_thread();
    return NULL;
}

static void replace(int number)
{
    struct config *fresh = make(number);
    pthread_mutex_lock(&writers);
    struct config *old = current;
    rcu_assign_pointer(current, fresh);
    pthread_mutex_unlock(&writers);
    synchronize_rcu();
    old->number = -1;
    free(old);
}

static void *writer(void *unused)
{
    replace(1);
    return unused;
}

static void run(int readers, int times, int writing)
{
    pthread_t threads[4];
    int n = 0;
    current = make(0);
    for (int i = 0; i < readers; i++)
        pthread_create(&threads[n++], NULL, reader, &times);
    for (int i = 0; i < writing; i++)
        pthread_create(&threads[n++], NULL, writer, NULL);
    while (n--)
        pthread_join(threads[n], NULL);
    free(current);
}

heddle_test("one reader, one writer")
{
    run(1, 1, 1);
}

heddle_test("a reader that looks twice, one writer")
{
    run(1, 2, 1);
}

heddle_test("two readers, one writer")
{
    run(2, 1, 1);
}

heddle_test("one reader, two writers")
{
    run(1, 1, 2);
}
