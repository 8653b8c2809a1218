#!/usr/bin/env bash
# Searches by states: few where executions are many, verdicts for programs that go round, and nothing lost by either.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
build_once

STATES=$DATA/states

# Seed 002, Figure 4.1 with N = 64: 73,006,209,045 traces.
for strategy in states spor dlspor sdpor; do
    check --strategy $strategy --cflags -DNOASSERT "$PROGRAMS/fig41.c"
    expect "fig41 by $strategy" verified
    [ "$(field states)" -lt 1000 ] || fail "fig41 by $strategy: $(field states) states"
    check --strategy $strategy "$PROGRAMS/fig41.c"
    expect "fig41 by $strategy" bug assertion
    check --strategy $strategy --cflags '-DPRODUCERS=2 -DCONSUMERS=2' "$PROGRAMS/bbuf.c"
    expect "bounded buffer by $strategy" verified
    check --strategy $strategy --cflags '-DTHREADS=2' "$PROGRAMS/sharr.c"
    expect "sharr by $strategy" verified
    check --strategy $strategy "$STATES/behind_flag.c"
    expect "a race that memory does not show, by $strategy" bug race
    check --strategy $strategy "$STATES/relaxed.c"
    expect "a relaxed message by $strategy" bug race
    check --strategy $strategy --cflags -DORDER=memory_order_release "$STATES/relaxed.c"
    expect "a released message by $strategy" verified
    check --strategy $strategy "$STATES/courtesy.c"
    expect "a circle that changes memory, by $strategy" bug livelock
done

# What a thread has returned is part of a state as long as main may ask for it.
for strategy in states spor dlspor sdpor; do
    for flags in -DWRONG=0 -DWRONG=1 '-DC11 -DWRONG=0' '-DC11 -DWRONG=1'; do
        check --strategy $strategy --cflags "$flags" "$STATES/returned.c"
        expect "returned.c $flags by $strategy" bug assertion
    done
    # What an operation of before left is not, nor what heddle itself leaves on stacks.
    for faults in read:1 malloc:1; do
        check --strategy $strategy --audit-states --fault $faults "$STATES/remains.c"
        expect "remains of calls, --fault $faults, by $strategy" verified
    done
    check --strategy $strategy --races off "$STATES/lent_stack.c"
    expect "a variable that is lent, without races, by $strategy" verified
    [ "$(field strategy)" = $strategy ] || fail "a variable that is lent, without races: searched by $(field strategy)"
done

# Who knows of whose reads of a table is no part of states while nobody writes there, and threads that are never alike are told apart:
# 1,536 states otherwise, and 29,399 by dlspor.
check --strategy states --symmetry off --cflags -DWORKERS=3 "$STATES/looked_up.c"
expect 'a table' verified
[ "$(field states)" -lt 1400 ] || fail "a table: $(field states) states"
for strategy in dlspor sdpor; do
    check --strategy $strategy "$STATES/looked_up.c"
    expect "a table, by $strategy" verified
    [ "$(field states)" -lt 3000 ] || fail "a table, by $strategy: $(field states) states"
done
for strategy in states spor dlspor sdpor; do
    check --strategy $strategy --cflags '-DLATE -DWORKERS=2' "$STATES/looked_up.c"
    expect "a table that is written to late, by $strategy" bug race
done

# Threads that poll for 20,000 events are looked at once for each: a fifth of a second of a processor, and half a minute otherwise. So samples leave
# time for states, by which it is seen that nothing ends it.
(ulimit -t 9 && check --strategy pct --max-executions 1 "$STATES/never_stopped.c" && [ "$(field executions)" = 1 ]) ||
    fail 'a sample of threads that poll takes seconds of a processor'
check --explain 0.1 "$STATES/never_stopped.c"
expect 'threads that poll for ever' bug livelock
check --cflags -DRIGHT "$STATES/never_stopped.c"
expect 'threads that poll until they are told to stop' verified

# The circle can be replayed, by what the schedule says of it.
check --explain 1 --strategy states "$STATES/courtesy.c"
grep -q '^round [0-9]' courtesy.livelock.hd || fail 'the schedule does not say from where on the run goes round'
heddle replay courtesy.livelock.hd
[ $status -eq 1 ] && grep -q 'still fails' out err || fail "replay of a circle: status $status"
sed -i 's/^round .*/round 0/' courtesy.livelock.hd
heddle replay courtesy.livelock.hd
grep -q 'still fails' out err && fail 'a run that does not come back to a state is called a livelock'
sed -i 's/^round .*/round x/' courtesy.livelock.hd
heddle replay courtesy.livelock.hd
[ $status -eq 2 ] || fail "a round that is no number: status $status"

# Without a strategy named: states where executions are too many, and the report says so.
check --cflags -DNOASSERT "$PROGRAMS/fig41.c"
expect 'fig41' verified
[ "$(field strategy)" = dlspor ] || fail "fig41 was searched by $(field strategy)"
grep -q 'states repeat' report.json || fail 'it is not said why states were searched'

check --explain-search --cflags -DNOASSERT "$PROGRAMS/fig41.c"
expect 'fig41, explained' verified
says 'what was given up' 'optimal, [0-9]* executions in .*: given up, since '
says 'what came to its end' 'dlspor, [0-9]* executions in .*: came to its end; [0-9]* states'
[ "$(of_bugs states | tail -n 1)" = "$(field states)" ] || fail "the search had $(of_bugs states | tail -n 1) states, and the report has $(field states)"
[ "$(of_bugs states_again | tail -n 1)" -gt 100 ] || fail "$(of_bugs states_again | tail -n 1) steps led to a state that was known"

# Executions without end: by default the verdict comes of states.
check --explain-search "$CASES/choose_in_circles.c"
expect 'choices without end' verified
grep -q '"strategy_reason":.*executions are too long' report.json || fail "choices without end: $(field strategy_reason)"
# A short search stays what it is, and what is told of it has one part.
check --explain-search --cflags -DN=4 "$PROGRAMS/fig41.c"
[ "$(field strategy)" = optimal ] || fail "a small program was searched by $(field strategy)"
# Where states do not repeat, executions come to the end after all, and the report says why.
check --explain-search --cflags '-O2 -DN=11' "$PROGRAMS/lastzero.c"
expect 'executions after states' verified
[ "$(field executions)" = 7168 ] || fail "executions after states: $(field executions) executions"
[ "$(field strategy)" = optimal ] || fail "executions after states: the strategy is $(field strategy)"
grep -q '"strategy_reason":.*after states were tried' report.json || fail "executions after states: $(grep strategy_reason report.json)"
grep -q 'strategy optimal: after states were tried, which do not repeat' out || fail "executions after states: $(cat out)"

# What calls leave on stacks tells no states apart, however the runtime was built: workers that poll, a bounded buffer.
while read -r name states; do
    check --strategy states --symmetry off "$ROOT/bench/kinds/$name.c"
    expect "$name by states" verified
    [ "$(field states)" = "$states" ] || fail "$name by states: $(field states) states, not $states"
done <<'END'
workers 150
poll_two_locks 295
qrcu 808
END
check --strategy states --symmetry off --cflags '-DPRODUCERS=3 -DCONSUMERS=3' "$PROGRAMS/bbuf.c"
[ "$(field states)" = 33195 ] || fail "a bounded buffer by states: $(field states) states"

# What only one thread accesses tells no orders apart: main writes the handles of its threads while they run.
for strategy in states dlspor sdpor; do
    check --strategy $strategy "$ROOT/bench/kinds/many_writers.c"
    expect "many writers by $strategy" verified
    [ "$(field states)" -lt 20000 ] || fail "many writers by $strategy: $(field states) states"
done

# A limit on memory is kept by forgetting, and the answer is the same.
check --strategy states --memory 1M --cflags '-DPRODUCERS=2 -DCONSUMERS=2 -DITEMS=4' "$PROGRAMS/bbuf.c"
expect 'bounded buffer in 1M' verified
[ "$(field states_bytes)" -le 1048576 ] || fail "--memory 1M: the table took $(field states_bytes) bytes"
# A quarter of the 97,311 states has room; whole depths are kept, so that few are entered again.
check --strategy states --symmetry off --memory 2M --cflags '-O2 -DSTEPS=45' "$PROGRAMS/grid.c"
expect '--memory 2M' verified
[ "$(field states_forgotten)" -gt 50000 ] || fail "--memory 2M: $(field states_forgotten) states were forgotten"
[ "$(field states)" -lt 250000 ] || fail "--memory 2M: $(field states) states were entered"
heddle check --strategy states --memory 12 "$PROGRAMS/fig41.c"
[ $status -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || fail "--memory 12: status $status, $(cat err)"
heddle check --strategy optimal --audit-states "$PROGRAMS/fig41.c"
[ $status -eq 2 ] && grep -q 'is for searches by states' err || fail "--audit-states without states: status $status, $(cat err)"

# Stacks that lie elsewhere.
for stack in 0x100000 0x10000000; do
    check --strategy states --symmetry off --keep-going --cflags "-O0 -DSIZE=3 -DSEED=87 -DSTACK=$stack" "$DATA/jobs/random.c"
    echo "$(field verdict) $(field executions) $(field states)" >"states.$stack"
done
cmp -s states.0x100000 states.0x10000000 || fail "stacks of 1 and of 256 MiB: $(cat states.0x100000), $(cat states.0x10000000)"

# Memory that is to be ignored.
check --strategy states --cflags -DIGNORE "$STATES/statistics.c"
expect 'an ignored log' verified
few=$(field states)
grep -q 'heddle_ignore' report.json || fail 'that memory is ignored is no assumption'
check --strategy states "$STATES/statistics.c"
expect 'a log' verified
[ "$(field states)" -gt $((few * 10)) ] || fail "a log that is not ignored: $(field states) states, and $few if it is"
check --strategy states --audit-states --cflags -DIGNORE "$STATES/statistics.c"
expect 'an audited log' verified
check --strategy states --audit-states --cflags '-DIGNORE -DLOOK' "$STATES/statistics.c"
expect 'a log that matters' incomplete
grep -q '"reason":.*"log_ matters' report.json || fail "a log that matters: $(grep '"reason"' report.json)"

# What is in descriptors belongs to states, and so does what reading from them passes on.
for strategy in states dlspor sdpor; do
    for program in event_loop epoll_edge pipe_full poll_two socket_messages eventfd_semaphore; do
        check --strategy $strategy --explain 0 "$ROOT/tests/descriptors/$program.c"
        expect "$program by $strategy" verified
        [ "$(field strategy)" = $strategy ] || fail "$program was searched by $(field strategy), not $strategy"
    done
    for of in event_loop_wrong:assertion epoll_edge_wrong:deadlock pipe_race:race pipe_full_deadlock:deadlock; do
        check --strategy $strategy --explain 0 "$ROOT/tests/descriptors/${of%:*}.c"
        expect "${of%:*} by $strategy" bug "${of#*:}"
    done
done
check --strategy states "$STATES/pipe.c"
expect 'a pipe' verified
[ "$(field strategy)" = states ] || fail "a program with a pipe was searched by $(field strategy)"

# Where states cannot be known executions are searched, and the report says why.
check --strategy states --restart replay --cflags -DN=10 "$PROGRAMS/fig41.c"
[ "$(field strategy)" = optimal ] || fail "by replay states were searched: $(field strategy)"

finish
