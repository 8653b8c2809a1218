// expect: verified; incomplete; options: --nodes 3
// `check` writes to variables. Right: it needs room to count in. Wrong: it remembers what it saw, as if it were asked along one execution; then
// nothing can be said.
#include <heddle/node.h>
#include <string.h>
static int value;
static void boot(int self, int nodes)
{
    (void)nodes;
    if (self != 1)
        heddle_send(1, &(int){self + 1}, sizeof(int));
}
static void message(int from, const void *data, size_t size)
{
    (void)from;
    (void)size;
    value = *(const int *)data;
}
static void report(void *s) { *(int *)s = value; }
static const char *check(const struct heddle_view *v)
{
    int now = *(const int *)v->state[1];
    static int seen[4];
#ifdef WRONG
    seen[now] = 1;
    return seen[1] && now == 3 ? "3 after 1" : NULL;
#else
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < v->nodes; i++)
        seen[*(const int *)v->state[i]]++;
    return seen[now] > 1 && now ? "twice" : NULL;
#endif
}
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report, .check = check};
