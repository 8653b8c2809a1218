#!/usr/bin/env bash
# heddle_test, folders, --list, --test, --names, and the exit status of several tests together.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
cp -r "$DATA/suite" tests

# refused ARGUMENT…: wrong use.
refused() {
    heddle "$@"
    [ "$status" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || fail "heddle $*: status $status, $(cat err)"
    nothing_left "heddle $*"
}

# A file with tests: each by itself, in the order of the file, with a summary, reports and totals.
heddle check --explain 1 tests/counter.c
[ "$status" -eq 1 ] || fail "counter.c: status $status instead of 1"
says counter.c '^  both lock +verified +[0-9]+ executions +[0-9.]+ s$'
says counter.c '^  neither locks, at all +bug +1 execution +[0-9.]+ s  race$'
says counter.c '^  one counts wrong +bug .* assertion$'
says counter.c '^== tests/counter.c: one counts wrong$'
says counter.c '^3 tests: 1 verified, 2 bug; [0-9]+ executions, '
[ "$(grep -c 'assumptions:' out)" -eq 0 ] || fail 'assumptions of a program that needs none'
[ "$(sed -n '2,4s/^  \([a-z]*\) .*/\1/p' out | tr '\n' ' ')" = 'both neither one ' ] || fail "order: $(sed -n 2,4p out)"
nothing_left counter.c
heddle check --explain 0 --races off tests/counter.c
[ "$(grep -c 'assumptions:' out)" -eq 1 ] || fail 'assumptions are not said once'
rm -f ./*.hd
heddle check --explain 1 tests/counter.c
# The schedules have the tests' names, and replay.
for schedule in counter.neither-locks-at-all.race.hd counter.one-counts-wrong.assertion.hd; do
    [ -s $schedule ] || fail "no $schedule: $(ls)"
    heddle replay $schedule
    [ "$status" -eq 1 ] || fail "replay $schedule: status $status"
done

# A folder: its sources that can run, and a word about those that cannot.
for list in '' --list; do
    heddle check $list --explain 1 tests
    [ "$status" -eq 1 ] || fail "check $list tests: status $status instead of 1"
    says "check $list tests" '^4 tests: 2 verified, 2 bug;'
    says "check $list tests" '^  tests/plain.c +verified'
    grep -q 'helper.c has neither' err || fail "check $list tests: nothing about helper.c: $(cat err)"
done
heddle check --list --explain 1 tests/plain.c tests/counter.c
says '--list with files' '^4 tests: 2 verified, 2 bug;'

# Names only, and a choice of tests.
heddle check --names tests
printf '%s\n' 'tests/counter.c: both lock' 'tests/counter.c: neither locks, at all' 'tests/counter.c: one counts wrong' \
    tests/plain.c | cmp -s - out || fail "--names: $(cat out)"
[ "$status" -eq 0 ] || fail "--names: status $status"
heddle check --test 'both*' tests
[ "$status" -eq 0 ] || fail "--test: status $status instead of 0"
says --test '^1 test: 1 verified;'
refused check --test 'no such*' tests/counter.c
refused check --schedule one.hd tests/counter.c
refused check tests/counter.c -- argument
mkdir without
refused check without
cp tests/helper.c without
heddle check without
[ "$status" -eq 2 ] || fail "a folder without tests: status $status"

# The program that was built elsewhere.
"$HEDDLE" cc -O1 -g -o built tests/counter.c || fail 'counter.c does not link'
heddle check --test 'both lock' ./built
[ "$status" -eq 0 ] || fail "built: status $status"
says built '^  both lock +verified'

# The worst verdict decides: what could not be checked, a bug, incomplete, verified.
echo 'int main(void) { return undeclared; }' >wrong.c
together() {
    local expected=$1
    shift
    heddle check --list --explain 1 "$@"
    [ "$status" -eq "$expected" ] || fail "check --list $*: status $status instead of $expected: $(tail -n 6 out)"
}
together 0 tests/plain.c
together 3 tests/plain.c "$CASES/file_outside.c"
together 1 tests/plain.c "$CASES/file_outside.c" "$CASES/race.c"
together 1 "$CASES/race.c" tests/plain.c "$CASES/file_outside.c"
together 2 tests/plain.c "$CASES/file_outside.c" "$CASES/race.c" wrong.c
says 'a source that does not compile' '^4 tests: 1 verified, 1 incomplete, 1 bug, 1 error;'
together 2 wrong.c tests/plain.c
together 3 --max-executions 1 tests/plain.c
says '--max-executions 1' 'the bound of 1 execution was reached'

# JSON of several tests.
heddle check --explain 1 --json - tests
jq -e '.version == 1 and .verdict == "bug" and .counts.verified == 2 and .counts.bug == 2 and (.tests | length) == 4
    and .tests[0].test == "both lock" and .tests[0].program == "tests/counter.c" and .tests[0].verdict == "verified"
    and .tests[1].bugs[0].kind == "race" and (.tests[3] | has("test") | not)' out >/dev/null || fail "JSON: $(head -n 40 out)"

# What a search that did not cover everything says for itself is said for each test; and each goes over by itself to what
# follows `optimal` under --time.
heddle check --strategy pct --max-executions 50 --test 'both lock' tests/counter.c
says 'tests and pct' '^  a bug of depth 3 is found by one execution with a probability of at least'
heddle check --list --strategy bounded --preemptions 1 "$DATA/two_preemptions.c"
says 'tests and bounded' '^  every execution with at most 1 preemption was covered$'
heddle check --list --time 3 --cflags -DNDEBUG --json - "$DATA/early_bug.c" tests/plain.c
[ "$status" -eq 3 ] || fail "--list --time 3: status $status instead of 3"
jq -e '.tests[0].strategy == "portfolio" and ([.tests[0].phases[].strategy] | .[0] == "optimal" and any(. == "sample"))
    and .tests[1].verdict == "verified" and .tests[1].strategy == "optimal"' out \
    >/dev/null || fail "--list --time 3: $(grep -v '"events"' out | head -n 60)"

# Two tests whose names look the same in a file's name; and two of the same name, which cannot be told apart.
printf '#include <heddle/heddle.h>\nheddle_test("a b") { heddle_assert(0); }\nheddle_test("a-b") { heddle_assert(0); }\n' >twins.c
heddle check --explain 0 twins.c
[ -s twins.a-b.assertion.hd ] && [ -s twins.a-b~2.assertion.hd ] || fail "twins: $(ls twins*)"
printf '#include <heddle/heddle.h>\nheddle_test("a") { }\nheddle_test("a") { }\n' >same.c
refused check same.c
printf '#include <heddle/heddle.h>\nheddle_test("") { }\n' >nameless.c
refused check nameless.c

# Interrupted: while it compiles, which is no fault of the source; and between tests.
printf '#!/bin/sh\ncase " $* " in *" -c "*) echo $$ >pid && exec sleep 30 ;; esac\nexec gcc "$@"\n' >slow
chmod +x slow
HEDDLE_CC=$PWD/slow env --default-signal=INT "$HEDDLE" check tests/plain.c >out 2>err </dev/null &
heddle=$!
for ((tries = 0; tries < 300; tries++)); do [ -s pid ] && break || sleep 0.1; done
kill -INT $heddle
wait $heddle
status=$?
[ $status -eq 130 ] || fail "interrupted compiler: status $status instead of 130"
[ "$(cat err)" = 'heddle: interrupted while tests/plain.c was being compiled' ] || fail "interrupted compiler: $(cat err)"
nothing_left 'an interrupted compiler'

# Without heddle, by every compiler: all tests in turn.
native() {
    local ending=$1
    shift
    cp tests/counter.c "native.$ending"
    "$@" -Wall -Wextra -Werror -I"$ROOT/include" -o native "native.$ending" -pthread || { fail "$*: does not compile" && return; }
    ./native >out 2>err
    [ $? -eq 1 ] || fail "$*: status is not 1"
    printf 'ok 1 - both lock\nok 2 - neither locks, at all\nnot ok 3 - one counts wrong (signal 6)\n' | cmp -s - out ||
        fail "$*: $(cat out err)"
    ./native --test 'both lock' >out && [ ! -s out ] || fail "$* --test: $(cat out)"
    [ "$(./native --names | head -n 1)" = 'both lock' ] || fail "$* --names: $(./native --names)"
    ! ./native --test nothing 2>err || fail "$*: a test that is not there passes"
}
native c gcc
native c gcc -O2
native c clang -O2
native cc g++ -O1
native cc clang++
printf '#define HEDDLE_OWN_MAIN\n#include <heddle/heddle.h>\nheddle_test("a") { }\nint main(int n, char **v) { return heddle_run_tests(n, v); }\n' >own.c
gcc -I"$ROOT/include" own.c -o own && [ "$(./own)" = 'ok 1 - a' ] || fail 'a main of its own'
heddle check own.c
[ "$status" -eq 0 ] || fail "own.c: status $status: $(cat err)"
"$HEDDLE" c++ -c -x c++ tests/counter.c -o counter.o && "$HEDDLE" c++ counter.o -o cxx || fail 'C++ does not link'
heddle check --test 'both lock' ./cxx
[ "$status" -eq 0 ] || fail "C++: status $status: $(cat out err)"
HEDDLE_CC=clang heddle check --test 'both lock' tests/counter.c
[ "$status" -eq 0 ] || fail "clang: status $status: $(cat out err)"
finish
