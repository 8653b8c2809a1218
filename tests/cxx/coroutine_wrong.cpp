// expect: bug race
// compiler: gcc
// Two threads resume the same coroutine.
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
    for (;;) {
        value++;
        co_await std::suspend_always{};
    }
}
int main()
{
    task t = work();
    std::thread other([&] { t.handle.resume(); });
    t.handle.resume();
    other.join();
}
