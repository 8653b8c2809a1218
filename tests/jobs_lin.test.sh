#!/usr/bin/env bash
# Clients of an object that workers explore beside each other: the same verdict, client and counts for every number of them.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# same WHAT VERDICT NUMBERS ARGUMENT…: what one worker says is what several do, word for word, but for times.
say() {
    heddle lin --explain 0.5 --repair 0 "$@"
    sed -E 's/[0-9.]+ s([,;]|$)/T s\1/g' out err
    echo "status $status"
}
same() {
    local what=$1 verdict=$2 numbers=$3
    shift 3
    say -j 1 "$@" >one
    tail -n 1 one | grep -qx "status $(status_of "$verdict")" || fail "$what: $(tail -n 1 one) instead of $verdict"
    for workers in $numbers; do
        say -j "$workers" "$@" >several
        diff one several >difference || fail "$what, $workers workers: $(head -n 20 difference)"
    done
}
LIN=$ROOT/examples/lin
"$HEDDLE" cc -g -DBUG=0 "$LIN/hash_map.c" -o map || fail 'the map cannot be built'
"$HEDDLE" cc -g -DBUG=1 "$LIN/harris_list.c" -o list || fail 'the list cannot be built'
cat >register.c <<'END'
#include <heddle/lin.h>
#include <stdlib.h>
static void *create(void) { return calloc(2, sizeof(int64_t)); }
static int64_t write_one(void *object, const int64_t *argument) { ((int64_t *)object)[0] = argument[0]; return 0; }
static int64_t write_other(void *object, const int64_t *argument) { ((int64_t *)object)[1] = argument[0]; return 0; }
static int64_t read_both(void *object, const int64_t *argument)
{
    (void)argument;
    return ((int64_t *)object)[0] * 10 + ((int64_t *)object)[1];
}
heddle_lin(.create = create, .destroy = free,
           .operations = {{"write_one", write_one, {HEDDLE_RANGE(1, 3)}},
                          {"write_other", write_other, {HEDDLE_RANGE(1, 3)}}, {"read_both", read_both}});
END
"$HEDDLE" cc -g register.c -o register || fail 'the register cannot be built'
same 'an object that is right' verified '2 3 8' --grow 0 --total 3 ./map
same 'executions that are cut' incomplete '2 8' --grow 0 --total 3 --max-steps 12 ./map
same 'an object that is wrong' bug '2 8' --grow 0 ./list
same 'clients at random' verified 3 --grow 0 --total 2 --threads 2 --calls 1 --sample 40 ./map
same 'an object with races' bug 3 --grow 0 ./register
same 'what is learnt on the way' incomplete 3 --grow 0 --max-steps 20 --threads 2 --calls 1 --may-fail try_it \
    "$ROOT/tests/lin/long_then_try.c"

# Beyond the bounds it depends on time which clients are tried, but not whether a bug within them is found.
heddle lin -j 2 --explain 0 --repair 0 --grow 1 --threads 2 --calls 1 ./map
[ $status -eq 0 ] && grep -q 'beyond' out || fail "beyond the bounds: status $status, $(cat out err)"

# Who interrupts it is told what was covered.
"$HEDDLE" lin -j 2 --grow 0 --total 6 ./map >out 2>err &
heddle=$!
for ((i = 0; i < 600; i++)); do # before it has workers, a signal may be ignored, as shells have it for what runs in the background
    [ "$(pgrep -c -P $heddle -x heddle)" -ge 2 ] && break
    sleep 0.1
done
sleep 0.5
kill -INT $heddle
wait $heddle
status=$?
[ $status -eq 3 ] && grep -q '^incomplete: it was interrupted' out || fail "interrupted: status $status, $(cat out err)"
nothing_left 'lin -j'
heddle lin -j 99 ./map
[ $status -eq 2 ] && grep -q 'is not a number of workers' err || fail "-j 99: status $status, $(cat err)"

finish
