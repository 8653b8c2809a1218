// expect: verified executions=2
// Two threads append to a file, each under the lock. Every execution begins with the file as it was: not there.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *append(void *line)
{
    pthread_mutex_lock(&mutex);
    FILE *file = fopen("file_append.log", "a");
    assert(file && fputs(line, file) >= 0 && !fclose(file));
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t one, other;
    char text[32] = "";
    assert(access("file_append.log", F_OK));
    pthread_create(&one, NULL, append, "one\n");
    pthread_create(&other, NULL, append, "other\n");
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    int fd = open("file_append.log", O_RDONLY);
    assert(fd == 3 && read(fd, text, sizeof text - 1) == 10);
    assert(!strcmp(text, "one\nother\n") || !strcmp(text, "other\none\n"));
    return 0;
}
