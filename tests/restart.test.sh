#!/usr/bin/env bash
# Ways to start executions again: all give the same answers; files and processes choose theirs by themselves, and what an
# execution does to files is gone in the next and at the end.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
build_once
SOURCES=$DATA/restart

. "$SOURCES/same.sh"

for source in "$ROOT"/examples/*.c; do same "$source"; done
for name in restart file_looks file_append file_lost_update processes cond_two_waiters_signal timedwait_timeout choose keys once_waits create_tree exit_in_middle; do
    same "$CASES/$name.c"
done
for source in abort deadlock_abba memcpy_race spin_wait; do
    [ ! -f "$CASES/$source.c" ] || same "$CASES/$source.c" --keep-going
done
for strategy in dfs dpor random; do
    same "$CASES/restart.c" --strategy $strategy
done

# What is counted of a search that is cut off does not depend on how many samples it had the time for.
for _ in 1 2 3; do
    check --explain 0 --max-executions 1 --restart replay "$ROOT/examples/seqlock.c"
    [ "$(field longest)" -eq "$(field events)" ] || fail "one execution: $(field events) events, longest $(field longest)"
done

# Files: chosen by itself, with the reason; each execution finds the original; nothing stays.
mkdir place
cd place || exit 1
echo begin >journal.txt
check "$SOURCES/journal.c"
expect journal verified
[ "$(field executions)" -eq 2 ] || fail "journal: $(field executions) executions"
[ "$(field restart)" = fork ] || fail "journal: restart $(field restart)"
grep -q '"restart_reason":.*fopen for writing at .*journal.c:16' report.json || fail "journal: $(grep restart_reason report.json)"
grep -q 'restart fork: the program calls fopen for writing at' out || fail 'journal: the text does not say why'
[ "$(cat journal.txt)" = begin ] || fail "journal: the file has changed: $(cat journal.txt)"
nothing_left journal
check --cflags -DWRONG "$SOURCES/journal.c"
expect 'journal wrong' bug assertion
grep -q '| two' out || fail 'journal: the output of the failing run is not shown'
nothing_left 'journal wrong'
heddle replay journal.assertion.hd
[ "$status" -eq 1 ] || fail "journal: replay: status $status"
[ "$(cat journal.txt)" = begin ] || fail "journal: replay changed the file: $(cat journal.txt)"
nothing_left 'journal replay'
for mode in undo replay verify; do
    check --restart $mode "$SOURCES/journal.c"
    expect "journal --restart $mode" incomplete
    grep -q 'fopen for writing, which cannot be taken back in memory' report.json || fail "journal --restart $mode: $(field reason)"
done
[ "$(ls)" = "$(printf 'err\njournal.assertion.hd\njournal.txt\nout\nreport.json')" ] || fail "journal: left behind: $(ls)"

# Where it may not write, and where it may.
mkdir ../allowed
echo begin >../allowed/journal.txt
check --cflags "-DJOURNAL=\"$work/allowed/journal.txt\"" "$SOURCES/journal.c"
expect 'outside' incomplete
grep -q "allow it with --allow-writes" report.json || fail "outside: $(field reason)"
[ "$(cat ../allowed/journal.txt)" = begin ] || fail 'outside: written to'
check --allow-writes ../allowed --max-executions 1 --cflags "-DJOURNAL=\"$work/allowed/journal.txt\"" "$SOURCES/journal.c"
expect 'allowed' incomplete
[ "$(wc -l <../allowed/journal.txt)" -eq 3 ] || fail "allowed: not written to: $(cat ../allowed/journal.txt)"
heddle check --allow-writes ./nowhere "$SOURCES/journal.c"
[ "$status" -eq 2 ] || fail "--allow-writes ./nowhere: status $status"

# Paths that lead out of it: reading works, writing does not; nor through a link.
mkdir ../beside
echo beside >../beside/file
check "$SOURCES/reads_beside.c"
expect 'reads_beside' verified
ln -s ../beside/file link
for path in ../beside/file link; do
    check "$SOURCES/reads_beside.c" -- $path
    expect "write to $path" incomplete
done
rm link
[ "$(cat ../beside/file)" = beside ] || fail 'a file outside was changed'

# Too much to copy; another directory instead.
truncate -s 65M large
check "$SOURCES/journal.c"
expect 'large directory' incomplete
grep -q 'give a smaller one with --directory DIR' report.json || fail "large directory: $(field reason)"
mkdir ../small
echo begin >../small/journal.txt
check --directory ../small "$SOURCES/journal.c"
expect '--directory' verified
[ "$(cat ../small/journal.txt)" = begin ] || fail '--directory: changed'
check --directory ../small --cflags -DWRONG --schedule elsewhere.hd "$SOURCES/journal.c"
heddle replay elsewhere.hd
[ "$status" -eq 1 ] || fail "--directory: replay: status $status"
rm elsewhere.hd
rm large
nothing_left files
cd .. || exit 1

# What is printed: of the failing run, of none, of all.
check "$SOURCES/prints.c"
expect prints bug assertion
grep -q '| late' out || fail 'prints: no output'
grep -q 'early' out err && fail 'prints: output of another execution'
check --output none "$SOURCES/prints.c"
grep -q 'late' out err && fail '--output none: output'
for mode in auto replay fork checkpoint; do
    check --output all --restart $mode "$SOURCES/prints.c"
    printf '%s\n' '--- execution 1' begin early '--- execution 2' begin late >wanted
    cmp -s wanted err || fail "--output all --restart $mode: $(tr '\n' ' ' <err)"
done
heddle check --output all --restart undo "$SOURCES/prints.c"
[ "$status" -eq 2 ] || fail "--output all --restart undo: status $status"
heddle check --output some "$SOURCES/prints.c"
[ "$status" -eq 2 ] || fail "--output some: status $status"

# A worker that dies in a process of its own is a finding, as it is elsewhere.
for mode in fork checkpoint; do
    check --restart $mode "$CASES/heap_smash.c"
    expect "heap_smash --restart $mode" bug
done

# Long executions: by itself from checkpoints, unless memory can be undone; also where what is outside changes in the middle.
long() { # FLAGS RESTART REASON
    check --explain 0 --cflags "$1" "$SOURCES/long.c"
    expect "long $1" verified
    [ "$(field executions) $(field restart)" = "20 $2" ] || fail "long $1: $(field executions) executions, restart $(field restart)"
    grep -q "\"restart_reason\":.*$3" report.json || fail "long $1: $(grep restart_reason report.json)"
}
long -DPLAIN undo 'everything that the program changes is known'
long -DUNLOGGED checkpoint 'uselocale. changes in memory is not known, and [0-9]* events would have to be repeated'
long '-DUNLOGGED -DROUNDS=100' replay 'uselocale. changes in memory is not known'
long -DFILES checkpoint 'fopen for writing at .*long.c:[0-9]*, and its executions are long'
long '-DFILES -DLATE' fork 'fopen for writing at .*long.c:[0-9]*"'
check --restart checkpoint --cflags '-DFILES -DLATE -DROUNDS=20' "$SOURCES/long.c"
expect 'long --restart checkpoint' verified
nothing_left restart

# ended by a signal: nothing is left either.
ended() { # WHAT WAIT COMMAND…: as soon as the pattern WAIT is there (unless it is done by then)
    local what=$1 there=$2 pid
    shift 2
    "$HEDDLE" "$@" >out 2>err </dev/null &
    pid=$!
    until compgen -G "$TMPDIR/$there" >found || ! kill -0 $pid 2>found; do sleep 0.02; done
    kill -TERM $pid 2>found
    wait $pid
    status=$?
    [ $status -eq 3 ] || [ $status -eq 1 ] || fail "$what, ended by a signal: status $status"
    nothing_left "$what, ended by a signal"
}
check --cflags -DWRONG --schedule journal.hd --directory place "$SOURCES/journal.c"
ended 'check with files' 'heddle-*/files' check --cflags '-DFILES -DLATE -DROUNDS=9000 -DTURNS=6' "$SOURCES/long.c"
ended 'replay' 'heddle-*/file-*' replay journal.hd
finish
