#!/usr/bin/env bash
# Threads that are alike take each other's places in searches by states, and threads that are not never do.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
build_once

ALIKE=$DATA/symmetry/alike.c
TWINS=$DATA/symmetry/twins.c

# States of six threads with three sections each, up to renaming: how many are in which section, at most 84.
for how in NOTHING HEAP STACK INDEX; do
    check --strategy states --cflags "-DTHREADS=6 -D$how" "$ALIKE"
    expect "threads that are alike ($how)" verified
    [ "$(field states)" -le 110 ] || fail "threads that are alike ($how): $(field states) states"
done
says 'threads that are alike' "^  symmetry: T1 to T6 take each other's places: [0-9]* states stand for "
stood_for=$(field states_stood_for)
grep -q 'do not compare the addresses' report.json || fail 'that addresses are not compared is no assumption'
check --strategy states --symmetry off --cflags -DTHREADS=6 "$ALIKE"
expect 'threads that are alike, told apart' verified
[ "$(field states)" -eq "$stood_for" ] || fail "threads that are alike, told apart: $(field states) states, not $stood_for"
grep -q 'do not compare the addresses' report.json && fail 'without symmetry there is an assumption about addresses'
check --strategy states --cflags -DTHREADS=12 "$ALIKE"
expect 'twelve threads that are alike' verified
[ "$(field states)" -le 600 ] || fail "twelve threads that are alike: $(field states) states"

# Executions up to renaming: as many as there are Young tableaux of three rows, 462 for four threads.
check --strategy dfs --symmetry on --cflags -DTHREADS=4 "$ALIKE"
expect 'executions of threads that are alike' verified
[ "$(field executions)" -eq 462 ] || fail "executions of threads that are alike: $(field executions)"
check --strategy dfs --symmetry on --explain 0 --cflags -DJOINED "$TWINS"
expect 'executions of twins' bug assertion
heddle check --strategy optimal --symmetry on "$ALIKE"
[ $status -eq 2 ] && grep -q 'is for searches by states and for --strategy dfs' err || fail "--symmetry on with optimal: status $status"

for strategy in spor dlspor sdpor; do
    check --strategy $strategy --cflags -DTHREADS=6 "$ALIKE"
    expect "threads that are alike by $strategy" verified
    [ "$(field states)" -le 110 ] || fail "threads that are alike by $strategy: $(field states) states"
done

# What tells threads apart that run one function.
for strategy in states dlspor sdpor; do
    for case in ARGUMENT CONTENT POSITION HANDLE NUMBER NAME OWN KEY RANDOM STACK HEAP OWNER TRYLOCK JOINED; do
        check --strategy $strategy --explain 0 --cflags "-D$case" "$TWINS"
        expect "twins told apart by $case, $strategy" bug assertion
    done
    check --strategy $strategy --keep-going --explain 0 --cflags -DLEAVES "$TWINS"
    grep -q '"kind":.*"deadlock"' report.json && grep -q '"kind":.*"assertion"' report.json ||
        fail "twins of which one gets away, $strategy: $(grep '"kind"' report.json | sort -u | tr -d '\n')"
done

# Where main keeps the handles, and handlers of exit, tell nobody apart (12 states with four threads, 72 told apart). Others do.
HANDLES=$DATA/symmetry/handles.c
for where in NONE GLOBAL ATEXIT; do
    check --strategy states --explain 0 --cflags "-D$where" "$HANDLES"
    expect "handles ($where)" verified
    [ "$(field states)" -le 12 ] || fail "handles ($where): $(field states) states"
done
check --strategy states --explain 0 --cflags -DPOOL "$HANDLES"
expect 'handles in a pool' verified
says 'handles in a pool' "^  symmetry: T1 to T4 take each other's places"
for case in GLOBAL POOL; do
    for strategy in states dlspor sdpor; do
        for how in SWAPPED BETWEEN; do
            check --strategy $strategy --explain 0 --cflags "-D$case -D$how" "$HANDLES"
            expect "handles ($case, $how), $strategy" bug assertion
        done
    done
done

# Workers that got elements of one array: alike if they cannot tell which is theirs (65 states with four of them, 608 told apart).
POOL=$DATA/symmetry/pool.c
for where in STATIC STACK HEAP; do
    check --strategy states --explain 0 --cflags "-DTHREADS=4 -D$where" "$POOL"
    expect "a pool ($where)" verified
    [ "$(field states)" -le 65 ] || fail "a pool ($where): $(field states) states"
done
grep -q 'stacks, heaps and arguments' report.json || fail 'that addresses of arguments are not compared is no assumption'
for where in POINTER HOLDER; do
    check --strategy states --explain 0 --cflags "-DTHREADS=4 -D$where" "$POOL"
    expect "a pool that is pointed to ($where)" verified
    [ "$(field states)" -gt 500 ] || fail "a pool that is pointed to ($where): $(field states) states"
done
for case in 'STATIC POSITION' 'POINTER POSITION' 'HOLDER POSITION' 'STATIC CONTENT' 'STACK RING' 'HEAP RESULT' 'STATIC TICKET' 'POINTER TICKET'; do
    for strategy in states dlspor sdpor; do
        check --strategy $strategy --explain 0 --cflags "-DTHREADS=4 -D${case/ / -D}" "$POOL"
        expect "a pool with workers that differ ($case), $strategy" bug assertion
    done
done
check --strategy states --explain 0 --cflags '-DTHREADS=4 -DHEAP -DRACE' "$POOL"
expect 'a pool of which main changes an element' bug race

# What is in a pipe may name a thread, and main may name an element when threads have changed places before. (SENT: main may also come
# too late, when the thread has ended.)
for case in CHOSEN SENT; do
    check --keep-going --strategy dlspor --explain 0 --cflags "-D$case" "$DATA/symmetry/sent.c"
    expect "a worker that main names ($case)" bug assertion
done
check --strategy states --explain 0 --cflags '-DCHOSEN -DRIGHT' "$DATA/symmetry/sent.c"
expect 'a worker that main names for nothing' verified
[ "$(field states)" -gt 40 ] || fail "a worker that main names for nothing: $(field states) states"

# By default, too, where there are many threads of a kind: 60 readers of a cell have 2^60 traces.
check --cflags '-O2 -DN=60' "$PROGRAMS/readers.c"
expect 'sixty readers by default' verified
says 'sixty readers by default' '^  strategy dlspor: instead of optimal, since threads run one function'
check --symmetry off --cflags '-O2 -DN=12' "$PROGRAMS/readers.c"
expect 'readers that are told apart' verified
[ "$(field executions)" -eq 4096 ] || fail "readers that are told apart: $(field executions) executions"

heddle check --symmetry maybe "$ALIKE"
[ $status -eq 2 ] && grep -q 'takes auto, on or off, not maybe' err || fail "--symmetry maybe: status $status, $(cat err)"
finish
