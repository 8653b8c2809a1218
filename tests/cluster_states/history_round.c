// expect: verified; bug: history; options: --nodes 2
// Clients of a register while a message goes to and fro for ever, so that no execution ends. Wrong: what is read is not what was written.
#include <heddle/node.h>
static long value;
static void boot(int self, int nodes)
{
    (void)nodes;
    if (!self)
        heddle_send(1, "beat", 5);
}
static void message(int from, const void *data, size_t size)
{
    (void)data;
    heddle_send(from, "beat", size);
}
static void request(int number)
{
    heddle_invoke(number, number ? "read" : "write", number ? 0 : 1, 0);
    if (!number)
        value = 1;
#ifdef WRONG
    heddle_return(number, number ? 0 : value);
#else
    heddle_return(number, number ? value : 0);
#endif
}
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .request = request,
    .requests = (const struct heddle_request[]){{0, 0}, {0, 1}}, .request_count = 2, .model = "register"};
