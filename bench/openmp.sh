#!/usr/bin/env bash
# bench/openmp.sh: OpenMP programs beside the same with pthreads: how many executions they have, how long these are, and how many
# run in a second. Each file of bench/openmp is both, by whether it is compiled with -fopenmp. TIME bounds each search.
. "$(dirname "$(readlink -f "$0")")/common.sh"
TIME=${TIME:-20}

# measure FILE FLAGS: executions, events of one, executions a second.
measure() {
    rm -f report.json
    "$HEDDLE" check --time "$TIME" --json report.json --cflags "-O2 $2" "$1" >out 2>err || [ -s report.json ] || { cat err >&2; exit 2; }
    jq -r '[.executions, .events / .executions, .executions / .seconds] | @tsv' report.json
}

command -v jq >/dev/null || { echo "bench/openmp.sh needs jq" >&2; exit 2; }
printf '%-10s %10s %10s %8s %8s %10s %10s %6s\n' program executions pthreads events pthreads 'per s' pthreads ratio
for file in "$ROOT"/bench/openmp/*.c; do
    openmp=$(measure "$file" -fopenmp) || exit 2
    plain=$(measure "$file" '') || exit 2
    printf '%s\t%s\t%s\n' "$(basename "$file" .c)" "$openmp" "$plain" |
        awk -F'\t' '{ printf "%-10s %10d %10d %8.1f %8.1f %10d %10d %6.2f\n", $1, $2, $5, $3, $6, $4, $7, $4 / $7 }'
done
