// A table of names behind a read-write lock, with a counter of hits and a semaphore that limits who may look.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>

enum { NAMES = 4, LOOKERS = 5 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static char name[NAMES][8];
static int used;
static atomic_int hits, misses;
static sem_t places;

static int find(const char *wanted)
{
    for (int i = 0; i < used; i++)
        if (!strcmp(name[i], wanted))
            return i;
    return -1;
}

static void *adds(void *wanted)
{
    pthread_rwlock_wrlock(&lock);
    if (find(wanted) < 0 && used < NAMES)
        strcpy(name[used++], wanted);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *looks(void *wanted)
{
    sem_wait(&places);
    pthread_rwlock_rdlock(&lock);
    atomic_fetch_add(find(wanted) < 0 ? &misses : &hits, 1);
    pthread_rwlock_unlock(&lock);
    sem_post(&places);
    return NULL;
}

int main(void)
{
    static char red[] = "red", blue[] = "blue";
    pthread_t thread[2 + LOOKERS];
    sem_init(&places, 0, 2);
    pthread_create(&thread[0], NULL, adds, red);
    pthread_create(&thread[1], NULL, adds, blue);
    for (int i = 0; i < LOOKERS; i++)
        pthread_create(&thread[2 + i], NULL, looks, i % 2 ? red : blue);
    for (int i = 0; i < 2 + LOOKERS; i++)
        pthread_join(thread[i], NULL);
    sem_destroy(&places);
    assert(used == 2 && hits + misses == LOOKERS);
    return 0;
}
