// expect: verified
// Objects that are copied into threads are destroyed as often.
#include <atomic>
#include <cassert>
#include <cstdio>

static std::atomic<int> alive;

struct Counted {
    int value;
    explicit Counted(int v = 0) : value(v) { alive.fetch_add(1, std::memory_order_relaxed); }
    Counted(const Counted &other) : value(other.value) { alive.fetch_add(1, std::memory_order_relaxed); }
    Counted &operator=(const Counted &other)
    {
        value = other.value;
        return *this;
    }
    Counted &operator+=(const Counted &other)
    {
        value += other.value;
        return *this;
    }
    ~Counted() { alive--; }
};

#pragma omp declare reduction(+ : Counted : omp_out += omp_in)

int main()
{
    {
        Counted first(5), sum(0), last(0);
#pragma omp parallel for firstprivate(first) lastprivate(last) reduction(+ : sum)
        for (int i = 0; i < 2; i++) {
            sum.value += first.value + i;
            last.value = i;
        }
        assert(sum.value == 11 && last.value == 1);
        std::printf("%d %d\n", sum.value, last.value);
    }
    assert(alive == 0);
    return 0;
}
