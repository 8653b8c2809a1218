#!/usr/bin/env bash
# cowsql's raft, the successor of libraft, in the version of Debian 13: the nodes and claims of ../raft, with its own assertions and
# with heddle's watch over memory. docs/real-programs.md tells what was found.
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

"$REAL/fetch.sh" raft "$BUILD/real" trixie || exit $?
echo "$NAME: Debian source package raft $(cat "$BUILD/real/raft-trixie.version")"
rm -rf source
mkdir source
cp -r "$BUILD/real/raft-trixie"/{include,src} source
sed 's/@enable_v0@//' source/include/raft.h.in >source/include/raft.h # as its configure does
headers=$OUT/source/include
library=$(find "$OUT/source/src" -name '*.c' ! -name 'uv*' ! -name fixture.c ! -name compress.c ! -name syscall.c | sort)
. "$REAL/raft/rows.sh"

run 'three nodes, two elections' clean '' --order connection --timeouts 2 --max-executions 500
run 'a refused change of members' 'bug memory' '-DMEMBERS -DVOTERS=3 -DDISK_KIB=1000' --nodes 4 --order connection --timeouts 1 --max-executions 5000
says 'a refused change of members' 'legacyCheckChangeRequest'
replays 'a refused change of members'
if long; then
    run 'three nodes, drops and a crash' clean '-DSNAPSHOTS=3 -DTRAILING=6' --timeouts 4 --crashes 1 --reboots 1 --drops 2 --max-executions 3000
    run 'members and snapshots' clean '-DSNAPSHOTS=3 -DTRAILING=6 -DMEMBERS -DVOTERS=3' --nodes 4 --order connection --timeouts 4 --crashes 1 --reboots 1 --max-executions 2000
    run 'a snapshot before the log' 'bug assertion' -DSNAPSHOTS=2 --order connection --timeouts 1 --max-executions 5000
    says 'a snapshot before the log' "first_term > 0"
    run 'messages in any order, transfers' 'bug assertion' -DTRANSFERS --order any --timeouts 4 --duplicates 1 --max-executions 20000
    says 'messages in any order, transfers' 'p->match_index < p->next_index'
fi
finish
