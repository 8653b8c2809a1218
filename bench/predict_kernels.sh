#!/usr/bin/env bash
# bench/predict_kernels.sh [RECORDINGS (20)]: the kernels of examples/predict, each recorded so often in ordinary runs, and its corrected
# twin as often. A row says in how many recordings the bug was confirmed as harmful, of which kinds, and in how many the twin was
# accused of anything. MySQL-169 has to be found as pattern 3 in both orders, each confirmed as harmful: the delete between an insert and
# its entry in the log, and the insert between a delete and its entry (the seed's trails p24 and p23). Status 1 if a kernel or an
# order was missed, or a twin accused.
. "$(dirname "$(readlink -f "$0")")/common.sh"
recordings=${1:-20}

# record NAME: a run in which nothing goes wrong; now and then something does.
record() {
    for _ in {1..20}; do
        "$HEDDLE" record -o run.trace "./$1" >/dev/null 2>said
        grep -q 'ended with status 0' said && return
    done
    echo "$1: no run of 20 came to its end: $(cat said)" >&2
    exit 2
}

# pattern3_around FUNCTION: whether pattern 3 was confirmed as harmful with the first write of the region in this function.
pattern3_around() {
    jq -e --arg function "($1)" 'any(.predictions[]; .pattern == "3" and .harmful and .confirmation == "confirmed" and
        (.records[0].place | endswith($function)))' report.json >/dev/null
}

bad=0
printf '%-12s %10s %8s  %-44s %8s %8s\n' kernel recordings harmful 'kinds (in how many recordings)' twin accused
for source in "$ROOT"/examples/predict/*_wrong.c; do
    name=$(basename "$source" _wrong.c)
    for each in "${name}_wrong" "$name"; do
        "$HEDDLE" cc -g -O1 -pthread "$ROOT/examples/predict/$each.c" -o "$each" || exit 2
    done
    harmful=0 accused=0 inserts=0 deletes=0
    : >kinds
    for ((i = 0; i < recordings; i++)); do
        record "${name}_wrong"
        "$HEDDLE" predict --json report.json run.trace >/dev/null 2>&1
        jq -r '[.predictions[] | select(.harmful and .confirmation == "confirmed") | .kind + (if .pattern then " " + .pattern else "" end)] |
            unique[]' report.json >these
        [ -s these ] && harmful=$((harmful + 1))
        cat these >>kinds
        pattern3_around insert && inserts=$((inserts + 1))
        pattern3_around delete_all && deletes=$((deletes + 1))
        record "$name"
        "$HEDDLE" predict --all --json report.json run.trace >/dev/null 2>&1
        [ "$(jq '.predictions | length' report.json)" = 0 ] || accused=$((accused + 1))
    done
    printf '%-12s %10d %8d  %-44s %8d %8d\n' "$name" "$recordings" "$harmful" \
        "$(sort kinds | uniq -c | sed 's/^ *\([0-9]*\) \(.*\)/\2 (\1)/' | paste -sd, - | sed 's/,/, /g')" "$recordings" "$accused"
    [ "$harmful" = "$recordings" ] && [ "$accused" = 0 ] || bad=1
    [ "$name" = mysql_169 ] || continue
    printf '%-12s   pattern 3 around the delete (p23): %d, around the insert (p24): %d\n' '' "$deletes" "$inserts"
    [ "$deletes" = "$recordings" ] && [ "$inserts" = "$recordings" ] || bad=1
done
exit $bad
