// expect: bug signal
// One thread ignores SIGPIPE while another may already write where nobody reads.
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *write_it(void *none)
{
    write(ends[0], "x", 1);
    return none;
}

int main(void)
{
    pthread_t t;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    close(ends[1]);
    pthread_create(&t, 0, write_it, 0);
    signal(SIGPIPE, SIG_IGN);
    pthread_join(t, 0);
}
