// expect: verified
// A jthread is asked to stop and joined by its destructor; what it wrote is read after that.
#include <cassert>
#include <thread>
int main()
{
    int rounds = 0;
    {
        std::jthread worker([&](std::stop_token stop) {
            while (!stop.stop_requested() && rounds < 2)
                rounds++;
        });
    }
    assert(rounds <= 2);
}
