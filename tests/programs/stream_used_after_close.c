// expect: bug use-after-free
// One thread closes a stream that another may still read.
#include <pthread.h>
#include <stdio.h>

static FILE *file;

static void *look(void *none)
{
    fgetc(file);
    return none;
}

int main(void)
{
    pthread_t t;
    file = fopen("/dev/null", "r");
    pthread_create(&t, 0, look, 0);
    fclose(file);
    pthread_join(t, 0);
}
