// expect: bug out-of-bounds
// An array at the end of a struct that is as long as the block and used beyond that, and a table that is walked by pointers up to its end.
#include <stdlib.h>

struct message {
    int length;
    char text[1];
};

static int table[3] = {1, 2, 3};
static const int *table_end = table + 3;

int main(int argc, char **argv)
{
    int n = argc > 100 ? atoi(argv[1]) : 40, sum = 0;
    struct message *message = malloc(sizeof *message + (size_t)n);
    if (!message)
        return 1;
    message->length = n;
    for (int i = 0; i < message->length + 9; i++)
        message->text[i] = 'x';
    for (const int *each = table; each != table_end; each++)
        sum += *each;
    free(message);
    return sum == 1000;
}
