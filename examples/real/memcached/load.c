// load PORT CLIENTS REQUESTS: as many clients at a time on 127.0.0.1, each with that many requests in memcached's text protocol, on keys that
// they share. Waits until the server is there. Status 1 if a request is not answered.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { CLIENTS = 64, WAIT_ROUNDS = 300, KEYS = 4 };

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

// Whether the answer has come to its end: one line, or several up to END.
static int is_whole(const char *text, size_t got)
{
    if (!strncmp(text, "VALUE", 5) || !strncmp(text, "STAT", 4))
        return got >= 5 && !strcmp(text + got - 5, "END\r\n");
    return got >= 2 && !strcmp(text + got - 2, "\r\n");
}

static int ask(int s, const char *request)
{
    char text[1 << 16];
    size_t got = 0, size = strlen(request);
    if (write(s, request, size) != (ssize_t)size)
        return 0;
    for (;;) {
        ssize_t more = read(s, text + got, sizeof text - 1 - got);
        if (more <= 0)
            return 0;
        got += (size_t)more;
        text[got] = 0;
        if (is_whole(text, got))
            return strncmp(text, "ERROR", 5) != 0;
    }
}

static int nth_request(int client, int n, int s)
{
    static const char *const forms[] = {
        "set k%d 0 0 2\r\n10\r\n", "get k%d\r\n",     "incr k%d 1\r\n", "add k%d 0 0 1\r\n5\r\n",
        "delete k%d\r\n",          "touch k%d 9\r\n", "stats\r\n"};
    char request[64];
    snprintf(request, sizeof request, forms[(n + client) % 7], n % KEYS);
    return ask(s, request);
}

static void *client(void *which)
{
    int s = -1, good = 1, number = (int)(long)which;
    for (int i = 0; i < WAIT_ROUNDS && (s = connection()) < 0; i++)
        usleep(100000);
    for (int i = 0; i < requests && good; i++)
        good = nth_request(number, i, s);
    close(s);
    return good && s >= 0 ? NULL : &port;
}

int main(int argc, char **argv)
{
    pthread_t threads[CLIENTS];
    int clients = argc == 4 ? atoi(argv[2]) : 0, failed = 0;
    if (clients < 1 || clients > CLIENTS)
        return 2;
    port = atoi(argv[1]);
    requests = atoi(argv[3]);
    for (int i = 0; i < clients; i++)
        pthread_create(&threads[i], NULL, client, (void *)(long)i);
    for (int i = 0; i < clients; i++) {
        void *result;
        pthread_join(threads[i], &result);
        failed |= result != NULL;
    }
    return failed;
}
