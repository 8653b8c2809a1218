#!/usr/bin/env bash
# heddle check --only races: what is left out, that no race is lost by it, and what the report says.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
SEED=$ROOT/bench/seed

# took WHAT MOST: the last check ran at most so many executions.
took() { [ "$(field executions)" -le "$2" ] || fail "$1: $(field executions) executions, more than $2"; }

# Figure 5.1 of the thesis: the race is in a branch that only another order takes. Its twin has none.
for compiler in gcc clang; do
    for level in -O0 -O1 -O2; do
        what="$compiler $level"
        export HEDDLE_CC=$compiler
        check --only races --cflags "$level" "$SEED/fdrd.c"
        expect "fdrd, $what" bug race
        check --only races --cflags "$level -DRIGHT" "$SEED/fdrd.c"
        expect "fdrd, right, $what" verified
        [ "$(field executions)" -lt 46 ] || fail "fdrd, right, $what: nothing was left out"
        # What no order changes but a counter needs one execution; read without the lock it races.
        check --only races --cflags "$level -DTHREADS=3 -DCHUNKS=7" "$SEED/aget.c"
        expect "aget, $what" verified
        took "aget, $what" 1
        check --only races --cflags "$level -DTHREADS=3 -DBUG" "$SEED/aget.c"
        expect "aget with its bug, $what" bug race
        check --only races --cflags "$level -DTHREADS=4" "$SEED/bzip2smp.c"
        expect "bzip2smp, $what" verified
        took "bzip2smp, $what" 300
        check --only races --cflags "$level -DTHREADS=4 -DBUG" "$SEED/bzip2smp.c"
        expect "bzip2smp with its bug, $what" bug race
        # A value that an order changes decides what is accessed: nothing of that may be left out.
        for twin in BRANCH ADDRESS ARGUMENT RESULT COPIED LATER WAIT; do
            check --only races --cflags "$level -D$twin" "$DATA/prune_twins.c"
            expect "prune_twins, $twin, $what" bug race
            check --only races --cflags "$level -D$twin -DRIGHT" "$DATA/prune_twins.c"
            expect "prune_twins, $twin, right, $what" verified
        done
    done
done
unset HEDDLE_CC

# What is left out must not hide what it would have led to further up.
check --only races "$DATA/prune_above.c"
expect 'a race above what is left out' bug race
check --only races "$DATA/prune_created.c"
expect 'a race with what came before the first event' bug race
check --only races --cflags -O1 "$DATA/prune_again.c"
expect 'read again under another lock' bug race
check --only races --cflags '-O1 -DRIGHT' "$DATA/prune_again.c"
expect 'read again under the same lock' verified

# The report says what the verdict is about, and other bugs that are met are told.
check --only races --cflags '-DTHREADS=3 -DCHUNKS=2' "$SEED/aget.c"
says 'the verdict' 'has a data race$'
says 'the assumption' 'only data races were looked for'
check --only races "$CASES/deadlock_abba.c"
says 'a deadlock that is met' deadlock

# A program that was built before tells about its reads only if it was asked to.
heddle cc --flows -O1 -DTHREADS=3 -DCHUNKS=3 "$SEED/aget.c" -o with
heddle cc -O1 -DTHREADS=3 -DCHUNKS=3 "$SEED/aget.c" -o without
check --only races ./with
expect 'built with --flows' verified
took 'built with --flows' 1
check --only races ./without
expect 'built without --flows' verified
[ "$(field executions)" = 20 ] || fail "built without --flows: $(field executions) executions, not 20"
# … and runs as ever.
./with || fail "a program built with --flows ends with $?"

# Going back by running again keeps the same journal.
for mode in replay fork; do
    check --only races --restart $mode ./with
    expect "--restart $mode" verified
    took "--restart $mode" 1
done

# wrong TEXT ARGUMENT…: refused with this sentence.
wrong() {
    local text=$1
    shift
    heddle check "$@" "$SEED/fdrd.c"
    [ $status = 2 ] && grep -q -- "$text" err || fail "$*: status $status, $(cat err)"
}
wrong '--only takes races' --only deadlocks
wrong 'cannot be combined with --strategy optimal' --only races --strategy optimal
wrong 'cannot be combined with --preemptions' --only races --preemptions 2
wrong 'cannot be combined with --leaks' --only races --leaks
wrong 'cannot be combined with --exit-status' --only races --exit-status
wrong 'cannot be combined with --races' --only races --races explore
finish
