// expect: verified
// A name that is copied into a global array of which it fills all.
#include <string.h>

char name[8] = "nobody", other[8] = "other";
const char *volatile given = "somebod";

int main(void)
{
    strcpy(name, given);
    return other[0] != 'o';
}
