#!/usr/bin/env bash
# lin.sh [NAME…]: the objects of examples/lin as they should be, each under all its clients of 3 threads with 2 calls each. Which
# of them ended within LIMIT seconds (600), with how many clients, executions and states. Fails if one is accused.
set -u
cd "$(dirname "$0")/.." || exit 1
report=$(mktemp) || exit 1
trap 'rm -f "$report"' EXIT
[ $# -gt 0 ] || set -- $(basename -s .c examples/lin/*.c)

number() { sed -n "s/^		\"$1\":	\([0-9.]*\),\{0,1\}\$/\1/p" "$report"; }

printf '%-20s %-11s %8s %12s %9s %12s %12s %9s\n' object verdict clients executions 'by states' states 'most of one' seconds
bad=0
for name; do
    "${HEDDLE:-build/heddle}" lin "examples/lin/$name.c" --cflags -DBUG=0 --total 6 --time "${LIMIT:-600}" --repair 0 --json - >"$report"
    case $? in 0) verdict=verified ;; 3) verdict=incomplete ;; *) verdict=accused bad=1 ;; esac
    printf '%-20s %-11s %8s %12s %9s %12s %12s %9.1f\n' "$name" $verdict "$(number clients)" "$(number executions)" "$(number matched)" \
        "$(number states)" "$(number most_states)" "$(number seconds)"
done
exit $bad
