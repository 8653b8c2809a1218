// expect: verified; bug: invariant; options: --nodes 3 --crashes 1
// Node 0 is told of a loss, whoever was lost; what is claimed depends on who it was. Right: of node 0, which never crashes.
#include <heddle/node.h>
static int lost;
static void boot(int self, int nodes) { (void)self; (void)nodes; }
static void message(int from, const void *data, size_t size) { (void)from; (void)data; (void)size; }
static void down(int peer) { (void)peer; lost = 1; }
static void report(void *s) { *(int *)s = lost; }
static const char *check(const struct heddle_view *v)
{
#ifdef WRONG
    return *(const int *)v->state[0] && !v->up[2] ? "node 2 is gone" : NULL;
#else
    return *(const int *)v->state[0] && !v->up[0] ? "node 0 is gone" : NULL;
#endif
}
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .down = down, .state_size = sizeof(int),
    .report = report, .check = check, .never_crash = 1};
