// expect: verified; bug: invariant; options: --nodes 3 --order any
// How many equal messages are in flight counts: node 0 sends two or three. Wrong: two may come after the other node's message. Right: it
// would take four.
#include <heddle/node.h>
#ifdef WRONG
enum { MANY = 3 };
#else
enum { MANY = 4 };
#endif
static int got, other, after;
static void boot(int self, int nodes)
{
    (void)nodes;
    if (!self)
        for (int i = 2 + heddle_choose(2); i > 0; i--)
            heddle_send(1, "x", 1);
    if (self == 2)
        heddle_send(1, "y", 1);
}
static void message(int from, const void *data, size_t size)
{
    (void)from;
    (void)size;
    if (*(const char *)data == 'y')
        other = 1;
    else if (other)
        after++;
    else
        got = 1;
}
static void report(void *s) { *(int *)s = after; }
static const char *check(const struct heddle_view *v) { return *(const int *)v->state[1] == MANY ? "so many after it" : NULL; }
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report,
    .check = check};
