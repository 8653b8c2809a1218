// expect: verified
// Each thread says for itself whether tiny numbers are zero, by an instruction and no call.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <xmmintrin.h>

static atomic_int turns;

static void *flush(void *unused)
{
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
    turns++;
    assert(_MM_GET_FLUSH_ZERO_MODE() == _MM_FLUSH_ZERO_ON);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, flush, 0);
    turns++;
    assert(_MM_GET_FLUSH_ZERO_MODE() == _MM_FLUSH_ZERO_OFF);
    pthread_join(thread, 0);
}
