// expect: verified
// EFD_SEMAPHORE: a read takes one; as a mutex.
#include "outcome.h"

#include <sys/eventfd.h>

static int fd, inside, order;

static void enter(int who)
{
    eventfd_t value;
    assert(!eventfd_read(fd, &value) && value == 1);
    assert(inside++ == 0);
    order = order * 10 + who;
    inside--;
    assert(!eventfd_write(fd, 1));
}

static void *one(void *unused) { (void)unused; enter(1); return NULL; }
static void *two(void *unused) { (void)unused; enter(2); return NULL; }

int main(void)
{
    fd = eventfd(1, EFD_SEMAPHORE);
    pthread_t a = start(one), b = start(two);
    join(a);
    join(b);
    outcome(order);
    return 0;
}
