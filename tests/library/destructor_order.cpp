// expect: verified
// Thread-local variables of main go before static ones; of these the newest first, those of functions included.
#include <cassert>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>

static int at;
static std::string text = "global";

struct step {
    int place;
    ~step()
    {
        assert(at == place);
        at++;
    }
};

static step last{3};

static void use()
{
    static step in_function{1};
    assert(in_function.place == 1);
}

static void finish()
{
    assert(at == 2 && text == "global");
    at++;
}

thread_local step local{0};

int main()
{
    assert(local.place == 0);
    atexit(finish);
    use();
    std::thread t([] { std::cout << text << std::endl; });
    t.join();
}
