#!/usr/bin/env bash
# bench/speedup.sh: how much faster searches are with two workers than with one. Each pair runs ROUNDS (3) times, in turns, and the best
# of each counts (0: leaves this out). To be run on a machine that has nothing else to do; prints the load. STATES=1: searches by states as well.
# Then what workers and ranks said to one another: units that were handed over per second, messages and bytes, and how much processor time
# whoever handed them out had to do, with 2 and 8 workers and with 3 and 9 ranks.
. "$(dirname "$(readlink -f "$0")")/common.sh"
ROUNDS=${ROUNDS:-3}
export NO_COLOR=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

build() {
    # shellcheck disable=SC2086
    "$HEDDLE" cc -O2 -g $2 "$ROOT/bench/$1" -o program || exit 2
}

# search WORKERS OPTION…: sets `seconds` and `counts`.
search() {
    local workers=$1
    shift
    "$HEDDLE" check -j "$workers" --explain 0 --json report.json "$@" ./program >out 2>&1
    [ "$(field verdict)" = verified ] || { echo "not verified: $(head -n 1 out)" >&2; exit 1; }
    seconds=$(field seconds) counts="$(field executions) executions"
    case $(field states) in '' | null) ;; *) counts="$(field states) states" ;; esac
}

# row NAME FILE FLAGS OPTION…
row() {
    local name=$1 one=1e9 two=1e9 i
    [ "$ROUNDS" -gt 0 ] || return
    build "$2" "$3"
    shift 3
    for ((i = 0; i < ROUNDS; i++)); do
        search 1 "$@"
        one=$(awk "BEGIN { print $seconds < $one ? $seconds : $one }")
        search 2 "$@"
        two=$(awk "BEGIN { print $seconds < $two ? $seconds : $two }")
    done
    awk -v name="$name" -v counts="$counts" "BEGIN { printf \"  %-34s %7.2f s %7.2f s %6.2f   %s\\n\", name, $one, $two, $one / $two, counts }"
}

echo "load $(cut -d ' ' -f 1 /proc/loadavg), $(nproc) processors"
printf '  %-34s %9s %9s %6s\n' '' 'one' 'two' 'ratio'
row 'critical, K=13' programs/critical.c -DK=13 --strategy optimal
row 'indexer, N=18' programs/indexer.c -DN=18 --strategy optimal
row 'aget, 3 threads, 12 pieces each' seed/aget.c '-DTHREADS=3 -DCHUNKS=12' --strategy optimal
[ -z "${STATES:-}" ] || row 'random program 4 by states' ../tests/data/jobs/random.c '-DSIZE=8 -DSEED=4' --strategy states --symmetry off
[ -z "${STATES:-}" ] || row 'random program 4 by dlspor' ../tests/data/jobs/random.c '-DSIZE=8 -DSEED=4' --strategy dlspor --symmetry off

build programs/critical.c -DK=13
echo
echo 'critical, K=13: what is handed over'
for workers in 2 8; do
    "$HEDDLE" check -j $workers --explain 0 --strategy optimal --timeline line.svg --json report.json ./program >out 2>&1 &
    heddle=$!
    busy=0
    while [ -r /proc/$heddle/stat ]; do # processor time of the supervisor, in hundredths
        now=$(awk '{ print $14 + $15 }' /proc/$heddle/stat 2>/dev/null) && [ -n "$now" ] && busy=$now
        sleep 0.05
    done
    wait $heddle
    units=$(grep -c '<rect.*executions' line.svg)
    awk -v workers=$workers -v units="$units" -v seconds="$(field seconds)" -v busy="$busy" \
        'BEGIN { printf "  %d workers: %d units in %.1f s, %.1f a second; the supervisor worked %.1f %% of the time\n", workers, units, seconds, units / seconds, busy / seconds }'
done
if [ -x "${HEDDLE}-mpi" ] && type mpirun >/dev/null 2>&1; then
    for ranks in 3 9; do
        mpirun -n $ranks "${HEDDLE}-mpi" check --explain 0 ./program 2>&1 >out </dev/null |
            awk '/^heddle-mpi: / { for (i = 1; i <= NF; i++) { if ($i ~ /^messages/) m = $(i - 1); if ($i ~ /^bytes/) b = $(i - 1); if ($i == "s," ) s = $(i - 1); if ($i == "for") w = $(i + 1) }
                printf "  %d ranks: %d messages with %d bytes in %.1f s, %.1f a second, %.0f bytes a second; rank 0 worked %.1f %% of the time\n", $2, m, b, s, m / s, b / s, 100 * w / s }'
    done
fi
