// expect: bug race
#include <pthread.h>
#include <stdlib.h>

static char text[] = "12 34", *end;

static void *cut(void *nothing)
{
    text[2] = 0;
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, cut, NULL);
    long number = strtol(text, &end, 10);
    pthread_join(thread, NULL);
    return number != 12;
}
