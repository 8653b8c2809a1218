#!/usr/bin/env bash
# bench/prune.sh [quick]: what leaving out subspaces without data races saves (heddle check --only races), on the subjects of
# Table 5.1 of the thesis of Inspect (Yang, Utah 2009), written anew in bench/seed as far as its text goes. Traces without and with,
# how many times fewer, and what a search costs with it, in times of what it costs without: a whole execution, a part of one, and an
# event. Whole executions begin with main each (--restart replay), as they did in the thesis, where one cost up to 20 times more. By
# default an execution begins where it leaves the one before it. Those that are left out are the short ones, so the parts that are left
# have more events each, and more of the program's own work. Beside that the thesis's numbers, of 2008. Traces are executions that
# came to their end, up to the first race. Costs are processor time, the best of REPEATS (5), where nothing races (to report a race takes
# longer than to find it), and there are at least 50 executions with it and 10 ms to measure; whole executions are the first 20,000.
# Status 1 if a verdict is not as it has to be, or if a whole execution costs more than MOST, if that is set.
. "$(dirname "$(readlink -f "$0")")/common.sh"
REPEATS=${REPEATS:-5}
QUICK=${1:-}
failed=0

wrong() {
    echo "bench: $*" >&2
    failed=1
}

# search EXPECTED OPTION…: one search; verified or race is what it has to say.
search() {
    local expected=$1 answer
    shift
    "$HEDDLE" check --json report.json --explain 0 "$@" >out 2>&1
    answer=$(field verdict)
    [ "$answer" = bug ] && answer=$(sed -n 's/^			"kind":[[:space:]]*"\([^"]*\)".*/\1/p' report.json | head -n 1)
    [ "$answer" = "$expected" ] || wrong "$*: $expected expected, got '$answer': $(head -n 2 out)"
}

# traces: of the last search, those that were run to their end.
traces() { echo $(($(field executions) - $(field redundant))); }

# spent OPTION…: processor seconds of a search that goes on after a race, its executions and its events.
spent() {
    local TIMEFORMAT='%U %S' seconds
    seconds=$({ time "$HEDDLE" check --json report.json --explain 0 --keep-going "$@" >out 2>&1; } 2>&1)
    echo "$(awk '{ print $1 + $2 }' <<<"$seconds") $(field executions) $(field events)"
}

# costs OPTION…: how many times an execution and an event cost with it: the best of REPEATS searches each, in turns, less what a search of
# one execution takes. Nothing if there is too little to measure.
costs() {
    local i
    for ((i = 0; i < REPEATS; i++)); do
        echo "with $(spent "$@" --only races)"
        echo "without $(spent "$@" --strategy dpor)"
        echo "start $(spent "$@" --strategy dpor --max-executions 1)"
    done | awk '!($1 in best) || $2 < best[$1] { best[$1] = $2; executions[$1] = $3; events[$1] = $4 }
        END {
            a = best["with"] - best["start"]; b = best["without"] - best["start"]
            if (a < 0.01 || b < 0.01) print "- -"
            else printf "%.2f %.2f\n", a / executions["with"] / (b / executions["without"]), a / events["with"] / (b / events["without"])
        }'
}

# row NAME FILE THREADS FLAGS EXPECTED WITHOUT WITH: the last two are the thesis's.
row() {
    local name=$1 program=$work/program threads=$3 expected=$5 without with whole=- part=- event=- executions
    # shellcheck disable=SC2086
    "$HEDDLE" cc --flows -g -O2 $4 "$ROOT/bench/seed/$2.c" -o "$program" 2>out || wrong "$name does not compile: $(head -n 2 out)"
    search "$expected" --strategy dpor "$program"
    without=$(traces)
    search "$expected" --only races "$program"
    with=$(traces)
    executions=$(field executions)
    if [ "$expected" = verified ] && [ "$executions" -ge 50 ] && [ "$QUICK" != quick ]; then
        read -r part event <<<"$(costs "$program")"
        read -r whole _ <<<"$(costs "${first[@]}" "$program")"
        [ -z "${MOST:-}" ] || [ "$whole" = - ] || awk -v c="$whole" -v m="$MOST" 'BEGIN { exit c > m }' || wrong "$name: an execution costs $whole times"
    fi
    # shellcheck disable=SC2059
    printf "$columns" "$name" "$threads" "$expected" "$without" "$with" \
        "$(awk -v a="$without" -v b="$with" 'BEGIN { printf "%.1f", a / b }')" "$whole" "$part" "$event" "$6" "$7" \
        "$(awk -v a="$6" -v b="$7" 'BEGIN { if (a + 0) printf "%.1f", a / b; else printf "-" }')"
}

long() { [ "$QUICK" = quick ] || row "$@"; }

columns='%-14s %7s  %-9s %8s %7s %8s %6s %6s %6s   %8s %6s %7s\n'
first=(--restart replay --max-executions 20000)
# shellcheck disable=SC2059 # the columns are a format
printf "\n$columns" '' '' '' traces '' '' 'cost' '' '' 'thesis' '' ''
# shellcheck disable=SC2059
printf "$columns" subject threads answer without with fewer whole part event without with fewer
row  fdrd2       fdrd 2 -DROUNDS=2 race 89 14
row  fdrd4       fdrd 2 -DROUNDS=3 race 233 68
row  'fdrd, right' fdrd 2 '-DROUNDS=3 -DRIGHT' verified - -
row  qsort       qsort 2 -DTHREADS=2 verified 4 1
row  pfscan      pfscan 3 -DTHREADS=3 verified 2519 182
long pfscan      pfscan 4 -DTHREADS=4 verified - -
row  aget        aget 3 '-DTHREADS=3 -DCHUNKS=7' verified 3432 1
long aget        aget 4 '-DTHREADS=4 -DCHUNKS=4' verified '>1h' 1
row  bzip2smp    bzip2smp 4 -DTHREADS=4 verified 1465 45
row  bzip2smp    bzip2smp 5 -DTHREADS=5 verified 2316 45
long bzip2smp    bzip2smp 6 -DTHREADS=6 verified 3167 45
row  bzip2smp-bug bzip2smp 4 '-DTHREADS=4 -DBUG' race - -
exit $failed
