// expect: bug race says: wrote it at .*file_stream_wrong.cpp:1[3-6]
// Two threads write to a file without a lock.
#include <cstdio>
#include <fstream>
#include <thread>

int main()
{
    {
        std::ofstream out("common.txt");
        auto write = [&out](int number) {
            for (int i = 0; i < 2; i++) {
                // The stream is one object, and so is its buffer.
                out << "line " << number << '\n';
            }
        };
        std::thread other(write, 1);
        write(2);
        other.join();
    }
    std::remove("common.txt");
}
