// expect: verified; bug: invariant; options: --nodes 2 --partitions 1
// Messages come in order, so the second comes without the first only if the first was lost while a node was cut off. Right: the second
// has what the first said.
#include <heddle/node.h>
static int a, b;
static void boot(int self, int nodes)
{
    (void)nodes;
    if (self)
        return;
    heddle_send(1, "a", 1);
    heddle_set_timer(0);
}
static void timer(int number)
{
    (void)number;
#ifdef WRONG
    heddle_send(1, "b", 1);
#else
    heddle_send(1, "c", 1);
#endif
}
static void request(int number) { timer(number); }
static void message(int from, const void *data, size_t size)
{
    (void)from;
    (void)size;
    a |= *(const char *)data != 'b';
    b |= *(const char *)data != 'a';
}
static void report(void *s) { int *r = s; r[0] = a; r[1] = b; }
static const char *check(const struct heddle_view *v)
{
    const int *s = v->state[1];
    return s[1] && !s[0] ? "the second without the first" : NULL;
}
static const struct heddle_request requests[] = {{0, 0}};
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .timer = timer, .request = request, .requests = requests,
    .request_count = 1, .state_size = 2 * sizeof(int), .report = report, .check = check};
