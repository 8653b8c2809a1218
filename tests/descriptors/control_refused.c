// expect: incomplete native: no refused: sendmsg with control data
#define _GNU_SOURCE
#include "outcome.h"

#include <sys/socket.h>
#include <sys/uio.h>

int main(void)
{
    int ends[2];
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {.header = {.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    struct iovec part = {"x", 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    return sendmsg(ends[0], &message, 0) != 1;
}
