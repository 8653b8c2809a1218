// expect: bug race
// What sorting moves is seen, although libc's own code would do it.
#include <pthread.h>
#include <stdlib.h>

static int numbers[] = {3, 1, 2}, sum;

static int compare(const void *one, const void *other)
{
    (void)other;
    return *(const char *)one == 77 ? sum : 1; // looks at no number of the second half
}

static void *read_last(void *nothing)
{
    sum += numbers[2];
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, read_last, NULL);
    qsort(numbers, 3, sizeof *numbers, compare);
    pthread_join(thread, NULL);
    return 0;
}
