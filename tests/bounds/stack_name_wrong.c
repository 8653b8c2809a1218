// expect: bug out-of-bounds options: --memory-errors
// A text that is one byte too long for an array on the stack.
#include <string.h>

__attribute__((noinline)) static void name_it(char *name, const char *text)
{
    strcpy(name, text);
}

int main(int argc, char **argv)
{
    (void)argv;
    char name[8];
    name_it(name, argc > 100 ? "" : "abcdefgh");
    return name[0] == 'x';
}
