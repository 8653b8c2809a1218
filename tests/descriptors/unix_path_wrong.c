// expect: bug assertion native: no
// A server that takes over from another removes its path; if it comes too early, it removes nothing, and cannot have the name.
#include "outcome.h"

#include <sys/socket.h>
#include <sys/un.h>

static const struct sockaddr_un name = {AF_UNIX, "/tmp/heddle-unix-taken"};

static void *serve(void *unused)
{
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    unlink(name.sun_path);
    assert(!bind(s, (const void *)&name, sizeof name));
    close(s);
    return unused;
}

int main(void)
{
    pthread_t a = start(serve), b = start(serve);
    join(a);
    join(b);
    return 0;
}
