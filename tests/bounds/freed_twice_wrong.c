// expect: bug double-free
// Two pointers to one block, both freed.
#include <stdlib.h>

char *owner, *borrower;

int main(void)
{
    owner = calloc(10, 1);
    borrower = owner;
    int first = borrower[0];
    free(owner);
    free(borrower);
    return first;
}
