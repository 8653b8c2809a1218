#!/usr/bin/env bash
# heddle lin --match: from each state only once, and still the same results, failures and races as by plain enumeration.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# answer OPTION…: status, results and the failing client of what ./program does.
answer() {
    rm -f report.json
    heddle lin --json report.json --explain 0 ./program "$@"
    echo "$status $(sed -n 's/^		"\(outcomes\|client\)":	\(.*\),$/\1=\2/p' report.json | tr '\n' ' ')$(of_bugs kind | sort -u | tr '\n' ' ')"
}

# compare STRATEGY WHAT OPTION…
compare() {
    local strategy=$1 what=$2 all matched
    shift 2
    all=$(answer --strategy "$strategy" "$@")
    matched=$(answer --match "$@")
    [ "$all" = "$matched" ] || fail "$what: $strategy gives '$all', matched states '$matched'"
}

# Random objects: what all clients of two calls and some larger ones give; races; whether clients of three calls fail.
object=$DATA/random_object.c
for seed in ${SEEDS:-1 2 3}; do
    clear=--clear-dead # as heddle lin compiles
    [ "$seed" != 3 ] || clear=
    # shellcheck disable=SC2086
    build() { "$HEDDLE" cc $clear -g -DSEED="$seed" "$@" "$object" -o program || fail "random object $seed does not compile"; }
    draw() { echo "run($(((seed * 7919 + $1 * 104729 + $2 * 15485863) / 97 % 12 + 1)))"; }
    build -DANYTHING
    compare dfs "random object $seed" --threads 2 --calls 1
    compare optimal "random object $seed, two calls" --client "$(draw 1 1) $(draw 1 2) | $(draw 1 3) $(draw 1 4)"
    compare optimal "random object $seed, three threads" --client "$(draw 2 1) | $(draw 2 2) | $(draw 2 3)"
    build -DANYTHING -DPLAIN
    for races in explore report; do
        compare dfs "random object $seed, races $races" --threads 2 --calls 1 --races $races
    done
    build
    for i in 1 2 3 4 5 6 7 8; do
        compare dfs "random object $seed, verdict $i" --client "$(draw $i 1) $(draw $i 2) | $(draw $i 3)"
    done
done

# What can be seen only where a state is come to again: a history with fewer explanations, a race.
"$HEDDLE" cc -g "$DATA/stale_register.c" -o program
compare dfs 'a stricter history' --client 'read() | write(1)'
[ "$(answer --match --client 'read() | write(1)')" = '1 outcomes=1 client="read() | write(1)" not-linearizable ' ] ||
    fail "a stricter history: $(head -n 3 out)"
"$HEDDLE" cc -g "$DATA/redundant_write.c" -o program
compare dfs 'a race in a known state' --client 'peek() | pulse()' --races report
of_bugs kind | grep -qx race || fail "a race in a known state: $(head -n 3 out)"
compare optimal 'nothing wrong but a race' --client 'peek() | pulse()'
of_bugs kind | grep -qx race || fail "nothing wrong but a race: $(head -n 3 out)"

# A race whose accesses cannot be in steps that follow each other, in every order of threads.
"$HEDDLE" cc -g --clear-dead "$DATA/late_write.c" -o program
for client in 'prepare() | publish() | replace()' 'replace() | publish() | prepare()' 'prepare() replace() | publish()'; do
    for races in explore report; do
        compare dfs "a late write, races $races: $client" --client "$client" --races $races
        of_bugs kind | grep -qx race || fail "a late write, races $races: $client: $(head -n 3 out)"
    done
done
compare dfs 'a late write alone' --client 'prepare() publish() | replace()'
[ "$status" -eq 0 ] || fail "a late write alone: $(head -n 3 out)"

# By itself: where there are many executions. What is not matched says nothing of it.
lin_counts() {
    heddle lin "$ROOT/examples/lin/ms_queue.c" --cflags -DBUG=0 --client "$1" --json report.json
    sed -n 's/^		"\(matched\|states\)":	\(.*\),$/\1=\2/p' report.json | tr '\n' ' '
}
[ "$(lin_counts 'enqueue(1) | dequeue()')" = 'matched=0 states=0 ' ] || fail "a small client: $(head -n 3 out)"
grep -q fingerprint out && fail 'a small client: fingerprints are spoken of'
[[ $(lin_counts 'enqueue(1) enqueue(2) | enqueue(3) dequeue() | enqueue(4) dequeue()') = 'matched=1 states='[1-9]* ]] || fail "a large client: $(head -n 3 out)"
grep -q 'fingerprint of 128 bits' out || fail 'a large client: fingerprints are not spoken of'
states=$(lin_counts 'enqueue(1) enqueue(2) | enqueue(3) enqueue(4) | enqueue(5) enqueue(6)' | sed 's/.*states=//')
[ "$states" -lt 50000 ] || fail "six calls of enqueue: $states states"

# Clearing what nobody reads again changes nothing for the program.
histories=("$ROOT"/tests/fuzz/{fuzz_history,history_naive,history_random}.c "$ROOT"/src/history/*.c "$ROOT"/src/base/{alloc,buffer,fail,interrupt,mem,table}.c)
"$HEDDLE" cc --clear-dead -O2 -w -D_GNU_SOURCE -I"$ROOT/src" -I"$ROOT/tests" -I"$ROOT/include" "${histories[@]}" -ldl -lm -o histories ||
    fail 'the checker of histories does not compile with --clear-dead'
./histories 300 1 >out || fail "the checker of histories with --clear-dead: $(tail -n 3 out)"

# What earlier searches left on stacks is not taken for something that undo has missed: states are matched in every client.
for name in hazard_stack elimination_stack; do
    heddle lin "$ROOT/examples/lin/$name.c" --cflags -DBUG=0 --match --total 3
    clients=$(sed -n 's/^  \([0-9]*\) clients, .*/\1/p' out)
    grep -q " states of ${clients:-no} clients" out || fail "$name --match: $(grep clients out)"
done

heddle lin ./program --match --strategy dfs
[ $status -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || fail "--match --strategy: status $status, $(cat err)"
finish
