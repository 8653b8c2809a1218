// expect: bug race
// The write of a struct that a function returns in registers, without a hook of the compiler's, races with a read.
#include <pthread.h>

struct pair {
    int x, y;
};

static struct pair shared;

__attribute__((noinline)) static struct pair make(int v)
{
    struct pair made = {v, v};
    return made;
}

static void *set(void *unused)
{
    shared = make(1);
    return unused;
}

int main(void)
{
    pthread_t sets;
    pthread_create(&sets, NULL, set, NULL);
    int x = shared.x;
    pthread_join(sets, NULL);
    return x > 5;
}
