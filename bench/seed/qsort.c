// qsort, after the thesis of Inspect (Yang, Utah 2009, section 5.4): "a multithreaded quick sort algorithm". The text
// says no more; it counts two threads and four traces.
//
// THREADS counts main. The parts that are still to be sorted are on a stack under a mutex; every thread takes a part,
// splits it, puts one half back and goes on with the other. Who finds nothing waits until there is a part, or all is
// sorted.
//
// BUG: whether all is sorted is asked outside the critical section in which the thread begins to wait.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef SIZE
#define SIZE 4
#endif

enum { WORKERS = THREADS - 1 };

struct part {
    int low, high; // both belong to it
};

static int number[SIZE];
static struct part stack[SIZE];
static int parts, unsorted = SIZE;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void give(struct part part)
{
    pthread_mutex_lock(&lock);
    stack[parts++] = part;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

// So many more numbers are where they belong.
static void settle(int count)
{
    pthread_mutex_lock(&lock);
    unsorted -= count;
    if (!unsorted)
        pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

// False if all is sorted.
static bool take(struct part *part)
{
    pthread_mutex_lock(&lock);
    while (!parts && unsorted) {
#ifdef BUG
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
#endif
        pthread_cond_wait(&changed, &lock);
    }
    bool some = parts > 0;
    if (some)
        *part = stack[--parts];
    pthread_mutex_unlock(&lock);
    return some;
}

static void swap(int a, int b)
{
    int kept = number[a];
    number[a] = number[b];
    number[b] = kept;
}

// Puts the part's last number where it belongs, the smaller ones on its left.
static int split(struct part part)
{
    int middle = part.low;
    for (int i = part.low; i < part.high; i++)
        if (number[i] < number[part.high])
            swap(i, middle++);
    swap(middle, part.high);
    return middle;
}

static void sort(struct part part)
{
    while (part.low < part.high) {
        int middle = split(part);
        if (middle < part.high)
            give((struct part){middle + 1, part.high});
        settle(1);
        part.high = middle - 1;
    }
    if (part.low == part.high)
        settle(1);
}

static void *worker(void *unused)
{
    struct part part;
    while (take(&part))
        sort(part);
    return unused;
}

int main(void)
{
    pthread_t thread[WORKERS];
    for (int i = 0; i < SIZE; i++)
        number[i] = (i * 7 + 2) % SIZE;
    give((struct part){0, SIZE - 1});
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    worker(NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 1; i < SIZE; i++)
        assert(number[i - 1] <= number[i]);
    return 0;
}
