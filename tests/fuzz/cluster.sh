#!/usr/bin/env bash
# cluster.sh BUILD COUNT [FIRST]: builds the random protocol for fuzz_cluster, with right, wrong and random rules and with an observer, and runs it.
set -eu
ROOT=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wraps=$(printf -- '-Wl,--wrap=%s ' malloc free calloc realloc strdup strndup __assert_fail)
for flag in RIGHT WRONG_RULE SYMMETRIC RANDOM_RULES OBSERVED; do
    # shellcheck disable=SC2086
    gcc -D$flag -O2 -shared -fPIC -I"$ROOT/include" -Wl,-z,now $wraps -o "$work/$flag.so" "$ROOT/tests/data/cluster/random.c"
done
"$1/tests/fuzz/fuzz_cluster" "$work/RIGHT.so" "$work/WRONG_RULE.so" "$work/SYMMETRIC.so" "$work/RANDOM_RULES.so" "$work/OBSERVED.so" "$2" "${3:-1}"
