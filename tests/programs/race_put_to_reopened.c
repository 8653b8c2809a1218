// expect: bug race
// Standard output goes to a file, to which a thread puts a text that main changes.
#include <pthread.h>
#include <stdio.h>

static char line[] = "hello";

static void *say(void *unused)
{
    puts(line);
    return unused;
}

int main(void)
{
    pthread_t thread;
    if (!freopen("out.txt", "w", stdout))
        return 1;
    pthread_create(&thread, 0, say, 0);
    line[0] = 'j';
    pthread_join(thread, 0);
}
