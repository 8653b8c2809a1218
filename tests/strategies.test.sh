#!/usr/bin/env bash
# The options of heddle check that say what is searched, how far and for what.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
build_once

# equals WHAT FIELD VALUE
equals() { [ "$(field "$2")" = "$3" ] || fail "$1: $2 is $(field "$2"), not $3"; }

# lists WHAT FIELD VALUE…: these and no other values of a field of the bugs, in any order.
lists() {
    local what=$1 name=$2 got
    shift 2
    got=$(of_bugs "$name" | sort | tr '\n' ' ')
    [ "$got" = "$(printf '%s\n' "$@" | sort | tr '\n' ' ')" ] || fail "$what: $name of the bugs: $got, not $*"
}

# Bounds. 70 traces.
critical() { check --cflags '-O2 -DK=4' "$@" "$PROGRAMS/critical.c"; }
for n in 1 10 69; do
    critical --max-executions $n
    expect "--max-executions $n" incomplete
    equals "--max-executions $n" executions $n
    field reason | grep -qE "bound of $n executions? was" || fail "--max-executions $n: the reason is: $(field reason)"
done
for n in 70 71 1000000; do
    critical --max-executions $n
    expect "--max-executions $n of 70" verified
    equals "--max-executions $n" executions 70
done
check --cflags '-O2 -DK=14' --strategy optimal --time 1s "$PROGRAMS/critical.c"
expect '--time 1s' incomplete
field reason | grep -q '1 second' || fail "--time 1s: the reason is: $(field reason)"
awk -v s="$(field seconds)" 'BEGIN { exit !(s >= 0.99 && s < 20) }' || fail "--time 1s: it took $(field seconds) s"
[ "$(field executions)" -gt 100 ] || fail "--time 1s: $(field executions) executions"
critical --time 10m
expect '--time 10m' verified
critical --max-steps 5
expect '--max-steps 5' incomplete
[ "$(field cut)" -gt 0 ] || fail '--max-steps 5: no execution was cut'
grep -q '"reason":.*--max-steps' report.json || fail "--max-steps 5: $(grep '"reason"' report.json)"

# Preemptions: each bug is found with as many as it needs and no fewer, and the report says how many.
replayed_preemptions() {
    "$HEDDLE" replay "$(of_bugs schedule | head -n 1)" 2>&1 | sed -n 's/.*preemptions: \([0-9]*\).*/\1/p'
}

# needs PROGRAM K
needs() {
    local k
    for ((k = 0; k < $2; k++)); do
        check --preemptions $k "$DATA/$1.c"
        expect "$1 --preemptions $k" incomplete
        field reason | grep -q "at most $k preemption" || fail "$1 --preemptions $k: the reason is: $(field reason)"
    done
    for ((k = $2; k <= $2 + 1; k++)); do
        check --preemptions $k "$DATA/$1.c"
        expect "$1 --preemptions $k" bug assertion
    done
    for strategy in optimal dpor rf dfs bounded pct random pos fuzz sample; do # each meets another failing run, all shrink to the same
        check --strategy $strategy --seed 3 "$DATA/$1.c"
        expect "$1 --strategy $strategy" bug assertion || continue
        equals "$1" strategy $strategy
        lists "$1 --strategy $strategy" preemptions "$2"
        lists "$1 --strategy $strategy" minimal true
        grep -q "preemptions: $2 (no run that fails like this has fewer)" out || fail "$1 --strategy $strategy: $(grep preemptions: out)"
        [ "$(replayed_preemptions)" = "$2" ] || fail "$1 --strategy $strategy: the schedule has $(replayed_preemptions)"
    done
}
needs one_preemption 1
needs two_preemptions 2
check --preemptions 0 "$DATA/lost_update.c"
expect 'lost_update --preemptions 0' incomplete

heddle check --preemptions 1 --strategy random "$DATA/lost_update.c"
[ "$status" -eq 2 ] || fail "--preemptions with --strategy random: status $status, but the one overrules the other"

# Every strategy comes to the same verdict.
for strategy in optimal dpor rf dfs bounded; do
    for case in assertion:bug assertion_ok:verified deadlock_abba:bug cond_ok:verified lost_wakeup:bug race_rarely:bug \
        norace_mutex:verified trylock_ok:verified recursive_ok:verified choose:bug choose_ok:verified once:verified; do
        check --strategy $strategy "$CASES/${case%:*}.c"
        expect "${case%:*} --strategy $strategy" "${case#*:}"
        equals "${case%:*}" strategy $strategy
    done
done

# Random runs: the same seed gives the same runs; nothing is ever verified by them.
for program in "$CASES/lost_wakeup.c" "$DATA/two_preemptions.c"; do
    for seed in 1 2 7; do
        check --strategy random --seed $seed --schedule first.hd "$program"
        expect "random, seed $seed" bug
        first="$(field executions) $(field events) $(of_bugs kind)"
        check --strategy random --seed $seed --schedule second.hd "$program"
        [ "$first" = "$(field executions) $(field events) $(of_bugs kind)" ] ||
            fail "random, seed $seed: first $first, then $(field executions) $(field events) $(of_bugs kind)"
        cmp -s first.hd second.hd || fail "random, seed $seed: two schedules"
    done
done
for seed in 1 2 3 4 5 6; do
    check --strategy random --seed $seed "$DATA/two_preemptions.c"
    field executions
done >executions.txt
[ "$(sort -u executions.txt | wc -l)" -gt 1 ] || fail 'random: six seeds, one and the same search'
check --strategy random --cflags '-O2 -DK=2' --max-executions 500 "$PROGRAMS/critical.c"
expect 'random, nothing to be found' incomplete
equals 'random' executions 500
check --strategy random --time 1 --cflags '-O2 -DK=2' "$PROGRAMS/critical.c"
expect 'random --time 1' incomplete
[ "$(field executions)" -gt 500 ] || fail "random --time 1: $(field executions) executions"

# Priorities: the same seed gives the same runs, and the probability is that of the paper.
for seed in 1 2; do
    check --strategy pct --seed $seed --schedule first.hd "$DATA/two_preemptions.c"
    expect "pct, seed $seed" bug assertion
    first="$(field executions) $(field events)"
    check --strategy pct --seed $seed --schedule second.hd "$DATA/two_preemptions.c"
    [ "$first" = "$(field executions) $(field events)" ] || fail "pct, seed $seed: first $first, then $(field executions)"
    cmp -s first.hd second.hd || fail "pct, seed $seed: two schedules"
done
pct() { sed -n "s/.*\"$1\":[[:space:]]*\([^,]*\),\{0,1\}\$/\1/p" report.json | head -n 1; }
for depth in 1 2 4; do
    check --strategy pct --depth $depth --max-executions 300 --cflags '-O2 -DK=4' "$PROGRAMS/critical.c"
    expect "pct --depth $depth" incomplete
    awk -v d="$(pct depth)" -v n="$(pct threads)" -v k="$(pct length)" -v m="$(pct runs)" -v one="$(pct probability_each)" \
        -v all="$(pct probability)" 'function near(a, b) { return a > b * 0.999 && a < b * 1.001 }
        BEGIN { exit !(d == '$depth' && n == 3 && k >= 10 && m > 200 && m < 300 &&
                       near(one, 1 / (n * k ^ (d - 1))) && near(all, 1 - (1 - one) ^ m)) }' ||
        fail "pct --depth $depth: $(grep -A 6 '"pct"' report.json)"
done
grep -q 'a bug of depth 4 is found' out || fail "pct: no probability in $(cat out)"
for program in spin_flag spin_yield spin_tas spinlock volatile_flag backoff_loop; do # nobody waits for ever
    check --strategy pct --max-executions 200 "$CASES/$program.c"
    expect "$program --strategy pct" incomplete
    equals "$program --strategy pct" executions 200
    [ "$program" = backoff_loop ] || equals "$program --strategy pct" cut 0
done

# Other samplers: the same seed gives the same runs, other seeds other ones; nothing is ever verified by them.
for strategy in pos fuzz sample; do
    for seed in 1 2; do
        check --strategy $strategy --seed $seed --schedule first.hd "$DATA/two_preemptions.c"
        expect "$strategy, seed $seed" bug assertion
        first="$(field executions) $(field events)"
        check --strategy $strategy --seed $seed --schedule second.hd "$DATA/two_preemptions.c"
        [ "$first" = "$(field executions) $(field events)" ] || fail "$strategy, seed $seed: first $first, then $(field executions)"
        cmp -s first.hd second.hd || fail "$strategy, seed $seed: two schedules"
        heddle replay first.hd
        [ "$status" -eq 1 ] || fail "$strategy, seed $seed: replay: status $status, $(head -n 1 out)"
    done
    for seed in 1 2 3 4 5 6; do
        check --strategy $strategy --seed $seed "$DATA/two_preemptions.c"
        field executions
    done >executions.txt
    [ "$(sort -u executions.txt | wc -l)" -gt 1 ] || fail "$strategy: six seeds, one and the same search"
    check --strategy $strategy --max-executions 50 --cflags '-O2 -DK=4' "$PROGRAMS/critical.c"
    expect "$strategy, nothing to be found" incomplete
    equals "$strategy" executions 50
    for program in spin_flag spin_yield spin_tas spinlock volatile_flag; do # nobody waits for ever
        check --strategy $strategy --max-executions 200 "$CASES/$program.c"
        expect "$program --strategy $strategy" incomplete
        equals "$program --strategy $strategy" cut 0
    done
done

# What `sample` says of what it has drawn. Its samplers draw all there is, and pct's bound is for what pct drew only.
check --strategy sample --max-executions 3000 --depth 2 --cflags '-O2 -DK=4' "$PROGRAMS/critical.c"
expect 'sample' incomplete
jq -e '.samples | .executions == 3000 and ([.drawn[]] | add) == 3000 and ([.drawn[]] | min) > 0 and .pairs > 0 and
    .traces > 60 and .traces <= 70 and .traces_at_least >= .traces and .new_pair_probability <= 1' report.json >/dev/null ||
    fail "sample: $(jq -c .samples report.json)"
jq -e '.pct.runs <= .samples.drawn.pct and .pct.runs > 0 and .pct.depth == 2 and
    (.pct.missed + .pct.probability - 1 | fabs) < 1e-9' report.json >/dev/null || fail "sample: $(jq -c .pct report.json)"
grep -q 'of no others' out || fail "sample: its bound is not said to be pct's alone: $(cat out)"

# By default a few executions look around first. They find what a search in order comes to late, and count for nothing where
# everything is covered.
for n in 5 30; do
    check --cflags "-O2 -DN=$n" "$ROOT/bench/hard/reorder.c"
    expect "reorder_$n" bug assertion
    equals "reorder_$n" strategy fuzz
    [ "$(field executions)" -le 5 ] || fail "reorder_$n: found after $(field executions) executions"
    lists "reorder_$n" preemptions 1
done
check "$CASES/lost_wakeup.c"
[ "$(of_bugs execution)" = "$(field executions)" ] || fail "lost_wakeup: found by execution $(of_bugs execution) of $(field executions)"
# Once a search by states is not small, thousands of executions look around. This one, of five preemptions, is among them; states come to
# it after 180,000 steps. What is counted is all that was run, whoever found it.
check --explain-search --seed 3 --cflags -O2 "$ROOT/bench/hard/safestack.c"
expect safestack bug assertion
[ "$(of_bugs execution)" = "$(field executions)" ] || fail "safestack: found by execution $(of_bugs execution) of $(field executions)"
[ "$(field executions)" -le 60000 ] || fail "safestack: found after $(field executions) executions"
[ "$(jq '[.search[].executions] | add' report.json)" = "$(field executions)" ] || fail "safestack: $(jq -c .search report.json)"
# A search of more than half a million events is interrupted for samples, and goes on where it was.
check --cflags '-O2 -DK=10' "$PROGRAMS/critical.c"
expect 'critical, interrupted' verified
equals 'critical, interrupted' executions 184756
equals 'critical, interrupted' strategy optimal

# Bounds on preemptions one after the other: what was completed is said, and where none left anything out all is covered.
check --strategy bounded "$DATA/two_preemptions.c"
expect 'two_preemptions --strategy bounded' bug assertion
equals 'two_preemptions --strategy bounded' bounds 2
check --strategy bounded --preemptions 1 "$DATA/two_preemptions.c"
expect 'two_preemptions --strategy bounded --preemptions 1' incomplete
equals 'two_preemptions --strategy bounded --preemptions 1' bounds 2
grep -q 'every execution with at most 1 preemption was covered' out || fail "--strategy bounded: $(cat out)"
check --strategy bounded --preemptions 50 --cflags '-O2 -DK=4' "$PROGRAMS/critical.c"
expect 'critical --strategy bounded --preemptions 50' verified
equals 'critical --strategy bounded' bounds all
check --strategy bounded --time 1 --cflags '-O2 -DK=40' "$PROGRAMS/critical.c"
expect 'critical --strategy bounded --time 1' incomplete
[ "$(field bounds)" -ge 2 ] || fail "critical --strategy bounded --time 1: only $(field bounds) bounds"
heddle check --depth 2 "$DATA/lost_update.c"
[ "$status" -eq 2 ] || fail "--depth without --strategy pct: status $status"
heddle check --strategy replay "$DATA/lost_update.c"
[ "$status" -eq 2 ] && grep -q 'no strategy called replay' err || fail "--strategy replay: status $status, $(cat err)"

# All bugs.
check "$DATA/several_bugs.c"
expect several_bugs bug
check --keep-going --races off "$DATA/several_bugs.c"
expect 'several_bugs --keep-going --races off' bug
lists 'several_bugs --keep-going --races off' kind assertion assertion deadlock
for strategy in optimal dpor dfs; do
    check --strategy $strategy --keep-going "$DATA/several_bugs.c"
    expect 'several_bugs --keep-going' bug
    lists "several_bugs --keep-going --strategy $strategy" kind race assertion assertion deadlock
    of_bugs schedule | sort -u >schedules.txt
    [ "$(wc -l <schedules.txt)" -ge "$(jq '[.bugs[] | select(.after == null)] | length' report.json)" ] || fail 'several_bugs: reports share a schedule'
    while read -r schedule; do
        heddle replay "$schedule"
        [ "$status" -eq 1 ] || fail "several_bugs: replay $schedule: status $status, $(head -n 1 out)"
    done <schedules.txt
done

# Races.
check "$DATA/behind_race.c"
expect behind_race bug race
lists behind_race kind race race
check --races explore "$DATA/behind_race.c"
expect 'behind_race --races explore' bug assertion
heddle replay "$(of_bugs schedule | grep assertion)"
[ "$status" -eq 1 ] && grep -q '^bug: assertion' out || fail "behind_race: replay of the assertion: $status, $(head -n 1 out)"
check --races explore "$DATA/two_races_at_once.c"
lists 'two_races_at_once --races explore' kind race race
[ "$(grep -c 'first access, ' out)" -eq 1 ] && grep -q '• race: high: T1 wrote it at .*, main reads it' out ||
    fail "two_races_at_once --races explore: a race without its accesses: $(cat out)"
check "$DATA/destroyed_after_use.cc"
expect destroyed_after_use verified
check --races=explore "$CASES/norace_mutex.c"
expect 'norace_mutex --races=explore' verified
check --keep-going "$DATA/two_sizes.c"
lists two_sizes kind race race
grep -q 'main reads it at .*:29' <(tr -s '\n ' ' ' <out) && grep -q 'main reads it at .*:32' <(tr -s '\n ' ' ' <out) ||
    fail 'two_sizes: the reports do not tell the two races apart'
check "$DATA/race_mixed_same.c"
expect race_mixed_same bug race
grep -q 'first access, ' out && grep -q 'second access, ' out || fail "race_mixed_same: $(grep access, out)"
for strategy in optimal dpor dfs; do
    for apart in 0 1; do
        check --races explore --keep-going --strategy $strategy --cflags "-DAPART=$apart" "$DATA/wide_access.c"
        lists "wide_access, $strategy, APART=$apart" kind race assertion assertion
        grep -q torn report.json && fail "wide_access, $strategy, APART=$apart: a torn read"
        for schedule in $(of_bugs schedule); do
            heddle replay "$schedule"
            [ "$status" -eq 1 ] || fail "wide_access: replay $schedule: status $status, $(head -n 1 out)"
            case $schedule in *assertion*)
                [ "$(grep -c 'read memory.wide' out)" -eq 1 ] || fail "wide_access: $schedule shows a read that is none" ;;
            esac
        done
    done
done
check --races off "$DATA/behind_race.c"
expect 'behind_race --races off' verified
grep -q 'races were not looked for' report.json || fail '--races off: the verdict does not say what it rests on'

# The heap.
check "$DATA/aba.c"
expect aba verified
check --reuse "$DATA/aba.c"
expect 'aba --reuse' bug assertion
heddle replay "$(of_bugs schedule)"
[ "$status" -eq 1 ] || fail "aba: replay: $status, $(head -n 1 out)"
check --reuse "$CASES/malloc_family.c"
expect 'malloc_family --reuse' verified
check "$CASES/leak.c"
expect 'leak without --leaks' verified
check --leaks "$CASES/leak.c"
expect 'leak --leaks' bug leak

# The benchmark of one execution: nothing is run after it, and it does the same where threads spin.
check --bare 100 "$ROOT/examples/seqlock.c"
expect '--bare 100' incomplete
equals '--bare 100' reason 'this was a benchmark of one execution'
equals '--bare 100' executions 100
equals '--bare 100' restart undo
equals '--bare 100' share null

for mode in verify replay undo; do
    check --restart $mode "$CASES/restart.c"
    equals "--restart $mode" restart $mode
done

# --explain: without time there is still a report.
check --explain 0.001 "$DATA/two_preemptions.c"
expect '--explain 0.001' bug assertion
# --json -: the report and nothing else.
heddle check --json - "$DATA/one_preemption.c"
[ "$status" -eq 1 ] && [ "$(head -c 1 out)" = '{' ] && [ "$(tail -n 1 out)" = '}' ] || fail "--json -: $(head -n 1 out)"
nothing_left strategies
finish
