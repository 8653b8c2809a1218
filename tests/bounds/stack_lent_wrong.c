// expect: bug out-of-bounds gcc: verified options: --memory-errors
// A thread writes behind the array that another lends it from its stack.
#include <pthread.h>
#include <string.h>

struct loan {
    char *room;
    size_t size;
};

static void *fill(void *argument)
{
    struct loan *loan = argument;
    memset(loan->room, 'x', loan->size);
    return NULL;
}

int main(void)
{
    char first[24], second[24];
    struct loan loan = {first, sizeof first + 8};
    pthread_t thread;
    memset(second, 'y', sizeof second);
    pthread_create(&thread, NULL, fill, &loan);
    pthread_join(thread, NULL);
    return first[23] != 'x' || second[0] != 'y';
}
