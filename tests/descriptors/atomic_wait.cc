// expect: verified
// std::atomic::wait and notify. The library looks at the value several times before it sleeps.
#include "outcome.h"

#include <atomic>

static std::atomic<int> flag{0};
static int data;

static void *waiter(void *)
{
    flag.wait(0);
    assert(flag.load() == 1 && data == 42);
    return nullptr;
}

int main()
{
    pthread_t a = start(waiter);
    data = 42;
    flag.store(1);
    flag.notify_one();
    join(a);
    return 0;
}
