#!/usr/bin/env bash
# Runs the unit tests (build/tests/unit/*) and every tests/*.test.sh, each in an empty directory of its own that is
# removed afterwards, JOBS of them at a time (one more than there are processors, since some wait). One line per test, with
# its time and its processor time; after the line of a failing test come what it printed and the command that runs it alone.
# Status 1 if one failed.
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
jobs=${JOBS:-$(($(nproc) + 1))}
# Those that take longest: they are begun first, or one of them would run alone in the end.
longest=(real frameworks cxx programs fuzz protocols lin lin_repair cluster adding descriptors openmp bounds assembly gdb restart strategies robustness)

# exists NAME: whether there is such a test.
exists() { [ -f "$ROOT/tests/$1.test.sh" ] || { [ -f "$BUILD/tests/unit/$1" ] && [ -x "$BUILD/tests/unit/$1" ]; }; }

# all_names: of all tests, in the order in which they are begun.
all_names() {
    local test scripts=("$ROOT"/tests/*.test.sh)
    [ -z "${UNIT_ONLY:-}" ] || longest=() scripts=()
    for test in "${longest[@]}" "$BUILD"/tests/unit/* "${scripts[@]}"; do basename "$test" .test.sh; done |
        awk '!seen[$0]++' | while IFS= read -r test; do ! exists "$test" || echo "$test"; done
}

# alone NAME: the command that runs this test and no other.
alone() {
    local variables=
    [ "$BUILD" = "$ROOT/build" ] || variables="BUILD=$BUILD "
    echo "${variables}tests/run.sh $1"
}

# processor_time: of the children, as `times` says it, in seconds.
processor_time() { awk -F '[ms ]+' 'NR == 2 { printf "%.1f s", 60 * $1 + $2 + 60 * $3 + $4 }'; }

# try NAME COMMAND…: runs it in a directory of its own, with one for temporary files beside it, and says how it went.
try() {
    local name=$1 own=$scratch/$1 start=$SECONDS result=FAIL
    shift
    mkdir "$own" "$own/work" "$own/tmp"
    (cd "$own/work" && TMPDIR=$own/tmp "$@") >"$own/output" 2>&1 </dev/null && result=ok
    times >"$own/times"
    echo "$result" >>"$scratch/results"
    {
        printf '%-5s %s (%d s, %s of a processor)\n' "$result" "$name" "$((SECONDS - start))" "$(processor_time <"$own/times")"
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

for name; do
    exists "$name" || { echo "run.sh: there is no test '$name'" >&2 && exit 2; }
done

: >"$scratch/results"
[ $# -gt 0 ] || { mapfile -t names < <(all_names) && set -- "${names[@]}"; }
for name; do
    if [ -f "$ROOT/tests/$name.test.sh" ]; then
        run "$name" bash "$ROOT/tests/$name.test.sh"
    else
        run "$name" "$BUILD/tests/unit/$name"
    fi
done
wait
passed=$(grep -c '^ok$' "$scratch/results")
failed=$(grep -c '^FAIL$' "$scratch/results")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
