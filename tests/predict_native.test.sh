#!/usr/bin/env bash
# heddle predict --native: what is predicted is tried with the program's own threads, and with the clients of a server.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# outcome REPORT: the kinds, and what became of each, in one line.
outcome() {
    jq -r '[.predictions[] | .kind + " " + (if .harmful then "harmful" else .confirmation end)] | unique | join(", ")' "$1"
}

# record_well NAME SOURCE: an ordinary run, in which nothing goes wrong.
record_well() {
    for _ in {1..10}; do
        heddle record --stacks -o "$1.trace" "$2"
        grep -q 'ended with status 0' err && return
    done
    fail "$2: no run of ten came to its end: $(cat err)"
}

# Threads wait for a bounded time only, so on a busy machine what is predicted may not come about at the first try.
TRIES='1 2 3 4 5'

# natively NAME SOURCE WANTED OPTION…
natively() {
    local got
    cp "$2" .
    record_well "$1" "$(basename "$2")"
    for _ in $TRIES; do
        heddle predict --native --all "${@:4}" --json report.json "$1.trace"
        got=$(outcome report.json)
        [ "$got" = "$3" ] && return
    done
    fail "$1: expected '$3', got '$got': $(jq -c '[.predictions[].reason]' report.json)"
}

natively moz_js1_wrong "$ROOT/examples/predict/moz_js1_wrong.c" 'atomicity-of-two harmful'
says 'how to try it again' '^   heddle predict --native --all moz_js1_wrong.trace --only 1$'
for _ in $TRIES; do
    heddle predict --native --only 1 moz_js1_wrong.trace
    [ $status -eq 1 ] && break
done
[ $status -eq 1 ] || fail "again: status $status: $(cat out)"
says 'again' 'confirmed: the program was ended by a signal \(Segmentation fault\), which it does not do otherwise'
natively mysql_2011_wrong "$ROOT/examples/predict/mysql_2011_wrong.c" 'atomicity-of-two harmful'
natively deadlock "$DATA/predicted/deadlock.c" 'deadlock harmful'
natively freed "$DATA/predicted/freed.c" 'use-after-free harmful'
# What it prints may as well be meant; it is told. The second thread comes so late that only holding the first one makes it print 1.
natively late_second "$DATA/held/late_second.c" 'atomicity confirmed' --hold 2000
says 'another output' 'it printed "1", and without being held back "2"'
# Who sees what is wrong ends the program, so the last operation of the order never comes.
natively read_between "$DATA/held/read_between.c" 'atomicity-of-two harmful' --hold 2000
says 'on the way' 'confirmed: on the way there the program was ended by a signal \(Aborted\), which it does not do otherwise'
natively flag_under_lock "$DATA/predicted/flag_under_lock.c" 'race infeasible'
says 'who did not come' 'threads waited for it [0-9]+ times in vain: nobody came to where T'
says 'how to try again what did not happen' '^   heddle predict --native --all flag_under_lock.trace --only [0-9]+$'
number=$(sed -n 's/.* --only //p' out)
# The one that is asked for is shown whatever becomes of it, and others are not tried.
heddle predict --native --only "$number" flag_under_lock.trace
says 'the only one' '^   (infeasible|unknown): ' # on a busy machine threads wait too seldom
heddle predict --only "$number" flag_under_lock.trace
says 'the only one under control' '^   (infeasible|unknown): '
says 'the only one under control' "^   heddle predict flag_under_lock.trace --only $number\$"

# A server, which only has something to do while its load runs.
cp "$DATA/held/load.sh" .
"$HEDDLE" cc -g -O1 "$DATA/held/served_wrong.c" -o served_wrong || fail 'the server cannot be built'
"$HEDDLE" cc -g -O1 -DRIGHT "$DATA/held/served_wrong.c" -o served || fail 'the other server cannot be built'
# record_server NAME
record_server() {
    "$HEDDLE" record --stacks -o "$1.trace" "./$1" 2>err &
    local recorder=$!
    bash load.sh
    kill -TERM $recorder
    wait $recorder
    grep -q 'ended with status 0' err || fail "$1: $(cat err)"
}
record_server served_wrong
for _ in $TRIES; do
    heddle predict --time 90 --load 'bash load.sh' served_wrong.trace
    [ $status -eq 1 ] && break
done
[ $status -eq 1 ] || fail "the server: status $status: $(cat out)"
says 'the server' '^1\. atomicity violation, harmful: in a call of add, '
says 'the server' 'confirmed: the program ended with status 7, which it does not do otherwise'
says 'the server' "^   heddle predict --time 90 --load 'bash load.sh' served_wrong.trace --only [0-9]+$"
record_server served
heddle predict --time 60 --all --load 'bash load.sh' served.trace
says_not 'the right server' harmful:
[ $status -ne 1 ] || fail "the right server: $(cat out)"

# refused WHAT TEXT ARGUMENT…: one sentence with the text, status 2.
refused() {
    local what=$1 text=$2
    shift 2
    heddle predict "$@"
    [ $status -eq 2 ] || fail "$what: status $status"
    [ "$(wc -l <err)" -eq 1 ] || fail "$what: not one sentence but: $(cat err)"
    grep -qF -- "$text" err || fail "$what: '$text' expected, got: $(cat err)"
}
refused 'no time to hold' '--hold takes milliseconds' --native --hold 0 late_second.trace
refused 'a number too large' 'there is no prediction with this number, there are ' --only 99999 late_second.trace
refused 'only without trying' '--no-confirm does not' --only 1 --no-confirm late_second.trace
refused 'native without trying' '--no-confirm does not' --native --no-confirm late_second.trace
nothing_left 'heddle predict --native'
finish
