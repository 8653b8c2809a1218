// Compiled three times, as a library, as one that needs the first, and as the program, which needs the second and is
// linked with the first behind it. PART says which. Each part notes in one place when its constructor, handler and
// destructor run; what runs last looks at all of it.
#include <stdlib.h>
#include <string.h>

#if PART == 1
char life[32];
void note(const char *what)
{
    strcat(life, what);
}
#define SAYS(what) note("a" what)
#elif PART == 2
void note(const char *what);
#define SAYS(what) note("b" what)
#else
void note(const char *what);
void part_two(void);
#define SAYS(what) note("p" what)
#endif

static void at_exit(void)
{
    SAYS("h");
}

__attribute__((constructor)) static void construct(void)
{
    SAYS("c");
    atexit(at_exit);
}

__attribute__((destructor)) static void destroy(void)
{
    SAYS("d");
#if PART == 1
    if (strcmp(life, "acbcpcmphpdbdbhad"))
        abort();
#endif
}

#if PART == 2
void part_two(void)
{
}
#elif PART == 3
int main(void)
{
    part_two();
    note("m");
    return 0;
}
#endif
