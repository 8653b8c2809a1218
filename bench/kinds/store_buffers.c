// expect: verified
// Three threads whose stores go through buffers that are written back at any time, as a lock makes them steps.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>

enum { THREADS = 3, VARIABLES = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int memory[VARIABLES], buffer[THREADS][VARIABLES], used[THREADS][VARIABLES], seen[THREADS][VARIABLES];

static void flush_some(void)
{
    for (int t = 0; t < THREADS; t++)
        for (int v = 0; v < VARIABLES; v++)
            if (used[t][v] && heddle_choose(2)) {
                memory[v] = buffer[t][v];
                used[t][v] = 0;
            }
}

static void store(int me, int v, int value)
{
    pthread_mutex_lock(&lock);
    flush_some();
    if (used[me][v])
        memory[v] = buffer[me][v];
    buffer[me][v] = value;
    used[me][v] = 1;
    pthread_mutex_unlock(&lock);
}

static int load(int me, int v)
{
    pthread_mutex_lock(&lock);
    flush_some();
    int value = used[me][v] ? buffer[me][v] : memory[v];
    pthread_mutex_unlock(&lock);
    return value;
}

static void fence(int me)
{
    pthread_mutex_lock(&lock);
    for (int v = 0; v < VARIABLES; v++) {
        if (used[me][v])
            memory[v] = buffer[me][v];
        used[me][v] = 0;
    }
    pthread_mutex_unlock(&lock);
}

static void *litmus(void *number)
{
    int me = (int)(long)number;
    store(me, me % VARIABLES, 1 + me);
    fence(me);
    seen[me][0] = load(me, 0);
    store(me, me % VARIABLES, 4 + me);
    fence(me);
    seen[me][1] = load(me, 1);
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, litmus, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(seen[0][0] > 0 && seen[1][1] > 0);
    return 0;
}
