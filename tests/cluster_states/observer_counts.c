// expect: verified; bug: invariant; options: --nodes 2 --duplicates 1
// The second copy of a message changes nothing at its node; only the observer counts. Right: it would take three.
#include <heddle/node.h>
#ifdef WRONG
enum { MANY = 2 };
#else
enum { MANY = 3 };
#endif
static int got;
static void boot(int self, int nodes)
{
    (void)nodes;
    if (!self)
        heddle_send(1, "x", 1);
}
static void message(int from, const void *data, size_t size) { (void)from; (void)data; (void)size; got = 1; }
static void report(void *s) { *(int *)s = got; }
static const char *observe(const struct heddle_view *v, int node, void *memory)
{
    int *count = memory;
    (void)v;
    *count += node == 1;
    return *count == MANY ? "the message came too often" : NULL;
}
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report,
    .observe = observe, .observer_size = sizeof(int)};
