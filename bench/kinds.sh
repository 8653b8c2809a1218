#!/usr/bin/env bash
# Programs of the kinds that searches of executions leave open: do they get a verdict by default, within some time?
#
#     bench/kinds.sh [SECONDS [NAME…]]
#
# Prints a line for each, and how many got the verdict that their first line expects. Fails if one got another verdict, or fewer than
# two thirds got one.
. "$(dirname "$(readlink -f "$0")")/common.sh"
seconds=${1:-15}
shift

right=0 wrong=0 all=0
printf '%-16s %-10s %-11s %-10s %12s %12s %8s\n' program expected verdict strategy executions states seconds
for name in "${@:-}"; do
    for program in "$ROOT"/bench/kinds/${name:-*}.c; do
        expected=$(sed -n '1s|^// expect: \([a-z]*\).*|\1|p' "$program")
        options=$(sed -n '1s|.* options: ||p' "$program")
        rm -f report.json
        # shellcheck disable=SC2086
        timeout 120 "$HEDDLE" check --json report.json --explain 0 --time "$seconds" $options "$program" >out 2>err
        field() { sed -n "s/^	\"$1\":[[:space:]]*\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" report.json | head -n 1; }
        verdict=$(field verdict)
        all=$((all + 1))
        [ "$verdict" = "$expected" ] && right=$((right + 1))
        [ "$verdict" = "$expected" ] || [ "$verdict" = incomplete ] || wrong=$((wrong + 1))
        printf '%-16s %-10s %-11s %-10s %12s %12s %8.2f\n' "$(basename "$program" .c)" "$expected" "${verdict:-none}" \
            "$(field strategy)" "$(field executions)" "$(field states)" "$(field seconds)"
    done
done
echo "$right of $all have their verdict within $seconds s"
[ $wrong -eq 0 ] && [ $((right * 3)) -ge $((all * 2)) ]
