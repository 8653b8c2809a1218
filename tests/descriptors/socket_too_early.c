// expect: bug assertion native: no says: ECONNREFUSED
// The client does not wait until the server listens.
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in at = {.sin_family = AF_INET};

static void *serve(void *nothing)
{
    int listening = socket(AF_INET, SOCK_STREAM, 0);
    assert(!bind(listening, (struct sockaddr *)&at, sizeof at) && !listen(listening, 1));
    close(accept(listening, NULL, NULL));
    close(listening);
    return nothing;
}

int main(void)
{
    pthread_t server;
    at.sin_port = htons(8080);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    pthread_create(&server, NULL, serve, NULL);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert(!connect(fd, (struct sockaddr *)&at, sizeof at));
    close(fd);
    pthread_join(server, NULL);
    return 0;
}
