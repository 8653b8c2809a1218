// What goes through a pipe orders what threads do, and belongs to states: there is no race.
#include <pthread.h>
#include <unistd.h>

static int ends[2], x;

static void *reader(void *unused)
{
    char c;
    if (read(ends[0], &c, 1) == 1)
        x++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    if (pipe(ends))
        return 1;
    pthread_create(&thread, NULL, reader, NULL);
    x++;
    if (write(ends[1], "a", 1) != 1)
        return 1;
    pthread_join(thread, NULL);
    return 0;
}
