// expect: bug use-after-free
// A member function is called after the object was deleted.
struct Counter {
    long value = 3;
    __attribute__((noinline)) long get() const { return value; }
};

Counter *counter;

int main()
{
    counter = new Counter;
    delete counter;
    long value = counter->get();
    return value == 1000;
}
