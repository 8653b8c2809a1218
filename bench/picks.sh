#!/usr/bin/env bash
# bench/picks.sh [NAME…]: whether the default finds the right way to search: programs of bench/ that are verified, all of them or those
# named (fig41, kinds/ring, …), by each strategy and by default.
#
# Figures are processor seconds of the command on a program that is built already. A strategy has LIMIT (20) seconds, and no more than half a
# second longer than the best one before it in the row, since a slower one is not the best: `-` if that was not enough. `ratio` is what the
# default takes beyond the first second, in times of the best. Status 1 if a verdict is wrong, or a ratio is above MOST (1.3).
# STRATEGIES says which columns there are. On a busy machine, SLOW (1) says how many times longer than its processor time a search may take.
. "$(dirname "$(readlink -f "$0")")/common.sh"
LIMIT=${LIMIT:-20}
MOST=${MOST:-1.3}
SLOW=${SLOW:-1}
STRATEGIES=${STRATEGIES:-dlspor optimal rf sdpor states spor dpor}
failed=0
# name, source, flags
TABLE="bbuf_2_2       programs/bbuf       -DPRODUCERS=2 -DCONSUMERS=2
bbuf_4_4       programs/bbuf       -DPRODUCERS=4 -DCONSUMERS=4 -DITEMS=2
casadd         programs/casadd
critical_10    programs/critical   -DK=10
critical_12    programs/critical   -DK=12
fig41          programs/fig41      -DNOASSERT
filesystem     programs/filesystem -DN=26
indexer_16     programs/indexer    -DN=16
lastzero_12    programs/lastzero   -DN=12
readers_16     programs/readers    -DN=16
readers_20     programs/readers    -DN=20
sharr          programs/sharr      -DTHREADS=2
writers_8      programs/writers    -DN=8
writers_10     programs/writers    -DN=10
register_5     rf/register         -DN=5
progress_4     rf/progress         -DN=4 -DK=2
aget_3         seed/aget           -DTHREADS=3 -DCHUNKS=7
pfscan_3       seed/pfscan         -DTHREADS=3
pfscan_4       seed/pfscan         -DTHREADS=4
bzip2smp_4     seed/bzip2smp       -DTHREADS=4
bzip2smp_6     seed/bzip2smp       -DTHREADS=6
bbuf_4         seed/bbuf           -DTHREADS=4
fdrd           seed/fdrd           -DROUNDS=3 -DRIGHT
qsort          seed/qsort          -DTHREADS=2
coarse_list    seed/structures     -DSTRUCTURE=COARSE_LIST -DCALLS=4
fine_list      seed/structures     -DSTRUCTURE=FINE_LIST -DCALLS=4
tree           seed/structures     -DSTRUCTURE=TREE -DCALLS=4
queue          seed/structures     -DSTRUCTURE=QUEUE -DCALLS=4
hash_map       seed/structures     -DSTRUCTURE=HASH_MAP -DCALLS=4
$(cd "$ROOT/bench" && grep -l '^// expect: verified' kinds/*.c | sed 's/\(.*\)\.c$/\1 \1/')"

TIMEFORMAT='%U %S'

# measure OPTION…: sets seconds, or leaves it empty if there was no verdict.
measure() {
    rm -f report.json
    { time timeout 300 "$HEDDLE" check --json report.json --explain 0 "$@" ./program >out 2>&1; } 2>took.txt
    seconds=
    case $(field verdict) in
    verified) seconds=$(awk '{ printf "%.2f", $1 + $2 }' took.txt) ;;
    incomplete) ;;
    *)
        echo "bench: $name, $*: $(head -n 2 out)" >&2
        failed=1
        ;;
    esac
}

printf '%-20s' program
# shellcheck disable=SC2086 # words
printf ' %8s' $STRATEGIES default
printf '  %5s  %s\n' ratio chosen
while read -r name source flags; do
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    # shellcheck disable=SC2086 # words
    "$HEDDLE" cc --clear-dead -g -O2 $flags -o program "$ROOT/bench/$source.c" || exit 2
    options=$(sed -n '1s|.* options: ||p' "$ROOT/bench/$source.c")
    printf '%-20s' "$name"
    best=
    for strategy in $STRATEGIES; do
        # shellcheck disable=SC2086 # words
        measure --strategy "$strategy" --time "$(awk -v b="$best" -v l="$LIMIT" -v s="$SLOW" 'BEGIN { print s * (b == "" ? l : b + 0.5) }')" $options
        printf ' %8s' "${seconds:--}"
        # shellcheck disable=SC2086 # none, or one word each
        best=$(printf '%s\n' $best $seconds | sort -g | head -n 1)
    done
    # shellcheck disable=SC2086 # words
    measure $options
    case $best:$seconds in
    :*) ratio=- ;;
    *:) ratio=never ;;
    *) ratio=$(awk -v best="$best" -v own="$seconds" 'BEGIN { printf "%.2f", (own > 1 ? own - 1 : 0) / (best > 0 ? best : 0.01) }') ;;
    esac
    printf ' %8s  %5s  %s\n' "${seconds:--}" "$ratio" "$(field strategy)"
    [ "$ratio" = - ] || { [ "$ratio" != never ] && awk -v r="$ratio" -v m="$MOST" 'BEGIN { exit r > m }'; } || failed=1
done <<<"$TABLE"
exit $failed
