#!/usr/bin/env bash
# What main does at the end of an execution is remembered (--tail): that saves running it, makes no difference to what is found, and
# everything that could make one runs it.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# A long end, which depends on one variable: it is run once for each value, and now and then to be compared.
cat >long.c <<'END'
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;
static int last;

static void *one(void *unused)
{
    for (int i = 0; i < 4; i++)
        atomic_fetch_add(&a, 1);
    return unused;
}

static void *other(void *unused)
{
    for (int i = 0; i < 4; i++)
        atomic_fetch_add(&a, 1);
    last = atomic_load(&b);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, other, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    unsigned long sum = 1;
    for (unsigned long i = 0; i < ROUNDS; i++)
        sum = sum * 3 + (sum >> 7);
    return last > 5 && sum == 0;
}
END
# is_remembered WHAT PROGRAM: its end, which takes most of the time, is
is_remembered() {
    check --strategy optimal --tail always "$2"
    expect "$1, run each time" verified
    always=$(field seconds) executions=$(field executions)
    check --strategy optimal "$2"
    expect "$1, remembered" verified
    [ "$(field executions)" = "$executions" ] || fail "$1: $(field executions) executions, not $executions"
    awk "BEGIN { exit !($(field seconds) < $always / 2) }" || fail "$1: $(field seconds) s, and $always s if it is run each time"
}
for level in -O0 -O2; do
    heddle cc $level -g -DROUNDS=5000000 long.c -o long
    is_remembered "long$level" ./long
done

# So is one that uses arrays, for which the compiler asks whether their indices are too large, in a program with inline assembly.
sed -e 's/^static int last;/static int last, table[8];/' -e 's/last > 5/table[last]/' \
    -e 's/^    last = .*/&\n    __asm__ volatile("movl %0, %%eax" : : "m"(a) : "eax");/' long.c >arrays.c
heddle cc -O2 -g -DROUNDS=5000000 arrays.c -o arrays
nm -D arrays | grep -q __ubsan_handle_out_of_bounds || fail 'arrays: indices are not looked at'
is_remembered arrays ./arrays

# Ends of which only one value fails, an end that reads between two joins, and what makes every end run.
"$ROOT/tests/fuzz/tails.sh" 12 1 >said 2>&1 || fail "$(cat said)"
check --tail never ./long
[ "$status" -eq 2 ] || fail "--tail never: status $status"
finish
