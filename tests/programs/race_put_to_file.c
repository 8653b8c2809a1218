// expect: bug race
// A logger puts a text to a file while main changes it.
#include <pthread.h>
#include <stdio.h>

static char line[] = "hello";

static void *log_line(void *unused)
{
    FILE *file = tmpfile();
    fputs(line, file);
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
