#!/usr/bin/env bash
# bench/undo_check.sh: what being sure costs, in one run on one machine, the ways in turns, best of REPEATS (15).
#
# First the searches of bench/run.sh by undo: executions/s without a look at what undo left (--undo-check off), with a look now
# and then, which is the default, and with one at every branch. Then bugs: seconds of the whole command up to the report of the
# first one, which includes running it again in a fresh process; BASE=HEDDLE is a heddle from before to compare with.
. "$(dirname "$(readlink -f "$0")")/common.sh"
REPEATS=${REPEATS:-15}
TABLE="critical   -DK=9  48620
critical   -DK=5  252
readers    -DN=16 65536
writers    -DN=7  40320
indexer    -DN=16 32768
lastzero   -DN=12 15360
filesystem -DN=26 8192"

best() { sort -g "$1" | head -n 1; }
rate() { awk -v n="$1" -v s="$2" 'BEGIN { printf "%.0fk", n / s / 1e3 }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a / b }'; }

# search WAY EXECUTIONS: seconds of one search of ./program; it has to be by undo, verified, and that long.
search() {
    "$HEDDLE" check --strategy optimal --undo-check "$1" --json report.json ./program >out 2>&1
    [ "$(field verdict) $(field restart) $(field executions)" = "verified undo $2" ] && field seconds && return
    echo "bench: --undo-check $1: $(head -n 2 out)" >&2
    return 1
}

failed=0
printf '\n%-18s %7s  %7s %7s %7s  %7s %7s\n' 'undo-check' execs off on always on/off always
while read -r name flag executions; do
    "$HEDDLE" cc -O2 "$flag" -o program "$ROOT/bench/programs/$name.c" || exit 1
    rm -f off on always
    for ((i = 0; i < REPEATS; i++)); do
        for way in off on always; do
            [ $way = always ] && [ $i -gt 2 ] && continue # a hundred times slower, and nobody waits for it
            search $way "$executions" >>$way || failed=1
        done
    done
    off=$(best off) on=$(best on) always=$(best always)
    printf '%-18s %7s  %7s %7s %7s  %7s %7s\n' "$name $flag" "$executions" "$(rate "$executions" "$off")" \
        "$(rate "$executions" "$on")" "$(rate "$executions" "$always")" "$(ratio "$on" "$off")" "$(ratio "$always" "$off")"
done <<<"$TABLE"

# report HEDDLE PROGRAM: seconds of a command that finds a bug and tells it.
report() {
    local start=$EPOCHREALTIME
    "$1" check --explain 0 "$2" >out 2>&1
    [ $? -eq 1 ] || echo "bench: no bug: $(head -n 1 out)" >&2
    awk -v a="${start/,/.}" -v b="${EPOCHREALTIME/,/.}" 'BEGIN { printf "%.4f\n", b - a }'
}

printf '\n%-26s %9s %9s %7s\n' 'to the first bug' seconds base ratio
for name in ${BUGS:-bounded_buffer_wrong dining_philosophers_wrong treiber_stack_wrong}; do
    source=$ROOT/examples/$name.c
    [ -f "$source" ] || continue
    rm -f own base
    "$HEDDLE" cc -O1 -g -o own.exe "$source" || exit 1
    [ -z "${BASE:-}" ] || "$BASE" cc -O1 -g -o base.exe "$source" || exit 1
    for ((i = 0; i < REPEATS; i++)); do
        report "$HEDDLE" ./own.exe >>own
        [ -z "${BASE:-}" ] || report "$BASE" ./base.exe >>base
    done
    printf '%-26s %9s' "$name" "$(best own)"
    [ -z "${BASE:-}" ] && echo || printf ' %9s %7s\n' "$(best base)" "$(ratio "$(best own)" "$(best base)")"
done
exit $failed
