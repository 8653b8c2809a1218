// expect: bug use-after-free
// compiler: gcc
// The same; but where the thread is to be kept is looked up in the coroutine after the thread has begun, which may have ended it.
#include <cassert>
#include <coroutine>
#include <thread>
struct task {
    struct promise_type {
        task get_return_object() { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
};
struct elsewhere {
    std::thread &thread;
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<> handle) { thread = std::thread([handle] { handle.resume(); }); }
    void await_resume() {}
};
static int value;
static task work(std::thread &thread)
{
    value = 1;
    co_await elsewhere{thread};
    value++;
}
int main()
{
    std::thread thread;
    work(thread);
    thread.join();
    assert(value == 2);
}
