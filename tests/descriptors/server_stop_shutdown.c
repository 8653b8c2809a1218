// expect: verified
// A server stops when its listener is shut down.
#include "server.h"

static void *serve(void *listener)
{
    for (int s; (s = accept(*(int *)listener, NULL, NULL)) >= 0;)
        close(s);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int listener = server_listen();
    assert(!pthread_create(&t, NULL, serve, &listener));
    close(server_connect());
    shutdown(listener, SHUT_RDWR);
    join(t);
    close(listener);
    return 0;
}
