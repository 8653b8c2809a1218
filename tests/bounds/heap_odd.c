// expect: verified
// The last bytes of blocks of odd sizes.
#include <stdlib.h>

char *text[4];

int main(void)
{
    size_t sizes[4] = {1, 3, 7, 15};
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        text[i] = malloc(sizes[i]);
        text[i][sizes[i] - 1] = 1;
    }
    for (int i = 0; i < 4; i++) {
        sum += text[i][sizes[i] - 1];
        free(text[i]);
    }
    return sum != 4;
}
