#!/usr/bin/env bash
# Reports say what happened in words that a reader understands.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# A race in which memory is released.
check "$DATA/race_with_free.c"
expect 'race with free' bug race
says 'race with free' 'releases it( at|$)'
says 'race with free' '(✗|!!) free heap1 \(race\)$'
says 'race with free' 'second access, T2: free heap1'
says_not 'race with free' 'race heap1'
jq -e '[.bugs[0].accesses[].access] == ["write", "free"]' report.json >/dev/null || fail 'race with free: accesses in JSON'

# A race with a plain access, after which its thread made an atomic one.
check "$DATA/race_plain_before_atomic.c"
expect 'plain before atomic' bug race
says 'plain before atomic' 'first access, T1: read state'
jq -e '[.bugs[0].accesses[].atomic] == [false, true]' report.json >/dev/null || fail 'plain before atomic: accesses in JSON'

# Variables on stacks have names, and heap blocks types that were found through them.
for compiler in gcc clang; do
    for level in -O0 -O1 -O2; do
        HEDDLE_CC=$compiler check "$DATA/stack_variables.c" --keep-going --cflags "$level"
        expect "stack variables, $compiler $level" bug race
        says "stack variables, $compiler $level" '^  branch::here\[1\]\.money@T1: T1.1 wrote it at '
        says_not "stack variables, $compiler $level" 'clerk'
        says "stack variables, $compiler $level" '^  main::own\.money: T2 wrote it at '
        says_not "stack variables, $compiler $level" '0x'
    done
done

# Blocks have the type that the function which had them allocated keeps a pointer to; and choices say what they are about.
for compiler in gcc clang; do
    for level in -O0 -O2; do
        HEDDLE_CC=$compiler check "$DATA/heap_types.c" --cflags "$level"
        expect "heap types, $compiler $level" bug race
        says "heap types, $compiler $level" 'heap1\.head\.next \(\+104 in 112 bytes \(struct table\)'
        says "heap types, $compiler $level" 'lock heap1\.lock$'
        says "heap types, $compiler $level" 'the time runs out$'
    done
done

# A single step is shown, or is none of the reader's business.
for program in "$DATA/race_with_free.c" "$CASES/assertion.c" "$CASES/deadlock_abba.c" "$ROOT/examples/bounded_buffer_wrong.c"; do
    check "$program"
    says_not "$program" '(…|\.\.\.) 1 step'
done

# An endless recursion has a table: its tail.
check "$CASES/recursion.c"
expect recursion bug signal
says recursion 'stack overflow: the thread used more than'
says recursion 'load window (→|->) 1'
says recursion '(✗|!!) signal'
says recursion '^ +#1 +deeper at'

# What threads wait for, each in another way; and that one of them does not wait but spins.
check "$DATA/kinds_of_waiting.c"
expect 'kinds of waiting' bug deadlock
says 'kinds of waiting' '^  [^ ]+ main waits to join T1 at '
says 'kinds of waiting' '^  [^ ]+ T1 waits for a post to sem at '
says 'kinds of waiting' '^  [^ ]+ T2 waits to read under held at .*, held by main'
says 'kinds of waiting' '^  [^ ]+ T3 waits to write under held at .*, held by main'
says 'kinds of waiting' '^  [^ ]+ T4 waits at barrier at '
says 'kinds of waiting' '^  [^ ]+ T5 waits for a signal to be sent to it at '
says 'kinds of waiting' '^  [^ ]+ T6 waits to be woken at the futex word at '
says_not 'kinds of waiting' 'spins'
check "$DATA/kinds_of_waiting.c" -- spin
expect 'spinning' bug livelock
says 'spinning' '^  [^ ]+ T7 spins reading from the pipe made at '

# Who holds a mutex may have ended; names of C++ are readable.
check "$CASES/deadlock_ended_holder.c"
expect 'ended holder' bug deadlock
grep -q 'held by T1, which has ended, since' report.json || fail "ended holder: $(grep 'waits to lock' report.json)"
check "$ROOT/tests/library/race_stream.cc"
expect 'names of C[+][+]' bug race
says 'names of C[+][+]' 'main +create T1'
says_not 'names of C[+][+]' '_ZNSt6thread'

# One of something is not several.
check --max-executions 1 "$PROGRAMS/readers.c" --cflags -DN=2
says 'one execution' '^incomplete: the bound of 1 execution was reached$'
says 'one execution' '^  1 execution, '
check "$CASES/backoff_loop.c" --max-steps 50
says_not 'cut executions' '\b1 executions'
check "$CASES/deadlock_self.c"
says_not 'one thread' '\b1 threads'

# Branches that were begun in vain.
check --cflags -DN=3 "$PROGRAMS/casadd.c"
expect casadd verified
[ "$(field redundant)" -eq 0 ] || says casadd ', [0-9]+ more begun and given up as repeats of others'
check --strategy dpor --cflags -DN=3 "$PROGRAMS/lastzero.c"
[ "$(field redundant)" -gt 0 ] || fail 'lastzero: dpor has no redundant executions'
says 'lastzero with dpor' ', [0-9]+ of them given up half-way as repeats of others'

# A status that says that the test failed is not passed over, whether it counts or not.
check "$CASES/exit_status.c"
expect 'exit status' verified
says 'exit status' 'ended with status 1, which does not count as a failure'
echo 'int main(void) { return 255; }' >long_status.c
check long_status.c
jq -e '[.assumptions[] | select(test("status 255, .* \\(--exit-status: it does\\)$"))] | length == 1' report.json >/dev/null ||
    fail "exit status of three digits: $(jq -c .assumptions report.json)"
check --exit-status "$CASES/exit_status.c"
expect 'exit status that counts' bug exit
says 'exit status that counts' 'the process ends with status 1, in main at '

# The run of a livelock is shown, although recording it must not disturb the circle.
check "$CASES/spin_mutex_never.c"
expect 'spins under a lock' bug livelock
says 'spins under a lock' '^  main spins in lock mutex at '
heddle replay spin_mutex_never.livelock.hd
says 'spins under a lock' 'still fails'
finish
