// expect: verified
// Threads print to one stream in memory, and to streams of their own. What is written there is looked at after the end.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static size_t size;
static FILE *stream;

static void *print(void *unused)
{
    char *own;
    size_t length;
    FILE *other = open_memstream(&own, &length);
    fputs("own", other);
    fclose(other);
    assert(length == 3 && !strcmp(own, "own"));
    free(own);
    fputs("a", stream);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    stream = open_memstream(&text, &size);
    pthread_create(&a, 0, print, 0);
    pthread_create(&b, 0, print, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    fclose(stream);
    assert(size == 2 && !strcmp(text, "aa"));
    free(text);
}
