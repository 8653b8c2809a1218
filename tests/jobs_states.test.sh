#!/usr/bin/env bash
# Searches by states that workers share: the same verdict and bugs for every number of them, and the same counts where threads are told apart.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# Random programs of which each is shared from its first execution on (tests/fuzz/jobs_states.sh).
"$ROOT/tests/fuzz/jobs_states.sh" "$BUILD" 4 101 >said 2>&1 || fail "random programs: $(cat said)"
grep -q '^20 searches compared, [1-9][0-9]* of several workers, 0 differences$' said || fail "random programs: $(cat said)"

export HEDDLE_ALONE=20
sources=$PROGRAMS/critical.c
one() { echo "$(field verdict) $(field executions) $(field events) $(field states)"; }
"$HEDDLE" cc -O2 -g -DK=30 "$sources" -o critical || fail 'critical cannot be built'
check -j 1 --strategy states --symmetry off ./critical
alone=$(one)
for workers in 2 3 8; do
    check -j $workers --strategy states --symmetry off ./critical
    [ "$(one)" = "$alone" ] && [ "$(field workers)" = $workers ] || fail "critical, $workers workers: $(one), $(field workers), not $alone"
done

# Two variables share a word, which is accessed in parts on some paths before it is on others: states must not depend on that.
"$HEDDLE" cc -O1 -g -DSIZE=3 "$DATA/jobs/random.c" -o parts || fail 'the random program cannot be built'
check -j 1 --strategy states --symmetry off --keep-going ./parts -- 87
alone=$(one)
for workers in 2 3 8; do
    HEDDLE_ALONE=0 check -j $workers --strategy states --symmetry off --keep-going ./parts -- 87
    [ "$(one)" = "$alone" ] || fail "a word in parts, $workers workers: $(one), not $alone"
done

# What ends the process of a helper is found as if there was none.
for program in abort back_off_never; do
    for strategy in states dlspor; do
        check -j 3 --strategy $strategy --keep-going "$CASES/$program.c"
        [ "$(field verdict)" = bug ] || fail "$program by $strategy: $(cat out err)"
    done
done

# A helper that is killed costs what was closed so far, and nothing else.
"$HEDDLE" cc -O2 -g -DSIZE=6 "$DATA/jobs/random.c" -o random || fail 'the random program cannot be built'
check -j 1 --strategy states --symmetry off --keep-going ./random -- 4
alone=$(one)
[ "$(field verdict)" = verified ] || fail "the random program: $(cat out)"
"$HEDDLE" check -j 3 --strategy states --symmetry off --keep-going --json report.json ./random -- 4 >out 2>err &
heddle=$!
killed=0
for ((i = 0; i < 300 && killed < 2; i++)); do
    worker=$(pgrep -P $heddle -x random | head -n 1)
    helper=$([ -n "$worker" ] && pgrep -P "$worker" -x random | tail -n 1)
    sleep 0.02
    [ -n "$helper" ] && kill -9 "$helper" 2>/dev/null && killed=$((killed + 1)) && sleep 0.1
done
wait $heddle
status=$?
[ $status -eq 0 ] && [ "$(field states)" = "${alone##* }" ] || fail "$killed killed helpers: status $status, $(one), not $alone, $(cat out err)"

# What cannot be shared, or kept, is said.
check -j 2 --strategy sdpor ./critical
[ "$(field workers)" = 1 ] && grep -q '^  one worker: what sdpor knows of operations cannot be shared$' out || fail "sdpor: $(cat out)"
heddle check -j 2 --strategy states --save kept ./critical
[ $status -eq 2 ] && grep -q 'keeps searches by optimal, not by states' err || fail "a search by states that is to be kept: status $status, $(cat out err)"

finish
