#!/usr/bin/env bash
# heddle lin: which lines would have to be atomic. The blocks that are found for seeded bugs, that they are checked, that what
# does not suffice is dropped, and what is said where there are none.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# repair FILE BUG ARGUMENT…: with a report in report.json.
repair() {
    local file=$1 bug=$2
    shift 2
    rm -f report.json
    heddle lin --json report.json --explain 1 "$ROOT/examples/lin/$file.c" --cflags "-DBUG=$bug" "$@"
}

# line FILE NTH PATTERN: the number of the line that has the pattern for the NTH time.
line() { grep -n -- "$3" "$ROOT/examples/lin/$1.c" | sed -n "$2s/:.*//p"; }

# Blocks as the text has them, without the directory: of the repair, and of each cause.
repair_of() { sed -n 's|^  make \(.*\) atomic;.*|\1|p' out | sed 's|[^ ]*/||g'; }
causes_of() { sed -n 's|^    \(.*\): forbids .*|\1|p' out | sed 's|[^ ]*/||g'; }

# number NAME: of the report's part about the repair.
number() { sed -n "s/^			\"$1\":	\([0-9.]*\).*/\1/p" report.json; }

# expect_repair WHAT BLOCKS: checked, and these.
expect_repair() {
    grep -q '^  make .* atomic; checked on [0-9,]* clients\{0,1\}\( of up to .* in all\)\{0,1\}, and on .* with a call or a thread more' out || fail "$1: not checked but: $(sed -n '/^repair/,$p' out)"
    [ "$(repair_of)" = "$2" ] || [ "$(repair_of)" = "${3:-$2}" ] || fail "$1: '$2' expected, got '$(repair_of)'"
    grep -q '^			"end":	"checked",$' report.json || fail "$1: the JSON report does not say that it was checked"
}

# Figure 2.21 of the seed with the client of Figure 2.22: exactly two repairs, of which the one in pop is ranked first.
push=array_stack.c:$(line array_stack 1 fetch_add)-$(line array_stack 1 'item.i., argument')
pop=array_stack.c:$(line array_stack 1 'x = atomic_load')-$(line array_stack 1 'item.i., EMPTY);$')
repair array_stack 1 --explain 0 --client 'push(1) | push(2) pop() | pop()'
expect_repair 'Figure 2.21' "$pop"
[ "$(causes_of)" = "$(printf '%s\n' "pop $pop" "push $push")" ] || fail "Figure 2.21: the causes are $(causes_of)"
repair array_stack 1
expect_repair 'Figure 2.21 with all clients' "$pop"

# FILE BUG and the first and the last line of the block; it may begin as late as at the line after those.
while read -r file bug from to late; do
    repair "$file" "$bug"
    expect_repair "$file BUG=$bug" "$file.c:$from-$to" "$file.c:${late:-$from}-$to"
done <<END
treiber_stack 1 $(line treiber_stack 2 'top = atomic_load(&s->top);') $(line treiber_stack 1 'atomic_store(&s->top')
spsc_ring 1 $(line spsc_ring 1 'atomic_store(&r->tail') $(line spsc_ring 1 'atomic_store(&r->place')
lock_coupling_set 2 $(line lock_coupling_set 2 'walk(object') $(line lock_coupling_set 1 'before->next = at->next') $(line lock_coupling_set 1 'int64_t answer = leave')
two_lock_queue 1 $(line two_lock_queue 2 'atomic_load(&q->head->next)') $(line two_lock_queue 1 'q->head = next')
END

# A lock that is taken too late, or let go in between, in both operations: a block in each, where the lock belongs.
for file in coarse_list optimistic_list ordered_tree; do
    source=$ROOT/bench/root_cause/$file.c
    rm -f report.json
    heddle lin --json report.json --explain 1 "$source" --cflags '-DADD=1 -DREMOVE=1' --threads 2 --repair 60
    expect_repair "$file" "$(repair_of)"
    repair_of | sed 's/ and /\n/' | sed 's/.*:\([0-9]*\)-\([0-9]*\)/\1 \2/' >blocks
    for where in add remove; do
        begin=$(sed -n "/$where begins/=" "$source") end=$(sed -n "/$where ends/=" "$source")
        awk -v a="$begin" -v b="$end" '$1 >= a && $2 <= b { n++ } END { exit n != 1 }' blocks ||
            fail "$file: no block in lines $begin to $end: $(repair_of)"
    done
done

# What forbids the failing runs of the first client does not make the others right: it is dropped.
repair coarse_set 3
# Which of the blocks that hold comes first depends on the runs that are known by then.
expect_repair 'coarse_set BUG=3' 'coarse_set.c:49-66 and coarse_set.c:78-87' 'coarse_set.c:49-55, coarse_set.c:63-66 and coarse_set.c:84-87'
[ "$(number dropped)" -gt 0 ] || fail "coarse_set BUG=3: nothing was dropped"

# A deadlock: who waits in it counts. Blocks that lie inside each other, so that a mutex has to be taken further out.
cp "$ROOT"/tests/data/{accounts,twice}.c .
rm -f report.json
heddle lin accounts.c --json report.json --explain 1 --suggest-lock lock.patch
expect_repair 'a deadlock' accounts.c:24-25
grep -q '^  with a mutex around accounts.c:24-25, see' out || fail "a deadlock: $(sed -n '/^repair/,$p' out)"
rm -f report.json
heddle lin twice.c --json report.json --explain 1 --suggest-lock lock.patch
expect_repair 'blocks inside blocks' 'twice.c:15-16 and twice.c:29-30'
grep -q '^  with a mutex around twice.c:22, twice.c:29-30 and twice.c:37, see' out || fail "blocks inside blocks: $(sed -n '/^repair/,$p' out)"

# Who looks again and again in a block, and would go on if it looked later, does not wait: nothing more has to be atomic.
repair ordered_tree 1 --threads 2 --total 3 --repair 60
block=$(line ordered_tree 1 'after = atomic_load(&before->after)')
expect_repair 'a block in a loop' "ordered_tree.c:$block-$((block + 3))"

# The same with a mutex: what the patch makes of the source is right. Where only pop has to be atomic, push has to take it
# too; returns in the middle let it go.
while read -r file bug wanted; do
    cp "$ROOT/examples/lin/$file.c" .
    heddle lin "$file.c" --cflags "-DBUG=$bug" --explain 1 --repair 20 --suggest-lock lock.patch
    got=$(sed -n 's|^  with a mutex around \(.*\), see the patch; checked on [0-9,]* clients.*|\1|p' out)
    [ "$got" = "$wanted" ] || fail "$file BUG=$bug: a mutex around '$wanted' expected: $(sed -n '/^repair/,$p' out)"
    patch -s -p1 <lock.patch || fail "$file BUG=$bug: the patch does not apply: $(cat lock.patch)"
    heddle lin "$file.c" --cflags "-DBUG=$bug -Wall -Werror"
    [ $status -eq 0 ] || fail "$file BUG=$bug: status $status with the patch: $(head -n 5 out err)"
done <<END
array_stack 1 array_stack.c:25-26 and array_stack.c:34-43
two_lock_queue 1 two_lock_queue.c:$(line two_lock_queue 2 'atomic_load(&q->head->next)')-$(line two_lock_queue 1 'q->head = next')
END

# A mutex that suits the bound alone is not offered: this client has a call more than those that the bug is found with.
cp "$DATA/striped_map.c" .
heddle lin striped_map.c --cflags -DBUG=2 --explain 1 --repair 60 --suggest-lock lock.patch
grep -q '^  with a mutex around .* with a call or a thread more' out || fail "striped_map: $(sed -n '/^repair/,$p' out)"
patch -s -p1 <lock.patch || fail "striped_map: the patch does not apply: $(cat lock.patch)"
heddle lin striped_map.c --cflags -DBUG=2 --client 'put_if_absent(1, 1) put_if_absent(2, 2) | remove(2) remove(1) | clear()'
[ $status -eq 0 ] || fail "striped_map: status $status with the patch: $(head -n 5 out err)"
nothing_left '--suggest-lock'
sed 's/^{$/{ again: if (0) goto again;/' "$ROOT/examples/lin/treiber_stack.c" >jumps.c
heddle lin jumps.c --cflags -DBUG=1 --explain 1 --suggest-lock lock.patch
grep -q '^  no mutex: its function has a goto$' out || fail "goto: $(sed -n '/^repair/,$p' out err)"
heddle lin "$ROOT/examples/lin/array_stack.c" --repair 0 --suggest-lock lock.patch
[ $status -eq 2 ] && grep -q 'cannot be combined with it' err || fail "--repair 0 --suggest-lock: status $status, $(cat err)"

# What patches make of the examples holds two calls beyond the bounds. (All of them: make lin-patches.)
HEDDLE=$HEDDLE REPAIR=20 TIME=20 "$ROOT/tests/lin_patches.sh" spsc_ring:1 two_lock_queue:3 >patches.txt || fail "patches: $(grep FAIL patches.txt)"
grep -q '^2 hold ' patches.txt || fail "patches: $(cat patches.txt)"

# A step in an inlined helper belongs to its caller's line.
cp "$DATA/inlined.c" .
heddle lin inlined.c --explain 1 --repair 20
grep -q '^  make inlined.c:25-26 atomic; ' out || fail "inlined helpers: $(sed -n '/^repair/,$p' out)"

# What connects the rounds of a loop is the loop.
cp "$DATA/cells_loop.c" .
heddle lin cells_loop.c --explain 1 --repair 20
grep -q '^  make cells_loop.c:30-32 (a loop) atomic; ' out || fail "a loop: $(sed -n '/^repair/,$p' out)"

# Wrong also one call at a time; without time; without debug information; a program built elsewhere.
repair spsc_ring 3
grep -q '^  no lines were found that would forbid' out || fail "spsc_ring BUG=3: $(sed -n '/^repair/,$p' out)"
repair treiber_stack 1 --repair 0
! grep -q '^repair' out || fail "--repair 0: $(sed -n '/^repair/,$p' out)"
"$HEDDLE" cc -g0 -DBUG=1 "$ROOT/examples/lin/treiber_stack.c" -o program || fail "treiber_stack does not compile"
heddle lin ./program --explain 1
grep -q 'no debug information' out || fail "without -g: $(sed -n '/^repair/,$p' out)"
"$HEDDLE" cc -g -O1 -DBUG=1 "$ROOT/examples/lin/treiber_stack.c" -o program || fail "treiber_stack does not compile"
heddle lin ./program --explain 1
grep -q '^  make .*treiber_stack.c:45-49 atomic; checked on 37 clients of up to 3 threads with 2 calls each and 4 in all, and on all 113 with a call or a thread more$' out || fail "a program: $(sed -n '/^repair/,$p' out)"
heddle lin ./program --suggest-lock lock.patch
[ $status -eq 2 ] && grep -q 'needs the sources' err || fail "--suggest-lock for a program: status $status, $(cat err)"
heddle lin ./program --repair long
[ $status -eq 2 ] && grep -q 'is not a time' err || fail "--repair long: status $status, $(cat err)"
finish
