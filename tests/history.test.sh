#!/usr/bin/env bash
# heddle history: the verdicts of the examples, what is said about wrong ones, bad input, limits, models in C.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
EXAMPLES=$ROOT/examples/history

# judged WHAT VERDICT ARGUMENT…: the verdict, by its first line and by the status.
judged() {
    local what=$1 verdict=$2 wanted
    shift 2
    heddle history "$@"
    case $verdict in unknown) wanted=3 ;; not*) wanted=1 ;; *) wanted=0 ;; esac
    [ "$(head -n 1 out)" = "$verdict" ] || fail "$what: $verdict expected, got $(head -n 1 out err)"
    [ $status -eq $wanted ] || fail "$what: status $status instead of $wanted"
    [ ! -s err ] || fail "$what: $(head -n 3 err)"
}

# refused LINE TEXT HISTORY ARGUMENT…: one sentence with the line (0: none), status 2.
refused() {
    local line=$1 text=$2
    printf '%s' "$3" >bad
    shift 3
    heddle history "$@" bad
    [ $status -eq 2 ] || fail "refused: status $status for: $(head -c 200 bad)"
    [ "$(wc -l <err)" -eq 1 ] || fail "refused: not one sentence but: $(cat err)"
    grep -qF "$text" err || fail "refused: '$text' expected, got: $(cat err)"
    [ "$line" -eq 0 ] || grep -q "bad:$line:" err || fail "refused: line $line expected, got: $(cat err)"
    [ ! -s out ] || fail "refused: printed $(head -n 1 out)"
}

# Every example, as verdicts.txt has it; models in C stand beside it.
seen=' '
while read -r line; do
    [[ -z $line || $line = \#* ]] && continue
    verdict=${line%%  *}
    read -r file options <<<"${line#"$verdict"}"
    seen+="$file "
    [[ $options = *.c ]] && options=${options/--model /--model $EXAMPLES/}
    # shellcheck disable=SC2086
    judged "$file $options" "$verdict" $options "$EXAMPLES/$file"
done <"$EXAMPLES/verdicts.txt"
for file in "$EXAMPLES"/*.edn "$EXAMPLES"/*.json; do
    [[ $seen = *" $(basename "$file") "* ]] || fail "$(basename "$file") has no line in verdicts.txt"
done
nothing_left examples

# What is said about a wrong one: the last event, the reason, the state.
judged stale 'not linearizable' --model register "$EXAMPLES/stale_read.edn"
grep -q 'until read .* 1 of process 2 returns (line 8)' out || fail "stale: the last event: $(cat out)"
prints stale 'just before, the state could be: 2'
judged keys 'not linearizable' --model register "$EXAMPLES/keys.edn"
prints keys 'not linearizable: key y'
prints keys 'shown: 3 of 4 operations; the others cannot help'
grep -q 'line 13' out && grep -q 'line 11' out && fail "keys: the read of 2 is no part of the reason"
judged bank 'not linearizable' --model "$EXAMPLES/bank.c" "$EXAMPLES/bank.edn"
prints bank 'balances 100 and 100 | balances 70 and 130'
judged stuck 'not linearizable' --model mutex --stuck "$EXAMPLES/mutex_stuck.edn"
prints stuck 'acquire of process 1 never returns (line 5), though in no order of the others does it have to wait'

# A reason among many operations.
awk -f "$ROOT/bench/history.awk" -v kind=register -v values=4 -v ops=5000 -v wrong=1 >long.edn
judged long 'not linearizable' --model register long.edn
prints long 'shown: 3 of 5003 operations'
awk -f "$ROOT/bench/history.awk" -v kind=queue -v ops=20000 -v wrong=1 -v seed=3 >long.edn
judged queue 'not linearizable' --model queue long.edn
# Found in a fraction of the ten seconds that there are for it.
awk -f "$ROOT/bench/history.awk" -v kind=register -v ops=100000 -v processes=10 -v wrong=1 >long.edn
judged 'a very long one' 'not linearizable' --model register long.edn
prints 'a very long one' 'shown: 3 of 100003 operations; the others cannot help'
for kind in queue stack; do
    awk -f "$ROOT/bench/history.awk" -v kind=$kind -v values=10 -v processes=8 -v ops=20000 -v seed=3 >long.edn
    judged "$kind with values again and again" linearizable --model $kind long.edn
    awk -f "$ROOT/bench/history.awk" -v kind=$kind -v values=10 -v processes=8 -v ops=20000 -v wrong=1 -v seed=3 >long.edn
    judged "$kind with values again and again, wrong" 'not linearizable' --model $kind --explain 0 long.edn
done

# An order.
judged order linearizable --model cas-register --witness "$EXAMPLES/crashed_write.edn"
[ "$(grep -c '(process' out)" -eq 4 ] || fail "order: $(cat out)"
prints order 'write 3  (process 1, never returned)'

# JSON.
heddle history --model register --json report.json "$EXAMPLES/keys.edn"
[ "$(field verdict)" = 'not linearizable' ] || fail "json: verdict $(field verdict)"
grep -q '"end_line":	15' report.json || fail "json: $(cat report.json)"
heddle history --model register --json - "$EXAMPLES/keys.edn"
[ "$(head -n 1 out)" = '{' ] && [ $status -eq 1 ] || fail "json: on standard output: $(head -n 2 out)"
heddle history --model register --json /nowhere/x "$EXAMPLES/keys.edn"
[ $status -eq 2 ] || fail "json: status $status for a file that cannot be written"

# The same history in three formats, and from standard input.
tr -d '\n' <"$EXAMPLES/queue_overtaken.json" | sed 's/}{/},{/g; s/^/[/; s/$/]/' >array.json
judged array 'not linearizable' --model queue array.json
sed 's/"\([a-z]*\)":/:\1 /g; s/"\(invoke\|ok\|enqueue\|dequeue\)"/:\1/g; s/null/nil/' "$EXAMPLES/queue_overtaken.json" >same.edn
judged same 'not linearizable' --model queue same.edn
timeout 20 "$HEDDLE" history --model queue - <same.edn >out 2>err
[ $? -eq 1 ] || fail "standard input: $(cat err)"

# Limits: never an accident, and what was tried.
awk -f "$ROOT/bench/history.awk" -v kind=stack -v ops=20000 -v processes=12 >hard.edn
judged memory unknown --model stack --search --memory 4M hard.edn
prints memory 'out of memory after'
judged time unknown --model stack --search --time 0.2 hard.edn
prints time 'out of time after'
judged states unknown --model stack --search --max-states 100 hard.edn
prints states 'out of places after 100 places'

# No search is needed where no value is pushed twice.
judged 'a long stack' linearizable --model stack hard.edn
awk -f "$ROOT/bench/history.awk" -v kind=stack -v ops=20000 -v processes=12 -v wrong=1 >hard.edn
judged 'a long stack, wrong at the end' 'not linearizable' --model stack --explain 0 hard.edn

# Pops that never returned may have taken what is in the way, and only so many.
awk -f "$ROOT/bench/history.awk" -v kind=stack -v ops=20000 -v processes=12 -v crash=0.01 >hard.edn
judged 'a stack with pops that never returned' linearizable --model stack hard.edn
both() { echo "{:process 0, :type :invoke, :f :$1, :value $2}"$'\n'"{:process 0, :type :ok, :f :$1, :value $3}"; }
{ echo '{:process 8, :type :invoke, :f :pop, :value nil}' && both push 1 1 && both push 2 2 && both push 3 3; } >pushes.edn
{ cat pushes.edn && both pop nil 2; } >taken.edn
judged 'one value in the way, one pop' linearizable --model stack taken.edn
{ cat pushes.edn && both pop nil 1; } >taken.edn
judged 'two values in the way, one pop' 'not linearizable' --model stack taken.edn

# Few values and many clients: a read of what was overwritten for certain needs no search.
awk -f "$ROOT/bench/history.awk" -v kind=register -v values=3 -v ops=5000 -v processes=50 -v wrong=1 >hard.edn
judged 'a register with few values and 50 clients, wrong at the end' 'not linearizable' --model register hard.edn
prints 'a register with few values' 'shown: 3 of 5003 operations'

# Sequential consistency of registers, far beyond what a search decides.
awk -f "$ROOT/bench/history.awk" -v kind=register -v ops=2000 -v processes=10 >hard.edn
judged 'sequential, long' 'sequentially consistent' --model register --judge sequential hard.edn
{ cat hard.edn && both write 900001 900001 && both read nil 1; } >wrong.edn
judged 'sequential, wrong' 'not sequentially consistent' --model register --judge sequential wrong.edn
prints 'sequential, wrong' 'read the register as 1'

# Bad input.
w='{:process 0, :type :invoke, :f :write, :value 1}'
refused 0 'there is no operation' '' --model register
refused 1 'the model register has no call push, only read, write, cas' '{:process 0, :type :invoke, :f :push, :value 1}' --model register
refused 2 'before its operation of line 1 has ended' "$w"$'\n'"$w" --model register
refused 1 'ends that was not called' '{:process 0, :type :ok, :f :write, :value 1}' --model register
refused 2 'does not end' "$w"$'\n{:process 0' --model register
refused 1 'key without a value' '{:process 0, :type}' --model register
refused 2 'type is not' "$w"$'\n{:process 0, :type :maybe}' --model register
refused 1 'there is no process' '{:type :invoke}' --model register
refused 1 'map or object' '7' --model register
refused 1 'cas takes [value value]' '{:process 0, :type :invoke, :f :cas, :value 1}' --model register
refused 2 'not [key value]' '{:process 0, :type :invoke, :f :write, :value [1 2]}'$'\n{:process 1, :type :invoke, :f :write, :value 2}' --model register
refused 1 'integers' '{:process 0, :type :invoke, :f :add, :value "x"}' --model counter
refused 1 'returns before it is called' '{"client":0,"op":"read","call":5,"return":3,"output":1}' --model register
refused 1 'there is no result' '{"client":0,"op":"read","call":5,"return":7}' --model register
refused 1 'a colon is missing' '{"client" 0}' --model register --format json
refused 1 'without quotes' '{"client":zero}' --model register
refused 2 'two operations at a time' $'{"client":0,"op":"read","call":5,"return":7,"output":null}\n{"client":0,"op":"read","call":6,"return":8,"output":null}' --model register --judge sequential
refused 2 'two operations at a time' $'{"client":0,"op":"read","call":5,"return":7,"output":null}\n{"client":0,"op":"read","call":6,"return":8,"output":null}' --model register
refused 1 'byte-order mark' $'\xef\xbb\xbf'"$w" --model register
refused 1 'byte-order mark' $'\xff\xfe'"$w" --model register
refused 1 'the same key twice' '{:process 0, :type :invoke, :f :write, :value 1, :value 2}' --model register
refused 1 'the same key twice' '{:process 0, :type :invoke, :f :write, :value 1, "value" 2}' --model register
refused 1 'the same key twice' '{"client":0,"op":"read","call":5,"return":7,"output":1,"output":2}' --model register
refused 1 'the same key twice' "{\"client\":0,$(seq -f '"k%g":1,' 1 40 | tr -d '\n')\"k7\":2}" --model register
refused 1 'cas takes [value value]' '{:process 0, :type :invoke, :f :cas, :value #{1 2}}' --model register
refused 2 'a set has no order' '{:process 0, :type :invoke, :f :add, :value 1}'$'\n{:process 0, :type :ok, :f :add, :value #{1 true}}' --model set
refused 0 'there is no model heap' "$w" --model heap
refused 0 'no call swap' "$w" --model register --may-fail swap
refused 0 'has no result that says it failed' "$w" --model register --may-fail read
refused 0 'for registers and counters' '{:process 0, :type :invoke, :f :enqueue, :value 1}' --model queue --initial 3
refused 0 'is not a size' "$w" --model register --memory 3
refused 0 'say what the history is about' "$w"
heddle history --model register /nowhere
[ $status -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || fail "a file that is not there: $(cat err)"

# A model in C with fifty clients: nobody said which of its calls only reads.
cat >mine.c <<'END'
#include <heddle/model.h>
static const struct heddle_call calls[] = {{"read", 0, 1, 0, 0}, {"write", 1, 0, 0, 0}, {0, 0, 0, 0, 0}};
static int step(void *state, const struct heddle_operation *o, int n, int64_t *result)
{
    int64_t *value = state;
    if (o->call)
        *value = o->argument[0] + 1;
    else
        *result = *value ? *value - 1 : HEDDLE_NIL;
    return !n;
}
const struct heddle_model heddle_model = {.name = "mine", .state_size = 8, .calls = calls, .step = step};
END
awk -f "$ROOT/bench/history.awk" -v kind=register -v values=3 -v ops=3000 -v processes=50 -v seed=2 >many.edn
judged 'a model with fifty clients' linearizable --model mine.c many.edn
{ cat many.edn && both read nil 99; } >wrong.edn
judged 'a model with fifty clients, wrong' 'not linearizable' --model mine.c wrong.edn
prints 'a model with fifty clients, wrong' 'shown: 1 of 3001 operations'
awk -f "$ROOT/bench/history.awk" -v kind=register -v values=20 -v ops=3000 -v processes=50 -v wrong=1 >wrong.edn
judged 'a model with fifty clients that read what was overwritten' 'not linearizable' --model mine.c --explain 0 wrong.edn
awk -f "$ROOT/bench/history.awk" -v kind=register -v ops=1000 -v processes=50 >many.edn
judged 'a model with fifty clients, values once' linearizable --model mine.c many.edn
awk -f "$ROOT/bench/history.awk" -v kind=register -v ops=1000 -v processes=50 -v wrong=1 >wrong.edn
judged 'a model with fifty clients, values once, wrong' 'not linearizable' --model mine.c --explain 0 wrong.edn

# A model whose calls are about keys, with and without saying so. Each client calls ten times; all of them overlap.
cat >keys.c <<'END'
#include <heddle/model.h>
static const struct heddle_call calls[] = {{"get", 1, 1, 0, 0}, {"put", 2, 0, 0, 0}, {0, 0, 0, 0, 0}};
static int step(void *state, const struct heddle_operation *o, int n, int64_t *result)
{
    int64_t *value = (int64_t *)state + o->argument[0] % 32;
    if (o->call)
        *value = o->argument[1];
    else
        *result = *value;
    return !n;
}
static int64_t about(const struct heddle_operation *o)
{
    return o->argument[0];
}
const struct heddle_model heddle_model = {
    .name = "keys", .state_size = 256, .calls = calls, .step = step, .about = SAID ? about : 0};
END
all_at_once() { # all_at_once LAST: what the last get gives
    for type in invoke ok; do
        for k in $(seq 0 24); do
            echo "{:process $((2 * k)), :type :$type, :f :put, :value [$k 1]}"
            [ $type = ok ] && result="[$k 1]" || result=$k
            echo "{:process $((2 * k + 1)), :type :$type, :f :get, :value $result}"
        done
    done
    echo '{:process 0, :type :invoke, :f :get, :value 7}'
    echo "{:process 0, :type :ok, :f :get, :value [7 $1]}"
}
all_at_once 1 >right.edn
all_at_once 0 >wrong.edn
judged 'keys' linearizable --model keys.c --cflags -DSAID=1 --keys no right.edn
prints 'keys' '51 operations of 50 processes, 25 keys'
judged 'keys, wrong' 'not linearizable' --model keys.c --cflags -DSAID=1 --keys no wrong.edn
prints 'keys, wrong' 'not linearizable: key 7'
prints 'keys, wrong' 'get 7 → 0'
judged 'keys that are not told apart' unknown --model keys.c --cflags -DSAID=0 --keys no --max-states 10000 wrong.edn
prints 'keys that are not told apart' 'up to 50 of them are under way at a time (line 50); any of their orders may have to be tried'
prints 'keys that are not told apart' 'if the model said what its calls are about'

# A model with several outcomes, whose states are equal by its own word: a coin.
cat >coin.c <<'END'
#include <heddle/model.h>
struct coin { int64_t side, flips; };
static const struct heddle_call calls[] = {{"flip", 0, 1, 0, 0}, {"look", 0, 1, 0, 0}, {0, 0, 0, 0, 0}};
static int step(void *state, const struct heddle_operation *o, int n, int64_t *result)
{
    struct coin *coin = state;
    coin->flips++;
    if (o->call == 0)
        coin->side = n;
    *result = coin->side;
    return n < (o->call == 0 ? 2 : 1);
}
static int equal(const void *a, const void *b) { return ((const struct coin *)a)->side == ((const struct coin *)b)->side; }
static uint64_t hash(const void *a) { return (uint64_t)((const struct coin *)a)->side; }
const struct heddle_model heddle_model = {
    .name = "coin", .state_size = sizeof(struct coin), .calls = calls, .step = step, .equal = equal, .hash = hash};
END
{ both flip nil 1 && both look nil 1 && both flip nil 0 && both look nil 0; } >coin.edn
judged 'a coin' linearizable --model coin.c coin.edn
judged 'a coin, by a search' linearizable --model coin.c --search --witness coin.edn
{ both flip nil 1 && both look nil 0; } >coin.edn
judged 'a coin that turns by itself' 'not linearizable' --model coin.c coin.edn
judged 'a coin that turns by itself, by a search' 'not linearizable' --model coin.c --search coin.edn
both flip nil 2 >coin.edn
judged 'a side that a coin does not have' 'not linearizable' --model coin.c coin.edn
{ echo '{:process 9, :type :invoke, :f :flip, :value nil}' && both look nil 1; } >coin.edn
judged 'a flip that never returned' linearizable --model coin.c coin.edn
both look nil 0 >>coin.edn
judged 'a flip that cannot have happened twice' 'not linearizable' --model coin.c coin.edn

# Models in C that are wrong.
broken() {
    local text=$1 wanted=$2
    heddle history --model broken.c --time 1 --explain 0 "$EXAMPLES/foreign_release.edn"
    [ $status -eq "$wanted" ] || fail "model: status $status instead of $wanted: $(cat err)"
    grep -qF "$text" err || fail "model: '$text' expected, got: $(cat err)"
    nothing_left model
}
start='#include <heddle/model.h>
static const struct heddle_call calls[] = {{"acquire", 0, 0, 0, 0}, {"release", 0, 0, 0, 0}, {0, 0, 0, 0, 0}};
static int step(void *s, const struct heddle_operation *o, int n, int64_t *r) { (void)s, (void)o, (void)n, (void)r;'
finish_model='const struct heddle_model heddle_model = {.state_size = 8, .calls = calls, .step = step};'
echo 'int x = ;' >broken.c
broken 'does not compile' 2
echo 'int x;' >broken.c
broken 'does not define heddle_model' 2
echo "$start return *(volatile int *)8; } $finish_model" >broken.c
broken 'crashed' 2
echo "$start for (;;) { } } $finish_model" >broken.c
broken 'did not come back in time' 3
finish
