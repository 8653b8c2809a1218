// expect: verified options: --cflags=-lm
// Each thread rounds in its own way and has its own floating-point exceptions; a new one begins with its creator's.
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>

static volatile double zero, one = 1;
static atomic_int turns;

static void *round_up(void *unused)
{
    assert(fegetround() == FE_DOWNWARD && !fetestexcept(FE_ALL_EXCEPT));
    fesetround(FE_UPWARD);
    turns++;
    volatile double infinite = one / zero;
    (void)infinite;
    turns++;
    assert(fegetround() == FE_UPWARD && fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO);
    return unused;
}

int main(void)
{
    pthread_t thread;
    fesetround(FE_DOWNWARD);
    pthread_create(&thread, 0, round_up, 0);
    turns++;
    fesetround(FE_TONEAREST);
    turns++;
    assert(fegetround() == FE_TONEAREST && !fetestexcept(FE_DIVBYZERO));
    pthread_join(thread, 0);
    assert(fegetround() == FE_TONEAREST && !fetestexcept(FE_DIVBYZERO));
}
