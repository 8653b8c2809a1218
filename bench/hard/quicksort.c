// A quicksort by several threads. A thread that splits its part hands one half to another if one is idle, and waits for
// all helpers at the end. Whether somebody is idle is looked at before the half is handed over, without keeping the
// lock in between: two threads may choose the same helper, and the one that comes second overwrites the other's part, which
// nobody sorts then.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef HELPERS
#define HELPERS 3
#endif
#ifndef SIZE
#define SIZE 16
#endif

struct part {
    int low, high; // both belong to it
};

struct helper {
    pthread_cond_t wake;
    struct part part;
    bool busy, given;
};

static int number[SIZE];
static struct helper helper[HELPERS];
static int working = 1; // parts that somebody has
static bool over;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t sorted = PTHREAD_COND_INITIALIZER;

static struct helper *find_idle(void)
{
    struct helper *found = NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < HELPERS && !found; i++)
        if (!helper[i].busy)
            found = &helper[i];
    pthread_mutex_unlock(&lock);
    return found;
}

static bool hand_over(struct part part)
{
    struct helper *h = find_idle();
    if (!h)
        return false;
    pthread_mutex_lock(&lock);
    if (!h->busy)
        working++;
    h->busy = h->given = true;
    h->part = part;
    pthread_cond_signal(&h->wake);
    pthread_mutex_unlock(&lock);
    return true;
}

static int split(struct part part)
{
    int middle = part.low;
    for (int i = part.low; i <= part.high; i++)
        if (i == part.high || number[i] < number[part.high]) {
            int kept = number[i];
            number[i] = number[middle];
            number[middle++] = kept;
        }
    return middle - 1;
}

static void sort(struct part part)
{
    while (part.low < part.high) {
        int middle = split(part);
        struct part rest = {middle + 1, part.high};
        if (rest.high - rest.low < 1 || !hand_over(rest))
            sort(rest);
        part.high = middle - 1;
    }
}

static void finish(void)
{
    pthread_mutex_lock(&lock);
    if (!--working)
        pthread_cond_signal(&sorted);
    pthread_mutex_unlock(&lock);
}

static void *help(void *self)
{
    struct helper *h = self;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!h->given && !over)
            pthread_cond_wait(&h->wake, &lock);
        struct part part = h->part;
        bool leave = !h->given;
        h->given = false;
        pthread_mutex_unlock(&lock);
        if (leave)
            return NULL;
        sort(part);
        pthread_mutex_lock(&lock);
        h->busy = h->given;
        pthread_mutex_unlock(&lock);
        finish();
    }
}

int main(void)
{
    pthread_t thread[HELPERS];
    for (int i = 0; i < SIZE; i++)
        number[i] = (i * 5 + 13) % SIZE;
    for (int i = 0; i < HELPERS; i++) {
        pthread_cond_init(&helper[i].wake, NULL);
        pthread_create(&thread[i], NULL, help, &helper[i]);
    }
    sort((struct part){0, SIZE - 1});
    finish();
    pthread_mutex_lock(&lock);
    while (working)
        pthread_cond_wait(&sorted, &lock);
    over = true;
    for (int i = 0; i < HELPERS; i++)
        pthread_cond_signal(&helper[i].wake);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < HELPERS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 1; i < SIZE; i++)
        assert(number[i - 1] <= number[i]);
    return 0;
}
