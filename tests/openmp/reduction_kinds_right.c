// expect: verified
// Several variables, every operator, a reduction of the program's own, and one of a part of an array.
#include <assert.h>
#include <stdio.h>

struct range {
    int low, high;
};

static void widen(struct range *to, const struct range *from)
{
    to->low = from->low < to->low ? from->low : to->low;
    to->high = from->high > to->high ? from->high : to->high;
}

#pragma omp declare reduction(widen : struct range : widen(&omp_out, &omp_in)) initializer(omp_priv = {100, -100})

int main(void)
{
    static const int v[4] = {3, -2, 7, 5};
    int sum = 1, most = -100, least = 100, bits = 0, all = 1, any = 0, odd = 0, counts[2] = {0, 0};
    double product = 1;
    struct range r = {100, -100};
#pragma omp parallel for reduction(+ : sum) reduction(* : product) reduction(max : most) reduction(min : least)
    for (int i = 0; i < 4; i++) {
        sum += v[i];
        product *= v[i];
        most = v[i] > most ? v[i] : most;
        least = v[i] < least ? v[i] : least;
    }
#pragma omp parallel for reduction(| : bits) reduction(&& : all) reduction(|| : any) reduction(^ : odd)
    for (int i = 0; i < 4; i++) {
        bits |= 1 << i;
        all = all && v[i];
        any = any || v[i] == 7;
        odd ^= v[i] & 1;
    }
#pragma omp parallel for reduction(widen : r) reduction(+ : counts[ : 2])
    for (int i = 0; i < 4; i++) {
        const struct range one = {v[i], v[i]};
        widen(&r, &one);
        counts[v[i] > 4]++;
    }
    assert(sum == 14 && product == -210 && most == 7 && least == -2 && bits == 15 && all && any && odd == 1);
    assert(r.low == -2 && r.high == 7 && counts[0] == 2 && counts[1] == 2);
    printf("%d %g %d %d\n", sum, product, r.low, r.high);
    return 0;
}
