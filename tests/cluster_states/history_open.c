// expect: verified; bug: history; options: --nodes 2
// A read is answered by node 1 from a copy. It may be old if the write was over before the read began: whether the read's call was
// open already is known to the history alone. Right: the write is over when the copy has it.
#include <heddle/node.h>
static int value;
static void boot(int self, int nodes) { (void)self; (void)nodes; }
static void request(int number)
{
    if (number) {
        heddle_invoke(1, "read", 0, 0);
        heddle_send(heddle_self(), "r", 1);
        return;
    }
    heddle_invoke(0, "write", 5, 0);
    heddle_send(1, "w", 1);
#ifdef WRONG
    heddle_return(0, 0);
#endif
}
static void message(int from, const void *data, size_t size)
{
    (void)size;
    switch (*(const char *)data) {
    case 'w':
        value = 5;
        heddle_send(from, "a", 1);
        break;
    case 'r':
        heddle_return(1, value);
        break;
    default:
#ifndef WRONG
        heddle_return(0, 0);
#endif
        break;
    }
}
static const struct heddle_request requests[] = {{0, 0}, {1, 1}};
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .request = request, .requests = requests,
    .request_count = 2, .model = "register"};
