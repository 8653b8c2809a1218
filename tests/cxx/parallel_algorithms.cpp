// expect: verified
// Every algorithm gives what it gives in one thread.
#include <algorithm>
#include <atomic>
#include <cassert>
#include <execution>
#include <functional>
#include <numeric>
#include <vector>
int main()
{
    using namespace std::execution;
    std::vector<int> v{5, 3, 4, 1, 2}, w(5), u{1, 2, 3};
    std::atomic<int> sum{0};
    std::for_each(par, v.begin(), v.end(), [&](int x) { sum.fetch_add(x, std::memory_order_relaxed); });
    assert(sum == 15);
    std::transform(par_unseq, v.begin(), v.end(), w.begin(), [](int x) { return 2 * x; });
    assert((w == std::vector<int>{10, 6, 8, 2, 4}));
    assert(std::reduce(par, v.begin(), v.end()) == 15);
    assert(std::reduce(par, v.begin(), v.end(), 100, std::plus<>()) == 115);
    assert(std::transform_reduce(par, v.begin(), v.end(), 1, std::plus<>(), [](int x) { return x * x; }) == 56);
    assert(std::count_if(par, v.begin(), v.end(), [](int x) { return x > 2; }) == 3);
    assert(std::find(par, v.begin(), v.end(), 4) == v.begin() + 2);
    assert(*std::max_element(par, v.begin(), v.end()) == 5);
    std::inclusive_scan(par, v.begin(), v.end(), w.begin());
    assert((w == std::vector<int>{5, 8, 12, 13, 15}));
    std::exclusive_scan(par, v.begin(), v.end(), w.begin(), 0);
    assert((w == std::vector<int>{0, 5, 8, 12, 13}));
    std::sort(par, v.begin(), v.end());
    assert((v == std::vector<int>{1, 2, 3, 4, 5}));
    std::vector<int> m(8);
    std::merge(par, v.begin(), v.end(), u.begin(), u.end(), m.begin());
    assert((m == std::vector<int>{1, 1, 2, 2, 3, 3, 4, 5}));
    std::vector<int> c(5);
    auto end = std::copy_if(par, v.begin(), v.end(), c.begin(), [](int x) { return x % 2; });
    assert(end - c.begin() == 3 && c[0] == 1 && c[1] == 3 && c[2] == 5);
    auto gone = std::remove(par, v.begin(), v.end(), 3);
    assert(gone - v.begin() == 4 && v[2] == 4);
    assert(std::is_sorted(par, m.begin(), m.end()) &&
           std::all_of(par, m.begin(), m.end(), [](int x) { return x > 0; }));
    m.erase(std::unique(par, m.begin(), m.end()), m.end());
    assert(m.size() == 5);
    std::stable_sort(par, m.begin(), m.end(), std::greater<>());
    assert(m[0] == 5 && m[4] == 1);
}
