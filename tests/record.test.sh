#!/usr/bin/env bash
# heddle record writes down what a native run does, in an order in which it can have happened; heddle trace prints it, also if the
# file is cut or damaged.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# record WHAT ARGUMENT…: heddle record into run.trace, and heddle trace of that in `out`.
record() {
    local what=$1
    shift
    heddle record -o run.trace "$@"
    [ "$status" -eq 0 ] || fail "$what: record ends with status $status: $(cat err)"
    cp err said
    heddle trace run.trace
    [ "$status" -eq 0 ] || fail "$what: trace ends with status $status: $(cat err)"
}

# A counter under a lock: each increment stands between its lock and unlock, and no two sections overlap.
record 'a counter' "$DATA/recorded/counter.c"
[ "$(grep -c ' write counter:4 ' out)" -eq 6 ] || fail "a counter: not six increments: $(cat out)"
awk '$2 == "lock" { if (held) wrong = 1; held = $1 }
     $2 == "unlock" { if (held != $1) wrong = 1; held = "" }
     $3 == "counter:4" && $1 != "main" { if (held != $1) wrong = 1 }
     END { exit wrong }' out || fail "a counter: sections overlap: $(cat out)"
says 'a counter' '^main join T2 @.*counter.c:[0-9]*:main$'
grep -q '^run.trace: [0-9]* bytes, 3 threads; the program ended with status 0\.$' said || fail "a counter: it says $(cat said)"

# Every kind of call that orders threads.
record 'all calls' "$DATA/recorded/calls.c"
while read -r line; do
    grep -Eq "^T[0-9]+ $line( |\$)" out || fail "all calls: no line like '$line'"
done <<'LINES'
once routine
once-end routine
once-pass routine
enter gate 0
leave gate 1
rdlock table
lock table
lock spin
lock recursive
rmw count:4 [0-9]+->[0-9]+ acquire release
load count:4 [0-9]+ acquire
store count:4 [0-9]+->3 release
wait ready mutex
woken ready mutex
signal ready
broadcast ready
post slots
take slots
take slots fail
lock mutex fail
allocate heap[0-9]+ 16
release heap[0-9]+
begin
end
LINES
[ "$(grep -c 'lock recursive' out)" -eq 4 ] || fail "all calls: inner pairs of a recursive lock are shown"
says 'all calls' '^semaphore slots 1$'
says 'all calls' '^main woken ready mutex fail '
says 'all calls' '^main create T3 '

# Memory that one thread alone uses is not shown, unless it is asked for.
says_not 'private memory' ' private'
heddle trace --everything run.trace
says 'private memory' ' write private'

# With --values each access tells what it found and left. Under a lock, everybody finds what the last one left.
follow_values() {
    awk '$2 == "read" || $2 == "write" {
             split($4, value, "->")
             if ($3 in last && last[$3] != value[1]) { print NR ": " $0 " after " last[$3]; bad = 1 }
             last[$3] = $2 == "read" ? value[1] : value[2]
             seen += $4 ~ /^[0-9]+(->[0-9]+)?$/
         }
         END { if (seen < 12) { print seen " values"; bad = 1 } exit bad }' out >why || fail "$1: $(head -n 3 why)"
}
record 'values' --values "$DATA/recorded/counter.c"
follow_values 'values'
says 'values' '^main read counter:4 6 '
heddle predict --no-confirm --all --json values.json run.trace
"$HEDDLE" trace run.trace >again.text
heddle predict --no-confirm --all --json again.json again.text
[ "$(jq -c .predictions values.json)" = "$(jq -c .predictions again.json)" ] || fail 'values: the text form loses something'

# A run of heddle check is a recording, too.
cat >checked.c <<'END'
#include <assert.h>
#define main recorded_main
#include "calls.c"
#undef main
int main(void)
{
    int status = recorded_main();
    assert(status);
}
END
heddle check --cflags "-I$DATA/recorded" --races off checked.c
set -- checked.*.hd
heddle replay "$1" --trace run.trace
[ "$status" -eq 1 ] || fail "a run of heddle check: replay ends with status $status: $(cat err)"
heddle trace run.trace
[ "$status" -eq 0 ] || fail "a run of heddle check: trace ends with status $status: $(cat err)"
follow_values 'a run of heddle check'
while read -r line; do
    grep -Eq "^(main|T[0-9]+) $line( |\$)" out || fail "a run of heddle check: no line like '$line': $(cat out)"
done <<'LINES'
create T2
once routine
once-end routine
once-pass routine
enter gate 0
leave gate 1
rdlock table
lock table
lock recursive
rmw count:4 [0-9]+->[0-9]+ acquire release
wait ready mutex
woken ready mutex
signal ready
post slots
take slots
allocate heap[0-9]+ 16
release heap[0-9]+
join T1
LINES
says 'a run of heddle check' '^semaphore slots 1$'
heddle predict --no-confirm --all run.trace
[ "$status" -le 1 ] || fail "a run of heddle check: predict ends with status $status: $(cat err)"
says 'a run of heddle check' 'data race: T[12] writes entries'
heddle replay --trace /nowhere/run.trace "$1"
[ "$status" -eq 2 ] || fail "a recording that cannot be written: status $status"

# Four threads at the same time: locks exclude each other, nobody takes what nobody posted, nobody is there before its creation or
# after its end, and all enter a round of a barrier before anybody leaves it.
record 'many calls at a time' "$DATA/recorded/mixed.c"
awk 'BEGIN { there["main"] = 1 }
    $1 == "semaphore" { value[$2] = $3; next }
    function wrong(why) { print NR ": " why ": " $0; bad = 1 }
    !($1 in there) { wrong("no such thread") }
    $2 == "create" { there[$3] = 1 }
    $2 == "end" { delete there[$1]; ended[$1] = 1 }
    $2 == "join" && !ended[$3] { wrong("not ended") }
    $2 == "lock" { if (held[$3] || readers[$3]) wrong("held"); held[$3] = $1 }
    $2 == "rdlock" { if (held[$3]) wrong("held"); readers[$3]++ }
    $2 == "unlock" { if (held[$3] == $1) held[$3] = ""; else if (readers[$3]) readers[$3]--; else wrong("not held") }
    $2 == "post" { value[$3]++ }
    $2 == "take" { if (--value[$3] < 0) wrong("nothing to take") }
    $2 == "enter" { inside[$3, $4]++ }
    $2 == "leave" { if (inside[$3, $4] != 4) wrong("not all are there") }
    $2 == "rmw" { added++ }
    END { if (added < 100) { print "instructions of inline assembly are missing"; bad = 1 } exit bad }' out >why ||
    fail "many calls at a time: $(head -n 3 why)"

# A crash leaves a recording to its end.
heddle record -o run.trace "$DATA/recorded/crash.c"
[ "$status" -eq 0 ] || fail "a crash: status $status: $(cat err)"
grep -q 'the program was ended by signal 11' err || fail "a crash: it says $(cat err)"
heddle trace run.trace
[ "$status" -eq 0 ] || fail "a crash: trace ends with status $status: $(cat err)"
says 'a crash' '^T1 write last:4 '

# So does a signal, which heddle passes on to the program.
"$HEDDLE" cc "$DATA/recorded/waits.c" -o waits || fail "waits.c cannot be built"
"$HEDDLE" record -o run.trace ./waits 2>err &
recorder=$!
for ((i = 0; i < 600; i++)); do
    [ -e begun ] && break
    sleep 0.1
done
kill -TERM $recorder
wait $recorder
status=$?
[ "$status" -eq 0 ] || fail "a signal: status $status: $(cat err)"
grep -q 'the program was ended by signal 15' err || fail "a signal: it says $(cat err)"
heddle trace run.trace
[ "$status" -eq 0 ] || fail "a signal: trace ends with status $status: $(cat err)"
says 'a signal' '^T1 write begun:4 '

# The limit ends the recording, not the program.
heddle record --limit 1M -o run.trace "$DATA/recorded/endless.c"
[ "$status" -eq 3 ] || fail "a limit: status $status: $(cat err)"
grep -q 'ends before the program did: the file has reached its limit' err || fail "a limit: it says $(cat err)"
[ "$(stat -c %s run.trace)" -lt 6000000 ] || fail "a limit: the file has $(stat -c %s run.trace) bytes"
heddle trace run.trace
[ "$status" -eq 3 ] || fail "a limit: trace ends with status $status"
grep -q 'ends before the run did' err || fail "a limit: trace says $(cat err)"

# Cut and damaged files are read as far as they go: what is printed is what the whole file begins with.
record 'a file to be damaged' "$DATA/recorded/counter.c"
grep -v '^cut' out >whole
size=$(stat -c %s run.trace)
for part in 1 2 3 4 5 6 7; do
    head -c $((size * part / 8)) run.trace >cut.trace
    heddle trace cut.trace
    [ "$status" -eq 3 ] || fail "cut at $part/8: status $status"
    grep -q 'ends before the run did: the file is cut off' err || fail "cut at $part/8: it says $(cat err)"
done
printf 'x' >short.trace
heddle trace short.trace
[ "$status" -eq 2 ] && grep -q 'not a recording' err || fail "no recording: status $status: $(cat err)"

# Wrong use.
heddle record
[ "$status" -eq 2 ] || fail "no program: status $status"
heddle record --limit 5 "$DATA/recorded/counter.c"
[ "$status" -eq 2 ] || fail "a bad limit: status $status"
heddle record ./missing
[ "$status" -eq 2 ] || fail "a missing program: status $status"
nothing_left 'recording'
finish
