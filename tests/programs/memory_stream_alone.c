// expect: verified
// Streams of fmemopen that are read, or written while there are no other threads.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char numbers[] = "3 4";
static char text[8];

static void *add(void *sum)
{
    char copy[sizeof numbers];
    memcpy(copy, numbers, sizeof copy);
    FILE *stream = fmemopen(copy, sizeof copy, "r");
    int a = 0, b = 0;
    assert(fscanf(stream, "%d %d", &a, &b) == 2);
    fclose(stream);
    *(int *)sum = a + b;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    int sums[2];
    pthread_create(&a, 0, add, &sums[0]);
    pthread_create(&b, 0, add, &sums[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    FILE *stream = fmemopen(text, sizeof text, "w");
    fprintf(stream, "%d", sums[0] + sums[1]);
    fclose(stream);
    assert(!strcmp(text, "14"));
}
