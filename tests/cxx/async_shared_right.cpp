// expect: verified
// Two threads wait for one result.
#include <cassert>
#include <future>
#include <thread>
int main()
{
    std::promise<int> promise;
    std::shared_future<int> result = promise.get_future().share();
    std::thread one([result] { assert(result.get() == 5); });
    std::thread other([result] { assert(result.get() == 5); });
    promise.set_value(5);
    one.join();
    other.join();
}
