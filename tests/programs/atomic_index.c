// expect: verified
// gcc reads an _Atomic variable plainly where it is an index; by the language that is an atomic load, and no race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct {
    atomic_int at;
} box;
static const char table[] = {0, 1, 2};

static void *advance(void *a)
{
    box.at++;
    int here = table[box.at];
    assert(here == 1 || here == 2);
    return a;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, advance, 0);
    pthread_create(&u, 0, advance, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(table[box.at] == 2);
    return 0;
}
