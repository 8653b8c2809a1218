// expect: verified
// The path of a Unix socket is there from bind until it is removed, whatever has become of the socket.
#include "outcome.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

static struct sockaddr_un name = {AF_UNIX, "/tmp/heddle-unix-path"};
static int listener;

static int made(int type)
{
    int s = socket(AF_UNIX, type, 0);
    assert(s >= 0);
    return s;
}

static void *server(void *unused)
{
    char c;
    int s = accept(listener, NULL, NULL);
    assert(s >= 0 && read(s, &c, 1) == 1);
    close(s);
    return unused;
}

static void answers(void)
{
    int s = made(SOCK_STREAM), other = made(SOCK_STREAM);
    FAILS(unlink(name.sun_path), ENOENT);
    FAILS(chmod(name.sun_path, 0600), ENOENT);
    FAILS(connect(s, (void *)&name, sizeof name), ENOENT);
    assert(!bind(other, (void *)&name, sizeof name));
    FAILS(connect(s, (void *)&name, sizeof name), ECONNREFUSED);
    assert(!listen(other, 1) && !chmod(name.sun_path, 0600));
    close(other);
    FAILS(connect(s, (void *)&name, sizeof name), ECONNREFUSED);
    FAILS(bind(s, (void *)&name, sizeof name), EADDRINUSE);
    assert(!unlink(name.sun_path));
    FAILS(unlink(name.sun_path), ENOENT);
    FAILS(connect(s, (void *)&name, sizeof name), ENOENT);
    close(s);

    int receiver = made(SOCK_DGRAM);
    s = made(SOCK_DGRAM);
    assert(!bind(receiver, (void *)&name, sizeof name));
    assert(sendto(s, "x", 1, 0, (void *)&name, sizeof name) == 1);
    close(receiver);
    FAILS(sendto(s, "x", 1, 0, (void *)&name, sizeof name), ECONNREFUSED);
    assert(!remove(name.sun_path));
    FAILS(sendto(s, "x", 1, 0, (void *)&name, sizeof name), ENOENT);
    close(s);
}

int main(void)
{
    unlink(name.sun_path);
    answers();
    listener = made(SOCK_STREAM);
    assert(!bind(listener, (void *)&name, sizeof name) && !listen(listener, 1));
    pthread_t t = start(server);
    int s = made(SOCK_STREAM);
    assert(!connect(s, (void *)&name, sizeof name) && !unlink(name.sun_path));
    assert(write(s, "x", 1) == 1);
    join(t);
    return 0;
}
