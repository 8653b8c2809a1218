// expect: verified
// Two pointers to one block, of which one owns it.
#include <stdlib.h>

char *owner, *borrower;

int main(void)
{
    owner = calloc(10, 1);
    borrower = owner;
    int first = borrower[0];
    free(owner);
    return first;
}
