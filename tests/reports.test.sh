#!/usr/bin/env bash
# A report tells of one bug, all that belongs to it and nothing else.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
holds() { jq -e "$2" report.json >/dev/null || fail "$1: not so: $2 in $(jq -c '[.bugs[] | {kind, after, message}]' report.json)"; }

# One failure and what comes of it are one report; each is still in JSON, with the one that it follows.
check "$DATA/one_failure.c"
expect 'one failure' bug use-after-free
[ "$(grep -c '^bug' out)" -eq 1 ] || fail "one failure: $(grep '^bug' out)"
[ "$(wc -l <out)" -lt 75 ] || fail "one failure: $(wc -l <out) lines"
says 'one failure' '^bug: use-after-free after '
says 'one failure' '^  what followed it:$'
[ "$(sed -n '/what followed it/,/^$/p' out | grep -c '^    [^ ] [a-z-]*: ')" -eq 4 ] || fail "one failure: what followed: $(cat out)"
says 'one failure' '^ +main +T2 +T3$' # and no T1, which has nothing to do with it
says 'one failure' '^  decisive: +event 2: T2, rmw heap1.refs'
says 'one failure' '^    . double-free: frees a block that was freed before, in T3'
says_not 'one failure' '(✗|!!) race'
holds 'one failure' '[.bugs[].after] == [null, 0, 0, 0, 0] and all(.bugs[]; .stack | length > 0) and ([.bugs[].schedule] | unique | length == 1)'
schedule=$(jq -r '.bugs[0].schedule' report.json)
heddle replay "$schedule"
[ "$status" -eq 1 ] && grep -q '^  what followed it:$' out || fail "one failure: replay: $(cat out)"
heddle check --sarif report.sarif --junit report.xml "$DATA/one_failure.c"
jq -e '.runs[0].results | length == 1 and ([.[0].relatedLocations[].message.text | select(test("^followed by"))] | length == 4)' report.sarif \
    >/dev/null || fail 'one failure: SARIF'
! grep -q 4294967295 out report.json report.sarif report.xml ./*.hd || fail 'one failure: an event number that is none'

# Of a deadlock, too: threads that the others do not need come after them, as rows that say how many steps they took.
for flags in '' -DLOST; do
    check --cflags "$flags" "$DATA/deadlock_bystander.c"
    [ "$status" -eq 1 ] || fail "bystanders of a deadlock ($flags): status $status"
    ! grep -qE '(lock|unlock) z|steps' <<<"$(grep -v '… [0-9]* steps' out)" || fail "bystanders of a deadlock ($flags): $(cat out)"
    [ "$(grep -c '… 21 steps' out)" -eq 2 ] || fail "bystanders of a deadlock ($flags): $(cat out)"
    says "bystanders of a deadlock ($flags)" '^0 .*lock [ab]'
    heddle replay deadlock_bystander.deadlock.hd
    [ "$status" -eq 1 ] && grep -q 'still fails' out || fail "replay without bystanders ($flags): $(tail -n 2 out)"
done

# Threads go by the names that the program gave them last, also in a replay; JSON has them apart.
check "$DATA/named_threads.c"
expect 'names of threads' bug deadlock
says 'names of threads' '^ +main +T1 \(reader\) +T2 \(logger of all t\) '
tells 'names of threads' 'T2 \(logger of all t\) waits to lock a at .*, held by T1 \(reader\)'
holds 'names of threads' '.bugs[0] | .thread_names.T2 == "logger of all t" and .thread_names.T1 == "reader" and (.thread_names | keys == ["T1", "T2", "T3"])'
holds 'names of threads' '[.bugs[0].waits[].thread] | sort == ["T1", "T2", "main"]'
[ "$(cat out report.json | tr -d '\n\t -\177' | LC_ALL=C tr -d '\200-\377' | wc -c)" -eq 0 ] || fail "names of threads: control characters in the report"
heddle replay "$(jq -r '.bugs[0].schedule' report.json)"
says 'names of threads: replay' '^ +main +T1 \(reader\) +T2 \(logger of all t\) '
check --cflags -DOTHER "$DATA/named_threads.c"
[ "$status" -eq 3 ] && grep -q '\bprctl\b' out || fail "another option of prctl: $(cat out)"

# A read lock is held also where a try call made the order of readers count.
check "$DATA/read_lock_held.c"
expect 'a read lock is held' bug deadlock
says 'a read lock is held' '^    holding table \(since .*read_lock_held.c:9\)$'

# What is suppressed hides nothing that follows it.
printf 'use-after-free:get\n' >rules
check --suppressions rules "$DATA/one_failure.c"
expect 'the first one suppressed' bug
holds 'the first one suppressed' '.suppressed | length > 0'
holds 'the first one suppressed' '.bugs[0].after == null and all(.bugs[1:][]; .after == 0) and (.bugs | length) > 1'

# Several races for want of one lock are one report, one between other threads is another.
check --keep-going "$DATA/one_missing_lock.c"
expect 'one missing lock' bug race
says 'one missing lock' '^bug 2 of 2: race'
holds 'one missing lock' '[.bugs[] | select(.after == null) | .object] | map(sub("\\..*"; "")) | sort == ["counter", "queue"]'
holds 'one missing lock' '[.bugs[] | select(.after != null)] | length == 1 and all(.[]; .object | startswith("queue."))'

# What was only seen to follow another bug, and comes first in another run, is a bug of its own.
check --keep-going "$DATA/first_and_after.c"
holds 'first in another run' '[.bugs[].after] == [null, null]'
check --keep-going --cflags -DONLY_AFTER "$DATA/first_and_after.c"
holds 'always after' '[.bugs[].after] == [null, 0]'
says 'always after' '^    . assertion: .*in late'

# Places are the user's own; the way there is in JSON, and in the text with --stacks.
for level in -O0 -O2; do
    check --cflags "$level" "$DATA/own_places.cc"
    expect "own places $level" bug race
    says "own places $level" '^  current: T1 wrote it at .*own_places.cc:24, main reads it at'
    says_not "own places $level" '/usr/include|_M_|GLIBC|vtable|shared_ptr_base'
    says "own places $level" '^ +#0 +reload at .*own_places.cc:24$'
    holds "own places $level" '.bugs[0].accesses[0].location.line == 24 and (.bugs[0].accesses[0].stack | length) > 2
        and (.bugs[0].accesses[0].stack[0].file | test("^/usr/"))'
    heddle check --stacks --explain 0 --cflags "$level" "$DATA/own_places.cc"
    says "own places, --stacks $level" '^ +#[0-9]+ +operator= at /usr/include'
    heddle replay --stacks own_places.race.hd
    says "own places, replay --stacks $level" '^ +#[0-9]+ +operator= at /usr/include'
    check --cflags "$level -DDEADLOCK" "$DATA/own_places.cc"
    expect "own places of a deadlock $level" bug deadlock
    says_not "own places of a deadlock $level" '/usr/include|_M_'
    says "own places of a deadlock $level" '^  T1 waits to lock b at .*own_places.cc:30, held by T2 since'
    holds "own places of a deadlock $level" '.bugs[0].waits[0].location.line == 30 and .bugs[0].waits[0].held_since.line == 35
        and .bugs[0].waits[2].operation == "join"'
done
for level in -O0 -O2; do
    check --cflags "$level" "$DATA/lock_wrappers.c"
    says "wrappers $level" 'lock_wrappers.c:25 .*lock m'
    says_not "wrappers $level" 'lock_wrappers.c:10 '
    says "wrappers $level" 'holding readers \(since .*lock_wrappers.c:27\)'
done

# A block is called by what the program uses of it, not by what its allocator does.
for flags in -O0 -O2 '-O0 -DPOOL' '-O2 -DPOOL'; do
    check --cflags "$flags" "$DATA/pieces.c"
    expect "pieces $flags" bug race
    says "pieces $flags" '^  heap1\.key \(\+0 in 16 bytes \(struct node\) at \+[0-9]+ in '
done

# A race beside one that is suppressed has both its stacks.
for flags in -O0 -O2; do
    printf 'race:known\n' >rules
    check --suppressions rules --cflags "$flags" "$DATA/race_beside_known.c"
    expect "a race beside a suppressed one $flags" bug race
    holds "a race beside a suppressed one $flags" 'all(.bugs[]; (.accesses | length) == 2 and all(.accesses[]; .stack | length > 0))
        and (.suppressed | length) > 0'
    says "a race beside a suppressed one $flags" '^  first access, T1: '
done

# Assumptions: what was taken for granted in this program, and nothing else.
assumes() { # FLAG OPTION JQ
    check --cflags "$1" $2 "$DATA/assumes.c"
    expect "assumptions $1 $2" verified
    holds_assumptions "$1 $2" "$3"
}
holds_assumptions() { jq -e ".assumptions | $2" report.json >/dev/null || fail "assumptions $1: $(jq -c .assumptions report.json)"; }
assumes '' '' 'length == 0'
grep -q assumptions: out && fail 'a heading without assumptions'
assumes -DWEAK '' 'length == 1 and (.[0] | test("sequentially consistent"))'
assumes -DWAIT '' '. == ["condition variables have no spurious wake-ups"]'
assumes -DWAIT --spurious '. == ["each thread has at most 1 spurious wake-up"]'
assumes -DLIBRARY '' 'length == 1 and (.[0] | test("functions of libraries .*: `strverscmp\u0027$"))'
assumes '' '--races off' '. == ["memory is sequentially consistent", "data races were not looked for"]'

# A run with half a million accesses is told within the time of any other test.
cat >long.c <<'END'
#include <stdlib.h>
long *page;
int main(void)
{
    size_t words = 512;
    page = calloc(words, sizeof *page);
    for (size_t round = 0; round <= words; round++)
        for (size_t i = 0; i < words + round / words; i++)
            page[i] = (long)i;
    return 0;
}
END
for compiler in gcc clang; do
    type $compiler >/dev/null 2>&1 || continue
    HEDDLE_CC=$compiler check --cflags -O0 long.c
    expect "a long run, $compiler" bug
    grep -q 'out-of-bounds' report.json || fail "a long run, $compiler: $(cat out)"
done
rm -f ./*.hd

nothing_left 'all of it'
finish
