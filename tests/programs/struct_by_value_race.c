// expect: bug race
// A struct that is passed by value is read without a hook of the compiler's, and races with a write.
#include <pthread.h>

struct row {
    long cell[20];
};

static struct row shared;

__attribute__((noinline)) static long fourth(struct row row)
{
    return row.cell[3];
}

static void *look(void *unused)
{
    (void)unused;
    return (void *)fourth(shared);
}

int main(void)
{
    pthread_t looks;
    pthread_create(&looks, NULL, look, NULL);
    shared.cell[7] = 1;
    pthread_join(looks, NULL);
}
