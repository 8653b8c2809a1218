// jemalloc: threads that allocate from one arena, and blocks that other threads free.
#include <heddle/heddle.h>
#include <jemalloc/jemalloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

// One arena, and no cache of a thread's own, so that every call goes to what threads share.
const char *je_malloc_conf = "narenas:1,tcache:false,dirty_decay_ms:-1,muzzy_decay_ms:-1,percpu_arena:disabled,mutex_max_spin:0";

enum { SIZE = 40 };

// What a thread does beside the other one, between what the library does at the first call of a thread and at its end: that is
// done by one after the other, so that the search need not order it.
struct part {
    void (*act)(struct part *);
    void *block;
    char byte;
    sem_t ready, go, done, end;
    pthread_t thread;
};

static void *play(void *argument)
{
    struct part *part = argument;
    je_free(je_malloc(SIZE));
    sem_post(&part->ready);
    sem_wait(&part->go);
    part->act(part);
    sem_post(&part->done);
    sem_wait(&part->end);
    return NULL;
}

static void play_both(struct part *part)
{
    for (int i = 0; i < 2; i++) {
        sem_t *each[] = {&part[i].ready, &part[i].go, &part[i].done, &part[i].end};
        for (int k = 0; k < 4; k++)
            sem_init(each[k], 0, 0);
        pthread_create(&part[i].thread, NULL, play, &part[i]);
        sem_wait(&part[i].ready);
    }
    for (int i = 0; i < 2; i++)
        sem_post(&part[i].go);
    for (int i = 0; i < 2; i++)
        sem_wait(&part[i].done);
    for (int i = 0; i < 2; i++) {
        sem_post(&part[i].end);
        pthread_join(part[i].thread, NULL);
    }
}

static void frees(struct part *part)
{
    je_free(part->block);
}

static void keeps(struct part *part)
{
    part->block = je_malloc(SIZE);
    memset(part->block, part->byte, SIZE);
}

heddle_test("two threads get different blocks")
{
    struct part part[2] = {{.act = keeps, .byte = 1}, {.act = keeps, .byte = 2}};
    je_malloc(SIZE); // so that there is a slab
    play_both(part);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < SIZE; k++)
            heddle_assert(((char *)part[i].block)[k] == part[i].byte);
}

heddle_test("two threads free what a third allocated")
{
    struct part part[2] = {{.act = frees, .block = je_malloc(SIZE)}, {.act = frees, .block = je_malloc(SIZE)}};
    play_both(part);
    void *again[2] = {je_malloc(SIZE), je_malloc(SIZE)};
    heddle_assert(again[0] != again[1]);
}

heddle_test("one frees while the other allocates")
{
    struct part part[2] = {{.act = frees, .block = je_malloc(SIZE)}, {.act = keeps, .byte = 1}};
    play_both(part);
    void *another = je_malloc(SIZE);
    heddle_assert(another != part[1].block);
}
