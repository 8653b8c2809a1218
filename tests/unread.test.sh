#!/usr/bin/env bash
# What nothing reads is no part of a cluster's states (unread/): proved where it is so, and never of what is read in some way, with both compilers.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# proved FILE OPTION…: the names, one a line.
proved() {
    rm -f report.json
    heddle cluster --nodes 2 --next last --json report.json "${@:2}" "$ROOT/tests/unread/$1.c"
    [ $status -le 1 ] || fail "$*: $(cat err)"
    field_text unread | tr , '\n' | sed 's/^ *//; s/.*:://' | sort
}
field_text() { jq -r ".$1 // empty" report.json; }

sed -n 's|^// unread: *||p' "$ROOT/tests/unread/kept_up.c" | tr ' ' '\n' | sort >wanted
proved kept_up >got
diff wanted got >difference || fail "kept up: $(cat difference)"
grep -q '^  no part of states, since nothing reads it: ' out || fail "kept up: $(cat out)"
! grep -q 'calls auxiliary' out || fail "a proof is called an assumption: $(cat out)"
for compiler in gcc clang; do
    for level in 0 1 2 3 s; do
        got=$(HEDDLE_CC=$compiler proved read_somehow --cflags -O$level)
        [ -z "$got" ] || fail "$compiler -O$level leaves out what is read: $got"
    done
done
HEDDLE_CC=clang proved kept_up | grep -qx calls || fail "clang: nothing is proved: $(cat out)"

# There are fewer states without it, and as many as ever if it counts. An audit finds nothing wrong with it.
proved kept_up >got
few=$(field_text states)
[ -z "$(proved kept_up --states whole)" ] || fail 'it is left out although it counts'
many=$(field_text states)
proved kept_up --audit >got
[ "$(field_text verdict)" = verified ] && [ "$(field_text audited)" -gt 0 ] || fail "audit: $(cat out)"
[ "$few" -lt "$many" ] || fail "$few states without it, $many with it"
"$ROOT/tests/fuzz/unread.sh" "$BUILD" 4 4000 >said || fail "random protocols: $(cat said)"
finish
