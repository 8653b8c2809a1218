// expect: verified options: --fault read=short:1,write=short:1,connect:1,accept:1
// A client and a server that count on parts, on refused connections and on failing accepts.
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int listening;
static struct sockaddr_in at = {.sin_family = AF_INET};

static void get(int fd, char *to, size_t size)
{
    ssize_t n;
#ifndef WHOLE
    for (size_t got = 0; got < size; got += (size_t)n)
        assert((n = recvfrom(fd, to + got, size - got, 0, NULL, NULL)) > 0);
#else
    n = recvfrom(fd, to, size, 0, NULL, NULL);
    assert(n == (ssize_t)size);
#endif
}

static void *serve(void *nothing)
{
    char text[4] = "";
    int fd;
    while ((fd = accept(listening, NULL, NULL)) < 0)
        assert(errno == ECONNABORTED || errno == EMFILE || errno == EINTR);
    get(fd, text, 3);
    assert(!strcmp(text, "abc"));
    close(fd);
    return nothing;
}

static void put(int fd)
{
    char text[] = "abc";
    struct iovec parts[] = {{text, 1}, {text + 1, 2}};
    ssize_t n = writev(fd, parts, 2);
    assert(n > 0);
    for (ssize_t put = n; put < 3; put += n)
        assert((n = send(fd, text + put, 3 - (size_t)put, 0)) > 0);
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
#ifndef AT_ONCE
    while (connect(fd, (struct sockaddr *)&at, size))
        assert(errno == ECONNREFUSED || errno == ETIMEDOUT);
#else
    assert(!connect(fd, (struct sockaddr *)&at, size));
#endif
    put(fd);
    pthread_join(server, NULL);
    close(fd);
    return 0;
}
