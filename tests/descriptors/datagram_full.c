// expect: verified
// Whoever sends to a Unix datagram socket waits for room; nothing is lost.
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MESSAGES = 13 };

static struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "\0heddle full"};

static void *flood(void *nothing)
{
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    for (char i = 0; i < MESSAGES; i++)
        assert(sendto(fd, &i, 1, 0, (struct sockaddr *)&at, sizeof at) == 1);
    close(fd);
    return nothing;
}

int main(void)
{
    pthread_t other;
    char got;
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    assert(!bind(fd, (struct sockaddr *)&at, sizeof at));
    pthread_create(&other, NULL, flood, NULL);
    for (char i = 0; i < MESSAGES; i++)
        assert(recv(fd, &got, 1, 0) == 1 && got == i);
#ifdef ONE_MORE
    assert(recv(fd, &got, 1, 0) == 1);
#endif
    pthread_join(other, NULL);
    close(fd);
    return 0;
}
