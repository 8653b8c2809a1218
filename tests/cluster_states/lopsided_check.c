// expect: verified; bug: invariant; options: --nodes 4 --states alike --crashes 1
// Three nodes that may change places, and store who was first with them; who crashed may be any of them. Wrong: it fails if the first one is the
// one that crashed, which is the same for all three. Right: if it is none of them.
#include <heddle/node.h>
static int first;
static void boot(int self, int nodes)
{
    (void)nodes;
    first = -1;
    if (self)
        heddle_send(0, "b", 1);
}
static void message(int from, const void *data, size_t size)
{
    (void)data;
    (void)size;
    if (first < 0)
        first = from;
}
static void report(void *s) { *(int *)s = first; }
static const char *check(const struct heddle_view *v)
{
    int who = *(const int *)v->state[0];
#ifdef WRONG
    return who > 0 && !v->up[who] ? "the first is gone" : NULL;
#else
    return who == 0 ? "nobody was first" : NULL;
#endif
}
static void rename_memory(const int *to) { first = first < 0 ? first : to[first]; }
static void rename_state(void *s, const int *to) { int *f = s; *f = *f < 0 ? *f : to[*f]; }
static const struct heddle_renaming renaming = {.nodes = 14, .memory = rename_memory, .state = rename_state};
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report,
    .check = check, .renaming = &renaming, .never_crash = 1};
