// expect: verified; bug: invariant; options: --nodes 3
// A token goes round for ever: a circle of states with one way on, but for a request that may come at any time. It fails if the token is at
// node 2 then. Right: the request does nothing there.
#include <heddle/node.h>
static int has, hit;
static void pass(void)
{
    has = 0;
    heddle_send((heddle_self() + 1) % heddle_nodes(), "t", 1);
}
static void boot(int self, int nodes)
{
    (void)nodes;
    if (!self)
        pass();
}
static void message(int from, const void *data, size_t size)
{
    (void)from;
    (void)size;
    if (*(const char *)data == 't') {
        has = 1;
        heddle_send(heddle_self(), "p", 1);
    } else
        pass();
}
static void request(int number)
{
    (void)number;
#ifdef WRONG
    hit = has;
#endif
}
static void report(void *s) { *(int *)s = hit; }
static const char *check(const struct heddle_view *v) { return *(const int *)v->state[2] ? "hit with the token" : NULL; }
static const struct heddle_request requests[] = {{2, 0}};
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .request = request, .requests = requests,
    .request_count = 1, .state_size = sizeof(int), .report = report, .check = check};
