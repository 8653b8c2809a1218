// expect: verified; bug: invariant; options: --nodes 1 --crashes 1 --reboots 1
// A node that came back is as it was, but for the disk, which counts. Right: it would take three boots.
#include <heddle/node.h>
#ifdef WRONG
enum { MANY = 2 };
#else
enum { MANY = 3 };
#endif
static int boots;
static void boot(int self, int nodes)
{
    (void)self;
    (void)nodes;
    int count = 0;
    heddle_read("boots", &count, sizeof count);
    count++;
    heddle_write("boots", &count, sizeof count);
    heddle_sync();
    heddle_send(0, "x", 1);
}
static void message(int from, const void *data, size_t size)
{
    (void)from;
    (void)data;
    (void)size;
    heddle_read("boots", &boots, sizeof boots);
}
static void report(void *s) { *(int *)s = boots; }
static const char *check(const struct heddle_view *v) { return *(const int *)v->state[0] == MANY ? "too many boots" : NULL; }
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report,
    .check = check};
