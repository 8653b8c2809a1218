// Two threads append to journal.txt, which has one line at the beginning of each execution. WRONG: in one order only.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifndef JOURNAL
#define JOURNAL "journal.txt"
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *append(void *line)
{
    pthread_mutex_lock(&mutex);
    FILE *file = fopen(JOURNAL, "a");
    fprintf(file, "%s\n", (const char *)line);
    fclose(file);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    char text[64];
    pthread_t one, two;
    pthread_create(&one, NULL, append, "one");
    pthread_create(&two, NULL, append, "two");
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    FILE *file = fopen(JOURNAL, "r");
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    printf("%s", text);
#ifndef WRONG
    assert(!strcmp(text, "begin\none\ntwo\n") || !strcmp(text, "begin\ntwo\none\n"));
#else
    assert(!strcmp(text, "begin\none\ntwo\n"));
#endif
    return 0;
}
