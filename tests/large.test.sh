#!/usr/bin/env bash
# Programs too large to be exhausted: a bug that `optimal` does not come to in time is found by what follows it under
# --time, is shrunk and replays; and the report says what was covered.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# replays WHAT: the schedule of the last check fails again in the same way.
replays() {
    local schedule
    schedule=$(of_bugs schedule | head -n 1)
    heddle replay "$schedule"
    [ "$status" -eq 1 ] && grep -q "^bug: $(of_bugs kind | head -n 1)" out || fail "$1: replay: $status, $(head -n 1 out)"
}

check --strategy optimal --time 2 "$DATA/early_bug.c"
expect 'early_bug --strategy optimal' incomplete
[ "$(field strategy)" = optimal ] || fail "--strategy optimal --time: strategy $(field strategy)"
grep -q '"phases"' report.json && fail '--strategy optimal --time: several phases'

check --time 15s "$DATA/early_bug.c"
expect 'early_bug --time 15s' bug assertion
[ "$(field strategy)" = fuzz ] || fail "early_bug --time 15s: strategy $(field strategy)"
replays 'early_bug --time 15s'

# Without any bound, too.
check --explain 0 "$DATA/early_bug.c"
expect early_bug bug assertion
[ "$(field strategy)" = fuzz ] || fail "early_bug: strategy $(field strategy)"
check --strategy bounded --cflags -DROUNDS=60 "$DATA/early_bug.c"
expect 'early_bug --strategy bounded' bug assertion
[ "$(of_bugs preemptions)" = 1 ] || fail "early_bug --strategy bounded: $(of_bugs preemptions) preemptions"
replays 'early_bug --strategy bounded'

check --strategy pct --depth 3 --seed 3 --max-executions 50000 "$DATA/deep_bug.c"
expect 'deep_bug --strategy pct' bug assertion
[ "$(of_bugs preemptions) $(of_bugs minimal)" = '2 true' ] || fail "deep_bug: $(of_bugs preemptions) preemptions"
replays 'deep_bug --strategy pct'

# A failing run of tens of thousands of random switches: within its time it is made one of a few, which replays, and the
# report says whether there can be fewer.
check --strategy random --max-steps 200000 --explain 6 "$DATA/long_bug.c"
expect 'long_bug --strategy random' bug assertion
[ "$(of_bugs preemptions)" -le 10 ] || fail "long_bug: $(of_bugs preemptions) preemptions after shrinking"
grep -Eq 'preemptions: [0-9]+ \((no run that fails like this has fewer|the fewest found in the time for it)\)' out ||
    fail "long_bug: $(grep preemptions: out)"
[ "$(field longest)" -gt 20000 ] || fail "long_bug: only $(field longest) events"
replays 'long_bug'

# Nothing to be found: every phase says what it covered, the time is kept, and what is small is verified all the same.
# given_time CONDITION OPTION…: a check with as many `seconds` as it takes until the condition holds. A busy machine gives a process
# little of two seconds.
given_time() {
    local condition=$1
    shift
    for seconds in 2 8 32; do
        check --time $seconds "$@" "$DATA/early_bug.c"
        $condition && return
    done
}
tells_all_phases() {
    grep -q '^  optimal, [0-9]* executions* in .*too large' out && grep -q '^  sample, [0-9]* executions* in' out &&
        grep -q '^  bounded, [0-9]* executions* in' out
}
given_time tells_all_phases --cflags '-DNDEBUG'
expect 'early_bug without its assertion' incomplete
tells_all_phases || fail "--time $seconds: a phase is missing: $(cat out)"
[ "$(field reason)" = "the time of $seconds seconds was over" ] || fail "--time $seconds: the reason is $(field reason)"
awk -v s="$(field seconds)" -v most="$seconds" 'BEGIN { exit !(s > 0.9 * most && s < 4 * most) }' || fail "--time $seconds: it took $(field seconds) s"
# Ended from outside, since an execution takes too long: nobody interrupted it, and the time is what it took.
check --time 1 "$DATA/slow_execution.c"
expect 'slow_execution --time 1' incomplete
[ "$(field reason)" = 'the time of 1 second was over' ] || fail "slow_execution --time 1: the reason is $(field reason)"
awk -v s="$(field seconds)" 'BEGIN { exit !(s > 1) }' || fail "slow_execution --time 1: it took $(field seconds) s"
# A bug that is tolerated does not end it.
echo 'assertion:worker' >rules
has_phases() { jq -e '(.phases | length) >= 3 and (.suppressed | length) == 1' report.json >/dev/null; }
given_time has_phases --suppressions rules
expect 'early_bug with its assertion suppressed' incomplete
has_phases || fail "early_bug with its assertion suppressed: $(cat out)"
check --time 30 --cflags '-DK=5 -O2' "$PROGRAMS/critical.c"
expect 'critical --time 30' verified
[ "$(field strategy) $(field executions)" = 'optimal 252' ] || fail "critical --time 30: $(field strategy), $(field executions)"
# Wide and long: 64 threads, and 100,000 events in one execution.
gcc -O2 -o peak "$DATA/peak.c" || exit 1
"$HEDDLE" cc -O1 -o wide "$DATA/wide.c" || fail 'wide.c does not compile'
"$HEDDLE" cc -O1 -DTHREADS=4 -DROUNDS=25000 -o long "$DATA/wide.c" || fail 'wide.c does not compile'

# large PROGRAM STRATEGY LONGEST KIB OPTION…: runs it; executions have so many events, and it takes at most so much memory.
large() {
    local program=$1 strategy=$2 longest=$3 most=$4
    shift 4
    rm -f report.json
    timeout -k 5 300 ./peak "$HEDDLE" check --json report.json --strategy "$strategy" "$@" "./$program" 3>peak.txt >out 2>err
    status=$?
    expect "$program --strategy $strategy" incomplete
    [ "$(field longest)" -ge "$longest" ] || fail "$program --strategy $strategy: longest $(field longest)"
    [ "$(cat peak.txt)" -le "$most" ] || fail "$program --strategy $strategy: a peak of $(cat peak.txt) KiB"
}
for strategy in random pct optimal bounded dpor; do
    large wide $strategy 256 65536 --max-executions 1000
    large long $strategy 100000 300000 --max-executions 5 --max-steps 200000
done
"$HEDDLE" cc -O1 -DTHREADS=255 -DROUNDS=76 -o both "$DATA/wide.c" || fail 'wide.c does not compile'
large both random 19380 200000 --max-executions 2
check --strategy random --cflags -DBUG "$DATA/wide.c"
expect '64 threads with a bug' bug assertion
replays '64 threads with a bug'

# Many words that are written at once, while there is one thread, go back too: steps come before and after them.
cat >words.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 10007 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned char *words, global[300];
static int first = -1;

static void *comes(void *number)
{
    pthread_mutex_lock(&mutex);
    if (first < 0)
        first = (int)(long)number;
    words[(long)number]++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void both(void)
{
    pthread_t thread[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, comes, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
}

int main(void)
{
    words = calloc(BYTES, 1);
    assert(words);
    both();
    assert(words[0] == 1 && words[1] == 1 && words[BYTES - 1] == 0 && global[3] == 0);
    memset(words + 1, first + 7, BYTES - 1);
    memset(global + 3, first + 7, sizeof global - 5);
    assert(words[BYTES - 1] == first + 7 && global[2] == 0 && global[3] == first + 7 && global[298] == 0);
    first = -1;
    both();
    assert(words[0] == 2);
    free(words);
    return 0;
}
END
heddle cc -O1 -o words words.c
for way in undo replay verify; do
    check --strategy optimal --restart $way ./words
    expect "many words, $way" verified
    [ "$(field executions)" = 4 ] || fail "many words, $way: $(field executions) executions"
done

nothing_left large
finish
