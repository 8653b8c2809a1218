#!/usr/bin/env bash
# heddle lin: objects that are right and objects with seeded bugs; every strategy finds the same; clients given by hand, made
# smaller, replayed; bad input.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# lin ARGUMENT…: with a report in report.json.
lin() {
    rm -f report.json
    heddle lin --json report.json --explain 2 --repair 0 --grow 0 "$@"
}

client_of() { sed -n 's/^		"client":	"\(.*\)",$/\1/p' "${1:-report.json}"; }

# refused TEXT ARGUMENT…: one sentence, status 2.
refused() {
    local text=$1
    shift
    heddle lin "$@"
    [ $status -eq 2 ] || fail "refused: status $status for: $*"
    [ "$(wc -l <err)" -eq 1 ] || fail "refused: not one sentence but: $(cat err)"
    grep -qF -- "$text" err || fail "refused: '$text' expected, got: $(cat err)"
}

# The first lines of each object of tests/lin: "// expect: VERDICT [KIND] [client=…] [options: …]".
for object in "$ROOT"/tests/lin/*.c; do
    name=$(basename "$object" .c)
    while IFS= read -r line; do
        line=${line#// expect: } options='--cflags -DBUG=0' client=
        case $line in *options:*) options=${line#*options:} line=${line%%options:*} ;; esac
        case $line in *client=*) client=${line#*client=} line=${line%%client=*} ;; esac
        [[ $options = *--cflags* ]] || options+=' --cflags -DBUG=0'
        read -r verdict kind <<<"$line"
        # shellcheck disable=SC2086
        lin "$object" $options
        expect "$name $options" "$verdict" "$kind"
        read -r client <<<"$client"
        [ -z "$client" ] || [ "$(client_of)" = "$client" ] || fail "$name: the client is $(client_of) instead of $client"
    done < <(grep '^// expect: ' "$object")
    nothing_left "$name"
done

# Who gives up because another is at it: the other was interrupted.
lin "$ROOT/tests/lin/try_counter.c" --explain 20
grep -q '^  preemptions: 1 (no run that fails like this has fewer)' out || fail "try_counter: $(grep preemptions out)"

# A call that begins anew is where it was: what the calls of heddle left on the stack does not count, however they were compiled.
lin "$ROOT/examples/lin/ms_queue.c" --cflags -DBUG=0 --no-match --client 'enqueue(1) enqueue(2) | enqueue(3) dequeue()'
grep -q '^  1 client, 40 executions' out || fail "ms_queue: $(grep client, out)"

# Every example is right, and every bug of it is found. (A bug is told by the line "// BUG=N: …"; a line "// options: …" has
# what clients it takes. `make lin-library` takes larger ones.)
for object in "$ROOT"/examples/lin/*.c; do
    name=$(basename "$object" .c)
    read -ra options < <(sed -n 's|^// options: ||p' "$object")
    case $name in ordered_tree) right=(--total 3) ;; *) right=("${options[@]}") ;; esac
    lin "$object" --cflags -DBUG=0 "${right[@]}"
    expect "$name" verified
    for bug in $(sed -n 's|^// BUG=\([0-9]*\):.*|\1|p' "$object"); do
        lin "$object" --cflags "-DBUG=$bug" "${options[@]}" --explain 0.3
        expect "$name BUG=$bug" bug || continue
        grep -q '^──' out || fail "$name BUG=$bug: the report has no table"
    done
done

# Plain enumeration looks at each order of calls and returns as it is; the others at one execution for many.
for object in "$ROOT"/tests/lin/*.c "$ROOT"/examples/lin/{treiber_stack,spsc_ring,coarse_set,two_lock_queue}.c; do
    name=$(basename "$object" .c)
    for flags in -DBUG=0 -DBUG=1; do
        "$HEDDLE" cc "$flags" -g "$object" -o program 2>/dev/null || fail "$name does not compile"
        for judgement in linearizable sequential quiescent; do
            for strategy in optimal dpor dfs; do
                lin ./program --judge $judgement --strategy $strategy --total 3 --threads 2 --explain 0
                echo "$status $(client_of)" >"$strategy"
            done
            cmp -s optimal dfs || fail "$name $flags $judgement: optimal gives '$(cat optimal)', dfs '$(cat dfs)'"
            cmp -s optimal dpor || fail "$name $flags $judgement: optimal gives '$(cat optimal)', dpor '$(cat dpor)'"
        done
    done
done

# Which operation can block which, and where it stands then. Lines are those between taking the lock and letting it go.
# blocking OBJECT LINE…
blocking() {
    local object=$1
    shift
    lin "$object" --cflags -DBUG=0 --total 2
    [ "$(sed -n 's/^  blocking: //p' out)" = "$(printf '%s\n' "$@")" ] || fail "blocking of $object: $(grep blocking out)"
}
counter=$ROOT/tests/lin/spin_counter.c queue=$ROOT/examples/lin/two_lock_queue.c
line_of() { grep -n "$2" "$1" | tail -n 1 | cut -d : -f 1; }
blocking "$counter" "add can block add ($counter:$(line_of "$counter" 'taken, 0'))"
blocking "$queue" "enqueue can block enqueue ($queue:$(line_of "$queue" 'unlock(&q->tail_lock)'))" \
    "dequeue can block dequeue ($queue:$(line_of "$queue" 'unlock(&q->head_lock)'))"
blocking "$ROOT/examples/lin/treiber_stack.c"
grep -q '^  no blocking seen: in 3 clients' out || fail "blocking of a stack without locks: $(cat out)"

# A client given by hand is made smaller, and its run can be replayed; so can one with an operation that may fail.
stack=$ROOT/examples/lin/treiber_stack.c
lin "$stack" --cflags -DBUG=1 --client '[push(7)] push(5) pop() | pop() pop() [pop()]'
expect 'a client by hand' bug not-linearizable
[ "$(client_of)" = 'push(1) pop() | pop()' ] || fail "a client by hand: made smaller to $(client_of)"
grep -q '^  minimal:' out || fail "a client by hand: it is not called minimal: $(head -n 2 out)"
heddle replay treiber_stack.not-linearizable.hd
[ $status -eq 1 ] && grep -q 'no order of the calls' out || fail "replay: status $status, $(head -n 2 out err)"
lin "$stack" --cflags -DBUG=0 --client 'push(1) | pop()'
expect 'a right client' verified
lin "$stack" --cflags -DBUG=0 --total 2 --sample 5
expect 'random clients' verified
grep -q '^  8 clients' out || fail "random clients: $(cat out)"
lin "$stack" --cflags -DBUG=2 --before 'push(8)' --after 'pop() pop() pop()' --total 2
expect 'calls around' bug
[ "$(client_of)" = '[push(8)] push(9) | push(10) [pop() pop() pop()]' ] || fail "calls around: $(client_of)"
lin "$stack" --cflags -DBUG=0 --before 'push(8)' --after 'pop()' --total 3 --judge quiescent
expect 'calls around, quiescent' verified
lin "$stack" --cflags -DBUG=0 --max-executions 3
expect 'a bound' incomplete

# Bounds grow while there is time: what was covered is said, also where a signal ends it; the time is kept; nothing is left behind.
# Who shares the machine with others gets less done in a second, and is given more of them.
grows() {
    grep -q '^  beyond these bounds, in [0-9.]* s: all clients of 2 threads with up to [4-8] calls' out &&
        grep -q '^  and after calls that set the object up: all of up to [4-9] calls' out
}
for seconds in 1 5 25; do
    lin "$stack" --cflags -DBUG=0 --grow $seconds
    expect 'growing' verified
    grows && break
done
grows || fail "growing: $(cat out)"
covers() { grep -q '^  covered: all clients of up to 3 threads with 3 calls each and [1-8] in all$' out; }
for seconds in 1 5 25; do
    lin "$ROOT/examples/lin/ms_queue.c" --cflags -DBUG=0 --threads 3 --calls 3 --total 9 --time $seconds
    expect 'a time' incomplete
    covers && break
done
covers || fail "a time: $(cat out)"
mkdir empty
for signal in INT TERM; do
    for seconds in 0.5 3 20; do
        TMPDIR=$PWD/empty "$HEDDLE" lin "$ROOT/examples/lin/ms_queue.c" --cflags -DBUG=0 --grow 60 >out 2>err &
        heddle=$!
        sleep $seconds
        kill -s $signal $heddle
        wait $heddle
        status=$?
        [ -z "$(ls empty)" ] || fail "SIG$signal: a temporary folder is left"
        grep -q '^  [1-9][0-9]* clients, ' out && break
    done
    [ $status -eq 0 ] || [ $status -eq 3 ] || fail "SIG$signal: status $status: $(cat out err)"
    grep -q '^  [1-9][0-9]* clients, ' out || fail "SIG$signal: it does not say what was covered: $(cat out err)"
done

# Concurrency Kit's queue with entries that are used again: five calls, such as four beside one. Without options that takes seconds; here the
# machine may be busy.
lin "$ROOT/tests/assembly/ck_mpmc.c" --grow 100
expect "Concurrency Kit's queue" bug not-linearizable
[ "$(client_of | tr -cd '(' | wc -c)" -eq 5 ] || fail "Concurrency Kit's queue: the client is $(client_of)"

# Random objects whose truth is known by brute force, and some that free their nodes. (More: make edges.)
HEDDLE=$HEDDLE "$ROOT/tests/edges/run.sh" -n 8 objects nodes >edges.txt || fail "random objects: $(grep '^failed' edges.txt)"

# An ordinary program is refused before it is run: this one would not end.
echo 'int main(void) { for (;;); }' >endless.c
refused 'declares no object' endless.c
cat >alone.c <<'END'
#include <stdlib.h>
#include <heddle/lin.h>
static void *create(void) { return calloc(1, 8); }
static int64_t add(void *object, const int64_t *n) { return *(int64_t *)object += n[0]; }
heddle_lin(.create = create, .operations = {{"add", add, {HEDDLE_RANGE(1, 2000)}, .by = 1}});
END
refused 'all operations belong to one thread' alone.c
refused 'takes values from 2 to 3, not 7' "$ROOT/examples/lin/hash_map.c" --cflags -DBUG=0 --client 'get(7)'
refused 'each call needs a value of its own' "$stack" --cflags -DBUG=0 --client 'push(1) | push(1)'
refused 'is not a value that the object makes' "$ROOT/tests/lin/made_values.c" --cflags -DBUG=0 --client 'put(2)'
refused '--grow cannot be combined with it' "$stack" --cflags -DBUG=0 --client 'push(1)' --grow 3

refused 'no operation called peek' "$stack" --cflags -DBUG=0 --client 'peek()'
refused 'takes fewer arguments' "$stack" --cflags -DBUG=0 --client 'push(1, 2)'
refused 'a thread has no calls' "$stack" --cflags -DBUG=0 --client 'push(1) | | pop()'
refused 'an operation that the object does not have' "$stack" --cflags -DBUG=0 --may-fail peek
refused 'belong to one' "$ROOT/examples/lin/spsc_ring.c" --cflags -DBUG=0 --client 'put(1) | put(2)'
refused 'declares no object' "$ROOT/examples/ticket_lock.c"
refused 'is not a number of threads' "$stack" --threads 9
refused 'cannot do without looking for races' "$stack" --races off
refused '--client says everything' "$stack" --client 'pop()' --sample 3
refused 'there is no option --nothing' "$stack" --nothing
refused 'name a C file' --threads 2
finish
