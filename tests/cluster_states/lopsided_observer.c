// expect: verified; bug: invariant; options: --nodes 3 --states alike
// Nodes 1 and 2 may change places, but somebody who looks on tells them apart: they are not alike then. Right: it is node 0 that would have
// to be first, which has nothing to do.
#include <heddle/node.h>
static int done;
static void boot(int self, int nodes)
{
    (void)nodes;
    if (self)
        heddle_send(self, "b", 1);
}
static void message(int from, const void *data, size_t size)
{
    (void)from;
    (void)size;
    if (*(const char *)data == 'b') {
        done = 1;
        heddle_send(0, "e", 1);
    } else
        done++;
}
static void report(void *s) { *(int *)s = done; }
#ifdef WRONG
enum { FIRST = 2 };
#else
enum { FIRST = 0 };
#endif
static const char *observe(const struct heddle_view *v, int node, void *memory)
{
    int *first = memory;
    if (!*first && node >= 0)
        *first = node + 1;
    return *(const int *)v->state[0] == 2 && *first == FIRST + 1 ? "it was the first" : NULL;
}
static const struct heddle_renaming renaming = {.nodes = 6};
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report,
    .observe = observe, .observer_size = sizeof(int), .renaming = &renaming};
