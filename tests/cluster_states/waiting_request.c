// expect: verified; bug: invariant; options: --nodes 2
// A request waits until one vote is there, and there may be two before it comes. Wrong: it fails with exactly one. Right: with none.
#include <heddle/node.h>
static int votes, asked;
static void boot(int self, int nodes)
{
    (void)nodes;
    for (int i = 0; self && i < 2; i++)
        heddle_send(0, "v", 1);
}
static void message(int from, const void *data, size_t size) { (void)from; (void)data; (void)size; votes++; }
static void request(int number)
{
    (void)number;
    asked = 1 + votes;
    votes = 5;
}
static void report(void *s) { int *r = s; r[0] = votes; r[1] = asked; }
static bool may_request(const void *state, int number) { (void)number; return *(const int *)state > 0; }
static const char *check(const struct heddle_view *v)
{
#ifdef WRONG
    return ((const int *)v->state[0])[1] == 2 ? "asked with one vote" : NULL;
#else
    return ((const int *)v->state[0])[1] == 1 ? "asked without a vote" : NULL;
#endif
}
static const struct heddle_request requests[] = {{0, 0}};
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .request = request, .requests = requests,
    .request_count = 1, .may_request = may_request, .state_size = 2 * sizeof(int), .report = report, .check = check};
