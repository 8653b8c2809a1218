#!/usr/bin/env bash
# cases.sh BUILD COUNT [FIRST [KIND]]: builds the protocols of fuzz_cases and runs it.
set -eu
ROOT=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wraps=$(printf -- '-Wl,--wrap=%s ' malloc free calloc realloc strdup strndup __assert_fail memcpy memmove memset memcmp strcpy strncpy strcat strlen)
hooks='-fsanitize=kernel-address --param=asan-stack=0 --param=asan-globals=0 --param=asan-instrumentation-with-call-threshold=0'
for name in cases random; do
    # shellcheck disable=SC2086
    gcc -w -DBROKEN -O2 -shared -fPIC $hooks -I"$ROOT/include" -I"$ROOT/tests/data/cluster" -Wl,-z,now $wraps -o "$work/$name.so" "$ROOT/tests/data/cluster/$name.c"
done
"$1/tests/fuzz/fuzz_cases" "$work/cases.so" "$work/random.so" "$2" "${@:3}"
