// expect: verified
// A struct with a flexible member, an odd number of bytes in all, shared under a lock.
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct line {
    pthread_mutex_t mutex;
    int length;
    char text[];
};

static void *append(void *argument)
{
    struct line *line = argument;
    pthread_mutex_lock(&line->mutex);
    line->text[line->length++] = 'x';
    pthread_mutex_unlock(&line->mutex);
    return NULL;
}

int main(void)
{
    pthread_t thread[3];
    struct line *line = calloc(1, offsetof(struct line, text) + 3);
    pthread_mutex_init(&line->mutex, NULL);
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, append, line);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    int all = !memcmp(line->text, "xxx", 3);
    free(line);
    return !all;
}
