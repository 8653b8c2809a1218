#!/usr/bin/env bash
# bench/inject_free.sh [RUNS]: RUNS (default 10000) runs without a fault of each program of bench/inject/, compared with the first
# one (seed 000, section 5.5.2): as they are, with addresses in the order of the run; with canonical names in the order of the
# run; and by canonical traces. The work queue, whose order varies, runs under control. Once as the machine is ("shared"), once with two
# busy loops for each processor. Status 1 if a canonical trace deviates or a naive comparison does not. Needs jq; TMPDIR in
# memory (/dev/shm) makes it three times as fast. PROGRAMS and MACHINES say which of them to run.
. "$(dirname "$(readlink -f "$0")")/common.sh"
runs=${1:-10000}
busy=
trap 'kill $busy 2>/dev/null; rm -rf "$work"' EXIT
bad=0
printf '%-14s %-12s %-10s %7s %10s %10s %10s %9s %6s\n' program way machine runs naively 'by order' canonical 'runs/s' load
for machine in ${MACHINES:-shared busy}; do
    if [ "$machine" = busy ]; then
        for ((k = 0; k < 2 * $(nproc); k++)); do
            while :; do :; done &
            busy="$busy $!"
        done
    fi
    for program in ${PROGRAMS:-quicksort pca kmeans blackscholes swaptions workqueue}; do
        [ -x $program ] || "$HEDDLE" cc -g -O1 -pthread -o $program "$ROOT/bench/inject/$program.c" || exit 2
        began=$(date +%s.%N)
        "$HEDDLE" inject --compare --naive --golden $((runs + 1)) --faults create --json free.json ./$program >/dev/null
        ended=$(date +%s.%N)
        read -r way naive order canonical outside < <(jq -r '[.mode, .golden_deviates_naively, .golden_deviates_in_order, .golden_deviates, .outside // 0] | @tsv' free.json)
        [ "$outside" = 0 ] || echo "$program: threads blocked $outside times out of control"
        printf '%-14s %-12s %-10s %7s %10s %10s %10s %9.0f %6s\n' $program "$way" "$machine" "$runs" "$naive" "$order" "$canonical" \
            "$(echo "$runs / ($ended - $began)" | bc -l)" "$(cut -d' ' -f1 /proc/loadavg)"
        [ "$canonical" = 0 ] && [ "$naive" = "$runs" ] || bad=1
    done
done
exit $bad
