// Variables that somebody reads, each in another way: none may be left out, whatever the compiler makes of it.
// unread:
#include <heddle/node.h>
#include <stdarg.h>
#include <string.h>
static int by_branch, by_loop, by_switch, by_pointer, by_copy, by_argument, by_result, by_index, by_value, by_assembly, by_reported,
    by_flags, by_other, by_vararg, by_choice, by_said, by_helper;
static struct {
    int low, high;
} by_union;
static struct {
    int a, b, c, d;
} by_whole;
static unsigned char by_byte[8];
static unsigned long by_wide;
static double by_number;
static int in_array[4], in_turn[4], passed_on[4], compared[4], walked[4];
static struct {
    int a, b;
} in_struct[4];
static long by_wrap;
static unsigned by_alias;
extern unsigned other_name __attribute__((alias("by_alias")));
static int by_table;
static int *const table[] = {&by_table};
int by_name; // other units may read it
static int sum;
struct state {
    int sum, reported;
};
static int results(void) { return by_result; }
static void __attribute__((noinline)) take(int value) { sum += value; }
static int __attribute__((noinline)) add_all(int count, ...)
{
    va_list list;
    int all = 0;
    va_start(list, count);
    while (count--)
        all += va_arg(list, int);
    va_end(list);
    return all;
}
static int __attribute__((noinline)) helper(void) { return ++by_helper; }
static void boot(int self, int nodes)
{
    (void)nodes;
    heddle_send(self, "x", 1);
}
static void update(int from)
{
    by_branch += from + 1;
    by_loop++;
    by_switch++;
    by_pointer++;
    by_copy++;
    by_argument++;
    by_result++;
    by_index++;
    by_value++;
    by_assembly++;
    by_reported++;
    by_flags--;
    by_other++;
    by_vararg++;
    by_choice++;
    by_said++;
    by_union.low++;
    by_whole.b++;
    by_byte[3]++;
    by_wide++;
    by_number += 0.5;
    by_wrap += 3;
    by_alias++;
    by_table++;
    by_name++;
    in_array[from]++;
    in_turn[from]++;
    passed_on[from]++;
    compared[from]++;
    walked[from]++;
    in_struct[from].a++;
}
static void message(int from, const void *data, size_t size)
{
    static const int list[] = {3, 1, 2, 5};
    int copy, step = 0;
    long both;
    struct {
        int a, b, c, d;
    } whole;
    update(from);
    if (by_branch == 2)
        sum++;
    while (step++ < by_loop)
        sum ^= step;
    switch (by_switch) {
    case 1: sum += 7; break;
    case 2: sum ^= 5; break;
    case 4: sum *= 3; break;
    case 7: sum += 11; break;
    case 8: sum -= 11; break;
    }
    int *volatile to = &by_pointer;
    sum += *to;
    memcpy(&copy, &by_copy, sizeof copy);
    take(copy);
    take(by_argument);
    sum += results();
    sum += list[by_index & 3];
    sum = sum * 2 + by_value;
    __asm__ volatile("addl %1, %0" : "+r"(sum) : "m"(by_assembly));
    if (by_flags < 0)
        sum++;
    by_other = by_other * 3;
    sum += by_other > 4;
    sum += add_all(2, by_vararg, 1);
    sum = by_choice > 1 ? sum + 1 : sum;
    heddle_say("said %d", by_said);
    memcpy(&both, &by_union, sizeof both);
    sum += both != 0;
    memcpy(&whole, &by_whole, sizeof whole);
    sum += whole.b;
    sum += *(volatile int *)(void *)by_byte != 0;
    sum += ((volatile unsigned char *)&by_wide)[0];
    sum += by_number > 1;
    sum += (int)(by_wrap & 1);
    sum += (int)other_name;
    sum += *table[0];
    sum += helper();
    sum += in_array[from];
    in_turn[from] += in_turn[(from + 1) & 3];
    sum += in_turn[2];
    take(passed_on[from & 1]);
    sum += compared[from] > 1 ? 3 : 5;
    for (const int *at = walked; at < walked + 4; at++)
        sum ^= *at;
    sum += in_struct[from & 1].a;
    if (heddle_self() == from && size == 1 && by_branch < 4)
        heddle_send(from, data, size);
}
static void report(void *s)
{
    struct state *state = s;
    state->sum = sum;
    state->reported = by_reported;
}
const struct heddle_protocol heddle_protocol = {
    .boot = boot, .message = message, .state_size = sizeof(struct state), .report = report};
