// expect: bug race says: ^  ([a-z]+::)?sum
#include <future>
int main()
{
    static int sum;
    auto half = std::async(std::launch::async, [] { sum += 3; });
    sum += 4;
    half.get();
    return sum < 0;
}
