#!/usr/bin/env bash
# One execution for all in which each thread reads the same (--strategy rf): fewer of them, the same bugs.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

RF=$DATA/rf

# takes COUNT NAME FLAGS: so many executions of a program of bench/programs, none of them for nothing.
takes() {
    check --strategy rf --cflags "-O2 $3" "$PROGRAMS/$2.c"
    expect "$2 $3" verified || return
    [ "$(field executions)" = "$1" ] || fail "$2 $3: $1 executions expected, got $(field executions)"
    [ "$(field redundant)" = 0 ] || fail "$2 $3: $(field redundant) executions were given up"
}

# N writers and a reader: it reads one of N + 1 values. 21 writers have 22! traces.
takes 8 writers -DN=7
takes 22 writers -DN=21
# What traces have in common with it: readers of one writer, a lock.
takes 1024 readers -DN=10
takes 252 critical -DK=5
takes 64 lastzero -DN=5

# twin NAME RIGHT WRONG KIND: verified with the flags RIGHT, a bug of this kind with the flags WRONG.
twin() {
    check --strategy rf --cflags "$2" "$RF/$1.c"
    expect "$1 $2" verified
    check --strategy rf --cflags "$3" "$RF/$1.c"
    expect "$1 $3" bug "$4"
}

twin last_store -DBAD=3 -DBAD=1 assertion
twin last_store -DBAD=0 -DBAD=2 assertion
twin plain_look -DBAD=3 -DBAD=1 assertion
twin plain_look -DBAD=0 -DBAD=2 assertion
twin handler -DBAD=3 -DBAD=1 assertion
twin handler -DBAD=0 -DBAD=2 assertion
twin sequence -DQUIET '' race
twin sections -DINSIDE '' race
twin crossed -DWANTED=3 -DWANTED=1 deadlock
twin crossed -DWANTED=3 -DWANTED=2 deadlock
twin leaves -DBAD=3 -DBAD=2 assertion
twin pieces -DBAD=0x00010003 -DBAD=0x00010002 assertion
twin pieces -DBAD=0x00010003 -DBAD=0x00010001 assertion
for bad in 1 2; do
    check --strategy rf --keep-going --races=explore --cflags -DBAD=$bad "$RF/racy_last.c"
    of_bugs kind | grep -qx assertion || fail "racy_last -DBAD=$bad: $(of_bugs kind | tr '\n' ' ')"
done

# A schedule that has the reads of the last thread as steps is replayed without them.
check --strategy rf --cflags -DBAD=1 "$RF/last_store.c"
heddle replay last_store.assertion.hd
[ $status -eq 1 ] && grep -q 'still fails' out err || fail "replay: status $status, $(cat err)"

# Where it does not fit it says so.
why() { # WHAT PATTERN OPTION…
    local what=$1 pattern=$2
    shift 2
    check --strategy rf "$@"
    grep -q "\"strategy_reason\":.*$pattern" report.json || fail "$what: $(grep strategy_reason report.json)"
}
why plain_look 'instead of rf.* read plainly' --cflags -DBAD=3 "$RF/plain_look.c"
why pieces 'instead of rf.* overlap' --cflags -DBAD=3 "$RF/pieces.c"
why leaves 'traces were searched' --cflags -DBAD=3 "$RF/leaves.c"
check --strategy rf --cflags -DBAD=3 "$RF/last_store.c"
grep -q '"strategy_reason":[[:space:]]*null' report.json || fail "last_store: $(grep strategy_reason report.json)"
grep -q 'fingerprints of 128 bits' report.json || fail 'that beginnings are compared by fingerprints is no assumption'

heddle check --strategy rf --leaks "$RF/last_store.c"
[ $status -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || fail "--leaks: status $status, $(cat err)"
finish
