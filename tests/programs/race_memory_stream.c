// expect: bug race
// A thread flushes a stream in memory, which writes how long the text is, while main reads that.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static char *text;
static size_t size;
static FILE *stream;

static void *print(void *unused)
{
    fprintf(stream, "%d", 7);
    fflush(stream);
    return unused;
}

int main(void)
{
    pthread_t thread;
    stream = open_memstream(&text, &size);
    pthread_create(&thread, 0, print, 0);
    assert(size != 5);
    pthread_join(thread, 0);
    fclose(stream);
    free(text);
}
