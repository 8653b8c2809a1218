#!/usr/bin/env bash
# corosync's Totem, a total order multicast with memberships, in the version of Debian 13: two and three nodes of it under
# `heddle cluster`. docs/real-programs.md tells what was found.
#
# Of the libraries that corosync builds on only headers are needed. A node's queues have room for 128 messages instead of 16,384, in a copy
# of the source: a state has a hundredth of the size then. Nothing else is changed.
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

"$REAL/fetch.sh" corosync "$BUILD/real" trixie || exit $?
for package in libqb-dev libknet-dev; do
    "$REAL/fetch_built.sh" $package "$BUILD/real" || exit $?
done
SOURCE=$BUILD/real/corosync-trixie
echo "$NAME: Debian source package corosync $(cat "$SOURCE.version")"
mkdir -p configured
: >configured/config.h # Totem asks for nothing that corosync's configure finds out
headers="$OUT/configured $SOURCE/include $SOURCE/include/corosync $SOURCE/exec $BUILD/real/libqb-dev/usr/include $BUILD/real/libknet-dev/usr/include"
nodes=$(echo "$HERE"/{ring,network,absent,timers,claims}.c)
QUEUES='s/^\(#define \(QUEUE_RTR_ITEMS\|RETRANS_MESSAGE_QUEUE\)_SIZE_MAX[[:space:]]*\)16384/\1128/'
lines=2 seeded totem.c "$SOURCE/exec/totemsrp.c" "$QUEUES"
library=$OUT/totem.c
. "$REAL/raft/rows.sh"

# with_fault NAME SCRIPT: the library is a copy with a fault in it from here on.
with_fault() {
    seeded "$1.c" totem.c "$2"
    library=$OUT/$1.c
}

run 'two nodes, one message' clean -DMESSAGES=1 --nodes 2 --next last --max-executions 300
if long; then
    run 'two nodes, messages are lost' clean '' --nodes 2 --drops 2 --timeouts 3 --max-executions 2000
    run 'two nodes, in any order and twice' clean '' --nodes 2 --order any --duplicates 1 --timeouts 2 --max-executions 1000
    run 'three nodes, one crashes' clean -DMESSAGES=3 --nodes 3 --crashes 1 --timeouts 4 --max-executions 1000
    run 'three nodes, one comes back' clean '' --nodes 3 --crashes 1 --reboots 1 --timeouts 4 --max-executions 1000
    run 'three nodes, one is cut off' clean -DMESSAGES=3 --nodes 3 --partitions 1 --drops 1 --timeouts 6 --max-executions 1000
fi
run 'two nodes, a machine loses its last write' 'bug invariant' '-DUNSYNCED -DMESSAGES=0' --nodes 2 --crashes 1 --reboots 1 --timeouts 1
says 'two nodes, a machine loses its last write' 'two nodes are in one ring and know different members of it'
replays 'two nodes, a machine loses its last write'
with_fault gap '/if (res != 0 && skip == 0) {/{n;s/break;/;/}'
run 'messages behind a gap are delivered' 'bug invariant' '' --nodes 2 --drops 1
says 'messages behind a gap are delivered' 'two members of a ring deliver messages in different orders'
replays 'messages behind a gap are delivered'
with_fault same 's/token_ring_id_seq + 4;/token_ring_id_seq;/'
run 'a ring has the number of the last' 'bug invariant' '' --nodes 2 --timeouts 1
says 'a ring has the number of the last' 'a node is told of a ring that is not newer than its last'
with_fault twice '/Discard retransmitted tokens/,/discard token/s/return (0);/;/'
run 'a token is taken twice' 'bug assertion' '' --nodes 2 --duplicates 1
finish
