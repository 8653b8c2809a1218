#!/usr/bin/env bash
# Futexes and descriptors between threads. Every program of tests/descriptors says in its first line what heddle has to
# answer:
#   // expect: VERDICT [kind] [native: no] [refused: TEXT] [says: TEXT]
# Unless it says otherwise, the same program also has to pass when it is compiled by the plain compiler and run by itself.
# Programs that call `outcome` come to the same final states by optimal, dpor and dfs, whatever the way of going back.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
programs=$ROOT/tests/descriptors

# part NAME LINE: what follows "NAME:" in the first line, up to the next field
part() { printf '%s\n' "$2" | sed -n "s/.*$1: *\([^:]*\).*/\1/p" | sed 's/ *[a-z]*$//;s/ *$//'; }

# native PROGRAM NAME
native() {
    local compiler=gcc
    [[ $1 == *.cc ]] && compiler='g++ -std=c++20'
    if ! $compiler -pthread -O1 -w -I"$programs" "$1" -o native 2>err; then
        fail "$2: does not compile natively: $(head -n 2 err)"
    elif ! timeout 20 ./native >out 2>err </dev/null; then
        fail "$2: fails natively: $(head -n 2 err)"
    fi
}

# states PROGRAM NAME: the final states that each strategy sees
states() {
    local search compiler=cc all
    [[ $1 == *.cc ]] && compiler='c++ -std=c++20'
    # shellcheck disable=SC2086
    heddle $compiler -DOUTCOMES -O1 -w -I"$programs" "$1" -o states.exe
    for search in dfs-undo dpor-undo optimal-undo optimal-replay optimal-verify; do
        check --keep-going --explain 0.001 --strategy "${search%-*}" --restart "${search#*-}" ./states.exe
        of_bugs message | sed 's/^[^0-9]*outcome [^0-9]*\([0-9]*\).*/\1/' | sort >"states.$search"
        [ "$(field verdict)" = bug ] || fail "$2 ($search): $(field verdict): $(field reason)"
    done
    all=$(tr '\n' ' ' <states.dfs-undo)
    for search in dpor-undo optimal-undo optimal-replay optimal-verify; do
        cmp -s states.dfs-undo "states.$search" || fail "$2: dfs sees $all, but $search $(tr '\n' ' ' <"states.$search")"
    done
}

for program in ${ONLY:-"$programs"/*.c "$programs"/*.cc}; do
    line=$(sed -n '1s|^// expect: *||p' "$program")
    name=$(basename "$program")
    flags=
    [[ $program == *.cc ]] && flags=-std=c++20
    read -r verdict kind _ <<<"$line"
    [[ $kind == *: ]] && kind=
    check --cflags "-I$programs $flags" "$program"
    expect "$name" "$verdict" "$kind"
    refused=$(part refused "$line")
    [ -z "$refused" ] || grep "\"reason\"" report.json | grep -qF -- "$refused" || fail "$name: $(grep "\"reason\"" report.json)"
    says=$(part says "$line")
    [ -z "$says" ] || tr -s ' \n' ' ' <out | grep -qF -- "$says" || fail "$name: it does not say '$says'"
    [[ $line == *"native: no"* ]] || native "$program" "$name"
    ! grep -q 'outcome(' "$program" || states "$program" "$name"
done
# Futexes by number leave no writes out of the log.
check --cflags "-I$programs -std=c++20" "$programs/latch.cc"
expect 'latch' verified
says_not 'latch' 'restart replay'
nothing_left descriptors
finish
