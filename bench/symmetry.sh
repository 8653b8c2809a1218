#!/usr/bin/env bash
# bench/symmetry.sh [quick]: threads that are alike, beside Table 7.1 of Yang's thesis (Inspect, 2009): its DPOR and its SYMPOR, as
# printed, and heddle by symmetry alone (dfs), by states (dlspor) without and with symmetry, and by default.
#
# The printed counts of aget, 462, 6k and 88k, are those of four to six workers with three critical sections each, in
# tests/data/symmetry/alike.c. In bench/seed/aget.c each worker has a connection and a part of the file of its own: those differ in
# what they hold, and heddle tells them apart; with one connection for all (-DSHARED, main counts as a thread) they are alike. Every verdict has to be *verified*, except that a search may not end in LIMIT (20)
# seconds, which is said; by default and by states with symmetry it has to. quick leaves out the long ones. Status 1 if a verdict is wrong.
. "$(dirname "$(readlink -f "$0")")/common.sh"
LIMIT=${LIMIT:-20}
QUICK=${1:-}

# run WHAT FILE FLAGS OPTION…: prints a count and the seconds of a search. WHAT: executions or states.
run() {
    local what=$1 file=$2 flags=$3 seconds verdict
    shift 3
    rm -f report.json
    "$HEDDLE" check --json report.json --explain 0 --time "$LIMIT" "$@" --cflags "-O2 $flags" "$ROOT/$file" >out 2>&1
    verdict=$(field verdict)
    seconds=$(printf '%.2f' "$(field seconds)")
    [ "$verdict" = incomplete ] && [ "$must" = no ] && seconds=">$LIMIT"
    if [ "$verdict" != verified ] && [ "$seconds" != ">$LIMIT" ]; then
        echo "bench: $file $flags $*: $(head -n 2 out)" >&2
        echo wrong >>"$work/wrong"
    fi
    printf '%10s %6s  ' "$(field "$what")" "$seconds"
}

# row SUBJECT THREADS FILE FLAGS DPOR SYMPOR: the last two as the thesis has them; - if it has none.
row() {
    printf '%-9s %7s  ' "$1" "$2"
    must=no
    run executions "$3" "$4" --strategy dfs --symmetry on
    run states "$3" "$4" --strategy dlspor --symmetry off
    must=yes
    run states "$3" "$4" --strategy dlspor
    run executions "$3" "$4"
    printf '%15s %15s\n' "$5" "$6"
}

long() { [ "$QUICK" = quick ] || "$@"; }

columns='%-9s %7s  %17s  %17s  %17s  %17s  %15s %15s\n'
# shellcheck disable=SC2059
printf "$columns" '' '' 'symmetry alone' 'states' 'and symmetry' 'by default' 'DPOR, printed' 'SYMPOR, printed'
printf '%-9s %7s  ' subject threads
for count in executions states states executions; do printf '%10s %6s  ' $count seconds; done
echo
row aget 4 tests/data/symmetry/alike.c -DTHREADS=4 '-' '462 / 18 s'
row aget 5 tests/data/symmetry/alike.c -DTHREADS=5 '-' '6k / 258 s'
row aget 6 tests/data/symmetry/alike.c -DTHREADS=6 '-' '88k / 2580 s'
row aget 12 tests/data/symmetry/alike.c -DTHREADS=12 '-' '-'
row aget 7 bench/seed/aget.c '-DTHREADS=7 -DCHUNKS=3 -DSHARED' '-' '88k / 2580 s'
row aget 13 bench/seed/aget.c '-DTHREADS=13 -DCHUNKS=3 -DSHARED' '-' '-'
row pfscan 3 bench/seed/pfscan.c -DTHREADS=3 '1096 / 21 s' '136 / 3 s'
row pfscan 4 bench/seed/pfscan.c -DTHREADS=4 '4185k / 64080 s' '7k / 151 s'
long row pfscan 5 bench/seed/pfscan.c -DTHREADS=5 '-' '323k / 3107 s'
row readers 16 bench/programs/readers.c -DN=16 '-' '-'
long row readers 60 bench/programs/readers.c -DN=60 '-' '-'
row pool 4 tests/data/symmetry/pool.c '-DTHREADS=4 -DSTATIC' '-' '-'
long row pool 8 tests/data/symmetry/pool.c '-DTHREADS=8 -DSTATIC' '-' '-'
[ ! -e "$work/wrong" ]
