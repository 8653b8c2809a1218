#!/usr/bin/env bash
# bench/node_states.sh [PART…]: searches of clusters by states, in the form of Table 5 of seed 000, whose figures stand beside (PART
# table); the old bugs of bench/cluster.sh by states, beside the default (old); how states and memory grow to MILLIONS million states,
# in memory and with little of it (growth). Searches end after TIME seconds. All three if no PART is named. ROWS is a pattern for
# the rows that are wanted.
. "$(dirname "$(readlink -f "$0")")/common.sh"
EXAMPLES=$ROOT/examples/consensus
OLD=$ROOT/examples/cluster
TIME=${TIME:-60}
ROWS=${ROWS:-.}
MILLIONS=${MILLIONS:-10}

# search ARGUMENT…: leaves report.json.
search() {
    rm -f report.json
    "$HEDDLE" cluster --json report.json --time "$TIME" "$@" >out 2>err || [ -s report.json ] || { cat err >&2; exit 2; }
}

# cell FLAGS ARGUMENT…: states and seconds; > if it did not come to its end.
cell() {
    search --next last --cflags "$1" "${@:2}"
    jq -r '"\(if .verdict == "incomplete" then ">" else "" end)\(.states) \(.processor_seconds * 100 | round / 100)"' report.json |
        awk '{ printf " %10s %7s", $1, $2 }'
}

# row NAME SEED FLAGS ARGUMENT…: a row of Table 5.
row() {
    local name=$1 seed=$2 flags=$3
    shift 3
    [[ $name =~ $ROWS ]] || return
    printf '%-18s' "$name"
    cell "$flags -DWHOLE" --policy states --states whole "$@"
    cell "$flags" --policy states --states branching "$@"
    cell "$flags -DWHOLE" --states whole "$@"
    cell "$flags" --states branching "$@"
    cell "$flags" --states branching,alike "$@"
    printf '   %s\n' "$seed"
}

table() {
    echo 'States and seconds of processor time. stateful: every event in every state; selective: what nodes forget is no part of a state, and those with one'
    echo 'way to go on are not kept; reduction: events that commute are tried in one order; both; alike: and nodes change places.'
    echo "Wrong ones end at the first failure. > after $TIME s."
    printf '%-18s %18s %18s %18s %18s %18s   %s\n' subject stateful selective reduction both alike 'seed 000: stateful; selective; reduction; both'
    row 'Paxos 6' '13,044,613 80,340; 5,606,047 37,320; 191,081 1423; 117,369 862' '' --nodes 6 "$EXAMPLES/paxos.c"
    row 'faulty Paxos 6' '96,802 603; 70,543 500; 3050 36; 2786 31' -DBUG=1 --nodes 6 "$EXAMPLES/paxos.c"
    row 'Paxos 7' 'not there' -DPROPOSERS=3 --nodes 7 "$EXAMPLES/paxos.c"
    row 'faulty Paxos 7' '>71,914,839; >66,651,310; 129,533 1278; 124,976 1169' '-DPROPOSERS=3 -DBUG=1' --nodes 7 "$EXAMPLES/paxos.c"
    for objects in 3 4 5; do
        case $objects in
        3) seed='89,041 451; 59,306 339; 10,896 65; 8590 53' faulty='4965 34; 3376 27; 1936 24; 1483 20' ;;
        4) seed='2,269,797 19,320; 1,475,845 14,880; 96,641 661; 57,187 446' faulty='94,348 649; 56,222 494; 4642 51; 4642 48' ;;
        5) seed='>51,465,807; >35,692,316; 2,986,657 30,060; 1,656,212 21,780' faulty='not there' ;;
        esac
        row "register $((objects + 2))" "$seed" '' --nodes $((objects + 2)) "$EXAMPLES/register.c"
        row "faulty register $((objects + 2))" "$faulty" -DBUG=2 --nodes $((objects + 2)) "$EXAMPLES/register.c"
    done
    row 'Zab, 1 time-out' '4580 54; 1876 26 (6 processes)' '' --timeouts 1 "$EXAMPLES/zab.c"
    row 'Zab, 2 time-outs' '8198 124; 3132 38 (7 processes)' '' --timeouts 2 "$EXAMPLES/zab.c"
    row 'Zab, liveness' 'fails' -DLIVENESS --timeouts 3 "$EXAMPLES/zab.c"
}

# hunt BUG FILE FLAGS BUDGET…: executions, states and seconds to an old bug.
hunt() {
    local bug=$1 file=$OLD/$2 flags=$3 how
    shift 3
    [[ $bug =~ $ROWS ]] || return
    printf '%-15s' "$bug"
    for how in '--next turns' '--next last' '--next first' '--policy states --next last' '--policy states --next random' '--policy states,lmi,cmi,crs,rss --next random'; do
        # shellcheck disable=SC2086
        search "$@" $how --cflags "-D$bug $flags" "$file"
        jq -r '"\(if .verdict == "bug" then "" else ">" end)\(.executions) \(.states) \(.processor_seconds * 10 | round / 10)"' report.json |
            awk '{ printf " %8s %8s %5s", $1, $2, $3 }'
    done
    echo
}

old() {
    echo "Old bugs: executions, states, seconds of processor time to the bug; > if it was not found in $TIME s"
    printf '%-15s %23s %23s %23s %23s %23s %23s\n' bug 'auto (turns)' 'auto, last' 'auto, first' 'states, last' 'states, random' 'states and samc, random'
    hunt ZK335 broadcast.c '' --crashes 3 --reboots 3 --max-events 120 --patience 1000
    hunt ZK790 election.c '' --crashes 1 --reboots 1 --timeouts 1 --max-events 60
    hunt ZK975 election.c '' --crashes 1 --reboots 1 --max-events 60
    hunt ZK1075 election.c '' --crashes 3 --reboots 2 --max-events 60
    hunt ZK1419 election.c '' --crashes 3 --reboots 2 --max-events 60
    hunt ZK1492 election.c -DOBSERVERS=1 --crashes 1 --max-events 60
    hunt ZK1653 broadcast.c '' --crashes 1 --reboots 1 --max-events 60 --patience 1000
    hunt MR4748 hadoop_speculation.c '' --timeouts 1
    hunt MR5489 hadoop_cluster.c '' --nodes 4 --crashes 2 --reboots 1
    hunt MR5505 hadoop_cluster.c '' --nodes 4 --crashes 1 --reboots 1
    hunt CASSANDRA3395 cassandra_reads.c '' --crashes 1 --reboots 1
    hunt CASSANDRA3626 cassandra_gossip.c '' --crashes 2 --reboots 1
}

# A node that counts to a number in two ways: as many states as one likes, and hardly anything else.
grid() {
    cat >grid.c <<'END'
#include <heddle/node.h>
static int at;
static void boot(int self, int nodes)
{
    (void)nodes;
    heddle_send(self, &(int){0}, sizeof(int));
}
static void message(int from, const void *data, size_t size)
{
    (void)size;
    at = *(const int *)data + 1;
    if (at < SIDE)
        heddle_send(from, &at, sizeof at);
}
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message};
END
}

# grows WHAT ARGUMENT…: a row for each size.
grows() {
    local what=$1 side millions
    shift
    [[ $what =~ $ROWS ]] || return
    for millions in $(printf '%s\n' 0.1 1 "$MILLIONS" | uniq); do
        side=$(awk -v m="$millions" 'BEGIN { printf "%.0f", exp(log(m * 1e6) / 3) - 1 }')
        rm -f report.json
        "$HEDDLE" cluster --json report.json --nodes 3 --next last --max-events 100000 --cflags -DSIDE="$side" "$@" grid.c >out 2>err ||
            [ -s report.json ] || { cat err >&2; exit 2; }
        jq -r '[.verdict, .states, .processor_seconds, .states / .processor_seconds, .states_bytes / .states, .states_disk / 1048576] | @tsv' report.json |
            awk -F '\t' -v what="$what" '{ printf "%-34s %-10s %9d states %8.2f s %8.0f states/s %6.1f bytes/state in memory %7.1f MiB on the disk\n", what, $1, $2, $3, $4, $5, $6 }'
    done
}

growth() {
    grid
    echo 'Three nodes that each count: states of a cube; processor time'
    grows 'by hash'
    grows 'by hash, without reduction' --policy states
    grows 'by hash, 64 MiB' --memory 64M
    grows 'exact' --states exact
    grows 'exact, 256 MiB' --states exact --memory 256M
    grows 'breadth-first' --next first
}

echo "$("$HEDDLE" --version), $(nproc) processors, load $(cut -d ' ' -f 1 /proc/loadavg)"
for part in "${@:-table}"; do
    case $part in table | old | growth) ;; *) echo "node_states.sh: there is no part $part" >&2; exit 2 ;; esac
done
for part in ${*:-table old growth}; do
    echo
    $part
done
