#!/usr/bin/env bash
# Real programs, as they are and with a bug seeded, give the verdicts that docs/real-programs.md tells of (the short part of
# them). Their sources are fetched; where that cannot be done the test says so and passes.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

TMPDIR=$work/tmp "$ROOT/examples/real/run.sh" --short >rows 2>&1
case $? in
0) ;;
3) echo "skipped in part: $(grep 'cannot be fetched' rows)" >&2 ;;
*) fail "$(cat rows)" ;;
esac
grep -q 'executions' rows || grep -q 'cannot be fetched' rows || fail "nothing was checked: $(cat rows)"

# Every program is told of, and what is told of exists.
for name in $(cd "$ROOT/examples/real" && dirname -- */check.sh); do
    grep -q "examples/real/run.sh $name" "$ROOT/docs/real-programs.md" || fail "docs/real-programs.md does not tell of $name"
done
finish
