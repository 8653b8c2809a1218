// expect: verified; bug: invariant; options: --nodes 3
// What fails depends on the observer's memory alone: nodes 0 and 1 end in the same state whichever of them was first, and the observer
// remembers which it was. Wrong: node 1 may be first. Right: it is told to begin by node 0.
#include <heddle/node.h>
static int done;
static void boot(int self, int nodes)
{
    (void)nodes;
    if (self == 2) {
        heddle_send(0, "b", 1);
#ifdef WRONG
        heddle_send(1, "b", 1);
#endif
    }
}
static void message(int from, const void *data, size_t size)
{
    (void)size;
    if (*(const char *)data == 'e') {
        done = 2;
        return;
    }
    done = 1;
#ifndef WRONG
    if (!heddle_self())
        heddle_send(1, "b", 1);
#endif
    if (heddle_self() == 1)
        heddle_send(2, "e", 1);
    (void)from;
}
static void report(void *s) { *(int *)s = done; }
struct memory { int first, second; };
static const char *observe(const struct heddle_view *v, int node, void *memory)
{
    struct memory *m = memory;
    const int *const *s = (const int *const *)v->state;
    if (!m->first && (*s[0] || *s[1]))
        m->first = node + 1;
    return *s[2] == 2 && m->first == 2 ? "node 1 was first, and node 2 has heard of it" : NULL;
}
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report,
    .observe = observe, .observer_size = sizeof(struct memory)};
