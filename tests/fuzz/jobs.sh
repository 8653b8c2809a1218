#!/usr/bin/env bash
# tests/fuzz/jobs.sh BUILD COUNT FIRST: verdict, counts, bugs and reports of searches by 2, 3 and 8 workers against those of one, word for word
# but for times: on COUNT random programs (tests/data/jobs/random.c) from number FIRST on, and on all programs of bench/ whose search
# ends within LIMIT (20) seconds. ONLY=random or ONLY=bench: one of the two. Prints each difference; status 1 if there are any.
set -u
[ $# -eq 3 ] || { sed -n 's/^# //p' "$0" >&2; exit 2; }
ROOT=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
HEDDLE=$(readlink -f "$1")/heddle
count=$2 first=$3
LIMIT=${LIMIT:-20}
ONLY=${ONLY:-random bench}
work=$(mktemp -d) || exit 2
trap 'cd /; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2
export TMPDIR=$work
compared=0 differing=0 longer=0

# say FILE ARGUMENT…: what heddle says, without what may differ: times, the number of workers, and how many events were executed
# again to get to where a part begins.
say() {
    local to=$1
    shift
    "$HEDDLE" check --explain 0 "$@" >said 2>&1
    echo "status $?" >>said
    sed -E 's/[0-9.]+ s([,;]|$)/T s\1/; s/, [0-9]+ workers//; s/, [0-9]+ events,/,/; s/longest [0-9]+ events?, //; /^  one worker: /d' \
        said >"$to"
}

# compare WHAT ARGUMENT…. With a bound on time, what several say depends on it: they are given PATIENCE seconds where one worker has LIMIT.
compare() {
    local what=$1 workers
    shift
    say one -j 1 ${PATIENCE:+--time "$LIMIT"} "$@"
    if grep -q '^incomplete: the time' one || grep -q '^status 2$' one; then
        longer=$((longer + 1))
        return
    fi
    compared=$((compared + 1))
    for workers in 2 3 8; do
        say several -j $workers ${PATIENCE:+--time "$PATIENCE"} "$@"
        diff one several >difference && continue
        differing=$((differing + 1))
        echo "$what, $workers workers:"
        cut -c 1-200 difference | head -n 10
    done
}

case $ONLY in *random*)
    "$HEDDLE" cc -O1 -g "$ROOT/tests/data/jobs/random.c" -o random || exit 2
    for ((seed = first; seed < first + count; seed++)); do
        if [ $((seed % 4)) -eq 0 ]; then
            compare "random program $seed, all bugs" --strategy optimal --keep-going ./random -- $seed
        else
            compare "random program $seed" --strategy optimal ./random -- $seed
        fi
    done
    echo "random programs: $compared compared, $differing differences"
    ;;
esac
case $ONLY in *bench*)
    compared=0
    for program in "$ROOT"/bench/{programs,hard,seed,rf,kinds}/*.c; do
        name=${program#"$ROOT"/}
        # shellcheck disable=SC2046
        "$HEDDLE" cc -O2 -g $(sed -n 's|^// bench: ||p' "$program") "$program" -o program 2>/dev/null || { echo "$name: cannot be built"; continue; }
        PATIENCE=$((10 * LIMIT)) compare "$name" --strategy optimal ./program
    done
    echo "programs of bench/: $compared compared, $longer take longer than $LIMIT s, $differing differences in all"
    ;;
esac
exit $((differing > 0))
