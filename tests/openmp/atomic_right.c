// expect: verified
// Every form: update, read, write, capture.
#include <assert.h>
#include <stdio.h>

int n, tickets[2];
double sum;
short little = 100;

int main(void)
{
    int flag = 0;
#pragma omp parallel num_threads(2)
    {
        int mine, seen;
#pragma omp atomic capture
        mine = n++;
        tickets[mine]++;
#pragma omp atomic
        sum += 1.5;
#pragma omp atomic update
        little -= 3;
#pragma omp atomic write
        flag = 1;
#pragma omp atomic read
        seen = flag;
        assert(seen == 1);
    }
    assert(n == 2 && tickets[0] == 1 && tickets[1] == 1 && sum == 3 && little == 94);
    printf("%d %g %d\n", n, sum, little);
    return 0;
}
