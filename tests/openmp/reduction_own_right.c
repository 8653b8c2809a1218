// expect: verified
// A reduction of the program's own, which keeps a sum and a maximum.
#include <assert.h>

typedef struct {
    int a, b;
} pair;
static pair both(pair x, pair y)
{
    return (pair){x.a + y.a, x.b > y.b ? x.b : y.b};
}
#pragma omp declare reduction(join:pair : omp_out = both(omp_out, omp_in)) initializer(omp_priv = (pair){0, 0})

int main(void)
{
    pair p = {0, 0};
#pragma omp parallel for reduction(join : p)
    for (int i = 1; i <= 4; i++) {
        p.a += i;
        p.b = p.b < i ? i : p.b;
    }
    assert(p.a == 10 && p.b == 4);
    return 0;
}
