// expect: verified executions=2
// Every way to allocate, in two threads that also meet once.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int meetings;

static int is_aligned(const void *block, size_t to)
{
    return (uintptr_t)block % to == 0;
}

static void *worker(void *unused)
{
    (void)unused;
    free(NULL);
    char *empty = malloc(0), *other = malloc(0);
    assert(!empty || empty != other);
    free(empty);
    free(other);

    char *block = malloc(100);
    assert(block && is_aligned(block, _Alignof(max_align_t)));
    memset(block, 'x', 100);
    atomic_fetch_add(&meetings, 1);
    block = realloc(block, 5000);
    assert(block && block[0] == 'x' && block[99] == 'x');
    block = realloc(block, 10);
    assert(block && block[9] == 'x');
    free(block);
    block = realloc(NULL, 8);
    assert(block);
    free(block);

    int *zeroes = calloc(300, sizeof *zeroes);
    assert(zeroes);
    for (int i = 0; i < 300; i++)
        assert(zeroes[i] == 0);
    free(zeroes);
    size_t too_many = SIZE_MAX / 2;
    __asm__("" : "+r"(too_many));
    assert(!calloc(too_many, 4));
    assert(!malloc(too_many));

    void *aligned = aligned_alloc(256, 512);
    assert(aligned && is_aligned(aligned, 256));
    free(aligned);
    int result = posix_memalign(&aligned, 4096, 100);
    assert(result == 0 && is_aligned(aligned, 4096));
    free(aligned);

    char *copy = strdup("text"), *part = strndup("text", 2), *printed = NULL;
    assert(copy && !strcmp(copy, "text") && part && !strcmp(part, "te"));
    result = asprintf(&printed, "%s-%d", copy, 7);
    assert(result == 6 && !strcmp(printed, "text-7"));
    free(printed);
    free(part);
    free(copy);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
