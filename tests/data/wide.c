// THREADS threads that take turns at eight mutexes; with -DBUG one of them looks while another is half-way.
//
// What long and wide programs cost, measured on two cores that others were using too: executions per second, and peak memory.
//
//     heddle check --strategy random --time 20s --max-steps 1048574 --cflags "-DTHREADS=64" tests/data/wide.c
//
//                                          random    pct  bounded  optimal     dpor   memory
//     -DTHREADS=64                260 events  4,000  5,000   87,000   55,000  140,000   2.5 MB
//     -DTHREADS=255             1,030 events     70     84    5,500    3,000    9,100   8.5 MB
//     -DTHREADS=4 -DROUNDS=25000, 100,000 events 12     10    5,000       36      145   110 MB (dpor: 150 MB)
//     -DTHREADS=4 -DROUNDS=250000, 1,000,000 events: 2 to 3 seconds for an execution, 1.1 GB
//
// `bounded` keeps 24 bytes for each state that it knows, at most 100 MB. `bounded`, `optimal` and `dpor` mostly go back by a few
// events, so what they repeat of an execution is short. An event takes 0.5 to 1 microseconds, and 1 KiB for as long as its execution
// lasts: a copy of its thread's record and live stack, its clock, its marks. With many threads each event costs their number, since
// clocks have a lane for each thread; the whole table of who can run is looked through only by `pct` and where nobody's turn goes on.
// With 64 threads even the executions without a preemption are too many for `bounded`: each time a thread ends or waits, any
// other may be next.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 64
#endif
#ifndef ROUNDS
#define ROUNDS 4
#endif

static pthread_mutex_t mutex[8];
static int value[8], half_way;

static void *worker(void *argument)
{
    int self = (int)(intptr_t)argument;
    for (int i = 0; i < ROUNDS; i++) {
        int which = (self + i) % 8;
        pthread_mutex_lock(&mutex[which]);
        value[which]++;
#ifdef BUG
        if (which == 0)
            assert(!half_way || self == 8);
        if (self == 8 && which == 0)
            half_way = 1;
        if (self == 8 && which == 2) {
            pthread_mutex_lock(&mutex[0]);
            half_way = 0;
            pthread_mutex_unlock(&mutex[0]);
        }
#endif
        pthread_mutex_unlock(&mutex[which]);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < 8; i++)
        pthread_mutex_init(&mutex[i], NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, worker, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
