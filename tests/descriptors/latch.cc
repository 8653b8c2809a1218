// expect: verified
#include "outcome.h"

#include <latch>

static std::latch done{1};
static int data;

static void *worker(void *)
{
    data = 3;
    done.count_down();
    return nullptr;
}

int main()
{
    pthread_t a = start(worker);
    done.wait();
    assert(data == 3 && done.try_wait());
    join(a);
    return 0;
}
