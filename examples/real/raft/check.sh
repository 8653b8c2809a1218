#!/usr/bin/env bash
# Debian's libraft: a Raft library, three and five nodes of it under `heddle cluster`. docs/real-programs.md tells what was found.
#
# Its source is compiled into each node, with its own assertions and with heddle's watch over memory. Where the source cannot
# be had, the library is taken as Debian has built it: without assertions, unwatched.
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

if "$REAL/fetch.sh" raft "$BUILD/real" 2>why; then
    SOURCE=$BUILD/real/raft
    echo "$NAME: Debian source package raft $(cat "$SOURCE.version")"
    headers=$SOURCE/include
    library=$(find "$SOURCE/src" -name '*.c' ! -name 'uv*' ! -name fixture.c ! -name compress.c ! -name syscall.c | sort)
elif "$REAL/fetch_built.sh" libraft-dev "$BUILD/real" 2>>why; then
    echo "$NAME: Debian package libraft-dev $(cat "$BUILD/real/libraft-dev.version"), as it was built"
    headers=$BUILD/real/libraft-dev/usr/include
    library="-L$(dirname "$(find "$BUILD/real/libraft-dev" -name libraft.a)") -l:libraft.a"
    SOURCE=
else
    cat why >&2
    exit 3
fi

. "$HERE/rows.sh"

run 'three nodes, nothing goes wrong' verified -DLIVENESS
run 'three nodes, two elections' 'bug invariant' '' --order connection --timeouts 2 --max-executions 5000
says 'three nodes, two elections' 'a leader has committed an entry that no majority of the voters has'
replays 'three nodes, two elections'
if long; then
    run 'three nodes, one election' verified '' --order connection --timeouts 1
    run 'five nodes, two elections' 'bug invariant' '' --nodes 5 --order connection --timeouts 2 --max-executions 20000
    run 'an answer to nobody' 'bug invariant' -DCLAIM_SAFETY=0 --order connection --timeouts 3 --max-executions 20000
    says 'an answer to nobody' 'the library sends a message that has no address'
    # What its assertion says if it was built with them; without, it follows a null pointer.
    run 'members and snapshots' "bug $([ -n "$SOURCE" ] && echo assertion || echo crash)" \
        '-DSNAPSHOTS=2 -DMEMBERS -DVOTERS=3 -DCLAIM_SAFETY=0 -DCLAIM_ADDRESS=0' \
        --nodes 4 --order connection --timeouts 4 --crashes 1 --reboots 1 --max-executions 20000
    replays 'members and snapshots'
fi
finish
