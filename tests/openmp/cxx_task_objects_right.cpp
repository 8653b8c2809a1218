// expect: verified
// Objects that are copied into tasks are destroyed as often.
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
    ~Counted() { alive--; }
};

int main()
{
    {
        Counted first(5), last(0);
        int seen = 0;
#pragma omp parallel num_threads(1)
        {
#pragma omp task firstprivate(first) shared(seen)
            seen = first.value;
#pragma omp task firstprivate(first) if (0) shared(seen)
            seen = first.value;
#pragma omp taskloop firstprivate(first) lastprivate(last) num_tasks(2)
            for (int i = 0; i < 3; i++)
                last.value = first.value + i;
        }
        assert(seen == 5 && last.value == 7);
        assert(alive == 2);
        std::printf("%d %d\n", seen, last.value);
#pragma omp parallel num_threads(2)
#pragma omp single
        {
#pragma omp task firstprivate(first) shared(seen)
            seen = first.value + 1;
        }
        assert(seen == 6 && alive == 2);
    }
    assert(alive == 0);
    return 0;
}
