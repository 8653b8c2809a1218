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

file_of() { tr -c 'a-z0-9\n' - <<<"$1"; }

# run NAME VERDICT FLAGS OPTION…: a row. The verdict is verified; clean (no bug up to the bound); or bug: and its kind.
run() {
    local name=$1 expected=$2 flags=$3 file report verdict executions seconds
    shift 3
    file=$(file_of "$name")
    report=$file.report
    # shellcheck disable=SC2086
    "$HEDDLE" cluster "$@" --cflags "-I$headers -fno-strict-aliasing $flags" "$HERE"/{node,io,claims,wire,disk,bytes,hidden}.c $library \
        >"$report" 2>&1 </dev/null
    for each in node.*.hd; do [ ! -e "$each" ] || mv "$each" "$file.${each#node.}"; done
    verdict=$(head -n 1 "$report" | tr -d :)
    [ "$verdict" = incomplete ] && grep -qE '^  (--max-executions was reached|the time is over)' "$report" && verdict=clean
    read -r executions seconds <<<"$(sed -n 's/^  \([0-9]*\) executions* (.* \([0-9.]*\) s, .*/\1 \2/p' "$report")"
    row "$name" "$expected" "$verdict" "${executions:-0}" "${seconds:-0}" "$report"
}

# says NAME TEXT: the report of that row does.
says() {
    grep -qF -- "$2" "$(file_of "$1").report" && return
    echo "  $1: the report does not say: $2"
    failed=$((failed + 1))
}

# replays NAME: the bug of that row happens again.
replays() {
    "$HEDDLE" replay "$(file_of "$1")".*.hd >replayed 2>&1
    [ $? -eq 1 ] && [ "$(sed -n 2p replayed)" = "$(sed -n 2p "$(file_of "$1").report")" ] && return
    echo "  $1: the replay is different: $(head -n 2 replayed)"
    failed=$((failed + 1))
}

run 'three nodes, nothing goes wrong' verified -DLIVENESS
run 'three nodes, two elections' 'bug invariant' '' --order connection --timeouts 2 --max-executions 5000
says 'three nodes, two elections' 'a leader has committed an entry that no majority of the voters has'
replays 'three nodes, two elections'
if long; then
    run 'three nodes, one election' verified '' --order connection --timeouts 1
    run 'five nodes, two elections' 'bug invariant' '' --nodes 5 --order connection --timeouts 2 --max-executions 20000
    run 'an answer to nobody' 'bug invariant' -DCLAIM_SAFETY=0 --timeouts 4 --max-executions 20000
    says 'an answer to nobody' 'the library sends a message that has no address'
fi
finish
