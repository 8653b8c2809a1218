#!/usr/bin/env bash
# A lock inside a library that heddle did not build never leads to an accusation of what it protects; races that nothing in there
# can order stay bugs.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
gcc -O2 -fPIC -shared "$ROOT/tests/foreign/library.c" -o libforeign.so -pthread || fail 'the library'
for compiler in gcc clang; do
    for level in -O0 -O2; do
        HEDDLE_CC=$compiler heddle cc $level -g "$ROOT/tests/foreign/user.c" -o user -L. -lforeign -Wl,-rpath,"$PWD" -pthread
        for how in lock spin with keep once pool; do
            check --explain 0 --max-executions 300 ./user -- $how
            [ "$status" -eq 3 ] && jq -e '.bugs == []' report.json >/dev/null ||
                fail "$compiler $level $how: status $status: $(head -n 3 out)"
            grep -q 'libforeign.so' out || fail "$compiler $level $how: the library is not named: $(head -n 3 out)"
        done
        for how in after one never flag; do
            check --explain 0 ./user -- $how
            [ "$status" -eq 1 ] && jq -e '[.bugs[].kind] == ["race"]' report.json >/dev/null ||
                fail "$compiler $level $how: status $status: $(head -n 3 out)"
        done
    done
done

# The word of the user counts: then it orders nothing.
check --explain 0 --trust libforeign.so ./user -- with
expect 'a library that is trusted' bug race
heddle replay user.race.hd
[ "$status" -eq 1 ] || fail "replay where a library is trusted: $(tail -n 1 out)"
check --explain 0 --trust lib_keep ./user -- keep
expect 'a function that is trusted' verified
finish
