// expect: verified
// A server answers a client that may have gone meanwhile: one answer to a closed TCP connection does no harm.
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int listening;
static struct sockaddr_in at = {.sin_family = AF_INET};

static void *serve(void *nothing)
{
    char text[8];
    int fd = accept(listening, NULL, NULL);
    assert(fd >= 0 && read(fd, text, sizeof text) == 2);
#ifdef WRONG
    (void)!write(fd, "a", 1);
#endif
    (void)!write(fd, "b", 1);
    close(fd);
    return nothing;
}

int main(void)
{
    socklen_t size = sizeof at;
    pthread_t server;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listening = socket(AF_INET, SOCK_STREAM, 0);
    assert(!bind(listening, (struct sockaddr *)&at, sizeof at) && !listen(listening, 1));
    assert(!getsockname(listening, (struct sockaddr *)&at, &size));
    pthread_create(&server, NULL, serve, NULL);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert(!connect(fd, (struct sockaddr *)&at, size) && write(fd, "hi", 2) == 2);
    close(fd);
    pthread_join(server, NULL);
    close(listening);
    return 0;
}
