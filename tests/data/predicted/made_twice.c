// expect: atomicity harmful
// record: T2 read made
// Both threads make what is not there yet, under the lock, but look in a section of its own. In the recorded run the second one finds it made.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int made;

static void make_once(void)
{
    pthread_mutex_lock(&mutex);
    int there = made;
    pthread_mutex_unlock(&mutex);
    if (!there) {
        pthread_mutex_lock(&mutex);
        made++;
        pthread_mutex_unlock(&mutex);
    }
}

static void *first(void *unused)
{
    make_once();
    return unused;
}

static void *second(void *unused)
{
    usleep(50000);
    make_once();
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(made == 1);
    return 0;
}
