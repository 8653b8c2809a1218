// Quicksort with a thread for one half of each partition, down to a depth.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct part {
    int *from;
    long count;
    int depth;
};

static void *sort(void *argument)
{
    struct part *p = argument;
    if (p->count < 2)
        return NULL;
    int pivot = p->from[p->count / 2];
    long low = 0, high = p->count - 1;
    while (low <= high) {
        while (p->from[low] < pivot)
            low++;
        while (p->from[high] > pivot)
            high--;
        if (low <= high) {
            int swapped = p->from[low];
            p->from[low++] = p->from[high];
            p->from[high--] = swapped;
        }
    }
    struct part left = {p->from, high + 1, p->depth - 1}, right = {p->from + low, p->count - low, p->depth - 1};
    pthread_t thread;
    int other = p->depth > 0 && !pthread_create(&thread, NULL, sort, &left);
    if (!other)
        sort(&left);
    sort(&right);
    if (other)
        pthread_join(thread, NULL);
    return NULL;
}

int main(void)
{
    enum { COUNT = 1200 };
    int *numbers = malloc(COUNT * sizeof *numbers);
    if (!numbers) {
        fprintf(stderr, "no memory\n");
        return 2;
    }
    unsigned state = 12345;
    for (int i = 0; i < COUNT; i++)
        numbers[i] = (int)((state = state * 1103515245u + 12345u) >> 8 & 0xffff);
    struct part all = {numbers, COUNT, 6};
    sort(&all);
    for (int i = 0; i < COUNT; i += 40)
        printf("%d\n", numbers[i]);
    free(numbers);
    return 0;
}
