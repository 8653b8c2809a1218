#!/usr/bin/env bash
# cluster.sh BUILD COUNT [FIRST]: builds the random protocol for fuzz_cluster, with right, wrong and random rules, with an observer and with choices, and runs it.
set -eu
ROOT=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wraps=$(printf -- '-Wl,--wrap=%s ' malloc free calloc realloc strdup strndup __assert_fail)
objects=
for flags in RIGHT WRONG_RULE SYMMETRIC RANDOM_RULES OBSERVED DRAWN 'DRAWN SYMMETRIC' 'DRAWN OBSERVED'; do
    object=$work/${flags// /-}.so
    # shellcheck disable=SC2086
    gcc $(printf -- '-D%s ' $flags) -O2 -shared -fPIC -I"$ROOT/include" -Wl,-z,now $wraps -o "$object" "$ROOT/tests/data/cluster/random.c"
    objects="$objects $object"
done
# shellcheck disable=SC2086
"$1/tests/fuzz/fuzz_cluster" $objects "$2" "${3:-1}"
