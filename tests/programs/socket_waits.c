// expect: bug deadlock
// A thread waits for a connection that nobody makes.
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int listening;

static void *serve(void *nothing)
{
    accept(listening, NULL, NULL);
    return nothing;
}

int main(void)
{
    struct sockaddr_in any = {.sin_family = AF_INET};
    pthread_t server;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listening = socket(AF_INET, SOCK_STREAM, 0);
    assert(listening >= 0 && !bind(listening, (struct sockaddr *)&any, sizeof any) && !listen(listening, 1));
    pthread_create(&server, NULL, serve, NULL);
    pthread_join(server, NULL);
    return 0;
}
