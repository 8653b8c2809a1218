// expect: bug race
// A logger writes a buffer to a file while main changes it.
#include <pthread.h>
#include <stdio.h>

static char line[] = "hello";

static void *log_line(void *unused)
{
    FILE *file = tmpfile();
    fwrite(line, 1, sizeof line - 1, file);
    fclose(file);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, log_line, 0);
    line[0] = 'j';
    pthread_join(thread, 0);
}
