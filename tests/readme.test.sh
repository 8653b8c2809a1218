#!/usr/bin/env bash
# README.md is true: its first program gives its transcript, and its table of exact counts is what heddle counts.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

rows=0
while IFS='|' read -r _ program flags executions _; do
    program=$(tr -d '` ' <<<"$program") flags=$(tr -d '`' <<<"$flags") executions=$(tr -d ', ' <<<"$executions")
    check --strategy optimal --explain 0 --cflags "-O2 $flags" "$PROGRAMS/$program"
    expect "$program $flags" verified
    [ "$(field executions)" = "$executions" ] || fail "$program $flags: $executions executions promised, got $(field executions)"
    rows=$((rows + 1))
done < <(sed -n '/^## Exact counts/,/^## Limits/p' "$ROOT/README.md" | grep '^| `')
[ $rows -ge 9 ] || fail "only $rows rows in the table of exact counts"

. "$DATA/transcript.sh"
sed -n '/^```c$/,/^```$/{/^```/!p}' "$ROOT/README.md" >counter.c
[ "$(head -n 1 counter.c)" = '// counter.c' ] || fail "the first program is not counter.c: $(head -n 1 counter.c)"
transcript "$ROOT/README.md" 3
nothing_left README
finish
