// expect: verified; bug: invariant; options: --nodes 2 --crashes 1 --reboots 1
// Node 1 says that a value is safe, and may forget it. Its memory and what its disk reads are the same with and without a sync.
#include <heddle/node.h>
static int safe, booted, has;
static void boot(int self, int nodes)
{
    (void)nodes;
    booted = 1;
    has = heddle_read("value", &has, 0) >= 0;
    if (!self)
        heddle_send(1, "x", 1);
}
static void message(int from, const void *data, size_t size)
{
    (void)data;
    (void)size;
    if (!heddle_self()) {
        safe = 1;
        return;
    }
    heddle_write("value", "x", 1);
#ifndef WRONG
    heddle_sync();
#endif
    has = 1;
    heddle_send(from, "s", 1);
}
static void report(void *s) { int *r = s; r[0] = safe; r[1] = has; r[2] = booted; }
static const char *check(const struct heddle_view *v)
{
    const int *a = v->state[0], *b = v->state[1];
    return a[0] && v->up[1] && b[2] && !b[1] ? "what was safe is gone" : NULL;
}
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = 3 * sizeof(int), .report = report,
    .check = check, .never_crash = 1};
