#!/usr/bin/env bash
# tests/fuzz/jobs_states.sh BUILD COUNT FIRST: searches by states that 2, 3 and 8 workers share against those of one, on COUNT random programs
# (tests/data/jobs/random.c) from number FIRST on. By `states` without symmetry: verdict, counts and bugs are the same; by `states` with it, by
# `spor` and `dlspor`: verdict and bugs. Every fourth program is searched up to its first bug, of which only the verdict is compared.
# SIZE=N: threads with N operations (3). Prints each difference; status 1 if there are any.
set -u
[ $# -eq 3 ] || { sed -n 's/^# //p' "$0" >&2; exit 2; }
ROOT=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
HEDDLE=$(readlink -f "$1")/heddle
count=$2 first=$3
work=$(mktemp -d) || exit 2
trap 'cd /; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2
export TMPDIR=$work
compared=0 differing=0 shared=0

field() { sed -n "s/^	\"$1\":[[:space:]]*\(.*[^,]\),\{0,1\}\$/\1/p" report.json; }

# say FILE WORKERS FIELDS ARGUMENT…: these fields of the report, and the bugs, if all of them were searched for.
say() {
    local to=$1 workers=$2 fields=$3 name
    shift 3
    rm -f report.json
    timeout 120 "$HEDDLE" check --explain 0 --json report.json -j "$workers" "$@" >said 2>&1
    echo "status $?" >"$to"
    for name in $fields; do
        echo "$name $(field "$name")" >>"$to"
    done
    [ "$(field workers)" = 1 ] || shared=$((shared + 1))
    case "$*" in *--keep-going*) grep -E '^			"(kind|fingerprint)":' report.json | sort >>"$to" ;; esac
}

# compare WHAT FIELDS ARGUMENT…
compare() {
    local what=$1 fields=$2 workers
    shift 2
    compared=$((compared + 1))
    say one 1 "$fields" "$@"
    for workers in 2 3 8; do
        # Helpers come at once, so that small programs are shared, too.
        HEDDLE_ALONE=$((workers == 3 ? 10 : 0)) say several $workers "$fields" "$@"
        diff one several >difference && continue
        differing=$((differing + 1))
        echo "$what, $workers workers:"
        cut -c 1-200 difference | head -n 10
    done
}

"$HEDDLE" cc -O1 -g -DSIZE="${SIZE:-3}" "$ROOT/tests/data/jobs/random.c" -o random || exit 2
for ((seed = first; seed < first + count; seed++)); do
    all=--keep-going
    counts='verdict executions events blocked states'
    [ $((seed % 4)) -ne 0 ] || all= counts=verdict
    compare "random program $seed by states" "$counts" --strategy states --symmetry off $all ./random -- $seed
    for strategy in states spor dlspor; do
        compare "random program $seed by $strategy, threads that are alike" verdict --strategy $strategy $all ./random -- $seed
    done
    compare "random program $seed by dlspor" verdict --strategy dlspor --symmetry off $all ./random -- $seed
done
echo "$compared searches compared, $shared of several workers, $differing differences"
exit $((differing > 0))
