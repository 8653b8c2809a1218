// A library that is not built by heddle and synchronises by means of its own.
#define _GNU_SOURCE
#include "library.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word, spin, has, done;
static char text[64];
static void *(*job)(void *);
static pthread_t worker;

void lib_lock(void)
{
    int free = 0;
    if (atomic_compare_exchange_strong(&word, &free, 1))
        return;
    while (atomic_exchange(&word, 2))
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL);
}

void lib_unlock(void)
{
    if (atomic_exchange(&word, 0) == 2)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
}

void lib_spin_lock(void)
{
    while (atomic_exchange(&spin, 1))
        sched_yield();
}

void lib_spin_unlock(void)
{
    atomic_store(&spin, 0);
}

void lib_with_lock(void *(*function)(void *), void *argument)
{
    lib_lock();
    function(argument);
    lib_unlock();
}

void lib_keep(const char *what)
{
    lib_lock();
    memcpy(text, what, 32);
    lib_unlock();
}

void lib_once(atomic_int *status, void *(*function)(void *))
{
    lib_lock();
    if (!*status)
        function(NULL);
    atomic_store(status, 1);
    lib_unlock();
}

static void *work(void *argument)
{
    while (!has)
        sched_yield();
    job(argument);
    done = 1;
    return argument;
}

void lib_start(void)
{
    pthread_create(&worker, NULL, work, NULL);
}

void lib_submit(void *(*function)(void *))
{
    job = function;
    has = 1;
}

void lib_wait(void)
{
    while (!done)
        sched_yield();
}

void lib_end(void)
{
    pthread_join(worker, NULL);
}
