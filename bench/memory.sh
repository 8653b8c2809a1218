#!/usr/bin/env bash
# bench/memory.sh [quick]: what a stored state costs, how fast states are searched, and how both grow to ten million of them; and what a
# limit on memory costs (--memory), by which states are forgotten and searched again.
#
# bench/programs/grid.c has as many states as its counters can have values together. Seconds are processor seconds of the whole
# command. `entered` counts states as often as they were entered: each once, where none is forgotten. A limit of 1/4 is a quarter of what
# the search takes without. quick leaves out what has more than a million states. Every verdict has to be *verified*; status 1
# if one is not.
. "$(dirname "$(readlink -f "$0")")/common.sh"
QUICK=${1:-}
failed=0

TIMEFORMAT='%U %S'

# row NAME SOURCE FLAGS STRATEGY LIMIT: LIMIT is a part of what the row before took, such as 1/4, or -.
row() {
    local memory=() seconds
    [ "$5" = - ] || memory=(--memory "$((whole * ${5%/*} / ${5#*/} / 1024))K")
    if [ "$5" = - ]; then
        # shellcheck disable=SC2086 # words
        "$HEDDLE" cc --clear-dead -O2 -g $3 -o program "$ROOT/bench/$2" || exit 2
    fi
    rm -f report.json
    { time "$HEDDLE" check --json report.json --explain 0 --symmetry off --strategy "$4" "${memory[@]}" ./program >out 2>&1; } 2>took.txt
    [ "$(field verdict)" = verified ] || {
        echo "bench: $1, limit $5: $(head -n 2 out)" >&2
        failed=1
    }
    seconds=$(awk '{ print $1 + $2 }' took.txt)
    [ "$5" = - ] && whole=$(field states_bytes) plain=$(field states)
    printf '%-8s %6s %11s %11s %9.2f %9.0f %8.1f %8.2f\n' "$1" "$5" "$plain" "$(field states)" "$seconds" \
        "$(awk -v n="$(field states)" -v s="$seconds" 'BEGIN { print n / s }')" \
        "$(awk -v n="$plain" -v b="$(field states_bytes)" 'BEGIN { print b / n }')" \
        "$(awk -v n="$plain" -v e="$(field states)" 'BEGIN { print e / n }')"
}

printf '%-8s %6s %11s %11s %9s %9s %8s %8s\n' program limit states entered seconds states/s bytes/st. times
for steps in 20 45 99; do
    row grid programs/grid.c "-DSTEPS=$steps" states -
done
for part in 1/2 1/4; do row grid programs/grid.c '' states $part; done
row bbuf programs/bbuf.c '-DPRODUCERS=3 -DCONSUMERS=3 -DITEMS=3' dlspor -
if [ "$QUICK" != quick ]; then
    row grid programs/grid.c -DSTEPS=215 states -
    row grid programs/grid.c '' states 1/4
fi
exit $failed
