// expect: verified
// What the system says about the process, and its randomness, is the same in every execution, however it is asked for.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int turns;

static unsigned ask(void)
{
    unsigned sum = (unsigned)(getpid() + getppid() + gettid() + rand()), number = 0;
    assert(syscall(SYS_gettid) == gettid() && syscall(SYS_getpid) == getpid());
    int fd = open("/dev/urandom", O_RDONLY);
    assert(read(fd, &number, sizeof number) == sizeof number);
    sum += number + (unsigned)fd;
    close(fd);
    FILE *file = fopen("/dev/random", "r");
    assert(file && fread(&number, sizeof number, 1, file) == 1);
    fclose(file);
    sum += number;
    assert(getrandom(&number, sizeof number, 0) == sizeof number);
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    return sum + number + (unsigned)now.tv_nsec;
}

// As many events as the answers say.
static void *worker(void *unused)
{
    (void)unused;
    for (unsigned n = ask() % 4 + 2; n; n--)
        atomic_fetch_add(&turns, 1);
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
