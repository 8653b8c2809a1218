#!/usr/bin/env bash
# bench/seed.sh [quick]: the subjects of the thesis of Inspect (Yang, Utah 2009), written anew in bench/seed as far as its text
# goes, beside what the thesis prints for them: executions and seconds of its plain DPOR, of 2008, with the table they stand in.
# Of aget, indexer and fsbench the number of executions has to be the printed one; the others are other programs than those of
# the thesis, and only the verdict has to be right. Status 1 if one is not. LIMIT (60) seconds for each; quick leaves out the long ones.
. "$(dirname "$(readlink -f "$0")")/common.sh"
LIMIT=${LIMIT:-60}
QUICK=${1:-}
failed=0

# Lines that are neither blank nor comment.
lines_of() { grep -cvE '^[[:space:]]*(//.*)?$' "$1"; }

wrong() {
    echo "bench: $*" >&2
    failed=1
}

# row NAME FILE THREADS FLAGS EXPECTED EXECUTIONS PRINTED SECONDS TABLE: EXPECTED is verified, the kind of a bug, or any for a search
# that may not end in time; EXECUTIONS are those it has to take, or -; what the thesis prints, or -.
row() {
    local name=$1 file=$ROOT/bench/$2 threads=$3 flags=$4 expected=$5 executions=$6 answer
    "$HEDDLE" check --json report.json --strategy optimal --time "$LIMIT" --explain 0 --cflags "-O2 $flags" "$file" >out 2>&1
    answer=$(field verdict)
    [ "$answer" = bug ] && answer=$(sed -n 's/^			"kind":[[:space:]]*"\([^"]*\)".*/\1/p' report.json | head -n 1)
    [ "$expected" = any ] || [ "$answer" = "$expected" ] || wrong "$name: $expected expected, got '$answer': $(head -n 2 out)"
    [ "$executions" = - ] || [ "$(field executions)" = "$executions" ] ||
        wrong "$name, $threads threads: $executions executions expected, got $(field executions)"
    [ "$answer" = incomplete ] && answer="not in ${LIMIT}s"
    printf '%-14s %7s %5s %10s  %-12s %8.2f   %10s %9s  %s\n' "$name" "$threads" "$(lines_of "$file")" "$(field executions)" \
        "$answer" "$(field seconds)" "$7" "$8" "$9"
}

# long ROW…: one that the quick form leaves out.
long() { [ "$QUICK" = quick ] || row "$@"; }

printf '%-14s %7s %5s %10s  %-12s %8s   %10s %9s  %s\n' '' '' '' '' '' '' 'the thesis' '' '' \
    subject threads lines executions verdict seconds executions seconds table
row  aget      seed/aget.c 3 '-DTHREADS=3 -DCHUNKS=7' verified 3432 3,432 183 5.1
long aget      seed/aget.c 6 '-DTHREADS=6 -DCHUNKS=2' verified 113400 113,400 5662.96 6.1
row  aget-bug  seed/aget.c 4 '-DTHREADS=4 -DBUG' race - 1009k 29100 7.1
row  fsbench   programs/filesystem.c 26 -DN=26 verified 8192 8,192 291.32 6.1
row  indexer   programs/indexer.c 16 -DN=16 verified 32768 32,768 1188.73 6.1
row  pfscan    seed/pfscan.c 3 -DTHREADS=3 verified - 84 1 4.1
long pfscan    seed/pfscan.c 4 -DTHREADS=4 any - 13.6k 241 4.1
row  pfscan-bug seed/pfscan.c 3 '-DTHREADS=3 -DBUG' deadlock - 120 2 7.1
row  pfscan-bug seed/pfscan.c 4 '-DTHREADS=4 -DBUG' deadlock - 28079 389 7.1
row  bzip2smp  seed/bzip2smp.c 4 -DTHREADS=4 verified - 1465 128 5.1
row  bzip2smp  seed/bzip2smp.c 5 -DTHREADS=5 verified - 2316 203 5.1
long bzip2smp  seed/bzip2smp.c 6 -DTHREADS=6 verified - 3167 287 5.1
row  bzip2smp-bug seed/bzip2smp.c 4 '-DTHREADS=4 -DBUG' race - - - -
row  bbuf      seed/bbuf.c 4 -DTHREADS=4 verified - 47k 938 4.1
row  'bbuf, 2 items' seed/bbuf.c 4 '-DTHREADS=4 -DITEMS=2' verified - 47k 938 4.1
long bbuf      seed/bbuf.c 8 -DTHREADS=8 any - 1,938,816 39710.43 6.1
row  bbuf-bug  seed/bbuf.c 4 '-DTHREADS=4 -DBUG' deadlock - - - -
row  qsort     seed/qsort.c 2 -DTHREADS=2 verified - 4 17 5.1
row  qsort-bug seed/qsort.c 2 '-DTHREADS=2 -DBUG' deadlock - - - -
exit $failed
