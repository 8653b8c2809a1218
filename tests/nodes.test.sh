#!/usr/bin/env bash
# heddle cluster: what nodes do to their memory, what they may call, several bugs, several files, limits that end a search.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
EXAMPLES=$ROOT/examples/cluster

# verdict_is WHAT VERDICT ARGUMENT…: the first line and the status that belongs to it.
verdict_is() {
    local what=$1 verdict=$2 wanted
    shift 2
    heddle cluster --json report.json "$@"
    case $verdict in verified) wanted=0 ;; incomplete) wanted=3 ;; *) wanted=1 ;; esac
    [ "$(head -n 1 out)" = "$verdict" ] || fail "$what: $verdict expected, got $(head -n 2 out err)"
    [ $status -eq $wanted ] || fail "$what: status $status instead of $wanted"
}

# Heap blocks and messages: each wrong access with its line, the right twin verified.
cat >memory.c <<'END'
#include <heddle/node.h>
#include <stdlib.h>
#include <string.h>
static int *kept;
static char *text;
static void boot(int self, int nodes)
{
    (void)nodes;
    kept = malloc(5 * sizeof *kept);
    text = malloc(3);
    if (!self)
        heddle_send(1, "ab", 2);
}
static void message(int from, const void *data, size_t size)
{
    const char *c = data;
    (void)from;
    (void)size;
    DO
}
static void report(void *s) { *(int *)s = kept[0] + text[0]; }
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report};
END
memory() {
    sed "s/^    DO$/    $3/" memory.c >"$1.c"
    verdict_is "$1" "$2" --cflags -w "$1.c"
    [ "$2" = verified ] || prints "$1" "$4"
    [ "$2" = verified ] || prints "$1" "at $1.c:19 in message"
}
memory fits verified 'kept[4] = c[1]; memcpy(text, data, 2); text[2] = 0; kept = realloc(kept, 4); kept[0] = strlen(text); kept = realloc(kept, 60); kept[14] = c[0];'
memory again verified 'free(kept); kept = malloc(20); kept[4] = 1; free(text); text = calloc(40, 1); text[39] = c[0];'
memory freed 'bug: memory' 'free(kept); kept[2] = c[0];' 'writes 4 bytes of memory that was freed, 8 from the start of the block'
memory read_freed 'bug: memory' 'free(text); kept[0] = text[1];' 'reads 1 byte of memory that was freed'
memory behind 'bug: memory' 'kept[c[0] - 92] = 1;' 'writes 4 bytes at offset 20 of a block of 20 bytes'
memory last 'bug: memory' '((char *)kept)[19] = c[1]; ((char *)kept)[20] = c[1];' 'writes 1 byte at offset 20 of a block of 20 bytes'
memory before 'bug: memory' 'text[c[0] - 98] = 3;' 'writes 1 byte'
memory shrunk 'bug: memory' 'kept = realloc(kept, 4); kept[1] = c[0];' 'writes 4 bytes at offset 4 of a block of 4 bytes'
memory copied 'bug: memory' 'memcpy(kept, "abcdefghijklmnopqrstuvwxyz", 21);' 'writes 21 bytes at offset 0 of a block of 20 bytes'
memory string 'bug: memory' 'strcpy(text, "abc");' 'writes 4 bytes at offset 0 of a block of 3 bytes'
memory beyond 'bug: memory' 'kept[0] = c[2];' 'reads 1 byte at offset 2 of a message of 2 bytes'
memory short 'bug: memory' 'memcpy(kept, data, 4);' 'reads 4 bytes at offset 0 of a message of 2 bytes'
memory null 'bug: crash' '*(volatile int *)(long)(c[0] - 97) = 1;' 'was ended by SIGSEGV'
heddle replay null.crash.hd
[ $status -eq 1 ] || fail "null: replay: $status"
prints 'null, replayed' 'at null.c:19 in message'

# Several files, a library, time and random numbers: the same each time, and what is verified says on which they rest.
cat >sum.c <<'END'
#include <heddle/node.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>
int twice(int x);
static int sum;
static time_t begun;
static void boot(int self, int nodes)
{
    begun = time(NULL);
    heddle_set_timer(0);
    for (int i = 0; i < nodes; i++) {
        int x = rand() % 4;
        if (i != self)
            heddle_send(i, &x, sizeof x);
    }
}
static void message(int from, const void *d, size_t n) { (void)from; (void)n; sum += twice(*(const int *)d) + (int)lround(sqrt(4.0)); }
static void timer(int n) { (void)n; sum += (int)(time(NULL) - begun); }
static void report(void *s) { *(int *)s = sum; }
static const char *check(const struct heddle_view *v)
{
    for (int i = 0; i < v->nodes; i++) {
        int s = *(const int *)v->state[i];
        if (s > MOST)
            return "too much";
        if (s == 1)
            return "one";
        if (s % 2)
            return "odd";
    }
    return NULL;
}
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .timer = timer, .state_size = sizeof(int), .report = report, .check = check};
END
echo 'int twice(int x) { return 2 * x; }' >twice.c
verdict_is files verified --cflags -DMOST=100 sum.c twice.c -lm
prints files 'random numbers of nodes are those of --seed 1'
prints files 'the clocks of nodes go on by a second when a timer runs out'
verdict_is clock 'bug: invariant' --timeouts 1 --cflags -DMOST=100 -lm sum.c twice.c
heddle replay sum.invariant.hd
[ $status -eq 1 ] || fail "clock: replay: $status $(cat out err)"
heddle cluster sum.c nowhere.c
[ $status -eq 2 ] && grep -q 'nowhere.c cannot be read' err || fail "nowhere: $status $(cat err)"

# Draws are tried: two nodes draw one of three and tell each other, and both lead if both have drawn the last number.
cat >duel.c <<'END'
#include <heddle/node.h>
#include <stdlib.h>
static int mine;
static bool leads;
static void boot(int self, int nodes)
{
    (void)nodes;
    mine = DRAW;
    heddle_send(!self, &mine, sizeof mine);
}
static void message(int from, const void *d, size_t n)
{
    int theirs = *(const int *)d;
    (void)n;
    leads = mine > theirs || (mine == theirs && (heddle_self() < from || mine == BOTH));
}
static void report(void *s) { *(bool *)s = leads; }
static const char *check(const struct heddle_view *v) { return *(const bool *)v->state[0] && *(const bool *)v->state[1] ? "two lead" : NULL; }
static const char *quiet(const struct heddle_view *v) { return *(const bool *)v->state[0] || *(const bool *)v->state[1] ? NULL : "nobody leads"; }
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(bool), .report = report, .check = check, .quiet = quiet};
END
duel() { verdict_is "duel $*" "$1" --nodes 2 --cflags "-DDRAW=$2 -DBOTH=$3" "${@:4}" duel.c; }
for way in '--policy auto' '--policy none' '--next last' '--next random' '--strategy dfs' '--strategy dpor' '--strategy optimal'; do
    # shellcheck disable=SC2086
    for number in 0 1 2; do
        duel 'bug: invariant' 'heddle_choose(3)' $number $way
        [ "$(grep -c "draws $number of 0 to 2" out)" -eq 2 ] || fail "duel $number $way: $(cat out)"
        heddle replay duel.invariant.hd
        [ $status -eq 1 ] && grep -q "draws $number of 0 to 2" out || fail "duel $number $way: replay: $(cat out err)"
    done
    # shellcheck disable=SC2086
    duel verified 'heddle_choose(3)' 3 $way
done
for draw in 'rand()%3' 'rand()/(RAND_MAX/3+1)' '(int)(random()*3.0/RAND_MAX)'; do
    for number in 0 1 2; do
        duel 'bug: invariant' "$draw" $number --draws 3
        heddle replay duel.invariant.hd
        [ $status -eq 1 ] || fail "duel $draw $number: replay: $(cat out err)"
    done
    duel verified "$draw" 3 --draws 3
    prints "duel $draw" 'a random number of a node is one of 3'
done
duel verified 'rand()%3' 2
prints duel '(see --draws)'
duel incomplete 'heddle_choose(65)' 65
prints duel 'a node drew in more than 64 ways in one event'
duel verified 'heddle_choose(8)*8+heddle_choose(8)' 64
duel incomplete 'heddle_choose(8)*9+heddle_choose(9)' 72
prints duel 'a node drew in more than 64 ways in one event'
heddle cluster --draws 17 duel.c
[ $status -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || fail "--draws 17: $status $(cat err)"

# Two nodes draw until their draws differ. That they may draw the same for ever is no bug; that they cannot do anything else is.
cat >again.c <<'END'
#include <heddle/node.h>
static int mine;
static bool ended;
static void draw(void)
{
    mine = heddle_choose(SIDES);
    heddle_send(!heddle_self(), &mine, sizeof mine);
}
static void boot(int self, int nodes) { (void)self; (void)nodes; draw(); }
static void message(int from, const void *d, size_t n)
{
    (void)from; (void)n;
    ended = mine != *(const int *)d;
    if (!ended)
        draw();
}
static void report(void *s) { *(bool *)s = ended; }
static const char *quiet(const struct heddle_view *v) { return *(const bool *)v->state[0] || *(const bool *)v->state[1] ? NULL : "they draw again and again"; }
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(bool), .report = report, .quiet = quiet};
END
verdict_is again verified --nodes 2 --cflags -DSIDES=2 again.c
verdict_is 'again and again' 'bug: liveness' --nodes 2 --max-events 30 --cflags -DSIDES=1 again.c
grep -q 'also after 0 more events' out && fail "again and again: nodes are blamed before they have started: $(cat out)"

# All bugs, not only the first; each replays.
verdict_is going 'bug: invariant' --timeouts 2 --keep-going --cflags -DMOST=6 sum.c twice.c -lm
[ "$(grep -c '^bug: invariant' out)" -eq 3 ] || fail "going: $(cat out)"
prints going '3 bugs; every execution was looked at'
for file in sum.invariant.hd sum.invariant-2.hd sum.invariant-3.hd; do
    heddle replay $file
    [ $status -eq 1 ] || fail "going: replay of $file: $status"
done
verdict_is stopped 'bug: invariant' --timeouts 2 --keep-going --max-executions 3 --cflags -DMOST=6 sum.c twice.c -lm
prints stopped 'there may be others: --max-executions was reached'

# A report that cannot be written costs the file, not what was found.
for option in --json --svg; do
    heddle cluster --timeouts 1 --cflags -DMOST=100 $option nowhere/x sum.c twice.c -lm
    [ $status -eq 1 ] && grep -q 'nowhere/x' err || fail "unwritten $option: $status $(cat err)"
done

# Heaps: a limit is heddle's and says so; it can be moved.
cat >heap.c <<'END'
#include <heddle/node.h>
#include <stdlib.h>
static char *volatile p;
static void boot(int self, int nodes) { (void)self; (void)nodes; p = malloc(30 << 20); p[(30 << 20) - 1] = 1; }
static void message(int from, const void *d, size_t n) { (void)from; (void)d; (void)n; }
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message};
END
verdict_is heap verified --nodes 1 heap.c
verdict_is small incomplete --nodes 1 --heap 16M heap.c
prints small 'the 16 MiB of heap that heddle has for each; see --heap'
heddle cluster --heap 2G heap.c
[ $status -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || fail "heap: $status $(cat err)"

# Bounds and signals end with what was covered.
verdict_is memory incomplete --timeouts 4 --memory 30M "$EXAMPLES/raft.c"
prints memory 'the memory that it may take is used up; see --memory'
prints memory 'states'
"$HEDDLE" cluster --timeouts 4 "$EXAMPLES/raft.c" >out 2>err &
pid=$!
until grep -q "$TMPDIR" "/proc/$pid/maps" || ! kill -0 $pid; do sleep 0.1; done 2>/dev/null # it has compiled and loaded the protocol
sleep 1
kill -TERM $pid
wait $pid
[ $? -eq 3 ] || fail "ended: $(cat out err)"
prints ended 'it was ended by SIGTERM'
prints ended 'executions'

# A seed says which executions there are, samples and all.
for run in 1 2 3; do
    verdict_is "seed, run $run" 'bug: liveness' --crashes 1 --reboots 1 --timeouts 1 --max-events 60 --seed 1 --cflags -DZK790 "$EXAMPLES/election.c"
    jq -c '[.executions, .samples, .events]' report.json >"run$run"
    cmp -s run1 "run$run" || fail "seed: $(cat run1 "run$run")"
done

# A fault that does not matter is in no story: neither a duplicate that nobody notices nor a crash of a bystander.
cat >bystander.c <<'END'
#include <heddle/node.h>
static int got;
static void boot(int self, int nodes) { (void)nodes; if (!self) heddle_send(1, "x", 1); if (self == 2) heddle_send(0, "y", 1); }
static void message(int from, const void *d, size_t n) { (void)from; (void)d; (void)n; got = 1; }
static void report(void *s) { *(int *)s = got; }
static const char *check(const struct heddle_view *v) { return *(const int *)v->state[1] ? "got it" : (const char *)0; }
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report, .check = check};
END
for seed in 1 2 3 4 5; do
    verdict_is "bystander $seed" 'bug: invariant' --seed $seed --crashes 1 --reboots 1 --duplicates 1 --drops 1 --partitions 1 bystander.c
    prints "bystander $seed" 'faults: 0, events: 1'
done

# Kinds of protocols that were judged wrongly once, beside truths that come from no search.
timeout 300 "$ROOT/tests/fuzz/cases.sh" "${BUILD:-$ROOT/build}" 60 >out 2>&1 || fail "random cases: $(tail -n 9 out)"
# What would be there once for all nodes is refused; of a call that nobody knows, verified says what it assumes.
shared() { # WHAT FLAG SENTENCE
    heddle cluster --cflags "$2" shared.c
    [ $status -eq 2 ] && grep -qF -- "$3" err || fail "$1: $status, $(head -n 2 out err)"
}
cat >shared.c <<'END'
#include <heddle/node.h>
#include <search.h>
#include <stdlib.h>
#include <wchar.h>
#ifdef THREAD
static __thread int count;
#else
static int count;
#endif
static int *mine = &(int){0};
#ifdef EARLY
__attribute__((constructor)) static void make(void) { mine = calloc(1, sizeof *mine); }
#endif
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void boot(int self, int nodes)
{
    (void)nodes;
    if (self)
        heddle_send(0, &self, sizeof self);
}
static void message(int from, const void *data, size_t size)
{
    (void)data;
    (void)size;
    count += from + *mine;
#ifdef TREE
    static void *root;
    tsearch(&count, &root, compare);
#else
    (void)compare;
#endif
#ifdef WIDE
    wchar_t wide[4];
    count += (int)mbstowcs(wide, "abc", 4);
#endif
}
static void report(void *state) { *(int *)state = count; }
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report};
END
verdict_is 'nothing is shared' verified shared.c
! grep -q 'keeps nothing' out || fail "nothing is shared: $(cat out)"
shared 'a thread-local variable' -DTHREAD 'it has thread-local variables, which are there once for all nodes'
shared 'a constructor that allocates' -DEARLY 'it allocates memory before there are nodes, in a constructor'
shared 'a tree of the C library' -DTREE 'it calls tsearch, which heddle cannot take back'
verdict_is 'a call that nobody knows' verified --cflags -DWIDE shared.c
prints 'a call that nobody knows' 'assuming: mbstowcs keeps nothing from one call to the next: nodes share it'

finish
