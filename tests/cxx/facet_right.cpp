// expect: verified
// Facets of a locale compute, and may be used by several threads.
#include <cassert>
#include <locale>
#include <string>
#include <thread>

int main()
{
    auto change = [] {
        auto &letters = std::use_facet<std::ctype<char>>(std::locale::classic());
        std::string text = "abc";
        letters.toupper(&text[0], &text[0] + text.size());
        assert(text == "ABC" && letters.tolower('X') == 'x');
    };
    std::thread one(change), other(change);
    one.join();
    other.join();
}
