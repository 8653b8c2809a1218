// expect: verified; bug: liveness; options: --nodes 2 --drops 1
// An answer is waited for. Wrong: the question is asked once, and may be lost. Right: it is asked again when a timer runs out.
#include <heddle/node.h>
static int answered;
static void ask(void)
{
    heddle_send(1, "?", 1);
#ifndef WRONG
    heddle_set_timer(0);
#endif
}
static void boot(int self, int nodes)
{
    (void)nodes;
    if (!self)
        ask();
}
static void timer(int number) { (void)number; if (!answered) ask(); }
static void message(int from, const void *data, size_t size)
{
    (void)data;
    (void)size;
    if (heddle_self())
        heddle_send(from, "!", 1);
    else
        answered = 1;
}
static void report(void *s) { *(int *)s = answered; }
static const char *quiet(const struct heddle_view *v) { return *(const int *)v->state[0] ? NULL : "there is no answer"; }
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .timer = timer, .state_size = sizeof(int),
    .report = report, .quiet = quiet};
