// load PORT CLIENTS REQUESTS: as many clients at a time on 127.0.0.1, each with that many requests, ten to a connection. Waits until
// the server is there. Status 1 if a request is not answered, or not by 200 or 404.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { PER_CONNECTION = 10, CLIENTS = 64, WAIT_ROUNDS = 300 };

static const char *const pages[] = {"/", "/one.html", "/status?auto", "/go/two", "/part.shtml", "/none", "/large.html"};

static int port, requests;

static int connection(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct timeval patience = {20, 0};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int s = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (s >= 0 && connect(s, (struct sockaddr *)&to, sizeof to) == 0)
        return s;
    close(s);
    return -1;
}

static long length_of(const char *head)
{
    const char *length = strstr(head, "Content-Length: ");
    return length ? atol(length + strlen("Content-Length: ")) : -1;
}

// One request, and its answer: to its length, or to the end of the last chunk.
static int ask(int s, const char *page, int last)
{
    static __thread char text[1 << 20];
    size_t got = 0;
    int size = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n", page,
                        last ? "Connection: close\r\n" : "");
    if (write(s, text, (size_t)size) != size)
        return 0;
    for (;;) {
        ssize_t more = read(s, text + got, sizeof text - 1 - got);
        if (more <= 0)
            return 0;
        got += (size_t)more;
        text[got] = 0;
        char *body = strstr(text, "\r\n\r\n");
        if (!body)
            continue;
        long length = length_of(text);
        if (length >= 0 ? text + got >= body + 4 + length : strstr(body, "\r\n0\r\n\r\n") != NULL)
            return strncmp(text + 9, "200", 3) == 0 || strncmp(text + 9, "404", 3) == 0;
    }
}

static void *client(void *number)
{
    enum { PAGES = sizeof pages / sizeof *pages };
    long failed = 0, i = 0;
    while (i < requests && !failed) {
        int s = connection();
        failed = s < 0;
        for (int k = 0; k < PER_CONNECTION && i < requests && !failed; k++, i++)
            failed = !ask(s, pages[((long)number + i) % PAGES], k == PER_CONNECTION - 1 || i == requests - 1);
        close(s);
    }
    return (void *)failed;
}

int main(int count, char **arguments)
{
    pthread_t thread[CLIENTS];
    if (count != 4)
        return 2;
    port = atoi(arguments[1]);
    requests = atoi(arguments[3]);
    long clients = atol(arguments[2]), failed = 0;
    int s = -1;
    for (int i = 0; i < WAIT_ROUNDS && (s = connection()) < 0; i++)
        usleep(100000);
    if (s < 0 || clients > CLIENTS)
        return 2;
    close(s);
    for (long i = 0; i < clients; i++)
        pthread_create(&thread[i], NULL, client, (void *)i);
    for (long i = 0; i < clients; i++) {
        void *result;
        pthread_join(thread[i], &result);
        failed += (long)result;
    }
    if (failed)
        fprintf(stderr, "load: %ld clients were not answered\n", failed);
    return failed != 0;
}
