// expect: verified options: --fault read=EINTR:2,read=short:2,create:1
// Whatever is read at a time, the loop reads it all; and whoever cannot have a thread does its work itself.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void *writes(void *unused)
{
    write(ends[1], "four", 4);
    return unused;
}

int main(void)
{
    pthread_t t;
    char text[5] = "";
    size_t got = 0;
    pipe(ends);
    int failed = pthread_create(&t, NULL, writes, NULL);
    if (failed)
        writes(NULL);
    while (got < 4) {
        ssize_t n = read(ends[0], text + got, 4 - got);
        assert(n > 0 || (n < 0 && errno == EINTR));
        got += n > 0 ? (size_t)n : 0;
    }
    assert(!strcmp(text, "four"));
    if (!failed)
        pthread_join(t, NULL);
    return 0;
}
