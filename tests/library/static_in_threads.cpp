// expect: verified
// Two threads make static variables of functions; destructors run in the reverse order, whichever that is.
#include <cassert>
#include <thread>

static int made, gone;

struct step {
    int place = made++;
    ~step()
    {
        gone++;
        assert(place == made - gone);
    }
};

static void one()
{
    static step variable;
}

int main()
{
    std::thread t(one);
    one();
    t.join();
}
