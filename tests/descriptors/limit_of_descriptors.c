// expect: verified
// A table that is as large as the limit has room for every descriptor, as servers rely on.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static char *open_ones;
static rlim_t limit;

static void *open_some(void *nothing)
{
    int ends[2];
    assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    for (int i = 0; i < 2; i++) {
        assert((rlim_t)ends[i] < limit);
        open_ones[ends[i]] = 1;
    }
    return nothing;
}

int main(void)
{
    struct rlimit most;
    pthread_t other;
    assert(!getrlimit(RLIMIT_NOFILE, &most) && most.rlim_cur <= most.rlim_max);
    most.rlim_cur = most.rlim_max = most.rlim_cur < 100000 ? most.rlim_cur : 100000;
    assert(!setrlimit(RLIMIT_NOFILE, &most) && !getrlimit(RLIMIT_NOFILE, &most));
    limit = most.rlim_cur;
    assert(sysconf(_SC_OPEN_MAX) == (long)limit && getdtablesize() == (int)limit);
    open_ones = calloc(limit, 1);
    assert(open_ones);
    pthread_create(&other, NULL, open_some, NULL);
    open_some(NULL);
    pthread_join(other, NULL);
    free(open_ones);
    return 0;
}
