// expect: verified
// Room by alloca is used in the function that asked for it, and in those it calls.
#include <alloca.h>
#include <stddef.h>

char *room;

__attribute__((noinline)) static int use(void)
{
    return room[3];
}

__attribute__((noinline)) static int make(size_t size)
{
    room = alloca(size);
    for (size_t i = 0; i < size; i++)
        room[i] = 1;
    return use();
}

int main(int argc, char **argv)
{
    int value = make(argc > 100 ? (size_t)argv[1][0] : 48);
    return value == 100;
}
