#!/usr/bin/env bash
# bench/ddpor.sh: how many executions the seed's distributed DPOR runs that are equivalent to others (Inspect, Figures 6.2 to 6.4; `ddpor` with the
# backtrack sets of Figure 2.1, `ddpor-aggressive` with those of Figure 6.9), beside `optimal`, which runs one for each trace: with
# one worker, with 2 and 8 workers, and with 5 ranks if heddle-mpi is there. What one worker runs too often is due to DPOR without sleep
# sets; what several run more is due to the division. Counts depend on who is idle when, so they differ a little from time to time.
. "$(dirname "$(readlink -f "$0")")/common.sh"
export NO_COLOR=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# executions COMMAND…: of ./program, if everything was searched.
executions() {
    rm -f report.json
    "$@" check --explain 0 --json report.json "${options[@]}" ./program >out 2>&1 </dev/null
    grep -q '^	"verdict":	"verified"' report.json 2>/dev/null || { echo "not verified: $(head -n 1 out)" >&2; exit 1; }
    sed -n 's/^	"executions":	\([0-9]*\),$/\1/p' report.json
}

# row NAME FILE FLAGS
row() {
    local name=$1 traces strategy alone
    # shellcheck disable=SC2086
    "$HEDDLE" cc -O2 -g $3 "$ROOT/bench/$2" -o program || exit 2
    options=(--strategy optimal)
    traces=$(executions "$HEDDLE") || exit 1
    for strategy in optimal ddpor ddpor-aggressive; do
        options=(--strategy "$strategy")
        alone=$(executions "$HEDDLE") || exit 1
        for workers in 1 2 8; do
            options=(--strategy "$strategy" -j $workers)
            tell "$name" $strategy "$workers workers" "$(executions "$HEDDLE")" "$traces" "$alone"
        done
        options=(--strategy "$strategy")
        [ ! -x "${HEDDLE}-mpi" ] || ! type mpirun >/dev/null 2>&1 ||
            tell "$name" $strategy '5 ranks' "$(executions mpirun -n 5 "${HEDDLE}-mpi")" "$traces" "$alone"
    done
}
tell() {
    [ -n "$4" ] || exit 1
    awk -v name="$1" -v strategy="$2" -v who="$3" -v ran="$4" -v traces="$5" -v alone="$6" \
        'BEGIN { printf "  %-22s %-17s %-10s %9d %9d %9d %6.1f %%\n", name, strategy, who, ran, ran - traces, ran - alone, 100 * (ran - traces) / ran }'
}

echo "load $(cut -d ' ' -f 1 /proc/loadavg), $(nproc) processors"
printf '  %-22s %-17s %-10s %9s %9s %9s %8s\n' '' '' '' runs redundant 'by others' share
row 'aget, 5 threads' seed/aget.c '-DTHREADS=5 -DCHUNKS=2'
row tables programs/tables.c ''
row 'critical, K=11' programs/critical.c -DK=11
row 'indexer, 15 threads' programs/indexer.c -DN=15
row 'last zero, 10 threads' programs/lastzero.c -DN=10
