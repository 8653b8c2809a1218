// expect: verified; bug: memory; options: --nodes 2
// What is sent, or written to the disk, is memory that the node has. Wrong: it was freed.
#include <heddle/node.h>
#include <stdlib.h>
static int got;
static void boot(int self, int nodes)
{
    (void)nodes;
    if (self)
        return;
    int *number = malloc(sizeof *number);
    *number = 7;
#ifdef WRONG
    free(number);
#endif
    heddle_write("number", number, sizeof *number);
    heddle_send(1, number, sizeof *number);
#ifndef WRONG
    free(number);
#endif
}
static void message(int from, const void *data, size_t size)
{
    (void)from;
    (void)size;
    got = *(const int *)data;
}
static void report(void *s) { *(int *)s = got; }
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report};
