#!/usr/bin/env bash
# Runs the unit tests (build/tests/unit/*) and every tests/*.test.sh, each in an empty directory of its own that is
# removed afterwards. One line per test; what a failing test printed follows its line. Status 1 if one failed.
#
# run.sh [NAME…] runs only the tests with these names. A script gets HEDDLE (the command), ROOT (the source tree) and
# CASES (the programs in tests/programs); it passes by exit status 0.
set -u
ROOT=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
BUILD=${BUILD:-$ROOT/build}
HEDDLE=$BUILD/heddle
CASES=$ROOT/tests/programs
export ROOT BUILD HEDDLE CASES

scratch=$(mktemp -d) || exit 2
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
export TMPDIR=$scratch/tmp
mkdir "$TMPDIR"
passed=0 failed=0

# wanted NAME ARGUMENT…: whether NAME is among the arguments, or there are none.
wanted() {
    local name=$1 each
    shift
    [ $# -eq 0 ] && return 0
    for each; do [ "$each" = "$name" ] && return 0; done
    return 1
}

# run NAME COMMAND…
run() {
    local name=$1 start=$SECONDS
    shift
    mkdir "$scratch/work"
    if (cd "$scratch/work" && "$@") >"$scratch/output" 2>&1 </dev/null; then
        passed=$((passed + 1))
        echo "ok    $name ($((SECONDS - start)) s)"
    else
        failed=$((failed + 1))
        echo "FAIL  $name ($((SECONDS - start)) s)"
        sed 's/^/      /' "$scratch/output"
    fi
    chmod -R u+w "$scratch/work"
    rm -rf "$scratch/work"
}

for test in "$BUILD"/tests/unit/*; do
    [ -x "$test" ] && [ -f "$test" ] && wanted "$(basename "$test")" "$@" && run "$(basename "$test")" "$test"
done
if [ -z "${UNIT_ONLY:-}" ]; then
    for test in "$ROOT"/tests/*.test.sh; do
        [ -f "$test" ] && wanted "$(basename "$test" .test.sh)" "$@" && run "$(basename "$test" .test.sh)" bash "$test"
    done
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
