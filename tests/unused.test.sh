#!/usr/bin/env bash
# What a program does without need is seen all the same: reads whose value nobody uses, calls on a stream that was closed.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
# all WHAT VERDICT KIND COUNT
all() {
    local count
    count=$(jq --arg verdict "$2" --arg kind "$3" '[.tests[] | select(.verdict == $verdict and (.bugs[0].kind // "") == $kind)] | length' report.json)
    [ "$count" -eq "$4" ] || fail "$1: $count of $4 are $2 $3: $(head -n 14 out)"
}

# Reads that the optimiser would leave out stay, or the report says that they may be gone.
reads=$(grep -c '^READ(' "$DATA/dead_reads.c")
for level in -O0 -O1 -O2 -O3; do
    check --explain 0 --cflags "$level" "$DATA/dead_reads.c"
    all "dead reads, gcc $level" bug race "$reads"
done
HEDDLE_CC=clang check --explain 0 --cflags -O0 "$DATA/dead_reads.c"
all 'dead reads, clang -O0' bug race "$reads"
! grep -q 'leaves out reads' out || fail 'clang -O0 leaves out no reads'
HEDDLE_CC=clang check --explain 0 --cflags -O2 "$DATA/dead_reads.c"
grep -q 'clang leaves out reads' out || fail "clang -O2 says nothing of reads: $(tail -n 5 out)"

# Nor does clang keep writes to what nobody reads.
HEDDLE_CC=gcc check --explain 0 --cflags -O2 "$DATA/dead_writes.c"
expect 'dead writes, gcc -O2' bug race
HEDDLE_CC=clang check --explain 0 --cflags -O0 "$DATA/dead_writes.c"
expect 'dead writes, clang -O0' bug race
HEDDLE_CC=clang check --explain 0 --cflags -O2 "$DATA/dead_writes.c"
[ "$(field verdict)" = bug ] || tr '\n' ' ' <out | grep -q 'writes to static *variables that nothing reads' ||
    fail "clang -O2 says nothing of writes: $(tail -n 5 out)"

# A stream that was closed is used by no call, whatever it asks for.
uses=$(grep -c '^USE(' "$DATA/closed_streams.c")
check --explain 0 "$DATA/closed_streams.c"
all 'closed streams' bug use-after-free "$uses"
check --explain 0 --cflags -DRIGHT "$DATA/closed_streams.c"
all 'open streams' verified '' "$uses"
finish
