// expect: bug bad-index
// A name that runs into the next member of its struct.
#include <stdlib.h>

struct user {
    char name[8];
    long rights;
};

struct user *user;

int main(int argc, char **argv)
{
    int n = argc > 100 ? atoi(argv[1]) : 9;
    user = calloc(1, sizeof *user);
    for (int i = 0; i < n; i++)
        user->name[i] = 'x';
    long rights = user->rights;
    free(user);
    return rights == 1000;
}
