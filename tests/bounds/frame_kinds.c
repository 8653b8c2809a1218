// expect: verified options: --memory-errors
// Frames of many kinds, whose arrays are used up to their last byte: structs by value, more arguments than registers, arrays of
// variable length, alloca, large alignment, jumps over frames.
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct odd {
    char bytes[33];
};

static jmp_buf out;

static struct odd filled_with(int byte)
{
    struct odd odd;
    memset(odd.bytes, byte, sizeof odd.bytes);
    return odd;
}

static int sum_of(int count, ...)
{
    char last[13];
    va_list list;
    int sum = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        sum += va_arg(list, int);
    va_end(list);
    memset(last, sum, sizeof last);
    return last[12];
}

static int aligned_and_given(size_t count)
{
    _Alignas(64) char aligned[65];
    char *given = alloca(count);
    memset(aligned, 1, sizeof aligned);
    memset(given, 2, count);
    return aligned[64] + given[count - 1];
}

static int of_variable_length(size_t count)
{
    char one[count], two[count * 2];
    memset(one, 1, count);
    memset(two, 1, count * 2);
    return one[count - 1] + two[count * 2 - 1];
}

static void jump_out(int depth)
{
    char bytes[17];
    memset(bytes, depth, sizeof bytes);
    if (!depth)
        longjmp(out, 1);
    jump_out(depth - 1);
}

static int with_many(long a, long b, long c, long d, long e, long f, long g, struct odd odd)
{
    char bytes[9];
    memset(bytes, (int)(a + b + c + d + e + f + g), sizeof bytes);
    odd.bytes[32]++;
    return bytes[8] + odd.bytes[32];
}

static void *use(void *nothing)
{
    if (!setjmp(out))
        jump_out(5);
    assert(sum_of(9, 1, 2, 3, 4, 5, 6, 7, 8, 9) == 45);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    for (size_t i = 1; i < 20; i++)
        assert(of_variable_length(i) == 2 && aligned_and_given(i) == 3);
    assert(with_many(1, 1, 1, 1, 1, 1, 1, filled_with(2)) == 10);
    int *numbers = (int[]){1, 2, 3};
    struct odd *literal = &(struct odd){{7}};
    assert(numbers[2] == 3 && literal->bytes[0] == 7 && literal->bytes[32] == 0);
    return pthread_join(thread, NULL);
}
