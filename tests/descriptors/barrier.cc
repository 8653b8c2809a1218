// expect: verified
#include "outcome.h"

#include <barrier>

static std::barrier<> meet{2};
static int one, two;

static void *other(void *)
{
    two = 2;
    meet.arrive_and_wait();
    assert(one == 1);
    return nullptr;
}

int main()
{
    pthread_t a = start(other);
    one = 1;
    meet.arrive_and_wait();
    assert(two == 2);
    join(a);
    return 0;
}
