#!/usr/bin/env bash
# Bugs that are known or suppressed do not fail a check, are never silent, and hide no others.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
build_once
cp -r "$DATA/suite" tests
cp "$DATA/two_races.c" .

# ended WHAT STATUS
ended() { [ "$status" -eq "$2" ] || fail "$1: status $status instead of $2: $(tail -n 8 out) $(cat err)"; }
holds() { jq -e "$2" report.json >/dev/null || fail "$1: not so: $2 in $(head -n 60 report.json)"; }

# Writing a baseline changes no verdict; with it the same bugs are known, whatever the lines are.
check --write-baseline known tests/counter.c
ended 'writing a baseline' 1
[ "$(head -n 1 known)" = 'heddle baseline 1' ] && [ "$(grep -c '^[0-9a-f]\{16\} ' known)" -eq 2 ] || fail "baseline: $(cat known)"
sed -i '1i // one\n// two' tests/counter.c
check --baseline known tests/counter.c
ended 'known bugs' 0
says 'known bugs' '^  neither locks, at all +tolerated'
says 'known bugs' '^tolerated: tests/counter.c is verified except for 1 known bug$'
says 'known bugs' '^  known:      race: counter: '
says 'known bugs' 'what the tolerated races lead to was not explored'
holds 'known bugs' '.verdict == "tolerated" and .counts.tolerated == 2 and .counts.verified == 1 and .baseline_unseen == 0
    and .tests[1].verdict == "tolerated" and .tests[1].known[0].kind == "race" and .tests[1].bugs == []'
ls ./*.hd >/dev/null 2>&1 && rm -f ./*.hd
check --baseline known tests/counter.c
! ls ./*.hd >/dev/null 2>&1 || fail "a schedule of a known bug was kept: $(ls ./*.hd)"

# A new bug fails, and the known ones are listed apart.
sed -i 's/counter == 3/counter == 4/' tests/counter.c
check --baseline known tests/counter.c
ended 'a new bug' 1
holds 'a new bug' '.tests[1].verdict == "tolerated" and .tests[2].verdict == "bug" and .baseline_unseen == 1'
says 'a new bug' '1 bug of the baseline was not seen'
check --baseline known --write-baseline known tests/counter.c
check --baseline known tests/counter.c
ended 'a baseline that was extended' 0

# What is known hides nothing else of the same kind, on the same memory or in the same thread.
check --write-baseline known two_races.c
check --baseline known two_races.c
ended 'two_races.c' 0
check --baseline known --cflags -DNEW two_races.c
holds 'new races beside known ones' '.tests[0].verdict == "bug" and (.tests[0].bugs[0].identity | test("new_race"))'
heddle replay two_races.races.race.hd
ended 'replay of a new race' 1
grep -q 'new_race at' out || fail "replay shows another race: $(head -n 3 out)"
holds 'new deadlocks beside known ones' '.tests[1].verdict == "bug" and (.tests[1].bugs[0].identity | test("lock c"))'

# Two leaks are two bugs, each with its own story and schedule; a known one does not hide the other.
cat >leaks.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static void *lose(void *unused)
{
    void *volatile lost = malloc(48);
    lost = unused;
    return lost;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, lose, NULL);
#ifndef ONE
    void *volatile mine = malloc(16);
    mine = NULL;
#endif
    pthread_join(thread, NULL);
    return 0;
}
END
check --leaks --keep-going leaks.c
holds 'two leaks' '[.bugs[].text | match("^[0-9]+").string] | sort == ["16", "48"]'
for number in '' -2; do
    heddle replay leaks.leak$number.hd
    ended "replay of leaks.leak$number.hd" 1
    grep -oE '^  (16|48) bytes are never freed' out
done >leaks
[ "$(sort -u leaks | wc -l)" -eq 2 ] || fail "replays of two leaks: $(cat leaks)"
rm -f leaks.leak*.hd
check --leaks --write-baseline known --cflags -DONE leaks.c
check --leaks --baseline known --cflags -DONE leaks.c
ended 'a known leak' 0
check --leaks --baseline known --keep-going leaks.c
ended 'a leak beside a known one' 1
holds 'a leak beside a known one' '(.bugs | length == 1) and (.bugs[0].text | test("^16 bytes")) and (.known | length == 1)'

# What a bug is called has no address in it, no offset in a slab and no thread.
for where in '' -DSTACK; do
    check --write-baseline known --cflags "$where" "$DATA/slab.c"
    ! grep -qE '0x|\+[0-9]|\[[0-9]|@' known || fail "numbers in a baseline: $(cat known)"
    check --baseline known --cflags "$where -DMORE" "$DATA/slab.c"
    ended "a slab that is used from another place on ($where)" 0
done

# Suppressions: by variable, by function, with stars; those that nothing meets are named.
suppress() { printf '%s\n' "$@" >rules && check --suppressions rules tests/counter.c; }
suppress '# all of it' '' 'race:counter' '  assertion:one counts*  ' 'leak:never'
ended 'suppressed bugs' 0
says 'suppressed bugs' '^tolerated: .* is verified except for 1 suppressed bug$'
says 'suppressed bugs' '^  suppressed: race: .*\(by race:counter\)$|^  suppressed: race:'
says 'suppressed bugs' '^  unused suppression: leak:never$'
holds 'suppressed bugs' '.verdict == "tolerated" and .tests[1].suppressed[0].rule == "race:counter"
    and .unused_suppressions == ["leak:never"]'
suppress 'race:add_*locked' '*:one*wrong'
ended 'suppressed by function' 0
suppress 'race:counter'
ended 'one of two suppressed' 1
suppress 'deadlock:counter' 'race:count' 'race:ounter' 'race:*x'
ended 'nothing suppressed' 1
says 'nothing suppressed' 'unused suppression: race:\*x'
for case in deadlock_abba:deadlock:b leak:leak:second double_free:double-free:release; do
    IFS=: read -r program kind pattern <<<"$case"
    printf '%s:*%s*\n' "$kind" "${pattern:0:1}" >rules
    check --leaks --suppressions rules "$CASES/$program.c"
    ended "$case suppressed" 0
    holds "$case suppressed" '.verdict == "tolerated" and (.suppressed | length) > 0 and .bugs == []'
done

# Never verified in silence: a bound after a suppressed bug is incomplete, a process that dies is, too.
printf '*:*\n' >rules
check --suppressions rules --max-executions 1 "$DATA/several_bugs.c"
ended 'a bound after a suppressed bug' 3
holds 'a bound after a suppressed bug' '.verdict == "incomplete" and (.suppressed | length) > 0'
says 'a bound after a suppressed bug' '^  suppressed: '

# SARIF has them as settled, JUnit as passed, annotations as notices.
printf 'race:counter\n*:*wrong\n' >rules
heddle check --suppressions rules --sarif report.sarif --junit report.xml --annotations tests/counter.c
ended 'suppressed in formats' 0
jq -e '.runs[0].results | length == 2 and all(.level == "note" and .suppressions[0].kind == "external")' report.sarif >/dev/null ||
    fail 'SARIF of suppressed bugs'
[ "$(xmllint --xpath 'string(/testsuites/@failures)' report.xml)" = 0 ] || fail 'JUnit of suppressed bugs'
[ "$(grep -c '^::notice ' out)" -eq 2 ] || fail "annotations of suppressed bugs: $(grep :: out)"

# Files that make no sense.
refused() {
    heddle check "$@" tests/plain.c
    [ "$status" -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] || fail "$*: status $status, $(cat err)"
}
for line in race 'race:' ':x' 'nonsense:x' 'race x' "$(printf 'race:\1')"; do
    printf '# good\n%s\n' "$line" >bad
    refused --suppressions bad
    grep -q 'bad: line 2: ' err || fail "'$line': $(cat err)"
done
for line in x 0123456789abcdef '0123456789abcdef ' '0123456789abcdeg words' '0123456789abcdef0 words'; do
    printf 'heddle baseline 1\n%s\n' "$line" >bad
    refused --baseline bad
    grep -q 'bad: line 2: ' err || fail "'$line': $(cat err)"
done
for text in '' 'heddle baseline 2' 'something else'; do
    printf '%s' "$text" >bad
    refused --baseline bad
done
for option in baseline suppressions; do
    for path in /nonexistent tests /bin/true; do refused --$option $path; done
done

# However many races are suppressed, in one execution or in many, they take no room from another bug, and it ends the search.
echo 'race:*' >rules
for flags in -DWORDS=300 '-DWORDS=100 -DAT_ONCE'; do
    for races in explore report; do
        check --races $races --suppressions rules --explain 0 --max-executions 3000 --cflags "$flags -DFAILS" "$DATA/many_races.c"
        ended "many suppressed races ($races, $flags)" 1
        holds "many suppressed races ($races, $flags)" '.verdict == "bug" and [.bugs[].kind] == ["assertion"]'
    done
done
check --suppressions rules --explain 0 --cflags '-DWORDS=100 -DAT_ONCE' "$DATA/many_races.c"
ended 'nothing but suppressed races' 0
holds 'nothing but suppressed races' '.verdict == "tolerated" and (.suppressed | length) == 1'

# The end of memory is a step like an access to it where it races: what the race leads to is found in any order.
for strategy in optimal dpor dfs bounded; do
    for flags in '' -DMOVED -DMAPPED; do
        check --strategy $strategy --races explore --suppressions rules --explain 0 --cflags "-O1 $flags" "$DATA/free_races.c"
        ended "free races ($strategy $flags)" 1
        holds "free races ($strategy $flags)" '.verdict == "bug" and (.bugs[0].kind | startswith("use-after-"))'
        check --strategy $strategy --races explore --explain 0 --cflags "-O1 -DORDERED $flags" "$DATA/free_races.c"
        ended "free is ordered ($strategy $flags)" 0
    done
done

# After a misuse that is tolerated the thread goes on as with the C library, so that what comes then is found. (The program
# asserts what each call answers.)
echo '*:misuse' >rules
heddle cc -O1 -g "$DATA/outlived.c" -o outlived
for case in $(grep -o 'IS([a-z_]*)' "$DATA/outlived.c" | sed 's/IS(//; s/)//; /^name$/d'); do
    check --explain 0 --suppressions rules ./outlived -- "$case"
    ended "after $case" 0
    holds "after $case" '.verdict == "tolerated" and (.suppressed | any(.kind != "race"))'
    check --explain 0 --suppressions rules ./outlived -- "$case" fails
    ended "after $case, a bug" 1
    holds "after $case, a bug" '[.bugs[].kind] == ["assertion"] and (.bugs[0].identity | test("what comes after"))'
done
check --suppressions rules ./outlived -- unlock_free fails
heddle replay outlived.assertion.hd
ended 'replay of a run with a tolerated misuse' 1
grep -q 'still fails: ' out || fail "replay of a run with a tolerated misuse: $(tail -n 2 out)"

check --suppressions rules "$DATA/freed_then_stuck.c"
ended 'a deadlock after a tolerated use after free' 1
holds 'a deadlock after a tolerated use after free' '[.bugs[].kind] == ["deadlock"]'
printf '%s\n' 'lock-misuse:known' 'double-free:frees_twice' >known_lock
check --suppressions known_lock "$DATA/two_misuses.c"
ended 'one mutex of two' 0
check --suppressions known_lock --cflags -DNEW "$DATA/two_misuses.c"
ended 'the other mutex of two' 1
holds 'the other mutex of two' '[.bugs[].kind] == ["lock-misuse"] and (.bugs[0].identity | test("fresh"))'
check --suppressions known_lock --cflags -DNEW_BLOCK "$DATA/two_misuses.c"
ended 'the other block of two' 1
holds 'the other block of two' '[.bugs[].kind] == ["double-free"]'

# Whoever holds a lock loses it to a tolerated unlock by another thread, in any order: by every strategy.
for strategy in optimal dpor dfs bounded random pct; do
    check --strategy $strategy --max-executions 5000 --explain 0 --suppressions rules "$DATA/forced_unlock.c"
    ended "a lock that is let go by another ($strategy)" 1
    holds "a lock that is let go by another ($strategy)" '[.bugs[].kind] == ["assertion"]'
done
for strategy in optimal dpor dfs; do
    check --strategy $strategy --suppressions rules --cflags -DRIGHT "$DATA/forced_unlock.c"
    ended "a lock that nobody else lets go ($strategy)" 0
done

nothing_left 'all of it'
finish
