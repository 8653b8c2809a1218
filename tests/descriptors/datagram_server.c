// expect: verified
// A UDP server answers two clients, each where its question came from; what was written before a question was sent is seen.
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 2 };

static struct sockaddr_in at = {.sin_family = AF_INET};
static int notes[CLIENTS];

static void *ask(void *number)
{
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    char me = (char)(long)number, answer;
#ifndef TOO_LATE
    notes[(int)me] = 7;
#endif
    assert(!connect(fd, (struct sockaddr *)&at, sizeof at) && send(fd, &me, 1, 0) == 1);
#ifdef TOO_LATE
    notes[(int)me] = 7;
#endif
    assert(recv(fd, &answer, 1, 0) == 1 && answer == me);
    close(fd);
    return NULL;
}

int main(void)
{
    struct sockaddr_in from;
    socklen_t size = sizeof at;
    pthread_t clients[CLIENTS];
    char who;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(!bind(fd, (struct sockaddr *)&at, sizeof at) && !getsockname(fd, (struct sockaddr *)&at, &size));
    for (long i = 0; i < CLIENTS; i++)
        pthread_create(&clients[i], NULL, ask, (void *)i);
    for (int i = 0; i < CLIENTS; i++) {
        size = sizeof from;
        assert(recvfrom(fd, &who, 1, 0, (struct sockaddr *)&from, &size) == 1);
        int note = notes[(int)who];
        assert(note == 7);
        assert(sendto(fd, &who, 1, 0, (struct sockaddr *)&from, size) == 1);
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i], NULL);
    close(fd);
    return 0;
}
