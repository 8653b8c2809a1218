// expect: verified; bug: invariant; options: --duplicates 1
// A node writes to the message that it got, which is its own copy: it comes as it was sent the second time, too.
#include <heddle/node.h>
static int sum;
static void boot(int self, int nodes)
{
    (void)nodes;
    if (self != 2)
        heddle_send(2, &(int){self + 1}, sizeof(int));
}
static void message(int from, const void *data, size_t size)
{
    (void)from;
    (void)size;
    int *number = (int *)data;
    sum += *number;
    *number = 100;
}
#ifdef WRONG
enum { MOST = 4 }; // the second one may come twice
#else
enum { MOST = 5 };
#endif
static void report(void *s) { *(int *)s = sum; }
static const char *check(const struct heddle_view *v) { return *(const int *)v->state[2] > MOST ? "too much" : NULL; }
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report, .check = check};
