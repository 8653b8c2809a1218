// proposal: critical in front of called_most.c:10
#include <stdio.h>

static struct {
    int most;
} all;

static void look(int n)
{
    if (n > all.most)
        all.most = n;
}

int main(void)
{
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        look(i);
    printf("%d\n", all.most);
    return 0;
}
