#!/usr/bin/env bash
# bench/restart.sh: what starting an execution again costs, by undoing, by replaying, by both with a comparison of all memory,
# and by a process for each: nanoseconds per execution, best of REPEATS (5), in one run on one machine.
set -u
ROOT=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
HEDDLE=${HEDDLE:-${BUILD:-$ROOT/build}/heddle}
REPEATS=${REPEATS:-5}
TABLE="critical -DK=5  252
critical -DK=6  924
readers  -DN=8  256
writers  -DN=5  720"

work=$(mktemp -d) || exit 2
trap 'cd /; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2
export TMPDIR=$work

field() { sed -n "s/^	\"$1\":[[:space:]]*\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" report.json | head -n 1; }

# cost MODE EXECUTIONS: of ./program, in nanoseconds; its verdict and its number of executions have to be right.
cost() {
    local i
    for ((i = 0; i < REPEATS; i++)); do
        "$HEDDLE" check --restart "$1" --json report.json ./program >out 2>&1
        if [ "$(field verdict) $(field executions) $(field restart)" != "verified $2 $1" ]; then
            echo "bench: --restart $1: verified, $2 executions expected: $(head -n 2 out)" >&2
            return 1
        fi
        field seconds
    done | sort -g | head -n 1 | awk -v n="$2" '{ printf "%.0f", $1 / n * 1e9 }'
}

failed=0
printf '\n%-16s %10s %12s %12s %12s %12s   %s\n' 'ns an execution' executions undo replay verify fork 'fork / undo'
while read -r name flag executions; do
    "$HEDDLE" cc -O2 "$flag" -o program "$ROOT/bench/programs/$name.c" || exit 1
    row=()
    for mode in undo replay verify fork; do
        row+=("$(cost $mode "$executions")")
        [ -n "${row[-1]}" ] || failed=1
    done
    printf '%-16s %10s %12s %12s %12s %12s   %s\n' "$name $flag" "$executions" "${row[@]}" \
        "$(awk -v a="${row[3]:-0}" -v b="${row[0]:-0}" 'BEGIN { if (b > 0) printf "%.0f", a / b; else print "-" }')"
done <<<"$TABLE"
exit $failed
