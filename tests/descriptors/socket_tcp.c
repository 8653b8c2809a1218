// expect: verified
// A server and a client in one program: what was sent arrives, and then the end.
#include <arpa/inet.h>
#include <assert.h>
#include <netdb.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int listening;

static void *serve(void *nothing)
{
    char text[8] = {0};
    int fd = accept(listening, NULL, NULL);
    assert(fd >= 0 && read(fd, text, sizeof text) == 5 && !strcmp(text, "hello"));
    assert(write(fd, "world", 5) == 5);
    close(fd);
    return nothing;
}

int main(void)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *list;
    struct sockaddr_in at;
    socklen_t size = sizeof at;
    char text[8] = {0};
    pthread_t server;
    assert(!getaddrinfo("localhost", "0", &hints, &list));
    listening = socket(list->ai_family, list->ai_socktype, list->ai_protocol);
    assert(!bind(listening, list->ai_addr, list->ai_addrlen) && !listen(listening, 1));
    freeaddrinfo(list);
    assert(!getsockname(listening, (struct sockaddr *)&at, &size) && at.sin_port);
    pthread_create(&server, NULL, serve, NULL);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert(!connect(fd, (struct sockaddr *)&at, size) && write(fd, "hello", 5) == 5);
    assert(read(fd, text, sizeof text) == 5 && !strcmp(text, "world") && !read(fd, text, sizeof text));
    pthread_join(server, NULL);
    close(fd);
    close(listening);
    return 0;
}
