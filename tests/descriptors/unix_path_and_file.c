// expect: verified
// What a program removes in vain may be a socket's path, or a file that it is going to make.
#include "outcome.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

static void *remover(void *unused)
{
    unlink("both");
    return unused;
}

int main(void)
{
    struct sockaddr_un name = {AF_UNIX, "other"};
    assert(unlink("other") == 0 || errno == ENOENT);
    assert(!bind(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&name, sizeof name));
    assert(!unlink("other"));
    unlink("both");
    pthread_t t = start(remover);
    close(open("both", O_CREAT | O_WRONLY, 0600));
    join(t);
    unlink("both");
    return 0;
}
