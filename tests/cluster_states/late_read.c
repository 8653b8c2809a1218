// expect: verified; bug: memory; options: --nodes 2
// A node needs what a message said later on. Wrong: it has not kept that, but where it was.
#include <heddle/node.h>
static const int *where;
static int kept, got;
static void boot(int self, int nodes)
{
    (void)nodes;
    if (!self)
        heddle_send(1, &(int){7}, sizeof(int));
}
static void message(int from, const void *data, size_t size)
{
    (void)from;
    (void)size;
    where = data;
    kept = *where;
}
static void request(int number)
{
    (void)number;
#ifdef WRONG
    got = where ? *where : 0;
#else
    got = kept;
#endif
}
static void report(void *s) { *(int *)s = got; }
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .request = request,
    .requests = (const struct heddle_request[]){{1, 0}}, .request_count = 1, .state_size = sizeof(int), .report = report};
