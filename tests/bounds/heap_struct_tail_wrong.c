// expect: bug out-of-bounds
// The same with one byte too few.
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

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
    struct line *line = calloc(1, offsetof(struct line, text) + 2);
    pthread_mutex_init(&line->mutex, NULL);
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, append, line);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    int all = line->text[0] == 'x';
    free(line);
    return !all;
}
