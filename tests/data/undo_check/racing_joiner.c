// main goes on after its join when the search needs it to, and its plain write then races with a read: the same steps leave
// other memory, although no write is missed.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int a;
static int x, seen;

static void *reads_atomic(void *unused)
{
    atomic_load(&a);
    return unused;
}

static void *adds(void *unused)
{
    atomic_fetch_add(&a, 1);
    return unused;
}

static void *reads_plain(void *unused)
{
    atomic_load(&a);
    seen = x;
    return unused;
}

int main(void)
{
    pthread_t joined, other, reader;
    pthread_create(&joined, NULL, reads_atomic, NULL);
    pthread_create(&other, NULL, adds, NULL);
    pthread_create(&reader, NULL, reads_plain, NULL);
    pthread_join(joined, NULL);
    x = 2;
    atomic_fetch_add(&a, 1);
    return 0;
}
