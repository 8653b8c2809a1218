#!/bin/sh
# Runs of a runtime that counts (make pgo): bench/training/run.sh BUILD
set -eu
here=$(dirname "$0")
for program in accounts pipeline registry mailbox; do
    for search in "" "--strategy optimal --symmetry off" "--strategy states"; do
        # shellcheck disable=SC2086 # the words of $search are options
        "$1/heddle" check $search --max-executions 100000 "$here/$program.c" > /dev/null || [ $? -eq 3 ]
    done
done
[ -n "$(find "$1/profile" -name '*.gcda' | head -1)" ] || { echo "run.sh: nothing was counted in $1/profile" >&2; exit 1; }
