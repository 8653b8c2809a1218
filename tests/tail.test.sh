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
    for (unsigned long i = 0; i < 20000000; i++)
        sum = sum * 3 + (sum >> 7);
    return last > 5 && sum == 0;
}
END
heddle cc -O2 -g long.c -o long
check --strategy optimal --tail always ./long
expect 'run each time' verified
always=$(field seconds) executions=$(field executions)
check --strategy optimal ./long
expect remembered verified
[ "$(field executions)" = "$executions" ] || fail "remembered: $(field executions) executions, not $executions"
awk "BEGIN { exit !($(field seconds) < $always / 2) }" || fail "remembered: $(field seconds) s, and $always s if it is run each time"

# Ends of which only one value fails, an end that reads between two joins, and what makes every end run.
"$ROOT/tests/fuzz/tails.sh" 12 1 >said 2>&1 || fail "$(cat said)"
check --tail never ./long
[ "$status" -eq 2 ] || fail "--tail never: status $status"
finish
