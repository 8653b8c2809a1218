#!/usr/bin/env bash
# bench/spread.sh: how a search by `optimal` that workers share would scale. The trees of real searches are recorded (HEDDLE_TREE) and the
# balancing is replayed on them with up to 1,024 workers (bench/spread_simulation.c), with what an event and a hand-over cost on
# this machine in the same run; and as if an execution took as long as one of the seed's (Inspect, chapter 6: 35 ms), which shows what
# the tree alone allows and can be held against Figures 6.12 to 6.14. TIME (120): seconds for a search.
. "$(dirname "$(readlink -f "$0")")/common.sh"
SIMULATION=${SIMULATION:-$BUILD/bench/spread_simulation}
TIME=${TIME:-120}

# search WORKERS: of ./program; leaves report.json.
search() { "$HEDDLE" check -j "$1" --strategy optimal --time "$TIME" --explain 0 --json report.json ./program >out 2>&1; }

# curve NAME SEED SECONDS HAND_OVER EXECUTION: a row.
curve() {
    printf '  %-34s' "$1"
    "$SIMULATION" tree "$3" "$4" "$5" 2 8 32 64 256 1024 | awk '{ printf " %7s", $2 } END { printf "   %s\n", seed }' seed="$2"
}

# row NAME FILE FLAGS SEED SECONDS: a search, and its curves. SEED is what the figures show; SECONDS a run of the seed's took.
row() {
    local name=$1 file=$ROOT/bench/$2 flags=$3 seed=$4 execution=$5 alone two
    rm -f tree
    # shellcheck disable=SC2086
    "$HEDDLE" cc -O2 -g $flags "$file" -o program || exit 2
    HEDDLE_TREE=$work/tree search 1
    [ "$(field verdict)" = verified ] || { echo "$name: $(head -n 1 out)"; return; }
    search 1
    alone=$(field seconds) runs=$(field executions)
    search 2
    two=$(field seconds)
    [ "$(field executions)" = "$runs" ] || { echo "$name: two workers run $(field executions) executions, one $runs" && exit 1; }
    echo "$name: $runs executions, $(awk "BEGIN { printf \"%.2f\", $alone }") s with one worker, $(awk "BEGIN { printf \"%.2f s with two (%.2f times faster)\", $two, $alone / $two }")"
    curve "costs of this machine" - "$alone" "$hand_over" 0
    curve "a hand-over takes ten times as long" - "$alone" "$(awk "BEGIN { print 10 * $hand_over }")" 0
    curve "executions of $execution s, as there" "$seed" "$alone" "$hand_over" "$execution"
    "$SIMULATION" tree "$alone" "$hand_over" 0 2 8 64 |
        awk '{ printf "%s%s parts (%s/s) with %s", (NR > 1 ? ", " : "  handed over: "), $4, $5, $1 } END { print "" }'
}

hand_over=$("$SIMULATION" --hand-over) || exit 2
echo "A hand-over between two processes takes $(awk "BEGIN { printf \"%.1f\", $hand_over * 1e6 }") µs; load $(cut -d ' ' -f 1 /proc/loadavg), $(nproc) processors"
printf '%-36s %7s %7s %7s %7s %7s %7s   %s\n' 'simulated speed-up, workers:' 2 8 32 64 256 1024 'seed'
row indexer programs/indexer.c -DN=16 'Fig. 6.12: falls beyond 52 nodes' 0.0363
row fsbench programs/filesystem.c -DN=26 'Fig. 6.12: falls beyond 48 nodes' 0.0356
row aget seed/aget.c '-DTHREADS=6 -DCHUNKS=2' 'Fig. 6.14: almost linear up to 64' 0.0499
row bbuf seed/bbuf.c '-DTHREADS=8 -DSLOTS=4' 'Fig. 6.13: 63.2 with 64' 0.0205

# redundancy MODEL FILE FLAGS: of 1, 2, 8 and 64 workers of the seed's, and of 1, 2 and 8 of heddle's, which have to agree on the number of traces.
redundancy() {
    local model=$1 workers how traces ran=
    # shellcheck disable=SC2086
    "$HEDDLE" cc -O2 -g $3 "$ROOT/bench/$2" -o program || exit 2
    for workers in 1 2 8; do
        search $workers
        ran="$ran $(field executions)"
    done
    for how in plain aggressive; do
        "$DDPOR" "$model" $how 1 2 8 64 >simulated || exit 2
        traces=$(awk 'NR == 1 { print $3 }' simulated)
        printf '  %-14s %-10s %8s' "$model" $how "$traces"
        awk '{ printf " %9s %5s %%", $2, $4 }' simulated
        printf '  %s\n' "$ran"
        for workers in $ran; do [ "$workers" = "$traces" ] || { echo "heddle and the simulation differ" && exit 1; }; done
    done
}
DDPOR=${DDPOR:-$BUILD/bench/ddpor_simulation}
printf "\nThe seed's distributed DPOR (Figures 6.2 to 6.4, 6.9; simulated, without sleep sets, as printed): executions with 1, 2, 8 and 64 workers, and the share of redundant ones.\nBehind them: executions of heddle with 1, 2 and 8\n"
redundancy aget seed/aget.c '-DTHREADS=6 -DCHUNKS=2'
redundancy fsbench-small programs/filesystem.c -DN=21
redundancy tables programs/tables.c ''
