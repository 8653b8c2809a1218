// expect: verified
// An owner pushes and pops at one end of a queue under a lock, two thieves steal at the other: nothing is taken twice.
#include <assert.h>
#include <pthread.h>

enum { ITEMS = 5, THIEVES = 2, STEALS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int queue[ITEMS], head, tail, taken[ITEMS];

static void take(int item)
{
    pthread_mutex_lock(&lock);
    assert(!taken[item]);
    taken[item] = 1;
    pthread_mutex_unlock(&lock);
}

static int remove_at(int back)
{
    int item = -1;
    pthread_mutex_lock(&lock);
    if (head < tail)
        item = back ? queue[--tail] : queue[head++];
    pthread_mutex_unlock(&lock);
    return item;
}

static void *steal(void *nothing)
{
    for (int n = 0; n < STEALS; n++) {
        int item = remove_at(0);
        if (item >= 0)
            take(item);
    }
    return nothing;
}

int main(void)
{
    pthread_t thieves[THIEVES];
    for (int i = 0; i < THIEVES; i++)
        pthread_create(&thieves[i], 0, steal, 0);
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        queue[tail++] = i;
        pthread_mutex_unlock(&lock);
        if (i % 2) {
            int item = remove_at(1);
            if (item >= 0)
                take(item);
        }
    }
    for (int item; (item = remove_at(1)) >= 0;)
        take(item);
    for (int i = 0; i < THIEVES; i++)
        pthread_join(thieves[i], 0);
    return 0;
}
