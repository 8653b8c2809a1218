// expect: verified
// compiler: gcc
// A coroutine is resumed by another thread, and destroyed after that has ended.
#include <cassert>
#include <coroutine>
#include <thread>
struct task {
    struct promise_type {
        task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};
static int value;
static task work()
{
    value = 1;
    co_await std::suspend_always{};
    value = 2;
}
int main()
{
    task t = work();
    t.handle.resume();
    std::thread other([&] { t.handle.resume(); });
    other.join();
    assert(value == 2 && t.handle.done());
    t.handle.destroy();
}
