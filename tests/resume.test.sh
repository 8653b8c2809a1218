#!/usr/bin/env bash
# A search that is kept goes on where it was, however it ended, and ends with the report of one that nobody disturbed.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

plain() { sed -E 's/[0-9.]+ s([,;]|$)/T s\1/; s/, [0-9]+ workers//; s/, [0-9]+ events,/,/; s/longest [0-9]+ events?, //; s/, [0-9]+ more begun and given up as repeats of others//'; }

# sliced SEED BOUND…: a search that is cut by bounds again and again, each time with other workers, and its whole.
"$HEDDLE" cc -O1 -g "$DATA/jobs/random.c" -o random || fail 'the random program cannot be built'
sliced() {
    local seed=$1 workers=1 bound
    shift
    rm -rf kept ./*.hd
    heddle check --strategy optimal --keep-going --explain 0 ./random -- "$seed"
    { cat out && echo "status $status"; } | plain >whole
    heddle check --save kept --keep-going --explain 0 -j 2 --max-executions 3 ./random -- "$seed"
    for bound in "$@" 100000; do
        workers=$((workers % 3 + 1))
        rm -f ./*.hd
        heddle resume -j $workers --max-executions "$bound" kept
    done
    { cat out && echo "status $status"; } | plain >parts
    diff whole parts >difference || fail "random program $seed in slices: $(head -c 600 difference)"
}
sliced 15 7 8 40 41 100
sliced 501 20 60 61 120
sliced 16 30 90

# Killed at random moments, with its workers and without.
mkdir campaign
(cd campaign && HEDDLE=$HEDDLE timeout 300 "$ROOT/tests/kill_campaign.sh" 2 7) >campaign.out 2>&1 || fail "killed: $(cat campaign.out)"

# Ctrl-C and SIGTERM leave what was done, and the next search goes on. heddle status looks at it from outside.
cp "$PROGRAMS/critical.c" .
for signal in INT TERM; do
    rm -rf kept
    "$HEDDLE" check --save kept --cflags '-O2 -DK=11' -j 2 critical.c >out 2>err &
    searching=$!
    for ((i = 0; i < 300; i++)); do
        [ -e kept/search ] && break
        sleep 0.1
    done
    heddle status --json kept
    [ $status -eq 0 ] && grep -q "\"process\":.*$searching" out || fail "status of a search: $(cat out err)"
    heddle resume kept
    [ $status -eq 2 ] && grep -q "kept is in use by a search that is still running (process $searching)" err || fail "in use: $(cat out err)"
    kill -$signal $searching
    wait $searching
    status=$?
    [ $status -eq 0 ] && continue # it was quicker
    [ $status -eq 3 ] || fail "SIG$signal: status $status, $(cat err)"
done
heddle status kept
grep -q '^  not running' out && grep -q "^heddle check --save kept --cflags '-O2 -DK=11' -j 2 critical.c$" out || fail "status: $(cat out err)"
heddle resume --json report.json kept
[ $status -eq 0 ] && [ "$(field executions)" = 705432 ] || fail "after SIGTERM: $(cat out err)"
heddle status kept
grep -q 'nothing is left to explore' out && grep -q '^  705432 executions' out || fail "status at the end: $(cat out err)"
heddle resume kept
[ $status -eq 0 ] && grep -q '^  705432 executions' out || fail "resumed at its end: $(cat out err)"

# Who explored what, and when, as a picture.
heddle check -j 2 --strategy optimal --timeline line.svg --cflags '-O2 -DK=9' "$PROGRAMS/critical.c"
[ $status -eq 0 ] && python3 - <<'END' || fail "a timeline: $(cat out err)"
import xml.etree.ElementTree as tree
root = tree.parse('line.svg').getroot()
name = '{http://www.w3.org/2000/svg}'
rows = {bar.get('y') for bar in root.iter(name + 'rect')}
texts = [text.text for text in root.iter(name + 'text')]
assert len(rows) == 2 and 'worker 2' in texts, (rows, texts)
END
heddle check --strategy dfs --timeline none.svg --cflags '-O2 -DK=2' "$PROGRAMS/critical.c"
[ $status -eq 2 ] && [ ! -e none.svg ] && grep -q 'only searches by optimal have units' err || fail "a timeline of dfs: $(cat out err)"

# refused WHAT WORDS ARGUMENT…: one sentence, and status 2.
refused() {
    local what=$1 words=$2
    shift 2
    heddle "$@"
    [ $status -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q -e "$words" err || fail "$what: status $status, $(cat out err)"
}
refused 'another search there' 'kept holds a search already' check --save kept critical.c
refused 'no directory' 'nowhere does not exist' resume nowhere
refused 'no directory, status' 'nowhere does not exist' status nowhere
mkdir empty
refused 'an empty directory' 'empty holds no search' resume empty
refused 'a file' 'critical.c is not a directory' resume critical.c
refused 'a directory that cannot be' 'cannot be made' check --save critical.c/kept critical.c
refused 'another strategy' 'keeps searches by optimal, not by dfs' check --save new --strategy dfs critical.c
refused 'a bound on preemptions' 'keeps searches by optimal' check --save new --preemptions 1 critical.c
refused 'suppressions' 'cannot be combined with --baseline' check --save new --write-baseline base critical.c
refused 'processes' 'cannot be combined with --restart fork' check --save new --restart fork critical.c
refused 'several programs' 'keeps one search' check --save new --list critical.c
refused 'no time' 'is not a time' check --save new --save-every 0 critical.c
[ ! -e new ] || fail 'a refused search left a directory'
damaged() {
    rm -rf broken
    cp -r kept broken
    python3 -c "
import sys
b = bytearray(open('broken/search', 'rb').read())
$1
open('broken/search', 'wb').write(b)"
}
for place in 100 -1; do
    damaged "b[$place] ^= 1"
    refused 'damage' 'broken is damaged: the checksum' resume broken
done
damaged 'del b[-5:]'
refused 'a file cut off' 'broken is damaged' resume broken
damaged 'del b[20:]'
refused 'a file cut off early' 'broken is damaged' resume broken
damaged 'b[20:25] = b"0.0.0"'
refused 'another version' 'was saved by another version of heddle (0.0.0' resume broken
damaged 'b[40] ^= 1'
refused 'another build' 'was saved by another build of heddle' resume broken
damaged 'b += b"x"'
refused 'a file that is too long' 'broken is damaged: the file .search. has the wrong length' resume broken
truncate -s 40G broken/search
refused 'a huge file' 'broken is damaged: the file .search. has the wrong length' status broken
rm broken/search && mkfifo broken/search
refused 'a pipe' 'broken cannot be read' resume broken
refused 'a pipe' 'broken cannot be read' status broken
damaged 'b[0] = 0'
refused 'something else' 'holds no search' resume broken
echo '// changed' >>critical.c
refused 'a source that has changed' 'critical.c has changed since the search was saved' resume kept
rm -rf kept
"$HEDDLE" cc -O2 -g -DK=6 "$PROGRAMS/critical.c" -o built || fail 'critical cannot be built'
heddle check --save kept --max-executions 100 ./built
"$HEDDLE" cc -O2 -g -DK=7 "$PROGRAMS/critical.c" -o built
refused 'a program built anew' 'built was built anew since the search was saved' resume kept

# A disk that fills up: one sentence, the search goes on, and what was saved before stays.
rm -rf kept
gcc -shared -fPIC -o full_disk.so "$DATA/jobs/full_disk.c" -ldl || fail 'full_disk.c cannot be built'
LD_PRELOAD=$PWD/full_disk.so FULL_DISK=$PWD/full "$HEDDLE" check --save kept --save-every 0.1 -j 2 --cflags '-O2 -DK=11' "$PROGRAMS/critical.c" >out 2>err &
searching=$!
for ((i = 0; i < 300; i++)); do
    [ -e kept/search ] && break
    sleep 0.1
done
touch full
wait $searching
status=$?
[ $status -eq 0 ] && grep -q '^  705432 executions' out || fail "a full disk: status $status, $(cat out err)"
[ "$(grep -c 'cannot be saved in .*/kept: No space left on device; it goes on, and what was saved' err)" -eq 1 ] || fail "a full disk: $(cat err)"
[ ! -e kept/search.new ] || fail 'a full disk: half a file was left'
heddle resume kept
[ $status -eq 0 ] && grep -q '^  705432 executions' out || fail "after a full disk: $(cat out err)"

finish
