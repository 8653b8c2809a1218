// expect: verified; bug: invariant; options: --nodes 3
// Two nodes draw, and tell the third, which keeps the sum: two pairs of draws lead to the same sum, three and more to others.
#include <heddle/node.h>
#ifdef WRONG
enum { SUM = 4 };
#else
enum { SUM = 5 };
#endif
static int sum;
static void boot(int self, int nodes)
{
    (void)nodes;
    int drawn = self ? heddle_choose(3) : 0;
    if (self)
        heddle_send(0, &drawn, sizeof drawn);
}
static void message(int from, const void *data, size_t size) { (void)from; (void)size; sum += *(const int *)data; }
static void report(void *s) { *(int *)s = sum; }
static const char *check(const struct heddle_view *v) { return *(const int *)v->state[0] == SUM ? "that sum" : NULL; }
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report,
    .check = check};
