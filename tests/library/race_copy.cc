// expect: bug race
// A copy that the compiler would write out in place, as the headers of C++ make many.
#include <algorithm>
#include <thread>

struct buffer { // with a name, and not static: or it would not be there, since nobody reads it
    char bytes[24];
} from, to;

int main()
{
    std::thread other([] { __builtin_memcpy(&to, &from, sizeof to); });
    std::fill_n(to.bytes, sizeof to.bytes, 'x');
    other.join();
}
