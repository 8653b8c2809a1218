// expect: verified options: --fault read=short:1,write=short:1
// Messages and counters are never transferred in part, whatever is asked for.
#include <assert.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2], counter;

static void *receive(void *nothing)
{
    char text[8];
    eventfd_t n;
    assert(recv(ends[1], text, sizeof text, 0) == 5);
    assert(read(counter, &n, sizeof n) == sizeof n && n == 3);
    return nothing;
}

int main(void)
{
    eventfd_t n = 3;
    pthread_t other;
    counter = eventfd(0, 0);
    assert(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends));
    pthread_create(&other, NULL, receive, NULL);
    assert(send(ends[0], "hello", 5, 0) == 5 && write(counter, &n, sizeof n) == sizeof n);
    pthread_join(other, NULL);
    return 0;
}
