#!/usr/bin/env bash
# A program that does not do the same each time is recognised: the first event that differs is named with what was to
# happen and what happened, with a likely source; the rest is sampled; and it is never verified.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# uncontrolled WHAT SOURCE PROGRAM OPTION…
uncontrolled() {
    local what=$1 source=$2
    shift 2
    check "$@"
    expect "$what" incomplete || return
    grep -q '"reason":.*does not always do the same' report.json || fail "$what: $(grep '"reason"' report.json)"
    grep -q "\"reason\":.*$source" report.json || fail "$what: the source is not named: $(grep '"reason"' report.json)"
    grep -Eq '"expected":.*T[12] did [a-z]+ .*uncontrolled.c:[0-9]+' report.json || grep -q '"kind":.*"operation"' report.json ||
        fail "$what: $(grep -A 5 '"difference"' report.json)"
    grep -q '"seen":.*T[12] ' report.json || fail "$what: $(grep -A 5 '"difference"' report.json)"
    [ "$(field executions)" -gt 100 ] || fail "$what: the search did not go on: $(field executions) executions"
}

check --cflags -DSOURCE=0 "$DATA/uncontrolled.c"
expect 'a controlled source' verified
gcc -g -shared -fPIC -o libforeign.so "$DATA/foreign.c" || fail 'foreign.c does not compile'
"$HEDDLE" cc -g -DSOURCE=3 -o with_library "$DATA/uncontrolled.c" -L. -lforeign -Wl,-rpath,"$PWD" 2>err || fail "$(cat err)"
for strategy in optimal dfs bounded dpor; do
    uncontrolled "rdtsc, $strategy" rdtsc --cflags -DSOURCE=1 --strategy $strategy "$DATA/uncontrolled.c"
    uncontrolled "a raw system call, $strategy" syscall --cflags -DSOURCE=2 --strategy $strategy "$DATA/uncontrolled.c"
done
for restart in undo replay; do
    uncontrolled "rdtsc, --restart $restart" rdtsc --cflags -DSOURCE=1 --restart $restart "$DATA/uncontrolled.c"
done
uncontrolled 'a library' 'foreign' ./with_library
[ "$(field restart)" = fork ] || fail "a library: restart $(field restart)"
check --cflags -DSOURCE=1 --strategy pct --max-executions 200 "$DATA/uncontrolled.c"
expect 'rdtsc, pct' incomplete
[ "$(field executions)" = 200 ] || fail "rdtsc, pct: $(field executions) executions"
check --cflags -DSOURCE=1 --time 2 "$DATA/uncontrolled.c"
expect 'rdtsc --time 2' incomplete
grep -q '"reason":.*does not always do the same' report.json || fail "rdtsc --time 2: $(grep '"reason"' report.json)"
nothing_left determinism
# The calendar begins some day, or with --allow clock when the search did: in every execution, and when a failure is repeated.
cat >calendar.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
static long seen[2];
static void *look(void *which)
{
    seen[(long)which] = (long)time(NULL);
    return NULL;
}
int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, look, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("day %ld\n", seen[0]);
    assert(seen[0] == seen[1] && seen[0] < LATEST);
}
END
now=$(date +%s)
check --cflags -DLATEST=1767312000 calendar.c
expect 'the calendar begins in 2026' verified
check --allow clock --cflags "-DLATEST=$((now + 3600))" calendar.c
expect 'the calendar begins today' verified
tells 'the calendar begins today' 'the calendar begins [0-9]+ seconds after 1970'
check --allow clock --cflags "-DLATEST=$((now - 3600))" calendar.c
expect 'the calendar begins today' bug assertion
began=$(sed -n 's/^calendar //p' calendar.assertion.hd)
[ "${began:-0}" -ge "$now" ] || fail "the schedule has no calendar: $(cat calendar.assertion.hd)"
heddle replay calendar.assertion.hd
grep -qE "day $((began + 1))|day $began" out err || fail "another day when it is repeated: $(cat out err)"
heddle check --allow files calendar.c
[ $status -eq 2 ] || fail "--allow files: $status"
finish
