#!/usr/bin/env bash
# The tests of a folder or of a program, checked beside each other: the same report, files and status for every number of workers.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

mkdir suite other
cp "$DATA"/suite/*.c "$DATA/lost_update.c" suite/
cp "$DATA/lost_update.c" other/ # schedules of the same name
echo 'int main( {' >suite/broken.c
echo 'race:*' >suppressions

# same WHAT ARGUMENT…: what one worker says and writes is what several do, word for word, but for times.
say() { # FOLDER ARGUMENT…
    local to=$1
    shift
    rm -rf "$to" ./*.hd
    mkdir "$to"
    heddle check --explain 0 "$@"
    echo "status $status" >>out
    mv out err json sarif junit baseline ./*.hd "$to" 2>/dev/null
    for file in "$to"/*; do
        sed -i -E 's/ +[0-9.]+ s($|[ ;,])/ T s\1/g; s/, [0-9]+ workers//; /^  one worker: /d
            s/"(seconds|workers|alone|looked)":.*//; s/(time|timestamp)="[^"]*"//g' "$file"
        sed -i -E 's/&#10;  one worker: [^&]*&#10;/\&#10;/; s/&#10;/\n/g' "$file"
    done
}
same() {
    local what=$1 numbers=$2
    shift 2
    say one -j 1 "$@"
    for workers in $numbers; do
        say several -j "$workers" "$@"
        diff -r one several >difference || fail "$what, $workers workers: $(head -n 20 difference | cut -c 1-200)"
    done
}
same 'a folder' '2 3 8' --json json --sarif sarif --junit junit --suppressions suppressions --write-baseline baseline suite/ other/
grep -qx 'heddle: suite/broken.c does not compile' several/err || fail "what a compiler says: $(cat several/err)"
[ "$(cd several && echo ./*~2.*)" != './*~2.*' ] || fail "schedules: $(ls several)"
same 'the tests of one program' '2 8' --strategy optimal "$DATA/suite/counter.c"
same 'some tests' 3 --test '*lock*' suite/
same 'a schedule that cannot be named' 3 --schedule x.hd other/ suite/
same 'names of tests' 3 --names suite/
[ -z "$(ls "$TMPDIR")" ] || fail "temporary files are left: $(ls "$TMPDIR")"

# A program whose search could go on for hours: an interrupted suite ends at once, and says what was done.
mkdir long
cp "$DATA/suite/plain.c" long/a.c
cp "$PROGRAMS/critical.c" long/b.c
cp "$DATA/suite/plain.c" long/c.c
interrupt() { # WHICH SIGNAL
    "$HEDDLE" check -j "$1" --strategy optimal --explain 0 --cflags '-O2 -DK=14' long/ >out 2>err &
    local heddle=$!
    for ((i = 0; i < 300; i++)); do
        pgrep -f "$TMPDIR/.*/program" >/dev/null && grep -q '^long/b.c' out && break
        sleep 0.1
    done
    sleep 0.5
    kill -"$2" $heddle
    wait $heddle
    status=$?
}
interrupt 2 INT
[ $status -eq 3 ] || fail "interrupted: status $status"
says 'before it' '^  long/a.c  verified '
says 'the one under way' '^  long/b.c  incomplete '
grep -q '^incomplete: it was interrupted$' out || fail "interrupted: $(cat out)"
grep -qE '^  long/c.c  (verified|incomplete) ' out || fail "after it: $(cat out)"
interrupt 2 TERM
[ $status -eq 3 ] && grep -q '^incomplete: it was ended by SIGTERM$' out || fail "SIGTERM: status $status, $(cat out)"
for ((i = 0; i < 50; i++)); do
    pgrep -f "$TMPDIR/" >/dev/null || break
    sleep 0.1
done
pgrep -fa "$TMPDIR/" && fail 'processes are left'
[ -z "$(ls "$TMPDIR")" ] || fail "temporary files are left after an interruption: $(ls "$TMPDIR")"

# On a terminal a line says how far all of them are, and is gone when a report is printed.
mkdir shown
for seed in 1 6; do
    sed "s/^#define SEED 1\$/#define SEED $seed/; s/^#define SIZE 3\$/#define SIZE 5/" "$DATA/jobs/random.c" >shown/random_$seed.c
done
if type script >/dev/null 2>&1; then
    timeout 60 script -qec "$HEDDLE check -j 2 --keep-going --explain 0 --strategy optimal shown" terminal </dev/null >/dev/null
    tr '\r' '\n' <terminal | grep -qE '[0-2] of 2 programs built  [0-2] checks? done  [0-2] under way  0:[0-9][0-9]' || fail "progress of a folder: $(tr '\r' '\n' <terminal | head -n 20)"
    tr '\r' '\n' <terminal | grep -qE 'under way.*(bug|verified)' && fail 'progress of a folder is left in front of a report'
fi

finish
