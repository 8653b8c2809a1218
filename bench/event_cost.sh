#!/usr/bin/env bash
# bench/event_cost.sh [BUILD…]: what a new event costs, in nanoseconds of the search, in each of the build folders (build).
#
# Builds take turns at each program, REPEATS (15) times, so that all see the same machine; the best time of each counts. The
# number of executions has to be the same in all. The programs of bench/unseen were written to be measured here, and are
# not for looking at while heddle is made faster.
# The floor of each is what --bare costs: operations, threads and their ends, without a search.
. "$(dirname "$(readlink -f "$0")")/common.sh"
REPEATS=${REPEATS:-15}
TABLE="programs/critical  -DK=9
programs/readers   -DN=16
programs/writers   -DN=7
unseen/tally       -DN=6
unseen/neighbours  -DN=5
unseen/pushes      -DN=5
unseen/relay       -DN=4"
[ $# -gt 0 ] || set -- "$BUILD"

builds=()
for build in "$@"; do
    build=$(cd "$OLDPWD" && realpath -m -- "$build")
    [ -x "$build/heddle" ] || { echo "event_cost: no heddle in $build" >&2 && exit 2; }
    builds+=("$build")
done

# search NUMBER OPTION…: explores the program as that build has made it. Prints seconds, new events and executions.
search() {
    local number=$1
    shift
    rm -f report.json
    "${builds[number]}/heddle" check --strategy optimal --json report.json "$@" "./program$number" >out 2>&1
    [ "$(field verdict)" = verified ] || [ $# -gt 0 ] || { cat out >&2 && return 1; }
    echo "$(field seconds) $(field events) $(field executions)"
}

# least FILE: nanoseconds for an event, of the quickest of its searches.
least() {
    awk 'NR == 1 || $1 / $2 < least { least = $1 / $2 } END { printf "%.1f", least * 1e9 }' "$1"
}

# measure PROGRAM FLAG: a row of the table.
measure() {
    local number repeat
    for number in "${!builds[@]}"; do
        "${builds[number]}/heddle" cc -O2 "$2" -o "program$number" "$ROOT/bench/$1.c" || return 1
        : >"times$number" && : >"bare$number"
    done
    for ((repeat = 0; repeat < REPEATS; repeat++)); do
        for number in "${!builds[@]}"; do
            search "$number" >>"times$number" || return 1
            search "$number" --bare 100000 >>"bare$number"
        done
    done
    printf '%-24s' "${1#*/} $2"
    for number in "${!builds[@]}"; do
        printf '  %8d executions %7s ns (bare %s)' "$(awk 'END { print $3 }' "times$number")" "$(least "times$number")" "$(least "bare$number")"
    done
    echo
    [ "$(awk '{ print $3 }' times* | sort -u | wc -l)" = 1 ] || { echo "event_cost: $1 $2: executions differ" >&2 && return 1; }
}

echo "load $(cut -d ' ' -f 1 /proc/loadavg), best of $REPEATS"
for number in "${!builds[@]}"; do echo "build $number: ${builds[number]}, $("${builds[number]}/heddle" --version | head -n 1)"; done
failed=0
while read -r program flag; do
    measure "$program" "$flag" || failed=1
done <<<"$TABLE"
exit $failed
