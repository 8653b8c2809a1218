#!/usr/bin/env bash
# bench/cluster.sh: executions and events a second of `heddle cluster` on its examples, and how many executions a search
# for an old bug takes. For comparison: SAMC (the seed) took 40 seconds for one execution of an election.
set -u
ROOT=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
HEDDLE=${HEDDLE:-${BUILD:-$ROOT/build}/heddle}
EXAMPLES=$ROOT/examples/cluster

work=$(mktemp -d) || exit 2
trap 'cd /; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2

# measure WHAT OPTION…: a row.
measure() {
    local what=$1
    shift
    "$HEDDLE" cluster --json report.json "$@" >out 2>err
    jq -r --arg what "$what" '[$what, .verdict, .executions, .events, .executions / .seconds, .events / .seconds] | @tsv' report.json |
        awk -F '\t' '{ printf "%-34s %-11s %10d %11d %12.0f %12.0f\n", $1, $2, $3, $4, $5, $6 }'
}

printf '%-34s %-11s %10s %11s %12s %12s\n' protocol verdict executions events executions/s events/s
measure 'two-phase commit, 5 nodes, auto' --nodes 5 --crashes 1 --reboots 1 "$EXAMPLES/two_phase_commit.c"
measure 'election, 3 nodes, random' --crashes 1 --reboots 1 --strategy random --max-executions 100000 "$EXAMPLES/election.c"
measure 'election, 3 nodes, dpor' --crashes 1 --reboots 1 --strategy dpor --max-executions 100000 "$EXAMPLES/election.c"
measure 'election, 3 nodes, optimal' --crashes 1 --reboots 1 --strategy optimal --max-executions 100000 "$EXAMPLES/election.c"
measure 'election, 3 nodes, auto' --crashes 1 --reboots 1 --max-executions 100000 "$EXAMPLES/election.c"
for bug in ZK1419 ZK1075; do
    for how in '--strategy dpor' '--strategy random' '--policy samc' '--policy auto'; do
        # shellcheck disable=SC2086
        measure "$bug, ${how#--* }" --crashes 1 --reboots 1 $how --max-executions 2000000 --time 60 --cflags -D$bug "$EXAMPLES/election.c"
    done
done

# hunt SWITCH FILE BUDGET…: how long each way to search takes to an old bug.
hunt() {
    local switch=$1 file=$EXAMPLES/$2 how
    shift 2
    for how in '--strategy dpor' '--strategy random' '--policy samc' '--policy auto'; do
        # shellcheck disable=SC2086
        measure "$switch, ${how#--* }" "$@" $how --max-executions 3000000 --time 60 --cflags "-D$switch" "$file"
    done
}

hunt MR4748 hadoop_speculation.c --timeouts 1
hunt MR5489 hadoop_cluster.c --nodes 4 --crashes 2 --reboots 1
hunt MR5505 hadoop_cluster.c --nodes 4 --crashes 1 --reboots 1
hunt CASSANDRA3395 cassandra_reads.c --crashes 1 --reboots 1
hunt CASSANDRA3626 cassandra_gossip.c --crashes 2 --reboots 1
