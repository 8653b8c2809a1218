// expect: verified
// One thread for each connection, and a counter under a lock.
#define RIGHT
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 2 };

static struct sockaddr_in at = {.sin_family = AF_INET};
static int requests;
#ifdef RIGHT
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#endif

static void *handle(void *connection)
{
    char letter;
    int fd = (int)(intptr_t)connection;
    assert(read(fd, &letter, 1) == 1);
#ifdef RIGHT
    pthread_mutex_lock(&mutex);
#endif
    requests++;
#ifdef RIGHT
    pthread_mutex_unlock(&mutex);
#endif
    assert(write(fd, &letter, 1) == 1);
    close(fd);
    return NULL;
}

static void *ask_once(void *nothing)
{
    char letter = 'q';
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert(!connect(fd, (struct sockaddr *)&at, sizeof at));
    assert(write(fd, &letter, 1) == 1 && read(fd, &letter, 1) == 1);
    close(fd);
    return nothing;
}

int main(void)
{
    pthread_t client[CLIENTS], handler[CLIENTS];
    socklen_t size = sizeof at;
    int listening = socket(AF_INET, SOCK_STREAM, 0);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(!bind(listening, (struct sockaddr *)&at, size) && !listen(listening, CLIENTS));
    assert(!getsockname(listening, (struct sockaddr *)&at, &size));
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&client[i], NULL, ask_once, NULL);
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&handler[i], NULL, handle, (void *)(intptr_t)accept(listening, NULL, NULL));
    for (int i = 0; i < CLIENTS; i++) {
        pthread_join(client[i], NULL);
        pthread_join(handler[i], NULL);
    }
    close(listening);
    assert(requests == CLIENTS);
    return 0;
}
