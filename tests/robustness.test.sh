#!/usr/bin/env bash
# Wrong use gets one sentence and status 2, programs that misbehave get a verdict, an interrupted search says what it
# covered; and nothing is left behind: no file, no process.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# one_sentence WHAT: heddle said exactly one thing on standard error, in its own words, and left no file.
one_sentence() {
    [ "$(grep -cE '^(heddle|usage: heddle).* .' err)" -eq 1 ] || fail "$1: one sentence expected, got: '$(cat err)'"
    nothing_left "$1"
}

# refused ARGUMENT…: wrong use.
refused() {
    heddle "$@"
    if [ "$status" -ne 2 ] || [ -s out ] || [ "$(wc -l <err)" -ne 1 ]; then
        fail "heddle $*${edit:-}: status 2 and one line expected, got status $status: $(head -n 1 out) $(cat err)"
    else
        one_sentence "heddle $*"
    fi
}

# does_not_compile FILE OPTION…: what the compiler says comes before heddle's sentence.
does_not_compile() {
    heddle check "$@"
    [ "$status" -eq 2 ] || fail "check $*: status $status instead of 2"
    tail -n 1 err | grep -q '^heddle.*does not compile' || fail "check $*: got: $(tail -n 1 err)"
    one_sentence "check $*"
}

echo 'int main(void) { return 0; }' >ok.c
: >empty
: >empty.c
mkdir directory directory.c
echo 'some text' >text
echo 'int main(void) { return undeclared; }' >wrong.c
echo 'int elsewhere(void); int main(void) { return elsewhere(); }' >unlinked.c
echo 'int elsewhere(void) { return 0; }' >elsewhere.c
"$HEDDLE" cc -c ok.c -o object.o || fail 'ok.c does not compile'
"$HEDDLE" cc ok.c -o program || fail 'ok.c does not link'
head -c 5000 program >cut_off
chmod +x cut_off

# Nothing is missing but a main: one sentence, and none of the linker's.
for sources in empty.c elsewhere.c 'empty.c elsewhere.c'; do
    # shellcheck disable=SC2086
    refused check $sources
    grep -q '^heddle: .* no main' err || fail "check $sources: $(cat err)"
done
refused lin empty.c
grep -q 'empty.c has no object declared with heddle_lin' err || fail "lin empty.c: $(cat err)"

refused
refused nonsense
refused --nonsense
refused check
refused check --reuse=3 ok.c
refused cluster --time 5q ok.c
refused history -q
refused check -- ok.c
for file in no_such_file no_such_file.c '' empty directory text object.o cut_off; do refused check "$file"; done
refused check ok.c no_such_file.c
refused check ./program ok.c
for file in wrong.c directory.c unlinked.c; do does_not_compile "$file"; done
grep -q 'reference to .elsewhere' err || fail "what the linker says is lost: $(cat err)"
does_not_compile ok.c --cflags --no-such-flag
for option in --nonsense -q -qx --keep-going=3 --re; do refused check "$option" ok.c; done
heddle check -qx ok.c
grep -qe '-q' err || fail "check -qx ok.c: the sentence does not name the option: $(cat err)"
for option in strategy max-executions max-steps time preemptions seed races restart output directory allow-writes schedule json explain cflags; do
    refused check ok.c --$option
done
for number in '' x -1 1x 0x10 1e3 99999999999999999999999; do
    for option in max-executions max-steps preemptions seed; do refused check --$option "$number" ok.c; done
done
for number in '' x -1 5q nan inf 1e300; do
    for option in time explain; do refused check --$option "$number" ok.c; done
done
for option in max-executions max-steps; do refused check --$option 0 ok.c; done
for option in strategy races restart output directory allow-writes; do refused check --$option nonsense ok.c; done

# What cannot be written is said at the end, and the verdict is still printed.
for path in /nonexistent/report.json /dev/full directory ''; do
    heddle check --json "$path" ok.c
    [ "$status" -eq 2 ] || fail "--json '$path': status $status instead of 2"
    grep -q '^verified' out || fail "--json '$path': no verdict"
    one_sentence "--json '$path'"
done
"$HEDDLE" check ok.c >/dev/full 2>err
status=$?
[ $status -eq 2 ] || fail "check >/dev/full: status $status instead of 2"
one_sentence 'check >/dev/full'

# A schedule that cannot be kept does not hide the bug.
unkept() {
    grep -q '^bug: deadlock' out || fail "$1: no bug reported: $(head -n 1 out)"
    [ "$status" -eq 1 ] || fail "$1: status $status instead of 1"
    ! grep -q 'replay:' out || fail "$1: it says how to replay a schedule that is not there"
    one_sentence "$1"
}
for path in /nonexistent/a.hd directory /dev/full; do
    heddle check --explain 1 --schedule "$path" "$CASES/deadlock_abba.c"
    unkept "--schedule $path"
done
(cd /proc && timeout 60 "$HEDDLE" check --explain 1 "$CASES/deadlock_abba.c" >"$work/out" 2>"$work/err")
status=$?
unkept 'in a directory that cannot be written'
mkdir gone
(cd gone && rmdir "$work/gone" && timeout 60 "$HEDDLE" check --explain 1 "$CASES/deadlock_abba.c" >"$work/out" 2>"$work/err")
status=$?
unkept 'in a directory that was removed'

# A TMPDIR that is not there.
TMPDIR=/nonexistent heddle check ok.c
[ "$status" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || fail "without a TMPDIR: status $status, $(cat err)"

# Started with a standard stream closed.
timeout 60 "$HEDDLE" check ok.c >out 2>err <&-
status=$?
[ $status -eq 0 ] || fail "check <&-: status $status instead of 0: $(head -n 1 out) $(cat err)"
timeout 60 "$HEDDLE" check ok.c >out 2>&- </dev/null
status=$?
[ $status -eq 0 ] || fail "check 2>&-: status $status instead of 0: $(head -n 1 out)"
nothing_left 'check with a closed stream'

# Schedules: missing, empty, cut off anywhere, of something else, edited.
check "$CASES/deadlock_abba.c"
expect deadlock_abba bug deadlock
good=deadlock_abba.deadlock.hd
[ -s $good ] || fail "no schedule in $good: $(ls)"
refused replay
refused replay --nonsense
refused replay $good $good
for file in no_such_file empty directory text ok.c /bin/true; do refused replay $file; done
for ((bytes = 0; bytes < $(stat -c %s $good) - 1; bytes += 3)); do
    head -c $bytes $good >cut.hd
    heddle replay cut.hd
    [ "$status" -eq 2 ] || fail "replay of the first $bytes bytes: status $status instead of 2"
    [ "$(wc -l <err)" -eq 1 ] || fail "replay of the first $bytes bytes: $(cat err)"
done
nothing_left 'replay of cut schedules'

# edited EXPRESSION: sed makes of a good schedule one that makes no sense.
edited() {
    sed "$1" $good >edited.hd
    ! cmp -s $good edited.hd || fail "edit $1 changes nothing"
    edit=" ($1)" refused replay edited.hd
}
edited 's/^heddle schedule 1/heddle schedule 999/'
edited 's/^heddle/Heddle/'
edited 's/^source .*/source no_such_file.c/'
edited '/^source/d'
edited 's/^bug .*/bug nonsense/'
edited 's/^options .*/options nonsense/'
edited 's/^options .*/options reuse=7 leaks=9 races=77 unlock=5/'
edited 's/^thread 1 .*/thread 1 is child x of 0/'
edited 's/^thread 1 .*/thread 1 is child 0 of 5/'
edited 's/^steps .*/steps 1/'
edited 's/^steps .*/steps 1000/'
edited 's/^steps .*/steps -1/'
edited 's/^steps .*/steps 99999999999/'
edited 's/^steps .*/steps x/'
edited '/^steps/{n;s/^/x /}'
edited '/^steps/{n;s/^/300 /}'
edited '2s/^/nonsense\n/'
# A run that cannot be followed is not a run without the bug.
unfollowed() {
    heddle replay edited.hd
    [ "$status" -ne 0 ] || fail "replay of a schedule that does not fit the program ($1): status 0, $(head -n 1 out)"
    nothing_left "replay: $1"
}
printf 'heddle schedule 1\nsource %s\nbug deadlock\nsteps 3\n0 1 200\nend\n' "$CASES/deadlock_abba.c" >edited.hd
unfollowed 'a thread that is not there'

# A reader that goes away before a long report is written.
"$HEDDLE" check --explain 1 --schedule long.hd "$ROOT/examples/bounded_buffer_wrong.c" 2>err | true
[ ! -s err ] || fail "check | true: $(cat err)"
nothing_left 'check | true'
"$HEDDLE" replay long.hd 2>err | true
nothing_left 'replay | true'

# Programs that misbehave.
# verdict_of PROGRAM VERDICT [KIND]
verdict_of() {
    local begin=$SECONDS
    check "$CASES/$1.c"
    [ $status -ne 124 ] || fail "$1: no end within $((SECONDS - begin)) seconds"
    expect "$@"
    [ ! -s err ] || fail "$1: $(head -n 3 err)"
    grep -q "^$2: ." out || fail "$1: no clear verdict: $(head -n 1 out)"
    nothing_left "$1"
}
verdict_of segv bug signal
verdict_of recursion bug signal
verdict_of heap_smash bug signal
verdict_of fork verified
verdict_of endless_plain_loop incomplete
verdict_of exit_in_middle verified

# worker_of PID: the process that searches for this heddle, which has also compilers for children.
worker_of() {
    awk '/^Name:/ { name = $2 } /^Pid:/ { pid = $2 } /^PPid:/ && $2 == parent && name == "program" { print pid }' \
        parent="$1" /proc/[0-9]*/status 2>/dev/null
}

# stopped SIGNAL: a long search is stopped by it; the worker must be gone soon after, and all files at once.
stopped() {
    local heddle worker tries
    rm -f report.json
    "$HEDDLE" check --strategy optimal --cflags '-O2 -DK=16' --json report.json "$PROGRAMS/critical.c" >out 2>err </dev/null &
    heddle=$!
    worker=
    for ((tries = 0; tries < 600 && ${#worker} == 0; tries++)); do
        sleep 0.1
        worker=$(worker_of $heddle)
    done
    [ -n "$worker" ] || fail "$1: no worker seen"
    sleep 0.5
    kill -"$1" $heddle
    wait $heddle 2>/dev/null
    status=$?
    for ((tries = 0; tries < 50; tries++)); do
        kill -0 "$worker" 2>/dev/null || break
        sleep 0.1
    done
    ! kill -9 "$worker" 2>/dev/null || fail "$1: the worker was left behind"
}
stopped INT
expect INT incomplete
grep -q '^incomplete: .*interrupted' out || fail "INT: $(head -n 1 out)"
grep -q '[0-9][0-9]* executions' out || fail 'INT: it does not say what was covered'
[ "$(field executions)" -gt 0 ] || fail 'INT: no executions in the report'
[ ! -s err ] || fail "INT: $(cat err)"
nothing_left INT
# Under nohup nobody can be ended by SIGHUP, and heddle goes on.
signals=(TERM)
[ -n "$(trap -p HUP)" ] || signals+=(HUP)
for signal in "${signals[@]}"; do
    stopped $signal
    expect $signal incomplete
    grep -q "^incomplete: it was ended by SIG$signal" out || fail "$signal: $(head -n 1 out)"
    [ "$(field executions)" -gt 0 ] || fail "$signal: no executions in the report"
    [ ! -s err ] || fail "$signal: $(cat err)"
    nothing_left $signal
done

# timed SIGNAL SECONDS EXPECTED ARGUMENT…: heddle with these arguments is ended by `timeout', which sends the signal to heddle,
# and to all processes of its group; it still says what it knows. On a busy machine it gets that far in more seconds.
timed() {
    local signal=$1 least=$2 expected=$3 seconds
    shift 3
    for seconds in "$least" 5 25 125; do
        timeout -s "$signal" -k 60 "$seconds" "$HEDDLE" "$@" >out 2>err </dev/null
        status=$?
        ! grep -q "$expected" out || break
    done
    grep -q "$expected" out || fail "$signal $*: $(cat out err)"
    [ ! -s err ] || fail "$signal $*: $(cat err)"
    nothing_left "$signal $*"
}
timed TERM 1 '^incomplete: it was ended by SIGTERM' check --cflags '-O2 -DK=16' --restart fork "$PROGRAMS/critical.c"
timed TERM 1 "it was ended by SIGTERM" lin --threads 4 --calls 4 --total 8 "$ROOT/examples/lin/harris_list.c"
[ -n "$(trap -p HUP)" ] || timed HUP 1 'it was ended by SIGHUP' cluster --crashes 2 --reboots 2 --max-events 120 --patience 1000 "$ROOT/examples/cluster/broadcast.c"
for ((i = 0; i < 60; i++)); do echo "{:process $i, :type :invoke, :f :write, :value $((i % 3))}"; done >hard.edn
for ((i = 60; i < 260; i++)); do
    echo "{:process $i, :type :invoke, :f :read, :value nil}"
    echo "{:process $i, :type :ok, :f :read, :value $((i * i % 7 % 3))}"
done >>hard.edn
for ((i = 0; i < 60; i++)); do echo "{:process $i, :type :ok, :f :write, :value $((i % 3))}"; done >>hard.edn
timed TERM 0.4 'it was ended by SIGTERM' history --model register hard.edn

# The second signal ends heddle at once, and still nothing is left behind.
"$HEDDLE" check --cflags '-O2 -DK=16' --strategy optimal "$PROGRAMS/critical.c" >out 2>err </dev/null &
heddle=$!
worker=
for ((tries = 0; tries < 600 && ${#worker} == 0; tries++)); do
    sleep 0.1
    worker=$(worker_of $heddle)
done
kill -STOP "$worker" # which would end at the first
kill -TERM $heddle
sleep 0.6
kill -TERM $heddle
wait $heddle 2>/dev/null
[ $? -eq 143 ] || fail 'a second SIGTERM does not end it at once'
nothing_left 'a second SIGTERM'

# Commands that reports name can be copied into a shell, whatever files are called.
copied() { # COMMAND: as the report has to give it
    grep -qF -- "$1" out err || fail "not fit for a shell, '$1': $(cat out err)"
}
mkdir 'a folder'
heddle check --save 'a folder/kept' --max-executions 3 "$PROGRAMS/critical.c"
copied "heddle resume '$PWD/a folder/kept'"
cp "$ROOT/examples/predict/bank_wrong.c" 'a bank.c'
heddle record -o 'a bank.trace' 'a bank.c'
heddle predict 'a bank.trace'
copied "heddle replay 'a bank.atomicity.hd'"
cp "$ROOT/examples/cluster/two_phase_commit.c" 'two phases.c'
heddle cluster --crashes 1 --reboots 1 --cflags -DFORGETFUL 'two phases.c'
copied "heddle replay 'two phases.invariant.hd'"
rm -rf 'a folder' a\ bank* two\ phases*

stopped KILL # nothing can be removed then, but the worker has to end by itself
rm -rf "${TMPDIR:?}"/*

# A limit on addresses is named.
(ulimit -v 4000000 && "$HEDDLE" check ./program >out 2>err)
[ $? -eq 3 ] || fail 'ulimit -v: no status 3'
grep -q '^incomplete: heddle reserves hundreds of gigabytes of addresses' out || fail "ulimit -v: $(head -n 1 out) $(cat err)"

finish
