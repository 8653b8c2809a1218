// expect: bug assertion options: --fault read=EINTR:1
// Reading is not tried again after a signal.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writes(void *unused)
{
    char c = 'x';
    write(ends[1], &c, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    char c = 0;
    pipe(ends);
    pthread_create(&t, NULL, writes, NULL);
    read(ends[0], &c, 1);
    assert(c == 'x');
    pthread_join(t, NULL);
    return 0;
}
