#!/usr/bin/env bash
# heddle predict: what recorded runs of known truth allow, and what they do not; bad input.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# predicted FILE: the kinds and patterns that were predicted, in one line, sorted.
predicted() {
    jq -r '[.predictions[] | .kind + (if .pattern then " " + .pattern else "" end)] | sort | join(", ")' "$1"
}

# Every run in tests/predict, as its first line says; a line may have options.
for run in "$ROOT"/tests/predict/*.txt; do
    name=$(basename "$run" .txt)
    wanted=$(sed -n '1s/^# expect: //p' "$run")
    read -ra options <<<"$(sed -n 's/^# options: //p' "$run")"
    heddle predict --all --no-confirm --json report.json "${options[@]}" "$run"
    [ "$wanted" = nothing ] && wanted='' && code=0 || code=1
    got=$(predicted report.json)
    [ "$got" = "$wanted" ] || fail "$name: expected '$wanted', got '$got'"
    [ $status -eq $code ] || fail "$name: status $status instead of $code: $(cat err)"
done

heddle predict --no-confirm "$ROOT/tests/predict/two_locks.txt"
says 'two locks' 'pattern 3'
says 'two locks' 'T1 +T2$'
says 'two locks: one stands for both' 'it stands for 2 like it \(--all\)$'
[ "$(grep -cE '^[0-9]+\. ' out)" -eq 1 ] || fail "two locks: $(grep -E '^[0-9]+\. ' out)"
heddle predict --no-confirm --sarif out.sarif "$ROOT/tests/predict/two_locks.txt"
jq -e '.version == "2.1.0" and (.runs[0].results | length == 1 and .[0].ruleId == "heddle/predicted-atomicity-of-two" and
    .[0].occurrenceCount == 2 and .[0].level == "error" and (.[0].codeFlows[0].threadFlows | length == 2))' out.sarif >said ||
    fail "SARIF: $(cat out.sarif)"
heddle predict "$ROOT/tests/predict/two_locks.txt"
[ $status -eq 3 ] || fail "a recording without a program: status $status"
says 'without a program' '2 predictions .*0 confirmed .*2 unknown'
says 'without a program' 'the recording does not say which program ran'
heddle predict --kinds race "$ROOT/tests/predict/two_locks.txt"
[ $status -eq 0 ] || fail "no race was asked for and found: $(head -n 3 out)"
heddle predict --no-confirm --kinds atomicity --merge-pairs "$ROOT/tests/predict/two_locks.txt"
says 'a merged pair' 'atomicity violation: .*writes table'
heddle predict --correlations "$ROOT/tests/predict/two_locks.txt"
says 'correlations' ' 0\.00 +2 +0 +100% +table, log$'

# Few are shown: one of each variable, at most ten that do no harm, and what programs often leave unprotected on purpose last.
{
    printf 'main create T1\nmain create T2\n'
    for i in {1..12}; do
        printf 'T1 write v%d @a.c:%d\nT2 read v%d @b.c:%d\nT2 write v%d @c.c:%d\n' $i $i $i $i $i $i
    done
    for thread in T1 T2; do
        printf '%s read hits @a.c:90\n%s write hits @a.c:90\n' $thread $thread
    done
    printf 'T1 write stop @a.c:91\nT2 read stop @b.c:91\nT2 read stop @b.c:92\n'
} >many.txt
heddle predict --no-confirm --kinds race many.txt
[ "$(grep -cE '^[0-9]+\. ' out)" -eq 10 ] || fail "ten of many: $(grep -E '^[0-9]+\. ' out)"
says 'ten of many' '^not shown \(--all shows them\):$'
says 'ten of many' '^  10 like one that is shown$'
says 'ten of many' '^  4 more$'
says 'ten of many' '^  3 races on what looks like statistics: each write follows a read of the same line$'
says 'ten of many' '^  2 races on what looks like flags: one place writes, others read$'
says_not 'ten of many' 'hits|stop'
heddle predict --no-confirm --kinds race --all many.txt
says 'all of many' 'each write follows a read of the same line: it may be a statistic$'
says 'all of many' 'one place writes it, others read it: it may be a flag$'
says_not 'all of many' 'not shown'

# Races on what is allocated at one place are told once. Where that place is in an allocator of the program's own, they are told once
# for memory of each size: otherwise one would stand for all races of the program.
# allocator_run SIZES: so many sizes are allocated at one place, and there are races on two blocks.
allocator_run() {
    printf 'main allocate b%d %d @pool.c:5:take\n' $(seq "$1" | awk '{ print $1, 16 * $1 }')
    printf 'main create T1\nmain create T2\n'
    printf 'T%d write b%d @user.c:%d:f%d\n' 1 1 11 1 2 1 12 2 1 2 13 3 2 2 14 4
}
allocator_run 2 >alike.txt
heddle predict --no-confirm --kinds race alike.txt
[ "$(grep -cE '^[0-9]+\. ' out)" -eq 1 ] || fail "two sizes at one place: $(grep -E '^[0-9]+\. ' out)"
allocator_run 9 >allocator.txt
heddle predict --no-confirm --kinds race allocator.txt
[ "$(grep -cE '^[0-9]+\. ' out)" -eq 2 ] || fail "an allocator: $(grep -E '^[0-9]+\. ' out)"

# The bugs of the seed's Table 3.1 and its bank, recorded in an ordinary run: each is predicted, seen to happen and to do harm, and
# the corrected ones are not accused.
# record_well NAME SOURCE: an ordinary run, in which nothing goes wrong, with a record that the source asks for by `// record: TEXT`. Now and
# then it is another run.
record_well() {
    local needed
    needed=$(sed -n 's|^// record: ||p' "$2")
    for _ in {1..10}; do
        heddle record -o "$1.trace" "$2"
        grep -q 'ended with status 0' err || continue
        [ -z "$needed" ] && return
        heddle trace "$1.trace"
        grep -q -- "$needed" out && return
    done
    fail "$2: no run of ten came to its end: $(cat err)"
}

# harmful NAME KIND: what is harmful is of this kind, and something is.
harmful() {
    cp "$ROOT/examples/predict/$1"*.c .
    record_well "$1" "$1_wrong.c"
    heddle predict --json report.json "$1.trace"
    [ $status -eq 1 ] || fail "$1_wrong: status $status: $(cat err)"
    jq -e --arg kind "$2" '[.predictions[] | select(.harmful and .confirmation == "confirmed" and .kind + (.pattern // "") == $kind)] | length > 0' report.json >said ||
        fail "$1_wrong: no harmful $2: $(grep -E '^[0-9]' out)"
    cp report.json "$1.json"
    record_well "$1" "$1.c"
    heddle predict --all "$1.trace"
    [ $status -eq 0 ] || fail "$1: status $status"
    says "$1" '^0 predictions '
}
harmful moz_js1 atomicity-of-two3
harmful moz_js2 atomicity-of-two3
harmful mysql_2011 atomicity-of-two2
harmful mysql_169 atomicity-of-two3
# Pattern 3 in both orders, the seed's trails p23 and p24: something between a delete and its entry in the log, and the same with an insert.
for function in delete_all insert; do
    jq -e --arg function "($function)" 'any(.predictions[]; .pattern == "3" and .harmful and .confirmation == "confirmed" and
        (.records[0].place | endswith($function)))' mysql_169.json >said || fail "mysql_169_wrong: pattern 3 around $function is missing"
done
harmful bank atomicityRWW
# One bug is one report, however many predictions lead to it.
cp "$ROOT"/examples/seqlock*.c .
for _ in {1..60}; do
    heddle record -o seqlock.trace seqlock_wrong.c
    heddle predict --no-confirm --all --json report.json seqlock.trace
    [ "$(jq '.predictions | length' report.json)" -gt 4 ] && break
done
heddle predict --sarif out.sarif seqlock.trace
if [ $status -eq 1 ]; then
    says 'seqlock' 'it stands for [0-9]+ like it \(--all\), [0-9]+ harmful$'
    [ "$(grep -cE '^[0-9]+\. ' out)" -eq 1 ] || fail "seqlock: $(grep -E '^[0-9]+\. ' out)"
else
    echo 'no recording of the sequence lock had its two threads at the same time'
fi
heddle replay moz_js1.atomicity-of-two.hd
[ $status -eq 1 ] || fail "replay of what was predicted: status $status: $(tail -n 2 out err)"

# Programs of known truth, recorded and tried: what is predicted, and what comes of it.
for program in "$ROOT"/tests/data/predicted/*.c "$ROOT"/tests/data/predicted/*.cpp; do
    name=$(basename "$program")
    name=${name%.*}
    wanted=$(sed -n '1s|^// expect: ||p' "$program")
    [ "$wanted" = nothing ] && wanted=''
    cp "$program" .
    record_well "$name" "$(basename "$program")"
    heddle predict --all --json report.json "$name.trace"
    got=$(jq -r '[.predictions[] | .kind + " " + (if .harmful then "harmful" elif .confirmation == "confirmed" then "benign" else .confirmation end)] | unique | join(", ")' report.json)
    [ "$got" = "$wanted" ] || fail "$name: expected '$wanted', got '$got': $(jq -c '[.predictions[] | .message, .reason]' report.json)"
done

# What did no harm where a thread hands something over is there, and not shown.
heddle predict handed.trace
[ $status -eq 0 ] || fail "what is handed over: status $status"
says 'what is handed over' '^  1 that did no harm, where a thread hands something over to the other one or waits$'
says_not 'what is handed over' '^1\. '

# Lost wake-ups and try calls are explained, and their runs can be seen again.
heddle predict wake_lost.trace
says 'a lost wake-up' 'T1 does not hold mutex all the way from its read of items to the wait'
heddle replay wake_lost.lost-wake-up.hd
[ $status -eq 1 ] || fail "replay of a lost wake-up: status $status"
says 'replay of a lost wake-up' 'deadlock'
heddle predict try_drops.trace
says 'a try call' 'locks mutex: fails$'
heddle replay try_drops.try-lock.hd
[ $status -eq 1 ] || fail "replay of a try call: status $status"

# Of a program without hooks nothing is known, and that is said.
gcc -g -pthread "$ROOT/examples/predict/bank_wrong.c" -I"$ROOT/include" -o plain || fail 'bank_wrong.c cannot be compiled'
for _ in {1..10}; do
    heddle record -o plain.trace ./plain
    grep -q 'ended with status 0' err && break
done
grep -q 'not built by heddle cc' err || fail "recording a program without hooks: $(cat err)"
heddle predict plain.trace
[ $status -eq 3 ] || fail "a program without hooks: status $status"
says 'a program without hooks' 'was not built by heddle cc: what it reads and writes itself is not in the recording'

# A program that has changed since says nothing of the recorded one.
cp "$ROOT/examples/predict/bank_wrong.c" changed.c
record_well changed changed.c
sed -i 's/^int main/int added(int x)\n{\n    return x + 1;\n}\n&/' changed.c
heddle predict --all changed.trace
[ $status -eq 3 ] || fail "a changed program: status $status"
says 'a changed program' 'unknown: the program is not the one that was recorded'

# refused WHAT TEXT ARGUMENT…: one sentence with the text, status 2.
refused() {
    local what=$1 text=$2
    shift 2
    heddle predict "$@"
    [ $status -eq 2 ] || fail "$what: status $status"
    [ "$(wc -l <err)" -eq 1 ] || fail "$what: not one sentence but: $(cat err)"
    grep -qF -- "$text" err || fail "$what: '$text' expected, got: $(cat err)"
}
echo 'T1 frob x' >bad
refused 'a bad action' 'bad:1: there is no action "frob"' bad
printf 'a\001b\n' >bad
refused 'no text' 'no recording, and no text' bad
: >bad
refused 'an empty file' 'there is nothing in it' bad
printf 'heddle recording' >bad
refused 'a cut recording' 'cut off at its beginning' bad
refused 'no file' 'No such file' missing
refused 'no argument' 'which recorded run'
refused 'a bad kind' '--kinds' --kinds frob bad
refused 'a bad region' '--regions' --regions frob bad
nothing_left 'heddle predict'
finish
