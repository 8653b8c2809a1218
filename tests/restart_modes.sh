#!/usr/bin/env bash
# tests/restart_modes.sh [SOURCE…]: checks each source (default: all examples and tests/programs, with the options of their
# first lines) with every way to start executions again, and compares verdicts, bugs and counts. Takes some minutes; `make
# check` does it for a sample.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
. "$DATA/restart/same.sh"
sources=("$@")
[ $# -gt 0 ] || sources=("$ROOT"/examples/*.c "$CASES"/*.c)
for source in "${sources[@]}"; do
    CUT=$(sed -n '1s|^// expect: incomplete.*|yes|p' "$source")
    # shellcheck disable=SC2046
    same "$source" $(sed -n '1s|^// expect:.*options:||p' "$source")
done
[ $failed -gt 0 ] || echo "${#sources[@]} programs: the same in every way"
finish
