#!/usr/bin/env bash
# Runs the unit tests (build/tests/unit/*) and every tests/*.test.sh, each in an empty directory of its own that is
# removed afterwards, JOBS of them at a time (as many as there are processors). One line per test; after the line of a
# failing test come what it printed and the command that runs it alone. Status 1 if one failed.
#
# run.sh [NAME…] runs only the tests with these names: a unit test, or a script without .test.sh. A script gets HEDDLE (the
# command), ROOT (the source tree) and BUILD (where it was built); it passes by exit status 0. tests/README.md says more.
set -u
ROOT=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
BUILD=${BUILD:-$ROOT/build}
HEDDLE=$BUILD/heddle
export ROOT BUILD HEDDLE
export HEDDLE_CACHE=off # so that no test depends on what another one built

scratch=$(mktemp -d) || exit 2
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
jobs=${JOBS:-$(nproc)}

# wanted NAME ARGUMENT…: whether NAME is among the arguments, or there are none.
wanted() {
    local name=$1 each
    shift
    [ $# -eq 0 ] && return 0
    for each; do [ "$each" = "$name" ] && return 0; done
    return 1
}

# alone NAME: the command that runs this test and no other.
alone() {
    local variables=
    [ "$BUILD" = "$ROOT/build" ] || variables="BUILD=$BUILD "
    echo "${variables}tests/run.sh $1"
}

# try NAME COMMAND…: runs it in a directory of its own, with one for temporary files beside it, and says how it went.
try() {
    local name=$1 own=$scratch/$1 start=$SECONDS result=FAIL
    shift
    mkdir "$own" "$own/work" "$own/tmp"
    (cd "$own/work" && TMPDIR=$own/tmp "$@") >"$own/output" 2>&1 </dev/null && result=ok
    echo "$result" >>"$scratch/results"
    {
        printf '%-5s %s (%d s)\n' "$result" "$name" "$((SECONDS - start))"
        [ "$result" = ok ] || sed 's/^/      /' "$own/output"
        [ "$result" = ok ] || echo "      to run it alone: $(alone "$name")"
    } >"$own/told"
    cat "$own/told"
    chmod -R u+w "$own"
    rm -rf "$own"
}

# run NAME COMMAND…: when fewer than $jobs others are running.
run() {
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    try "$@" &
}

# exists NAME: whether there is such a test.
exists() { [ -f "$ROOT/tests/$1.test.sh" ] || [ -x "$BUILD/tests/unit/$1" ]; }
for name; do
    exists "$name" || { echo "run.sh: there is no test '$name'" >&2 && exit 2; }
done

: >"$scratch/results"
for test in "$BUILD"/tests/unit/*; do
    [ -x "$test" ] && [ -f "$test" ] && wanted "$(basename "$test")" "$@" && run "$(basename "$test")" "$test"
done
if [ -z "${UNIT_ONLY:-}" ]; then
    for test in "$ROOT"/tests/*.test.sh; do
        [ -f "$test" ] && wanted "$(basename "$test" .test.sh)" "$@" && run "$(basename "$test" .test.sh)" bash "$test"
    done
fi
wait
passed=$(grep -c '^ok$' "$scratch/results")
failed=$(grep -c '^FAIL$' "$scratch/results")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
