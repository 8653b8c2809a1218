// expect: verified; bug: agreement; options: --nodes 3
// Nodes 1 and 2 each commit what they are told first, and remember nothing of it: only the quorum tree knows. Right: one of them decides, and
// the other commits the same.
#include <heddle/node.h>
static int decided;
static void boot(int self, int nodes)
{
    (void)nodes;
    if (self)
        return;
    for (int to = 1; to < 3; to++) {
        heddle_send(to, &(int){1}, sizeof(int));
        heddle_send(to, &(int){2}, sizeof(int));
    }
}
static void message(int from, const void *data, size_t size)
{
    int value = *(const int *)data;
    struct heddle_round round = {(unsigned long)value, 0}, root = {0, 0};
    (void)size;
    if (decided)
        return;
#ifdef WRONG
    (void)from;
    value = heddle_self();
#else
    if (heddle_self() == 2 && from == 0)
        return;
    if (heddle_self() == 1)
        heddle_send(2, &value, sizeof value);
#endif
    decided = 1;
    round.number = (unsigned long)value;
    heddle_qtree_add(0, round, value, root);
    heddle_qtree_commit(0, round);
}
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .qtree = HEDDLE_WITNESSES};
