#!/usr/bin/env bash
# Programs with OpenMP get the verdict that stands in their first line, with gcc and clang, and docs/openmp.md tells the truth.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

cp "$ROOT/examples/openmp/neighbours.c" .
check --cflags -fopenmp neighbours.c
expect 'neighbours' bug race
sed -n '/^\$ heddle check/,/^```/p' "$ROOT/docs/openmp.md" | sed '1d;$d' | sed 's/ *$//' >told
head -n "$(wc -l <told)" out | sed 's/ *$//' | cmp -s - told || fail 'docs/openmp.md shows another report'
finish
