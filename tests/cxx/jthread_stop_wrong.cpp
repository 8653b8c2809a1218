// expect: bug race says: ^  ([a-z]+::)?rounds
// The same, read before the thread is joined.
#include <cassert>
#include <thread>
int main()
{
    int rounds = 0;
    std::jthread worker([&](std::stop_token stop) {
        while (!stop.stop_requested() && rounds < 2)
            rounds++;
    });
    worker.request_stop();
    assert(rounds <= 2);
}
