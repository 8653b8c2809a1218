#!/usr/bin/env bash
# bench/consensus.sh: the protocols of examples/consensus. Those of Table 4 of seed 000 are searched to the end, with the figures of its
# Table 5 beside (stateful search with partial-order reduction, and with selective hashing too); then each right protocol as far as TIME
# seconds lead, and each wrong one to its violation; then Paxos beside Spin, if that is on
# PATH; then how fast `heddle qtree` reads logs.
. "$(dirname "$(readlink -f "$0")")/common.sh"
EXAMPLES=$ROOT/examples/consensus
RAFT=$ROOT/examples/cluster/raft.c
TIME=${TIME:-60}         # seconds of a search
EVENTS=${EVENTS:-1000000} # of a log

# search ARGUMENT…: leaves report.json.
search() {
    rm -f report.json
    "$HEDDLE" cluster --json report.json --time "$TIME" "$@" >out 2>err || [ -s report.json ] || { cat err >&2; exit 2; }
}

# subject NAME SEED ARGUMENT…: a row of the first table.
subject() {
    printf '%-14s' "$1"
    search "${@:3}"
    jq -r '[.verdict, .states, .seconds] | @tsv' report.json |
        awk -F '\t' -v seed="$2" '{ printf " %-10s %9d %8.2f   %s\n", $1, $2, $3, seed }'
}

# protocol NAME FILE OPTIONS BUG…: a row of the second: the right one, then each wrong one, by its flag.
protocol() {
    local name=$1 file=$2 options=$3 flag bugs=()
    # shellcheck disable=SC2086
    search $options "$file"
    printf '%-12s %-22s %s' "$name" "${options//--/}" "$(jq -r '"\(.verdict) \(.states) \(.seconds)"' report.json | awk '{ printf "%-10s %9d %8.2f", $1, $2, $3 }')"
    for flag in "${@:4}"; do
        # shellcheck disable=SC2086
        search ${options} --cflags "$flag" "$file"
        bugs+=("$(jq -r 'if .verdict == "bug" then .executions else "none" end' report.json)")
    done
    echo "   ${bugs[*]}"
}

echo "$("$HEDDLE" --version), $(nproc) processors, load $(cut -d ' ' -f 1 /proc/loadavg)"
echo
printf '%-14s %-10s %9s %8s   %s\n' 'to the end' verdict states seconds 'seed 000: with reduction; with both'
subject 'Paxos 6' '191,081 in 1423 s; 117,369 in 862 s' --nodes 6 "$EXAMPLES/paxos.c"
subject 'Register 5' '10,896 in 65 s; 8,590 in 53 s' --nodes 5 "$EXAMPLES/register.c"
subject 'Register 6' '96,641 in 661 s; 57,187 in 446 s' --nodes 6 "$EXAMPLES/register.c"
subject 'Register 7' '2,986,657 in 30,060 s; 1,656,212 in 21,780 s' --nodes 7 "$EXAMPLES/register.c"
echo
printf '%-12s %-22s %-10s %9s %8s   %s\n' protocol budget right states seconds 'executions to each violation'
protocol paxos "$EXAMPLES/paxos.c" '--nodes 6' -DBUG=1 -DBUG=2 -DBUG=3 -DBUG=4
protocol raft "$RAFT" '--timeouts 2 --cflags -DQTREE' '-DQTREE -DANY_LOG' '-DQTREE -DSMALL_QUORUM'
protocol zab "$EXAMPLES/zab.c" '--timeouts 2' -DBUG=1 -DBUG=2 -DBUG=3 -DBUG=4
protocol pbft "$EXAMPLES/pbft.c" '--nodes 4 --timeouts 1' -DBUG=1 -DBUG=2 -DBUG=3 -DBUG=4
protocol hotstuff "$EXAMPLES/hotstuff.c" '--nodes 4 --timeouts 1' -DBUG=1 -DBUG=2 -DBUG=3
protocol multi "$EXAMPLES/multi_paxos.c" '--nodes 5' -DBUG=1 -DBUG=2
protocol flexible "$EXAMPLES/flexible_paxos.c" '--nodes 6' -DBUG=1 -DBUG=2
protocol cheap "$EXAMPLES/cheap_paxos.c" '--nodes 5 --timeouts 2' -DBUG=1 -DBUG=2
protocol stoppable "$EXAMPLES/stoppable_paxos.c" '--nodes 5' -DBUG=1 -DBUG=2
protocol fast "$EXAMPLES/fast_paxos.c" '--nodes 6 --timeouts 1' -DBUG=1 -DBUG=2 -DBUG=3
echo

# processor COMMAND…: its seconds of processor time; what it says is in the file said.
processor() {
    { LC_ALL=C TIMEFORMAT='%U %S' && time "$@" >said 2>&1; } 2>took
    awk '{ printf "%.2f", $1 + $2 }' took
}

# peer NAME STATES SECONDS
peer() { awk -v name="$1" -v states="$2" -v s="$3" 'BEGIN { printf "%-46s %8d states, %5.2f s of processor time, %.0f states/s\n", name, states, s, states / s }'; }

# The same Paxos for Spin, which has the same states and as many transitions (bench/peers/paxos.pml): without what compiling takes, for both.
by_heddle() { # NAME ARGUMENT…
    search --nodes 6 --next last "${@:2}" "$EXAMPLES/paxos.c"
    peer "Paxos 6, heddle, $1" "$(jq -r .states report.json)" "$(jq -r .processor_seconds report.json)"
}
by_heddle 'every event in every state' --policy states --states whole --cflags -DWHOLE
states=$(jq -r .states report.json)
by_heddle 'every event, exact' --policy states --states whole,exact --cflags -DWHOLE
by_heddle 'with its reduction' --states whole --cflags -DWHOLE
by_heddle 'and what nodes forget'
if type spin >/dev/null 2>&1; then
    spin -a "$ROOT/bench/peers/paxos.pml" && gcc -O2 -DSAFETY -o pan pan.c || exit 2
    seconds=$(processor ./pan -m100000 -w24)
    grep -q 'errors: 0' said || { cat said >&2; exit 2; }
    found=$(awk '/states, stored/ { print $1 }' said)
    peer "Paxos 6, $(spin -V | sed 's/ --.*//')" "$found" "$seconds"
    [ "$found" = $((states + 226)) ] || { echo "the two disagree: $states states, and $found with those that heddle does not count" >&2; exit 1; }
else
    echo 'Paxos 6, Spin: not on PATH'
fi
echo

# log NAME SCRIPT: how long it takes to read what awk writes.
log() {
    awk -v n="$EVENTS" "BEGIN { $2 }" >log
    local seconds
    seconds=$(processor "$HEDDLE" qtree --json report.json log)
    awk -v name="$1" -v events="$(jq -r .events report.json)" -v bytes="$(stat -c %s log)" -v s="$seconds" \
        'BEGIN { printf "%-34s %9d events, %5.1f MB: %5.2f s of processor time, %.1f million events/s\n", name, events, bytes / 1e6, s, events / s / 1e6 }'
}
log 'qtree: a log of Raft' 'print "values any"; for (i = 1; i <= n / 2; i++) { r = (int(i / 1000) + 1) ":" i; print "add log " r " set-" i " " (i > 1 ? p : 0); p = r; print "commit log " p }'
log 'qtree: positions of Multi-Paxos' 'for (i = 1; i <= n / 2; i++) { print "add " i " 1 v" i " 0"; print "commit " i " 1" }'
log 'qtree: rounds that come late' 'for (i = 4; i <= n * 4 / 3; i += 4) { print "add 1 " i " v " i - 4; if (i > 8) print "add 1 " i - 6 " v " i - 8; print "commit 1 " i }'
