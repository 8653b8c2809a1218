// expect: bug race native: no
// Each connection gets a thread, which is told where the variable of the loop is.
#include "server.h"

static void *handle(void *connection)
{
    char c;
    int s = *(int *)connection;
    read(s, &c, 1);
    close(s);
    return NULL;
}

static void *serve(void *listener)
{
    pthread_t t[2];
    int s;
    for (int i = 0; i < 2; i++) {
        s = accept(*(int *)listener, NULL, NULL);
        assert(!pthread_create(&t[i], NULL, handle, &s));
    }
    join(t[0]);
    join(t[1]);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int listener = server_listen();
    assert(!pthread_create(&t, NULL, serve, &listener));
    close(server_connect());
    close(server_connect());
    join(t);
    return 0;
}
