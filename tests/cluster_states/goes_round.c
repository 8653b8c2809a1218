// expect: verified; bug: liveness; options: --nodes 2
// A message goes to and fro for ever, so that no execution ends and all come back to states that are known. Right: a request gets through all
// the same. Wrong: it is forgotten if it comes while the message is at the other node.
#include <heddle/node.h>
static int is_here, done;
static void boot(int self, int nodes)
{
    (void)nodes;
    if (!self)
        heddle_send(1, "beat", 5);
}
static void message(int from, const void *data, size_t size)
{
    (void)data;
    is_here = !is_here;
    heddle_send(from, "beat", size);
}
static void request(int number)
{
    (void)number;
#ifdef WRONG
    done = is_here;
#else
    done = 1;
#endif
}
static void report(void *s) { *(int *)s = done; }
static const char *quiet(const struct heddle_view *v) { return *(const int *)v->state[1] ? NULL : "the request was forgotten"; }
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .request = request,
    .requests = (const struct heddle_request[]){{1, 0}}, .request_count = 1, .state_size = sizeof(int), .report = report, .quiet = quiet};
