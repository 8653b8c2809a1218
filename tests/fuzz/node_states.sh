#!/usr/bin/env bash
# node_states.sh BUILD COUNT [FIRST]: builds the random protocol for fuzz_node_states in its kinds, and runs it.
set -eu
ROOT=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wraps=$(printf -- '-Wl,--wrap=%s ' malloc free calloc realloc strdup strndup __assert_fail)
objects=
for flags in RIGHT OBSERVED DRAWN SYMMETRIC 'SYMMETRIC FORGETS' FORGETS 'FORGETS FORGETS_WRONG' BROKEN; do
    object=$work/${flags// /-}.so
    # shellcheck disable=SC2086
    gcc $(printf -- '-D%s ' $flags) -O2 -shared -fPIC -I"$ROOT/include" -Wl,-z,now $wraps -o "$object" "$ROOT/tests/data/cluster/random.c"
    objects="$objects $object"
done
# shellcheck disable=SC2086
TMPDIR=$work "$1/tests/fuzz/fuzz_node_states" $objects "$2" "${3:-1}"
