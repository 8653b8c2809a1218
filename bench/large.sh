#!/usr/bin/env bash
# bench/large.sh: what a new event costs in large programs (bench/large/large.c): with many threads, long executions, large heaps
# and deep stacks. Nanoseconds of the search for each new event, best of REPEATS (3), and how it went back.
. "$(dirname "$(readlink -f "$0")")/common.sh"
REPEATS=${REPEATS:-3}

# row FLAG…: one program.
row() {
    local least=
    for _ in $(seq "$REPEATS"); do
        "$HEDDLE" check --strategy optimal --symmetry off --max-steps 400000 --json report.json --cflags "$*" "$ROOT/bench/large/large.c" >out 2>&1
        [ -s report.json ] || { cat out >&2; exit 1; }
        least=$(awk -v s="$(field seconds)" -v l="${least:-1e9}" 'BEGIN { print s < l ? s : l }')
    done
    awk -v flags="$*" -v s="$least" -v events="$(field events)" -v executions="$(field executions)" -v verdict="$(field verdict)" -v way="$(field restart)" \
        'BEGIN { printf "%-28s %-10s %-6s %9d executions %9d events %8.3f s %9.0f ns/event\n", flags, verdict, way, executions, events, s, s / events * 1e9 }'
}

for threads in 2 8 64 250; do row -DTHREADS=$threads; done
for length in 10 100 1000 10000 50000; do row -DLENGTH=$length; done
for heap in 1 10 100; do row -DHEAP=$heap; done
for depth in 10 100 1000 10000; do row -DDEPTH=$depth; done
for depth in 10 100 1000 10000; do row -DEXITS -DDEPTH=$depth; done
