// expect: verified
// gcc loads a struct of three bytes as a word, with what comes after it. That is no access of the program's.
#include <pthread.h>

struct three {
    char byte[3];
};

static struct {
    long before;
    struct three own;
    char neighbour;
} shared;

__attribute__((noinline)) static int sum(struct three t)
{
    return t.byte[0] + t.byte[2];
}

static void *look(void *unused)
{
    return sum(shared.own) ? NULL : unused;
}

int main(void)
{
    pthread_t looks;
    pthread_create(&looks, NULL, look, NULL);
    shared.neighbour = 1;
    pthread_join(looks, NULL);
}
