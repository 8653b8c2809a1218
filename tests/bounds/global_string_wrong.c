// expect: bug out-of-bounds
// A name that is copied into a global array without room for its end.
#include <string.h>

char name[8] = "nobody", other[8] = "other";
const char *volatile given = "somebody";

int main(void)
{
    strcpy(name, given);
    return other[0] != 'o';
}
