#!/usr/bin/env bash
# tests/fuzz/ranks.sh BUILD COUNT FIRST: verdict, counts, bugs and reports of searches by 1, 2 and 5 ranks of heddle-mpi against those of one
# process, word for word but for times: on COUNT random programs (tests/data/jobs/random.c) from number FIRST on, and on all programs of bench/
# whose search ends within LIMIT (20) seconds. ONLY=random or ONLY=bench: one of the two. SIZE=N: threads with N operations (4). Prints
# each difference; status 1 if there are any. Random programs are the tests of a folder, so that a job has many of them.
set -u
[ $# -eq 3 ] || { sed -n 's/^# //p' "$0" >&2; exit 2; }
ROOT=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
HEDDLE=$(readlink -f "$1")/heddle
count=$2 first=$3
LIMIT=${LIMIT:-20}
ONLY=${ONLY:-random bench}
SLICE=20
PATIENCE=600 # seconds
work=$(mktemp -d) || exit 2
trap 'cd /; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2
export TMPDIR=$work NO_COLOR=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
compared=0 differing=0 longer=0 told=0

plain() {
    sed -E 's/ +[0-9.]+ s([ ,;)]|$)/ T s\1/g; s/, [0-9]+ workers//; s/, [0-9]+ events,/,/; s/longest [0-9]+ events?, //; s/, [0-9]+ more begun and given up as repeats of others//' "$1"
}

# compare WHAT ARGUMENT…
compare() {
    local what=$1 ranks
    shift
    rm -f ./*.hd
    timeout -s INT -k 5 "$PATIENCE" "$HEDDLE" check --strategy optimal --explain 0 "$@" >said 2>/dev/null
    echo "status $?" >>said
    plain said >one
    if grep -qE '^status (2|124|137)$' one; then
        longer=$((longer + 1))
        return 1
    fi
    told=$((told + 1))
    for ranks in 1 2 5; do
        rm -f ./*.hd
        timeout -k 5 $((10 * PATIENCE)) mpirun -n $ranks "${HEDDLE}-mpi" check --explain 0 "$@" >said 2>err </dev/null
        echo "status $?" >>said
        plain said >several
        diff one several >difference && continue
        differing=$((differing + 1))
        echo "$what, $ranks ranks:"
        cut -c 1-200 difference | head -n 10
        tail -n 3 err
    done
}

case $ONLY in *random*)
    for ((from = first; from < first + count; from += SLICE)); do
        rm -rf tests && mkdir tests
        for ((seed = from; seed < from + SLICE && seed < first + count; seed++)); do
            sed "s/^#define SEED 1\$/#define SEED $seed/; s/^#define SIZE 3\$/#define SIZE ${SIZE:-4}/" "$ROOT/tests/data/jobs/random.c" >tests/random_$seed.c
            compared=$((compared + 1))
        done
        compare "random programs from $from on" tests
        compare "random programs from $from on, all bugs" --keep-going tests
    done
    echo "random programs: $compared in $told jobs compared, $differing differences"
    ;;
esac
case $ONLY in *bench*)
    compared=0
    for program in "$ROOT"/bench/{programs,hard,seed,rf,kinds}/*.c; do
        name=${program#"$ROOT"/}
        # shellcheck disable=SC2046
        "$HEDDLE" cc -O2 -g $(sed -n 's|^// bench: ||p' "$program") "$program" -o program 2>/dev/null || { echo "$name: cannot be built"; continue; }
        PATIENCE=$LIMIT compare "$name" ./program && compared=$((compared + 1))
    done
    echo "programs of bench/: $compared compared, $longer take longer than $LIMIT s, $differing differences in all"
    ;;
esac
exit $((differing > 0))
