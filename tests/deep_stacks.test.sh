#!/usr/bin/env bash
# Steps that are taken thousands of calls deep keep only what can change of the stack (engine/deep_stacks.h). What is found is the
# same as when executions are repeated from the beginning, and memory goes back to what it was.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# Threads climb up and down far below the top of their stacks, with variables on the way that no hook tells of: in registers and in
# frames, in arguments that are passed on the stack, and in structs that are returned through several calls.
cat >deep.c <<'END'
#include <assert.h>
#include <pthread.h>

struct large {
    long part[6];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long total;

static __attribute__((noinline)) long add(long amount)
{
    pthread_mutex_lock(&mutex);
    total += amount;
    long now = total;
    pthread_mutex_unlock(&mutex);
    return now;
}

static __attribute__((noinline)) long pass(long a, long b, long c, long d, long e, long f, long g, long h)
{
    g += a; // arguments on the stack, which are changed there
    h += g;
    long before = add(1);
    g += before - before;
    return a + b + c + d + e + f + g + h;
}

static __attribute__((noinline)) struct large fill(long start)
{
    struct large l = {{start, start + 1, start + 2, start + 3, start + 4, add(0) * 0}};
    return l;
}

static __attribute__((noinline)) struct large hand_on(int calls, long start)
{
    if (calls)
        return hand_on(calls - 1, start);
    return fill(start);
}

static __attribute__((noinline)) long climb(int levels)
{
    long kept[4] = {levels, levels * 3, levels * 5, levels * 7}, sum = 0;
    if (levels) {
        sum += climb(levels - 1);
        kept[levels & 3] += sum;
    } else {
        sum = pass(1, 2, 3, 4, 5, 6, 7, 8);
        struct large l = hand_on(6, sum);
        sum += l.part[0] + l.part[4];
    }
    for (int i = 0; i < 4; i++)
        sum += kept[i] * (i + 1);
    return sum;
}

static __attribute__((noinline)) long descend(int depth)
{
    volatile int here[20] = {depth}; // so that it takes place
    long result;
    if (depth)
        result = descend(depth - 1);
    else
        result = climb(9) * 2 + climb(3);
    return result + here[0];
}

static void *thread(void *result)
{
    *(long *)result = descend(DEPTH);
    return NULL;
}

int main(void)
{
    pthread_t handle[2];
    long result[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&handle[i], NULL, thread, &result[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(handle[i], NULL);
    assert(result[0] == result[1] && total == 4);
    return 0;
}
END
# More than a megabyte could not be kept whole: it goes back by the log all the same.
for level in -O0 -O2; do
    heddle cc $level -g -DDEPTH=20000 deep.c -o deep
    check --strategy optimal --restart replay ./deep
    expect "replay, $level" verified
    executions=$(field executions)
    check --strategy optimal ./deep
    expect "undo, $level" verified
    [ "$(field executions)" = "$executions" ] || fail "$level: $(field executions) executions, not $executions"
    [ "$(field restart)" = undo ] || fail "$level: restart is $(field restart)"
    check --strategy optimal --restart verify ./deep
    expect "verify, $level" verified
done

# Where functions can be left otherwise than by returning, stacks are kept whole.
sed 's/^static void \*thread/#include <setjmp.h>\njmp_buf nobody;\nvoid jump(void)\n{\n    longjmp(nobody, 1);\n}\n&/' deep.c >jumps.c
heddle cc -O2 -g -DDEPTH=20000 jumps.c -o jumps
check --strategy optimal --max-executions 3 ./jumps
[ "$(field restart)" = replay ] || fail "jumps: restart is $(field restart)"

# A loop that waits is recognised as one, many calls deep, if it goes through calls that return.
cat >waits.c <<'END'
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, rounds;

static __attribute__((noinline)) int look(int calls)
{
    volatile int here[4] = {calls};
    int seen = calls ? look(calls - 1) : atomic_load(&flag);
    return seen + here[0] * 0;
}

static __attribute__((noinline)) int descend(int depth)
{
    volatile int here[20] = {depth};
    int result = 0;
    if (depth)
        result = descend(depth - 1);
    else
        while (!look(1) || !look(5))
            ;
    return result + here[0];
}

static void *waits(void *unused)
{
    descend(DEPTH);
    return unused;
}

int main(void)
{
    pthread_t waiting;
    pthread_create(&waiting, NULL, waits, NULL);
#ifndef NEVER
    atomic_store(&flag, 1);
#endif
    pthread_join(waiting, NULL);
    return 0;
}
END
heddle cc -O2 -g -DDEPTH=20000 waits.c -o waits
check --strategy optimal ./waits
expect "waits" verified
[ "$(field restart)" = undo ] || fail "waits: restart is $(field restart)"
executions=$(field executions)
heddle cc -O2 -g -DDEPTH=9 waits.c -o waits
check --strategy optimal ./waits
[ "$(field executions)" = "$executions" ] || fail "waits: $executions executions many calls deep, $(field executions) otherwise"
heddle cc -O2 -g -DDEPTH=20000 -DNEVER waits.c -o never
check --strategy optimal ./never
expect "waits for ever" bug livelock
finish
