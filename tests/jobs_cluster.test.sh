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

# Where nobody draws samples there is one worker; and what is no number is refused.
heddle cluster -j 2 --next random --timeouts 1 --cflags -DAS_IT_IS "$EXAMPLES/hadoop_speculation.c"
[ $status -eq 0 ] && grep -q '^  one worker: ' out || fail "--next random: status $status, $(cat out)"
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
