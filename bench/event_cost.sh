#!/usr/bin/env bash
# bench/event_cost.sh [BUILD…]: what a new event costs, in nanoseconds of the search, in each of the build folders (build).
#
# Builds take turns at each program, REPEATS (15) times, so that all see the same machine; the best time of each counts. The
# number of executions has to be the same in all. The programs of bench/unseen were written to be measured here, and are
# not for looking at while heddle is made faster.
#
# With CLOCK=processor it is user and system time of the command, less that of a search of one execution: for a machine that
# others use, too.
set -u
ROOT=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
REPEATS=${REPEATS:-15}
CLOCK=${CLOCK:-wall}
TABLE="programs/critical  -DK=9
programs/readers   -DN=16
programs/writers   -DN=7
unseen/tally       -DN=6
unseen/neighbours  -DN=5
unseen/pushes      -DN=5
unseen/relay       -DN=4"
[ $# -gt 0 ] || set -- "${BUILD:-$ROOT/build}"

work=$(mktemp -d) || exit 2
trap 'cd /; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
builds=()
for build in "$@"; do
    [ -x "$build/heddle" ] || { echo "event_cost: no heddle in $build" >&2 && exit 2; }
    builds+=("$(cd "$build" && pwd)")
done
cd "$work" || exit 2
export TMPDIR=$work

# field NAME: of the report.
field() { sed -n "s/^	\"$1\":[[:space:]]*\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" report.json | head -n 1; }

# search NUMBER OPTION…: explores the program as that build has made it. Prints seconds, new events and executions.
search() {
    local number=$1 spent TIMEFORMAT='%3U %3S'
    shift
    rm -f report.json
    spent=$( { time "${builds[number]}/heddle" check --strategy optimal --json report.json "$@" "./program$number" >out 2>&1; } 2>&1)
    [ "$(field verdict)" = verified ] || [ $# -gt 0 ] || { cat out >&2 && return 1; }
    [ "$CLOCK" = processor ] && spent=$(awk '{ print $1 + $2 }' <<<"$spent") || spent=$(field seconds)
    echo "$spent $(field events) $(field executions)"
}

# measure PROGRAM FLAG: a row of the table.
measure() {
    local number repeat
    for number in "${!builds[@]}"; do
        "${builds[number]}/heddle" cc -O2 "$2" -o "program$number" "$ROOT/bench/$1.c" || return 1
        : >"times$number" && : >"start$number"
    done
    for ((repeat = 0; repeat < REPEATS; repeat++)); do
        for number in "${!builds[@]}"; do
            search "$number" >>"times$number" || return 1
            [ "$CLOCK" = wall ] || search "$number" --max-executions 1 >>"start$number"
        done
    done
    printf '%-24s' "${1#*/} $2"
    for number in "${!builds[@]}"; do
        awk -v start="$(sort -g "start$number" | awk 'NR == 1 { print $1 }')" \
            'NR == 1 || $1 < least { least = $1 } END { printf "  %8d executions %8.1f ns", $3, (least - start) / $2 * 1e9 }' "times$number"
    done
    echo
    [ "$(awk '{ print $3 }' times* | sort -u | wc -l)" = 1 ] || { echo "event_cost: $1 $2: executions differ" >&2 && return 1; }
}

echo "$CLOCK clock, load $(cut -d ' ' -f 1 /proc/loadavg), best of $REPEATS"
for number in "${!builds[@]}"; do echo "build $number: ${builds[number]}, $("${builds[number]}/heddle" --version | head -n 1)"; done
failed=0
while read -r program flag; do
    measure "$program" "$flag" || failed=1
done <<<"$TABLE"
exit $failed
