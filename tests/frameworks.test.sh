#!/usr/bin/env bash
# docs/frameworks.md is what a user with a suite of tests sees: every command in it is run here, on a copy of the project, and prints
# what it says. A framework that is not installed is left out, with a sentence.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
. "$DATA/transcript.sh"
mkdir -p examples/projects
cp -r "$ROOT/examples/projects/account" examples/projects

# there FRAMEWORK: whether a program can include it.
there() {
    case $1 in
    cmocka) echo '#include <cmocka.h>' ;;
    googletest) echo '#include <gtest/gtest.h>' ;;
    Catch2) echo '#include <catch2/catch.hpp>' ;;
    Check) echo '#include <check.h>' ;;
    Criterion) echo '#include <criterion/criterion.h>' ;;
    GLib) pkg-config --exists glib-2.0 && return ;;
    esac | g++ -fsyntax-only -include stdarg.h -include stddef.h -include stdint.h -include setjmp.h -xc++ - >/dev/null 2>&1
}

# section NAME: that part of the document, from the project's directory on.
section() { sed -n "/^## $1\$/,/^## /p" "$ROOT/docs/frameworks.md" | grep -v '^\$ cd '; }

cd examples/projects/account || exit 1
for framework in ${ONLY:-cmocka googletest Catch2 Check Criterion GLib}; do
    if there "$framework"; then
        section "$framework" >"$work/section.md"
        transcript "$work/section.md" 6
    else
        echo "$framework is not installed: its suite is left out"
    fi
done
cd "$work" || exit 1

# verdicts PROGRAM TEST=VERDICT…: of each of its tests, and of no other.
verdicts() {
    local program=$1 pair lines
    shift
    timeout -k 5 300 "$HEDDLE" check --explain 1 "$program" >out 2>err </dev/null
    lines=$(sed -n '2,/^$/p' out | grep -c 'execution')
    [ "$lines" -eq $# ] || fail "$program: $lines tests, not $#: $(cat out err)"
    for pair; do
        grep -q "^  ${pair%=*}  *${pair#*=} " out || fail "$program: no $pair in: $(sed -n '1,/^$/p' out)"
    done
}

if [ -z "${ONLY:-}" ] && there googletest && echo '#include <gmock/gmock.h>' | g++ -fsyntax-only -xc++ - 2>/dev/null; then
    "$HEDDLE" c++ -g "$DATA/frameworks/gtest_edges.cc" -lgmock -lgtest -o gtest_edges || fail 'gtest_edges cannot be built'
    verdicts ./gtest_edges Threads.AssertInThread=bug Threads.Skipped=verified Threads.Succeeds=verified Threads.Throws=bug \
        Mock.CalledOnce=bug Two/Parameter.IsSmall/0=verified Two/Parameter.IsSmall/1=bug
fi
if [ -z "${ONLY:-}" ] && there googletest; then
    "$HEDDLE" c++ -g "$DATA/frameworks/gtest_deaths.cc" -lgtest -lgtest_main -o gtest_deaths || fail 'gtest_deaths cannot be built'
    verdicts ./gtest_deaths Dies.Aborts=verified Dies.Exits=verified Dies.ExitsOtherwise=bug Dies.NotAtAll=bug \
        Dies.Killed=verified Dies.Says=verified Dies.SaysOtherwise=bug Dies.AfterThreads=verified Dies.BesideThreads=bug
fi
if [ -z "${ONLY:-}" ] && there Check; then
    "$HEDDLE" cc -g "$DATA/frameworks/check_edges.c" -lcheck -lsubunit -lm -lrt -o check_edges || fail 'check_edges cannot be built'
    verdicts ./check_edges exits=verified exits_otherwise=bug returns=bug aborts=verified asserts=verified raises=verified \
        raises_another=bug faults=verified faults_at_times=bug loops=bug exits_each_time=incomplete
fi
if [ -z "${ONLY:-}" ] && there Catch2; then
    "$HEDDLE" c++ -g0 -O1 "$DATA/frameworks/catch_edges.cc" -o catch_edges -lpthread || fail 'catch_edges cannot be built'
    verdicts ./catch_edges 'may fail=verified' 'should fail, always=verified' 'should fail at times=bug' 'has to hold=bug'
fi
if [ -z "${ONLY:-}" ] && there Criterion; then
    "$HEDDLE" cc -g "$DATA/frameworks/criterion_edges.c" -lcriterion -o criterion_edges || fail 'criterion_edges cannot be built'
    verdicts ./criterion_edges edges/exits=verified edges/exits_otherwise=bug edges/aborts=verified edges/faults=verified \
        edges/faults_at_times=bug edges/skipped=verified edges/skipped_at_times=bug edges/dies_at_times=bug
fi

# A main that asks which test to run, with and without heddle; and one whose tests a function of Unity runs.
if [ -z "${ONLY:-}" ]; then
    gcc -I"$ROOT/include" "$DATA/frameworks/plain_suite.c" -o plain_alone -pthread && ./plain_alone | grep -qx ok ||
        fail 'plain_suite without heddle'
    for compiler in gcc clang; do
        command -v $compiler >/dev/null || continue
        HEDDLE_CC=$compiler "$HEDDLE" cc -g -O2 "$DATA/frameworks/plain_suite.c" -o plain_suite -pthread || fail 'plain_suite cannot be built'
        ./plain_suite | grep -qx ok || fail 'plain_suite on its own'
        verdicts ./plain_suite test_safe=verified test_bad=bug test_more=verified
        HEDDLE_CC=$compiler "$HEDDLE" cc -g "$DATA/frameworks/unity_suite.c" "$DATA/frameworks/unity_runner.c" -o unity_suite -pthread
        verdicts ./unity_suite test_safe=verified test_bad=bug
    done
    "$HEDDLE" check --names ./plain_suite >out 2>err
    [ "$(cat out)" = "./plain_suite: test_safe
./plain_suite: test_bad
./plain_suite: test_more" ] || fail "names of plain_suite: $(cat out err)"
fi
nothing_left frameworks
finish
