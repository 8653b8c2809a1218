#!/usr/bin/env bash
# Searches that workers share: the same verdict, counts and report for every number of them.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# What is said with one worker must be said with several, word for word, but for times and the number of events that were executed
# anew. `same WHAT ARGUMENT…`
say() {
    heddle check --explain 0 "$@"
    echo "status $status" >>out
    sed -E 's/[0-9.]+ s([,;]|$)/T s\1/; s/, [0-9]+ workers//; s/, [0-9]+ events,/,/; s/longest [0-9]+ events?, //' out
}
same() {
    local what=$1
    shift
    say -j 1 "$@" >one
    for workers in 2 3 8; do
        say -j $workers "$@" >several
        diff one several >difference || fail "$what, $workers workers: $(cat difference err)"
    done
}

# As many executions as one worker runs. Where something is left over, or done twice, the numbers differ.
for of in critical:-DK=8:12870 readers:-DN=12:4096 writers:-DN=6:5040 casadd:-DN=4:3120 lastzero:-DN=9:1536; do
    IFS=: read -r program flags count <<<"$of"
    check -j 3 --strategy optimal --cflags "-O2 $flags" "$PROGRAMS/$program.c"
    expect "$program" verified
    [ "$(field executions) $(field workers)" = "$count 3" ] || fail "$program: $(field executions) executions, $(field workers) workers"
done

"$HEDDLE" cc -O1 -g "$DATA/jobs/random.c" -o random || fail 'the random program cannot be built'
for seed in 1 2 7 10 11 16 24 25; do
    same "random program $seed" --strategy optimal ./random -- $seed
done
for seed in 401 405 409 413; do
    same "all bugs of random program $seed" --strategy optimal --keep-going ./random -- $seed
done
same 'races that are explored' --strategy optimal --races explore --keep-going "$DATA/many_races.c"
same 'a crash' --strategy optimal "$CASES/abort.c"
same 'the default search' --cflags '-O2 -DK=7' "$PROGRAMS/critical.c"
same 'threads that create threads' "$DATA/several_bugs.c"

# Bounds are kept by all together, and what was covered is said of all.
check -j 3 --strategy optimal --max-executions 1000 --cflags '-O2 -DK=10' "$PROGRAMS/critical.c"
expect 'a bound on executions' incomplete
awk -v n="$(field executions)" 'BEGIN { exit !(n > 997 && n <= 1000) }' || fail "a bound on executions: $(field executions)"
check -j 2 --strategy optimal --time 4 --cflags '-O2 -DK=14' "$PROGRAMS/critical.c"
expect 'a bound on time' incomplete
[ "$(field share)" = null ] || # on a machine that has much else to do there is no time for an estimate
    awk -v share="$(field share)" 'BEGIN { exit !(share > 0 && share < 0.5) }' || fail "a bound on time: share $(field share)"

# Workers that somebody kills cost what they did last, which others do again, and nothing else.
"$HEDDLE" check -j 2 --strategy optimal --cflags '-O2 -DK=11' --json killed.json "$PROGRAMS/critical.c" >out 2>err &
heddle=$!
killed=0
for ((i = 0; i < 200 && killed < 3; i++)); do
    worker=$(pgrep -P $heddle -x program | tail -n 1)
    sleep 0.1
    [ -n "$worker" ] && kill -9 "$worker" 2>/dev/null && killed=$((killed + 1))
done
wait $heddle
status=$?
[ $status -eq 0 ] && [ $killed -gt 0 ] && grep -q '^  705432 executions' out || fail "$killed killed workers: status $status, $(cat out err)"

# Where they are killed again and again before they get on, nothing is verified.
check -j 2 --strategy optimal "$DATA/jobs/killed.c"
expect 'workers that are always killed' incomplete
says 'workers that are always killed' '^incomplete: the worker was killed by SIGKILL'

# Where it cannot be shared, one worker does it, and the report says why.
check -j 2 --strategy dfs --cflags '-O2 -DK=2' "$PROGRAMS/critical.c"
expect 'dfs' verified
[ "$(field workers)" = 1 ] && grep -q '^  one worker: only searches by optimal and by states can be shared$' out || fail "dfs: $(cat out)"
check -j 0 --strategy optimal --cflags '-O2 -DK=2' "$PROGRAMS/critical.c"
[ "$(field workers)" = "$(nproc)" ] || fail "-j 0: $(field workers) workers"
for number in x -1 65; do
    heddle check -j $number "$PROGRAMS/critical.c"
    [ $status -eq 2 ] && grep -q 'is not a number of workers' err || fail "-j $number: status $status, $(cat err)"
done

# The tree of a search, as bench/spread.sh wants it: a row for each execution, and nothing is owed after the last one.
HEDDLE_TREE=$PWD/tree check --strategy optimal --cflags '-O2 -DK=8' "$PROGRAMS/critical.c"
[ "$(od -A n -t u4 -w16 -v tree | wc -l)" = "$(field executions)" ] || fail "a recorded tree: $(wc -c <tree) bytes, $(field executions) executions"
read -r owed left fresh length < <(od -A n -t u4 -w16 -v tree | tail -n 1)
[ "$owed $left $length" = '0 0 16' ] && [ "$fresh" -gt 0 ] || fail "the last row of a recorded tree: $owed $left $fresh $length"

finish
