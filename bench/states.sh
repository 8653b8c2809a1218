#!/usr/bin/env bash
# bench/states.sh [quick]: searches by states beside searches of executions, on the subjects of the two theses that made them.
#
# First Table 4.1 of Yang's (Inspect): its DPOR and its SDPOR, of 2008, as printed, and heddle's optimal, dlspor and sdpor. Then the
# comparison of Cirisci's: S-POR, DL-S-POR and stateless search on clients of data structures, of which it prints no numbers but that
# DL-S-POR is 2.6 times as fast as S-POR, and that no stateless search ended. Every verdict has to be *verified*, but for
# searches of executions, which may not end in LIMIT (20) seconds. quick leaves out the long ones. Status 1 if a verdict is wrong.
. "$(dirname "$(readlink -f "$0")")/common.sh"
LIMIT=${LIMIT:-20}
QUICK=${1:-}

# run STRATEGY FILE FLAGS: prints "executions states seconds" of a search.
run() {
    local seconds
    rm -f report.json
    "$HEDDLE" check --json report.json --strategy "$1" --time "$LIMIT" --explain 0 --cflags "-O2 $3" "$ROOT/bench/$2" >out 2>&1
    seconds=$(printf '%.2f' "$(field seconds)")
    if [ "$(field verdict)" = incomplete ] && [ "$1" = optimal ]; then
        seconds=">$LIMIT"
    elif [ "$(field verdict)" != verified ]; then
        echo "bench: $2 $3 by $1: $(head -n 2 out)" >&2
        echo wrong >>"$work/wrong"
    fi
    printf '%11s %9s %7s ' "$(field executions)" "$(field states)" "$seconds"
}

# row SUBJECT THREADS FILE FLAGS DPOR SDPOR: the last two as the thesis has them.
row() {
    printf '%-11s %7s  ' "$1" "$2"
    run optimal "$3" "$4"
    run dlspor "$3" "$4"
    run sdpor "$3" "$4"
    printf ' %14s %14s\n' "$5" "$6"
}

# client STRUCTURE FLAGS
client() {
    printf '%-11s          ' "$1"
    run optimal seed/structures.c "$2"
    run spor seed/structures.c "$2"
    run dlspor seed/structures.c "$2"
    echo
}

long() { [ "$QUICK" = quick ] || "$@"; }

heads() {
    local columns='%-11s %7s   %28s %28s %28s  %14s %14s\n'
    # shellcheck disable=SC2059
    printf "$columns" '' '' "$1" "$2" "$3" "$4" "$5"
    printf '%-11s %7s  ' subject "$6"
    for _ in 1 2 3; do printf '%11s %9s %7s ' executions states seconds; done
    echo
}

heads optimal dlspor sdpor 'DPOR, printed' 'SDPOR, printed' threads
row  example1 2 programs/fig41.c -DNOASSERT '-' '35 / 1.4 s'
row  sharr    2 programs/sharr.c -DTHREADS=2 '-' '98 / 6 s'
row  bbuf     4 programs/bbuf.c '-DPRODUCERS=2 -DCONSUMERS=2' '47k / 938 s' '16.2k / 345 s'
row  bzip2smp 4 seed/bzip2smp.c -DTHREADS=4 '-' '4.6k / 1311 s'
row  bzip2smp 5 seed/bzip2smp.c -DTHREADS=5 '-' '18.7k / 9456 s'
long row  bzip2smp 6 seed/bzip2smp.c -DTHREADS=6 '-' '51.4k / 25659 s'
row  pfscan   3 seed/pfscan.c -DTHREADS=3 '84 / 1 s' '71 / 0.49 s'
row  pfscan   4 seed/pfscan.c -DTHREADS=4 '13.6k / 241 s' '3.2k / 57 s'
long row  pfscan   5 seed/pfscan.c -DTHREADS=5 '-' '272.9k / 5329 s'
echo
heads optimal spor dlspor '' '' ''
for structure in COARSE_LIST FINE_LIST TREE QUEUE HASH_MAP; do
    name=${structure,,}
    client "${name//_/ }" "-DSTRUCTURE=$structure -DCALLS=4"
done
[ ! -e "$work/wrong" ]
