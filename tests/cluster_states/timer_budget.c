// expect: verified; bug: invariant; options: --nodes 2 --timeouts 2
// A timer turns a switch on and off, so that two time-outs lead back to the same node, with fewer time-outs left. Wrong: the switch has
// to be off at the first message and on at the second. Right: it has to be turned three times in between.
#include <heddle/node.h>
static int on, got, first, turns;
static void boot(int self, int nodes)
{
    (void)nodes;
    if (!self) {
        heddle_send(1, "a", 1);
        heddle_send(1, "b", 1);
    } else
        heddle_set_timer(0);
}
static void message(int from, const void *data, size_t size)
{
    (void)from;
    (void)data;
    (void)size;
    if (!got++)
        first = on;
}
static void timer(int number)
{
    heddle_set_timer(number);
    on = !on;
#ifndef WRONG
    turns += got == 1;
#endif
}
static void report(void *s) { int *r = s; r[0] = got; r[1] = on && !first; r[2] = turns; }
static const char *check(const struct heddle_view *v)
{
    const int *s = v->state[1];
#ifdef WRONG
    return s[0] == 2 && s[1] ? "off, then on" : NULL;
#else
    return s[2] == 3 ? "turned three times" : NULL;
#endif
}
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .timer = timer, .state_size = 3 * sizeof(int),
    .report = report, .check = check};
