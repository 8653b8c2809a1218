#!/usr/bin/env bash
# bench/command.sh: seconds of whole commands, from the shell's point of view: `heddle check` on a small example and on a folder of
# 100 copies of it that differ, the first time and again, beside the compiler alone. Best of REPEATS (5).
. "$(dirname "$(readlink -f "$0")")/common.sh"
REPEATS=${REPEATS:-5}
EXAMPLE=$ROOT/examples/ticket_lock.c

export HEDDLE_CACHE=$work/cache

# best BEFORE COMMAND…: its seconds, the least of all repetitions, each after BEFORE.
best() {
    local before=$1 least=
    shift
    for _ in $(seq "$REPEATS"); do
        $before
        local start=$EPOCHREALTIME
        "$@" >/dev/null 2>&1 || { echo "command.sh: '$*' failed" >&2; exit 1; }
        least=$(awk -v a="$start" -v b="$EPOCHREALTIME" -v l="${least:-999}" 'BEGIN { s = b - a; print s < l ? s : l }')
    done
    printf '%.3f s' "$least"
}

forget() { rm -rf "$HEDDLE_CACHE"; }

mkdir hundred
for i in $(seq 100); do { cat "$EXAMPLE" && echo "// $i"; } >"hundred/test$i.c"; done
cp "$EXAMPLE" small.c
printf '%-44s %s\n' "gcc -O1 -g of $(basename "$EXAMPLE")" "$(best : gcc -O1 -g -pthread small.c -o small)"
printf '%-44s %s\n' 'heddle check of it, the first time' "$(best forget "$HEDDLE" check small.c)"
printf '%-44s %s\n' 'heddle check of it, again' "$(best : "$HEDDLE" check small.c)"
printf '%-44s %s\n' 'a folder of 100, -j 2, the first time' "$(best forget "$HEDDLE" check -j 2 hundred)"
printf '%-44s %s\n' 'a folder of 100, -j 2, again' "$(best : "$HEDDLE" check -j 2 hundred)"
