#!/usr/bin/env bash
# A schedule makes the same failing run again: in another process, in another directory, as often as wanted; and when the
# program is mended it says that the run no longer fails, or where it leaves the schedule.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
mkdir elsewhere

# replayed FILE: replays it in another directory; what is said is in the file out, but for the time it took.
replayed() {
    local file=$PWD/$1
    (cd elsewhere && timeout -k 5 60 "$HEDDLE" replay "$file") >out 2>err </dev/null
    status=$?
    sed -i 's/ [0-9.]* s[;,]/ … s;/' out
}

# table FILE: the rows of the first report in it, without directories, the mark of the decisive event and spacing.
table() {
    sed -n '/^──/,/^──/p' "$1" |
        sed 's/ ◀ decisive//; s/─//g; s/╌//g; s|[^ ]*/\([^ /]*:[0-9]\)|\1|; s/  */ /g; s/ $//' | grep -v '^$'
}

# same_again WHAT SCHEDULE KIND: two replays agree with one another and with the check, whose text is in checked.
same_again() {
    local what=$1 schedule=$2 kind=$3
    [ -s "$schedule" ] || { fail "$what: no schedule $schedule: $(ls)" && return; }
    replayed "$schedule"
    nothing_left "replay $what"
    if [ $status -ne 1 ] || ! grep -q "^bug: $kind" out; then
        fail "$what: a replay with $kind and status 1 expected, got status $status: $(head -n 1 out) $(cat err)"
        return
    fi
    mv out first
    [ -n "$(table first)" ] || fail "$what: replay shows no table"
    [ "$(table first)" = "$(table checked)" ] ||
        fail "$what: replay shows another table than check: $(diff <(table checked) <(table first))"
    replayed "$schedule"
    [ $status -eq 1 ] || fail "$what: status $status of the second replay"
    cmp -s first out || fail "$what: two replays differ: $(diff first out)"
}

# found_and_replayed KIND PROGRAM ARGUMENT…
found_and_replayed() {
    local kind=$1 program=$2
    shift
    check --schedule kept.hd "$@"
    cp out checked
    expect "$*" bug "$kind" || return
    [ "$(of_bugs schedule | head -n 1)" = kept.hd ] || fail "$*: the report names the schedule $(of_bugs schedule)"
    same_again "$*" kept.hd "$(of_bugs kind | head -n 1)"
}

for case in deadlock_abba:deadlock assertion:assertion race:race use_after_free:use-after-free double_free:double-free \
    lost_wakeup:deadlock abort:abort unlock_not_owner:lock-misuse segv_plain:signal race_heap:race choose:assertion \
    timedwait_timeout: spin_never:livelock; do
    [ "$(sed -n '1s|^// expect: *\([a-z]*\).*|\1|p' "$CASES/${case%:*}.c")" = bug ] || continue
    found_and_replayed "${case#*:}" "$CASES/${case%:*}.c"
done
found_and_replayed leak "$CASES/leak.c" --leaks
for example in treiber_stack_wrong dining_philosophers_wrong; do
    found_and_replayed '' "$ROOT/examples/$example.c"
done

# Flags, arguments, binaries, C++.
"$HEDDLE" cc -O1 -o lost_update "$DATA/lost_update.c" || fail 'lost_update.c does not compile'
found_and_replayed assertion "$DATA/lost_update.c" --cflags '-O2 -DUNUSED=1'
grep -qx 'flag -DUNUSED=1' kept.hd || fail 'the schedule does not keep the flags'
found_and_replayed assertion "$DATA/lost_update.c" -- 3
grep -qx 'argument 3' kept.hd || fail 'the schedule does not keep the argument'
found_and_replayed assertion "$work/lost_update" -- 3 'an argument with blanks' ''
check "$DATA/lost_update.c" -- 1
expect 'lost_update with one thread' verified
found_and_replayed assertion "$DATA/lost_update.cc"
found_and_replayed assertion "$DATA/lost_update.cc" --cflags -std=c++20

# A schedule is found again from where it is, though program or source were named from where the check ran.
mkdir -p project/sub
cp "$DATA/lost_update.c" lost_update project
for program in lost_update.c ./lost_update sub/../lost_update.c; do
    (cd project && timeout 60 "$HEDDLE" check --explain 1 --schedule kept.hd $program) >checked 2>err
    [ $? -eq 1 ] || fail "$program: $(head -n 1 checked) $(cat err)"
    same_again "$program, named from its own directory" project/kept.hd assertion
done

# An argument with a line break is kept whole, or refused, but not made into something else.
check --schedule kept.hd "$work/lost_update" -- 3 $'two\nlines'
cp out checked
[ "$status" -eq 2 ] || same_again 'an argument of two lines' kept.hd assertion

# The default name, and one for each bug.
check "$CASES/deadlock_abba.c"
[ -s deadlock_abba.deadlock.hd ] || fail "no deadlock_abba.deadlock.hd: $(ls)"

# Mended programs.
# mended NAME: replays kept.hd, whose program was changed: it passes, or it can no longer follow the schedule.
mended() {
    replayed kept.hd
    case $status in
    0) grep -q 'no longer fails' out || fail "$1, mended: replay says: $(cat out err)" ;;
    3) grep -q 'diverges at event [0-9]*; expected: .*; seen: ' out || fail "$1, mended: replay says: $(cat out err)" ;;
    *) fail "$1, mended: status $status: $(head -n 2 out) $(cat err)" ;;
    esac
    nothing_left "$1, mended"
}
cp "$DATA/lost_update.c" changing.c
found_and_replayed assertion "$work/changing.c"
sed -i '1i #define REPAIRED' changing.c
mended 'lost update'
cp "$CASES/deadlock_abba.c" changing.c
found_and_replayed deadlock "$work/changing.c"
echo 'int main(void) { return 0; }' >changing.c
mended 'a program without threads'
cp "$CASES/race.c" changing.c
found_and_replayed race "$work/changing.c"
cp "$CASES/norace_mutex.c" changing.c
mended 'another program'

# Programs that were changed and built anew: what has become of the failing run.
# rebuilt WHAT STATUS WORDS: replays kept.hd.
rebuilt() {
    replayed kept.hd
    [ $status -eq "$2" ] && grep -Eq "$3" out || fail "$1: status $2 and '$3' expected, got status $status: $(tail -n 2 out) $(cat err)"
}
cp "$DATA/rebuilt.c" changing.c
found_and_replayed assertion "$work/changing.c"
rebuilt 'the same build' 1 'still fails: assertion `seen != 1. in reader .changing.c.$'
sed -i '1i // another line\nint before[100];\n' changing.c
rebuilt 'lines and addresses moved' 1 'still fails: assertion .*the program was rebuilt'
sed 's/assert(seen != 1)/assert(seen != 1 \&\& seen < 9)/' "$DATA/rebuilt.c" >changing.c
rebuilt 'another assertion' 1 'fails differently: assertion .*seen < 9.* instead of assertion'
sed 's/assert(seen != 1)/assert(seen < 9)/' "$DATA/rebuilt.c" >changing.c
rebuilt 'a weaker assertion' 0 'passes: the run no longer fails with assertion'
sed 's/atomic_store(&value, 1);/pthread_mutex_lock(\&mutex);/; s/atomic_store(&value, 2);/&pthread_mutex_unlock(\&mutex);/' \
    "$DATA/rebuilt.c" >changing.c
rebuilt 'another operation' 3 'diverges at event [0-9]*; expected: T1: store value at .*changing.c:[0-9]* .writer.; seen: T1: lock mutex at .*changing.c'
sed 's/atomic_load(&value)/atomic_load(\&other)/' "$DATA/rebuilt.c" >changing.c
rebuilt 'another variable' 3 'diverges at event [0-9]*; expected: T2: load value .*; seen: T2: load other at'
rm changing.c
cp "$DATA/behind_race.c" changing.c
check --races explore --schedule other.hd "$work/changing.c"
cp "$(of_bugs schedule | grep assertion)" kept.hd
grep -q '^racy [a-z_]*+[0-9]*$' kept.hd || fail "racy words have no names: $(grep ^racy kept.hd)"
sed -i '1i int before[1000] = {1}, behind[1000];' changing.c
rebuilt 'racy variables moved' 1 'still fails: assertion'
finish
