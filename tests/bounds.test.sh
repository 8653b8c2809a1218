#!/usr/bin/env bash
# Accesses outside of heap blocks and to dead stacks are seen, and nothing else is accused: with both compilers and levels.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

compilers=gcc
type clang >/dev/null 2>&1 && compilers="gcc clang"
for program in "$ROOT"/tests/bounds/*.c; do
    name=$(basename "$program" .c)
    line=$(head -n 1 "$program")
    options=
    case $line in *options:*) options=${line#*options: } ;; esac
    line=${line%% options:*}
    read -r verdict kind <<<"${line#// expect: }"
    for compiler in $compilers; do
        for level in -O0 -O2; do
            # shellcheck disable=SC2086
            HEDDLE_CC=$compiler check --cflags "$level" $options "$program"
            expect "$name with $compiler $level" "$verdict" "$kind"
        done
    done
done
finish
