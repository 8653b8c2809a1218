#!/usr/bin/env bash
# What undo leaves is compared with a fresh run, a failure is run again before it is called a bug, and what is heddle's own fault
# is never the program's.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
build_once

# Writes that no compiler knows of are found, whatever they are to: right programs are not accused, wrong ones not verified.
HEDDLE=$HEDDLE "$ROOT/tests/edges/run.sh" -n 16 planted >edges.txt || fail "planted: $(grep '^failed' edges.txt)"

# Whose write it was; and that it would have been missed without.
hides=$CASES/unseen_write_hides_bug.c accuses=$CASES/unseen_write_accuses.c
check "$hides"
expect 'a hidden bug' bug assertion
[ "$(field restart)" = replay ] || fail "a hidden bug: restart $(field restart)"
grep -q '"restart_reason":.*undo did not take back the write to written by T1' report.json || fail "a hidden bug: $(grep restart_reason report.json)"
check --undo-check off --strategy optimal "$hides"
expect 'a hidden bug, not looked for' verified
for strategy in dpor dfs bounded; do
    check --strategy $strategy "$hides"
    expect "a hidden bug, $strategy" bug assertion
done
check "$accuses"
expect 'a write that is not seen' incomplete
grep -q '"reason":.*heddle does not see the write to written by main.*cannot tell whether it races' report.json ||
    fail "a write that is not seen: $(grep '"reason"' report.json)"
for mode in undo verify; do
    check --restart $mode --undo-check always "$hides"
    expect "--restart $mode" incomplete
    grep -q '"reason":.*memory was not as before after going back' report.json || fail "--restart $mode: $(grep '"reason"' report.json)"
done
check --restart fork --races off "$accuses"
expect 'a process for each' verified
check --undo-check sometimes "$hides"
[ "$status" -eq 2 ] || fail "--undo-check sometimes: status $status"

# A failure that does not happen in a fresh process: the search goes on in a safer way, whatever is asked of it.
sure=(--undo-check off --races off)
check "${sure[@]}" "$accuses"
expect 'a false accusation' verified
[ "$(field restart)" = replay ] || fail "a false accusation: restart $(field restart)"
check "${sure[@]}" --keep-going "$accuses"
expect 'a false accusation, --keep-going' verified
check "${sure[@]}" --time 20 "$accuses"
expect 'a false accusation, --time' verified
check "${sure[@]}" --write-baseline known.txt "$accuses"
expect 'a false accusation, --write-baseline' verified
[ "$(grep -c assertion known.txt)" -eq 0 ] || fail "a false accusation is in the baseline: $(cat known.txt)"
echo 'race:nothing' >quiet.txt
check "${sure[@]}" --suppressions quiet.txt "$accuses"
expect 'a false accusation, --suppressions' verified
check "${sure[@]}" --restart undo "$accuses"
expect 'a false accusation, --restart undo' incomplete
grep -q "\"reason\":.*heddle's own fault: the search saw a failure" report.json || fail "--restart undo: $(grep '"reason"' report.json)"

# A race decides what the same steps leave in memory: no write was missed.
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
    for mode in undo verify auto; do
        check --seed $seed --restart $mode --keep-going "$DATA/undo_check/racing_joiner.c"
        expect "a racing joiner, $mode, seed $seed" bug race
        [ "$(field executions)" = 15 ] || fail "a racing joiner, $mode, seed $seed: $(field executions) executions"
        ! grep -qE 'was missed|did not take back' report.json || fail "a racing joiner, $mode, seed $seed: $(grep restart report.json)"
    done
done

# Heddle dies, and says so.
check "$DATA/undo_check/unmaps_itself.c"
expect 'a death of heddle' incomplete
grep -q "\"reason\":.*heddle's own fault: it died of signal 11" report.json || fail "a death of heddle: $(grep '"reason"' report.json)"
nothing_left undo_check
finish
