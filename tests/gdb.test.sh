#!/usr/bin/env bash
# replay --gdb: a failing run on real threads. gdb stops where heddle's report says that it fails, shows the threads, their
# call stacks and variables as they were, and goes to each event by its number.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# found KIND PROGRAM ARGUMENT…: checks it; the schedule is in kept.hd, the report in the file report.
found() {
    local kind=$1
    shift
    rm -f kept.hd
    check --schedule kept.hd "$@"
    mv out report
    expect "$*" bug "$kind"
}

# debugged COMMAND…: the run in kept.hd under gdb; what gdb said is in the file said.
debugged() {
    local commands=() each
    for each; do commands+=(-ex "$each"); done
    heddle replay --gdb kept.hd -- -batch "${commands[@]}"
    nothing_left "gdb: $1"
    [ "$status" -eq 1 ] || fail "gdb $*: status $status: $(tail -n 3 err)"
    sed -n '/^Breakpoint 3 at/,$p' out | sed "s|$work/||g" >said
}

# says WHAT PATTERN…: these lines are in what gdb said, in this order.
says() {
    local what=$1 at=0 pattern line
    shift
    for pattern; do
        line=$(tail -n +$((at + 1)) said | grep -n -m 1 -e "$pattern" | cut -d: -f1)
        [ -n "$line" ] || { fail "$what: no '$pattern' after line $at of: $(cat said err)" && return; }
        at=$((at + line))
    done
}

# has_threads WHAT NUMBER: in the first list of threads.
has_threads() {
    local n
    n=$(sed -n '/^  Id  /,/^[^ *]/p' said | grep -c '^[* ] *[0-9]')
    [ "$n" -eq "$2" ] || fail "$1: $2 threads expected, gdb shows $n: $(cat said)"
}

# An assertion in a program with condition variables: the failure, the threads, a breakpoint, a watchpoint.
cp "$ROOT"/examples/bounded_buffer{,_wrong}.c .
found assertion bounded_buffer_wrong.c
debugged 'info threads' bt 'print count' 'thread apply all bt' \
    'break take' run continue 'print count' 'next' 'print count' 'delete 4' \
    'watch count' run 'bt' continue continue 'print count' continue \
    'delete 5' 'break pthread_cond_signal' run bt
says 'bounded buffer' "^failure: assertion .count > 0' failed in take at bounded_buffer.c:40, by T1" \
    '^after event 8: T1 consumer, lock .*<mutex>' 'in take () at bounded_buffer.c:40' '^40' \
    '"main" .*operation=.*"join"' '^\* .*"T1 consumer"' '"T3 producer" .*operation=.*"wait", object=.*<not_full>' \
    '^#.* in take () at bounded_buffer.c:40' '^#.*consumer .*bounded_buffer.c:57' '= 0$' \
    '"T3 producer"' '^#.* in put (item=2) at bounded_buffer.c:28' \
    '"T1 consumer"' '^#.* in take () at bounded_buffer.c:40' '"main"' '^#.* in main () at bounded_buffer.c:69' \
    '"T1 consumer" hit Breakpoint 4.*take () at bounded_buffer.c:37' \
    '"T2 consumer" hit Breakpoint 4.*take () at bounded_buffer.c:37' '= 0$' '^38' '= 1$' \
    '"T3 producer" hit .*atchpoint 5: count' '^Old value = 0' '^New value = 1' 'put (item=1) at bounded_buffer.c:30' \
    '"T2 consumer" hit .*atchpoint 5: count' '^Old value = 1' '^New value = 0' 'take () at bounded_buffer.c:41' \
    '^failure: assertion' '= 0$' 'exited normally' \
    '"T3 producer" hit Breakpoint 6.*pthread_cond_signal' '^#.* in put (item=1) at bounded_buffer.c:31'
has_threads 'bounded buffer' 3
grep -q 'target/threads' <(sed -n '/^#/p' said) && fail "gdb shows frames of the runtime: $(cat said)"
grep -q 'bounded_buffer.c:40  *read count → 0$' report || fail "the report says something else about count: $(cat report)"

# Every event, forwards by one and in leaps, back, and by its number: what is about to be done is what the report says.
events() {
    local kept='' number rest
    sed -n 's/^about to be done: event \([0-9]*\): [^,]*, \([^ ]*\) 0x[0-9a-f]* <\(.*\)>$/\1 \2 \3/p
            s/^#.* at \(bounded_buffer.c:[0-9]*\)$/at \1/p' said |
        while read -r number rest; do [ "$number" = at ] && echo "$kept $rest" || kept="$number $rest"; done
}
debugged 'heddle-step to 0' heddle-step 'heddle-step 1' heddle-step heddle-step heddle-step heddle-step heddle-step heddle-step
sed -n 's/^\([0-9][0-9]*\)  *\([^ ]*:[0-9]*\)  *\([a-z]*\) \([a-z_]*\).*$/\1 \3 \4 \2/p' report >expected
[ "$(wc -l <expected)" -eq 9 ] || fail "the report shows other events than expected: $(cat report)"
events | tail -n 9 | diff expected - >difference || fail "gdb's events are not the report's: $(cat difference said err)"
debugged up heddle-frame 'heddle-step -1' 'print count' 'heddle-step to 3' 'print slot[0]' 'heddle-step 3' 'heddle-step -2' 'heddle-step -5' \
    'heddle-where' 'break put' run 'heddle-where' heddle-step 'delete 4' 'heddle-step to 8' 'heddle-step 100' 'heddle-step 100' \
    heddle-step 'heddle-where' 'heddle-step too 3' 'heddle-step to 5'
says 'steps' '^failure' '^#.*consumer .*:57' '^#.* in take () at bounded_buffer.c:40' '^about to be done: event 8: T1 consumer, lock .*<mutex>' '= 0$' \
    '^about to be done: event 3: T3 producer, signal .*<not_empty>' '= 1$' '^about to be done: event 6: T2 consumer, lock' \
    '^about to be done: event 4: T3' '^there is no event before event 0' '^about to be done: event 4: T3' \
    '"T3 producer" hit Breakpoint 4.*put (item=.*)' '^before event 0' '^about to be done: event 0: T1' \
    '^about to be done: event 8: T1' '^failure' 'exited normally' '^the run has ended before event 10[0-9]' \
    '^the program does not run: use run' '^the program does not run$' '^usage: heddle-step' '^about to be done: event 5: T3'

# A data race: at the second access, before it happens.
cp "$CASES/race.c" .
found race race.c
debugged 'info threads' 'print count' 'thread apply all bt'
says race '^failure: count: T1 wrote it at race.c:11, T2 reads it at race.c:11' '^before event 0' \
    'in worker (.*) at race.c:11' '^11.*count++' '"main"' '^\* .*"T2 worker"' '= 1$' '^#.* in main () at race.c'
grep -q 'read count → 1' report || fail "race: the report says something else about count: $(cat report)"
has_threads race 2

# A deadlock: nothing can go on; each thread stands in the call that it waits in.
cp "$CASES/deadlock_abba.c" .
found deadlock deadlock_abba.c
debugged 'info threads' 'thread apply all bt' 'heddle-step -1' continue continue
says deadlock '^failure: T1 waits to lock b .*; main waits to join T1' 'in first (.*) at deadlock_abba.c:12' \
    '^12.*pthread_mutex_lock(&b)' '"main"' '"T1 first"' '"T2 second"' \
    '"T2 second"' '^#.* in second (.*) at deadlock_abba.c:2' '"T1 first"' '^#.* in first (.*) at deadlock_abba.c:12' \
    '"main"' '^#.* in main () at deadlock_abba.c:33' '^about to be done: event 1:' '^failure: T1 waits' 'exited normally'
has_threads deadlock 3

# A livelock is one on real threads too: that a thread goes round in a circle is seen by its stack.
found livelock "$CASES/spin_never.c"
debugged bt
says livelock '^failure: main spins' '^#.* in main () at .*spin_never.c:23'

cp "$CASES/use_after_free.c" "$CASES/segv_plain.c" "$CASES/choose.c" .
found use-after-free use_after_free.c
debugged 'info threads' 'print *block'
says 'use after free' '^failure: reads memory that was freed, in T1 at use_after_free.c:15' 'in first (.*) at use_after_free.c:15' \
    '"T1 first"'
found signal segv_plain.c
debugged 'print seen'
says 'a signal' '^failure: segmentation fault at address 0x0, in main at segv_plain.c:23' 'in main () at segv_plain.c:23' '= .*0x0$'
found assertion choose.c
debugged 'heddle-step -1'
says 'heddle.h' '^failure: heddle_assert(value != 2)' '^#.* main () at choose.c:9' '^about to be done: event 0: main, choose' \
    '^#.* main () at choose.c'

# Each thread has its thread-local variables; it prints, and standard input is empty.
cp "$DATA/thread_local.c" .
found assertion thread_local.c
debugged 'print mine' 'print seen' 'print $_siginfo.si_signo' 'heddle-step to 0' 'thread apply all -q print mine' \
    'watch turns' continue bt 'heddle-where'
says 'thread-local variables' '^failure: assertion .seen == 0. failed in outer at thread_local.c' '= 17$' '= 1$' \
    '^about to be done: event 0: T1.1 inner, rmw .*<turns>' '= 27$' '= 17$' '= 7$' \
    '"T1.1 inner" hit .*atchpoint 4: turns' '^New value = 1' '^#.* in inner (.*) at thread_local.c' '^after event 0: T1.1 inner'
grep -q '^outer has seen 1$' out || fail "gdb: nothing of what the program prints: $(cat out)"

# C++, and a program that was built before, with arguments.
cp "$DATA/lost_update.cc" "$DATA/lost_update.c" .
found assertion lost_update.cc
debugged 'info threads' 'print *counter._M_t._M_t._M_head_impl' 'heddle-step to 2' bt
says 'C++' '^failure: assertion .*lost_update.cc:22, by main' '^after event 5: T2, store' 'in main () at lost_update.cc:22' \
    '"main"' '^about to be done: event 2: T2, load' '^#.*lost_update.cc:16'
"$HEDDLE" cc -O0 -o lost_update lost_update.c || fail 'lost_update.c does not compile'
found assertion ./lost_update -- 3 'two words' ''
debugged 'print argc' 'print argv[2]' 'print *argv[3]' 'shell echo "left: $(ls -A "$TMPDIR")"' run 'print argv[2]'
says 'arguments' '^failure: assertion' '= 4$' '"two words"' "= 0 '" '^left: $' '^failure: assertion' '"two words"'

# Wrong use, no gdb, and programs that were changed: as without --gdb, and gdb is not started.
PATH=$work "$HEDDLE" replay --gdb kept.hd >out 2>err
status=$?
[ "$status" -eq 2 ] && grep -q 'gdb, which is not installed' err && [ "$(wc -l <err)" -eq 1 ] ||
    fail "without gdb: status $status: $(cat out err)"
for wrong in '--gdb' '--gdb kept.hd bt' 'kept.hd -- bt' '--gdb kept.hd kept.hd' '--gdb=1 kept.hd'; do
    # shellcheck disable=SC2086
    heddle replay $wrong
    [ "$status" -eq 2 ] && [ -s err ] && ! [ -s out ] || fail "replay $wrong: status $status: $(cat out err)"
done
cp "$CASES/race.c" changing.c
found race changing.c
cp "$CASES/norace_mutex.c" changing.c
heddle replay kept.hd
mv out plain
expected=$status
heddle replay --gdb kept.hd -- -batch -ex bt
cmp -s plain out && [ "$status" -eq "$expected" ] || fail "a changed program: status $status: $(cat out err)"
nothing_left 'a changed program'
finish
