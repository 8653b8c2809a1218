// expect: verified; bug: history; options: --nodes 3
// Two clients write at nodes 1 and 2, and node 0 keeps one of the values; when both are over, a third client reads it. The nodes end in the
// same state either way: it matters only whether one write was over before the other began. Wrong: the lesser value is kept, so that the
// later write may be lost. Right: the second client begins when the first one's write is over, and the last value is kept.
#include <heddle/node.h>
enum { WRITTEN = 7, BEGIN, OVER };
static int value, over;
static void boot(int self, int nodes) { (void)self; (void)nodes; }
static void request(int number)
{
    heddle_invoke(number, "write", number, 0);
    heddle_send(0, &number, sizeof number);
}
static void answered(void)
{
    heddle_return(heddle_self(), 0);
    heddle_send(0, &(int){OVER}, sizeof(int));
#ifndef WRONG
    if (heddle_self() == 1)
        heddle_send(2, &(int){BEGIN}, sizeof(int));
#endif
}
static void keep(int written)
{
#ifdef WRONG
    value = value && value < written ? value : written;
#else
    value = written;
#endif
}
static void message(int from, const void *data, size_t size)
{
    int m = *(const int *)data;
    (void)size;
    if (m == WRITTEN)
        answered();
    else if (m == BEGIN)
        request(2);
    else if (m != OVER) {
        keep(m);
        heddle_send(from, &(int){WRITTEN}, sizeof m);
    } else if (++over == 2) {
        heddle_invoke(3, "read", 0, 0);
        heddle_return(3, value);
    }
}
#ifdef WRONG
static const struct heddle_request requests[] = {{1, 1}, {2, 2}};
#else
static const struct heddle_request requests[] = {{1, 1}};
#endif
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .request = request, .requests = requests,
    .request_count = sizeof requests / sizeof *requests, .model = "register"};
