// expect: bug deadlock native: no says: futex
// Nobody notifies.
#include "outcome.h"

#include <atomic>

static std::atomic<int> flag{0};

static void *waiter(void *)
{
    flag.wait(0);
    return nullptr;
}

int main()
{
    pthread_t a = start(waiter);
    flag.store(1);
    join(a);
    return 0;
}
