// expect: verified; bug: liveness; options: --nodes 4
// Two pairs of nodes, each with a message that goes to and fro. Right: that of the second pair stops in the end, whatever the first does.
// Wrong: not if a request came first.
#include <heddle/node.h>
static int mode, stopped;
static void boot(int self, int nodes)
{
    (void)nodes;
    if (self == 0 || self == 2)
        heddle_send(self + 1, "beat", 5);
}
static void message(int from, const void *data, size_t size)
{
    (void)data;
#ifdef WRONG
    if (heddle_self() == 3 && !mode)
#else
    if (heddle_self() == 3)
#endif
        stopped = 1;
    else
        heddle_send(from, "beat", size);
}
static void request(int number) { mode = number; }
static void report(void *s) { *(int *)s = stopped; }
static const char *quiet(const struct heddle_view *v) { return *(const int *)v->state[3] ? NULL : "the second pair goes on"; }
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .request = request,
    .requests = (const struct heddle_request[]){{3, 1}}, .request_count = 1, .state_size = sizeof(int), .report = report, .quiet = quiet};
