// A server with two workers: each request adds one to a count, which is read in one section of the lock and written in another. When
// it is asked to end, it says whether the count is that of the requests. A worker greets its client, so clients know that two of them
// have a worker each.
#define _GNU_SOURCE
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;
static atomic_int requests;
static int listener;

static __attribute__((noinline)) void add(void)
{
    pthread_mutex_lock(&m);
    int now = count;
#ifndef RIGHT
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
#endif
    count = now + 1;
    pthread_mutex_unlock(&m);
}

static void *serve(void *unused)
{
    for (;;) {
        char byte;
        int client = accept(listener, NULL, NULL);
        if (client < 0 || write(client, "h\n", 2) != 2 || read(client, &byte, 1) != 1)
            abort();
        add();
        atomic_fetch_add(&requests, 1);
        if (write(client, "y\n", 2) != 2)
            abort();
        close(client);
    }
    return unused;
}

// Clients find the port in the file.
static void listen_somewhere(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 16) ||
        getsockname(listener, (struct sockaddr *)&address, &size))
        abort();
    FILE *file = fopen("port.new", "w");
    if (!file || fprintf(file, "%d\n", ntohs(address.sin_port)) < 0 || fclose(file) || rename("port.new", "port"))
        abort();
}

int main(void)
{
    pthread_t workers[2];
    sigset_t ending;
    int number;
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ending, NULL);
    listen_somewhere();
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, serve, NULL);
    sigwait(&ending, &number);
    pthread_mutex_lock(&m);
    int wrong = count != atomic_load(&requests);
    pthread_mutex_unlock(&m);
    _exit(wrong ? 7 : 0);
}
