#!/usr/bin/env bash
# tests/fuzz/ranks.sh BUILD COUNT FIRST: verdict, counts, bugs and reports of searches by 1, 2 and 5 ranks of heddle-mpi against those of one
# process, word for word but for times: on COUNT random programs (tests/data/jobs/random.c) from number FIRST on, and on all programs of bench/
# whose search ends within LIMIT (20) seconds. ONLY=random or ONLY=bench: one of the two. SIZE=N: threads with N operations (4; by states 3).
# STRATEGIES: of the random programs (optimal states); by `states` verdict, counts and bugs are compared, by spor and dlspor verdicts. Prints
# each difference; status 1 if there are any. Random programs are the tests of one executable, so that a job has many of them.
set -u
[ $# -eq 3 ] || { sed -n 's/^# //p' "$0" >&2; exit 2; }
ROOT=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
HEDDLE=$(readlink -f "$1")/heddle
count=$2 first=$3
LIMIT=${LIMIT:-20}
ONLY=${ONLY:-random bench}
SLICE=100
PATIENCE=600 # seconds
work=$(mktemp -d) || exit 2
trap 'cd /; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2
export TMPDIR=$work NO_COLOR=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
compared=0 differing=0 longer=0 told=0 by_ranks=0 alone=0
STRATEGIES=${STRATEGIES:-optimal states}

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

# facts ALL: of each test its verdict, and if everything was searched its counts and its bugs.
facts() {
    awk -v all="$1" '
        /^\t\t\t"test":/ { test = $0 }
        /^\t\t\t"(verdict|executions|blocked|events|states)":/ && (all || /verdict/) { print test, $0 }
        /^\t\t\t\t\t"(kind|fingerprint)":/ && all { print test, $0 }
        /^\t\t\t"workers":/ && !/:\t1,/ { shared++ }
        END { print shared + 0 >"shared" }' report.json | sort
}

# compare_states WHAT ALL ARGUMENT…: the same for searches by states. Helpers and ranks that share begin at once, so that small programs are shared, too.
compare_states() {
    local what=$1 all=$2 ranks
    shift 2
    timeout -k 5 "$PATIENCE" "$HEDDLE" check --symmetry off --explain 0 --json report.json "$@" >said 2>&1
    facts "$all" >one
    [ -s one ] || { echo "$what: no report"; tail -n 3 said; differing=$((differing + 1)); }
    told=$((told + 1))
    for ranks in 1 2 5; do
        rm -f ./*.hd report.json
        HEDDLE_ALONE=$((ranks == 5 ? 0 : 10)) timeout -k 5 $((10 * PATIENCE)) mpirun -n $ranks "${HEDDLE}-mpi" check --explain 0 --json report.json "$@" >said 2>err </dev/null
        facts "$all" >several
        by_ranks=$((by_ranks + $(cat shared)))
        alone=$((alone + $(grep -c 'rank 0 searches alone' err)))
        diff one several >difference && continue
        differing=$((differing + 1))
        echo "$what, $ranks ranks:"
        cut -c 1-200 difference | head -n 10
        tail -n 3 err
    done
}

# programs FROM UNTIL SIZE: one executable with a test for each of these random programs, so that one job goes through many.
programs() {
    local seed
    {
        echo '#define main random_main'
        echo '#include "random.c"'
        echo '#undef main'
        for ((seed = $1; seed < $2; seed++)); do
            echo "heddle_test(\"random $seed\") { random_main(2, (char *[]){\"random\", \"$seed\", NULL}); }"
        done
    } >programs.c
    "$HEDDLE" cc -O1 -g -DSIZE="$3" -I "$ROOT/tests/data/jobs" programs.c -o programs
}

case $ONLY in *random*)
    for ((from = first; from < first + count; from += SLICE)); do
        until=$((from + SLICE < first + count ? from + SLICE : first + count))
        for strategy in $STRATEGIES; do
            programs $from $until "${SIZE:-$([ $strategy = optimal ] && echo 4 || echo 3)}" || exit 2
            what="random programs from $from on by $strategy"
            case $strategy in
                optimal)
                    compare "$what" ./programs
                    compare "$what, all bugs" --keep-going ./programs ;;
                states)
                    compare_states "$what" '' --strategy states ./programs
                    compare_states "$what, all bugs" 1 --strategy states --keep-going ./programs ;;
                *) compare_states "$what" '' --strategy "$strategy" ./programs ;;
            esac
        done
        compared=$((compared + until - from))
    done
    echo "random programs: $compared in $told jobs compared ($STRATEGIES), $differing differences; searches by states: $by_ranks by several ranks, $alone that went on alone"
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
