// expect: bug out-of-bounds options: --cflags -fstack-protector-strong
// A function writes over what the stack protector keeps behind the arrays of its caller, which then wants to return.
#include <string.h>

__attribute__((noinline)) static void fill(char *bytes, size_t count)
{
    memset(bytes, 'x', count);
}

__attribute__((noinline)) static int first_of(size_t count)
{
    char bytes[16];
    fill(bytes, count);
    return bytes[0];
}

int main(int argc, char **argv)
{
    (void)argv;
    return first_of(argc > 100 ? 16 : 32) != 'x';
}
