// Four threads that enter three tables, each in an order of its own, with a lock for each table: 1,860 traces. The model `tables` of
// bench/ddpor_simulation.c is the same.
#include <pthread.h>

enum { THREADS = 4, TABLES = 3 };

static const int order[THREADS][TABLES] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}};
static pthread_mutex_t lock[TABLES] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int entries[TABLES];

static void *enter_all(void *argument)
{
    const int *table = argument;
    for (int i = 0; i < TABLES; i++) {
        pthread_mutex_lock(&lock[table[i]]);
        entries[table[i]]++;
        pthread_mutex_unlock(&lock[table[i]]);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, enter_all, (void *)order[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return entries[0] != THREADS;
}
