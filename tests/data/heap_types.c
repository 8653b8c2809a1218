// Blocks whose types show only where they are allocated: no variable in memory has their addresses. And waits that time out.
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct cell {
    long key;
    int value;
    struct cell *next;
};

struct table {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    struct cell head;
};

static void *checked(size_t size)
{
    void *block = malloc(size);
    if (!block)
        abort();
    return block;
}

static void *reader(void *argument)
{
    struct table *table = argument;
    struct timespec never = {0};
    pthread_mutex_lock(&table->lock);
    if (!table->head.next)
        pthread_cond_timedwait(&table->filled, &table->lock, &never);
    pthread_mutex_unlock(&table->lock);
    struct cell *first = table->head.next;
    return first ? (void *)first->key : NULL;
}

int main(void)
{
    struct table *table = checked(sizeof *table);
    pthread_t thread;
    pthread_mutex_init(&table->lock, NULL);
    pthread_cond_init(&table->filled, NULL);
    table->head.next = NULL;
    pthread_create(&thread, NULL, reader, table);
    struct cell *cell = checked(sizeof *cell);
    cell->key = 1;
    cell->next = &table->head;
    pthread_mutex_lock(&table->lock);
    table->head.next = cell;
    pthread_cond_signal(&table->filled);
    pthread_mutex_unlock(&table->lock);
    pthread_join(thread, NULL);
    free(cell);
    free(table);
    return 0;
}
