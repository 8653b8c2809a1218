// expect: verified
// A member function is called before the object is deleted.
struct Counter {
    long value = 3;
    __attribute__((noinline)) long get() const { return value; }
};

Counter *counter;

int main()
{
    counter = new Counter;
    long value = counter->get();
    delete counter;
    return value == 1000;
}
