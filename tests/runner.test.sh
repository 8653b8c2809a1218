#!/usr/bin/env bash
# Tests share one helper, cannot stop half-way and pass, and say how to run one of them alone.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

for script in "$ROOT"/tests/*.test.sh; do
    name=$(basename "$script")
    grep -qE '^(\.|source) .*data/common\.sh"$' "$script" || fail "$name does not use data/common.sh"
    [ "$(tail -n 1 "$script")" = finish ] || fail "$name: the last line is not 'finish'"
    [ "$(grep -c '^finish$' "$script")" -eq 1 ] || fail "$name: there is a 'finish' before the end"
    sed -n '2p' "$script" | grep -q '^# ' || fail "$name: the second line does not say what holds"
done

# A tree with its own tests: run.sh and the helper as they are here.
mkdir -p tree/tests/data
cp "$ROOT/tests/run.sh" tree/tests
cp "$ROOT/tests/data/common.sh" tree/tests/data
with='. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"'
printf '%s\n' "$with" finish >tree/tests/right.test.sh
printf '%s\n' "$with" 'fail "it is not so"' finish >tree/tests/wrong.test.sh
printf '%s\n' "$with" 'exit 0' finish >tree/tests/half.test.sh

# runs STATUS NAME…: run.sh with these tests, as somebody calls it.
runs() {
    local wanted=$1
    shift
    env -u ROOT -u HEDDLE BUILD="$work/built" tree/tests/run.sh "$@" >out 2>err
    status=$?
    [ $status -eq "$wanted" ] || fail "run.sh $*: status $status instead of $wanted: $(cat out err)"
}

runs 0 right
says right '^ok +right '
says_not right 'to run it alone'
runs 1
says all '^FAIL +wrong '
says all '^      it is not so$'
says all "^      to run it alone: BUILD=$work/built tests/run.sh wrong\$"
says all '^      the script ended before its last line$'
says all '^1 passed, 2 failed$'
runs 2 rihgt
grep -q "there is no test 'rihgt'" err || fail "a test that is not there: $(cat err)"
finish
