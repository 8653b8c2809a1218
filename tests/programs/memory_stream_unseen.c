// expect: incomplete
// What a stream of fmemopen writes to its buffer is not seen: here it races with main.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char text[8];
static FILE *stream;

static void *print(void *unused)
{
    fputs("7", stream);
    fflush(stream);
    return unused;
}

int main(void)
{
    pthread_t thread;
    stream = fmemopen(text, sizeof text, "w");
    pthread_create(&thread, 0, print, 0);
    assert(text[0] != 5);
    pthread_join(thread, 0);
    fclose(stream);
}
