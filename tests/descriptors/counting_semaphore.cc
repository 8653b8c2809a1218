// expect: verified
#include "outcome.h"

#include <semaphore>

static std::counting_semaphore<4> tokens{0};
static int data;

static void *taker(void *)
{
    tokens.acquire();
    assert(data == 7);
    return nullptr;
}

int main()
{
    pthread_t a = start(taker);
    data = 7;
    tokens.release();
    join(a);
    assert(!tokens.try_acquire());
    return 0;
}
