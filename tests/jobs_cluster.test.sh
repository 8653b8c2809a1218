#!/usr/bin/env bash
# Workers that draw samples beside the search of a cluster: what is verified has the same counts, what fails fails again.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

EXAMPLES=$ROOT/examples/cluster
say() {
    heddle cluster "$@"
    sed -E 's/, [0-9.]+ s, [0-9]+ executions\/s//; /^  [0-9]+ more workers? drew /d' out
    echo "status $status"
}

# Without a bug: word for word what one worker says.
say -j 1 --timeouts 1 --cflags -DAS_IT_IS "$EXAMPLES/hadoop_speculation.c" >one
grep -qx 'status 0' one || fail "without a bug: $(cat one)"
for workers in 2 3 8; do
    say -j $workers --timeouts 1 --cflags -DAS_IT_IS "$EXAMPLES/hadoop_speculation.c" >several
    diff one several >difference || fail "without a bug, $workers workers: $(cat difference)"
    grep -qE "^  $((workers - 1)) more workers? drew [0-9]+ samples$" out || fail "samples of $workers workers: $(cat out)"
done

# With one: whoever finds it, it fails again, in the search and in a replay.
for seed in 1 4; do
    for workers in 2 3; do
        rm -f ./*.hd
        heddle cluster -j $workers --seed $seed --crashes 3 --reboots 3 --max-events 120 --patience 1000 --json report.json \
            --cflags -DZK335 "$EXAMPLES/broadcast.c"
        [ $status -eq 1 ] && [ "$(field verdict)" = bug ] || fail "seed $seed, $workers workers: status $status, $(cat out err)"
        [ "$(field workers)" = $workers ] || fail "seed $seed: $(field workers) workers"
    done
    heddle replay ./*.hd
    [ $status -eq 1 ] || fail "replay of seed $seed: status $status, $(cat out err)"
done

# Searches that are shared: the same states for one, two and three, wherever they go on, whichever way states are kept.
CONSENSUS=$ROOT/examples/consensus
shared() {
    local states=
    for workers in 1 2 3; do
        heddle cluster -j $workers "$@"
        [ $status -eq 0 ] || fail "$* -j $workers: status $status, $(cat out err)"
        : "${states:=$(grep -oE '/s, [0-9]+ states$' out)}"
        [ "$(grep -oE '/s, [0-9]+ states$' out)" = "$states" ] || fail "$* -j $workers: not ${states#/s, }: $(cat out)"
        [ $workers -eq 1 ] || grep -qE "^  $workers workers shared the (states|search)$" out || fail "$* -j $workers is not shared: $(cat out)"
    done
}
for next in last random first; do
    shared --nodes 5 --next $next "$CONSENSUS/register.c"
    shared --nodes 4 --next $next --order any --duplicates 1 "$CONSENSUS/register.c"
    shared --nodes 5 --next $next --policy states --states alike "$CONSENSUS/register.c"
    shared --next $next --policy states,lmi,cmi --audit "$EXAMPLES/election.c"
done
shared --nodes 4 --next last --policy none "$CONSENSUS/register.c"
shared --nodes 4 --next random --audit --states alike "$EXAMPLES/two_phase_commit.c"

# A shortest story, whoever finds it; a wrong rule and a bug with messages in any order, whoever sees it; a bound on the executions of all.
heddle cluster --nodes 6 --next first -j 3 --cflags -DBUG=2 "$CONSENSUS/paxos.c"
[ $status -eq 1 ] && grep -qE 'events: 10$' out || fail "a shortest story by three: $(cat out)"
sed 's/= ~1u/= ~0u/' "$EXAMPLES/two_phase_commit.c" >wrongly.c
heddle cluster --nodes 4 --next last -j 3 --states alike --audit wrongly.c
[ "$(head -n 1 out)" = 'wrong rule' ] && grep -q 'may change places' out || fail "a wrong rule by three: $(cat out)"
for next in last random first; do
    heddle cluster --nodes 5 --next $next -j 3 --order any --cflags -DBUG=1 "$CONSENSUS/register.c"
    [ $status -eq 1 ] || fail "--order any --next $next, a wrong register: $(cat out)"
done
heddle cluster --nodes 6 --next last -j 3 --max-executions 50 --policy states "$CONSENSUS/paxos.c"
[ $status -eq 3 ] && grep -q -- '--max-executions was reached' out || fail "a bound: status $status, $(cat out)"
grep -qE '^  5[0-2] executions' out || fail "a bound of 50 executions for three: $(cat out)"

# What is left to one worker, and says so; and what is no number is refused.
alone() {
    local why=$1
    shift
    heddle cluster -j 2 --nodes 4 "$@"
    [ $status -eq 0 ] && grep -qF "  one worker: $why" out || fail "$*: status $status, $(cat out)"
}
alone 'exact states' --next last --states exact "$CONSENSUS/register.c"
alone 'what --propose proposes' --next last --propose "$CONSENSUS/register.c"
alone 'this audit' --next last --audit "$CONSENSUS/register.c"
alone '--keep-going' --keep-going "$CONSENSUS/register.c"
alone '--strategy' --strategy dpor "$EXAMPLES/two_phase_commit.c"
heddle cluster -j x "$EXAMPLES/hadoop_speculation.c"
[ $status -eq 2 ] && grep -q 'is not a number of workers' err || fail "-j x: status $status, $(cat err)"

# Nobody stays behind when it is interrupted.
"$HEDDLE" cluster -j 3 --crashes 3 --reboots 3 --cflags -DAS_IT_IS "$EXAMPLES/broadcast.c" >out 2>err &
heddle=$!
for ((i = 0; i < 600; i++)); do # before it has workers, a signal may be ignored, as shells have it for what runs in the background
    [ "$(pgrep -c -P $heddle -x heddle)" -ge 2 ] && break
    sleep 0.1
done
sleep 0.5
kill -INT $heddle
wait $heddle
status=$?
[ $status -eq 3 ] && grep -q 'interrupted' out || fail "interrupted: status $status, $(cat out err)"
! pgrep -P $heddle >/dev/null || fail 'samplers are left'
nothing_left 'cluster -j'

finish
