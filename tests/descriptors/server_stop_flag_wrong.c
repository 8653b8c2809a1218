// expect: bug deadlock native: no
// A server looks at a flag before it accepts; who sets the flag does not wake it.
#include "server.h"

static _Atomic int stop;

static void *serve(void *listener)
{
    while (!stop)
        close(accept(*(int *)listener, NULL, NULL));
    return NULL;
}

int main(void)
{
    pthread_t t;
    int listener = server_listen();
    assert(!pthread_create(&t, NULL, serve, &listener));
    close(server_connect());
    stop = 1;
    join(t);
    return 0;
}
