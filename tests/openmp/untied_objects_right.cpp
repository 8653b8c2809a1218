// expect: verified
// Objects that are copied into untied tasks live until the last part has ended.
#include <atomic>
#include <cassert>

static std::atomic<int> alive;

struct counted {
    int value = 3;
    counted() { alive++; }
    counted(const counted &other) : value(other.value) { alive++; }
    ~counted()
    {
        value = 0;
        alive--;
    }
};

int main()
{
    {
        counted one;
#pragma omp parallel
#pragma omp single
#pragma omp task untied firstprivate(one)
        {
            assert(one.value == 3);
#pragma omp taskyield
            assert(one.value == 3);
        }
    }
    assert(alive == 0);
}
