#!/usr/bin/env bash
# bench/restart.sh: what starting an execution again costs, by undoing, by replaying, by undoing with a comparison of all
# memory, by a process for each, and by processes along the path: microseconds per execution, best of REPEATS (5), in one run
# on one machine. The last rows are long executions of which only the end differs.
. "$(dirname "$(readlink -f "$0")")/common.sh"
REPEATS=${REPEATS:-5}
SHORT=bench/programs
LONG=tests/data/restart/long.c
TABLE="$SHORT/critical.c 252 -DK=5
$SHORT/critical.c 924 -DK=6
$SHORT/readers.c  256 -DN=8
$SHORT/writers.c  720 -DN=5
$LONG 252 -DTURNS=5 -DROUNDS=500
$LONG 252 -DTURNS=5 -DROUNDS=5000"

# cost MODE EXECUTIONS: of ./program, in microseconds; its verdict and its number of executions have to be right.
cost() {
    local i
    for ((i = 0; i < REPEATS; i++)); do
        "$HEDDLE" check --strategy optimal --restart "$1" --json report.json ./program >out 2>&1
        if [ "$(field verdict) $(field executions) $(field restart)" != "verified $2 $1" ]; then
            echo "bench: --restart $1: verified, $2 executions expected: $(head -n 2 out)" >&2
            return 1
        fi
        field seconds
    done | sort -g | head -n 1 | awk -v n="$2" '{ printf "%.1f", $1 / n * 1e6 }'
}

failed=0
printf '\n%-20s %10s %10s %10s %10s %10s %10s   %s\n' 'µs an execution' executions undo replay verify fork checkpoint \
    'fork / undo'
while read -r source executions flags; do
    # shellcheck disable=SC2086
    "$HEDDLE" cc -O2 -pthread $flags -o program "$ROOT/$source" || exit 1
    row=()
    for mode in undo replay verify fork checkpoint; do
        row+=("$(cost $mode "$executions")")
        [ -n "${row[-1]}" ] || failed=1
    done
    printf '%-20s %10s %10s %10s %10s %10s %10s   %s\n' "$(basename "$source" .c) ${flags#-DTURNS=5 }" "$executions" "${row[@]}" \
        "$(awk -v a="${row[3]:-0}" -v b="${row[0]:-0}" 'BEGIN { if (b > 0) printf "%.0f", a / b; else print "-" }')"
done <<<"$TABLE"
exit $failed
