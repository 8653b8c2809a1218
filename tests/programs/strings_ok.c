// expect: verified executions=1
// String functions read no further than they need: what lies behind the end is another thread's.
#include <pthread.h>
#include <stddef.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char greeting[] = "hello, world"; // read by both
static char shared[16] = "ab";                 // the second half is the second thread's

static void *first(void *unused)
{
    (void)unused;
    char mine[32];
    assert(strlen(greeting) == 12);
    strcpy(mine, greeting);
    strcat(mine, "!");
    assert(!strcmp(mine, "hello, world!") && strchr(mine, ',') == mine + 5);
    assert(strlen(shared) == 2 && !strncmp(shared, "abc", 2) && !memcmp(shared, "ab", 3));
    assert(strcmp(shared, "ax") < 0);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    char mine[32];
    snprintf(mine, sizeof mine, "%s %d", greeting, atoi("42"));
    assert(!strcmp(mine, "hello, world 42"));
    memset(shared + 8, 'x', 8);
    memmove(mine + 1, mine, 5);
    assert(!memcmp(mine, "hhello", 6));
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(!memcmp(shared, "ab\0\0\0\0\0\0xxxxxxxx", 16));
    return 0;
}
