#!/usr/bin/env bash
# Searches of clusters by states: all ways to keep them agree with one another and with plain enumeration; what they say of themselves;
# memory that is short, a disk that is full; wrong use.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
EXAMPLES=$ROOT/examples/consensus
PAXOS=$EXAMPLES/paxos.c
TWO=$ROOT/examples/cluster/two_phase_commit.c

# search WHAT VERDICT ARGUMENT…
search() {
    local what=$1 verdict=$2
    shift 2
    rm -f report.json
    heddle cluster --json report.json "$@"
    [ "$(head -n 1 out)" = "$verdict" ] || fail "$what: $verdict expected, got $(head -n 2 out err)"
}

# Every way counts the same states.
for how in '--next last' '--next first' '--policy states --next last' '--states exact --next last' '--states exact --policy states --next first'; do
    # shellcheck disable=SC2086
    search "register $how" verified --nodes 5 $how --cflags -DWHOLE "$EXAMPLES/register.c"
    [ "$(field states)" = 2614 ] || fail "register $how: $(field states) states"
    says "register $how" '^  states: all that can be reached, the furthest after [0-9]+ events; [0-9]+ bytes each$'
done
says_not 'exact states alone' 'assuming: .*hash'
search 'exact states, found to commute' verified --nodes 5 --states exact "$EXAMPLES/register.c"
prints 'exact states, found to commute' 'assuming: two events commute if what they lead to has the same 64-bit hash in both orders'
search hashes verified --nodes 5 "$EXAMPLES/register.c"
prints hashes 'assuming: states with the same 64-bit hash are the same'

# Those with one way to go on need not be kept; a cycle of them ends all the same.
search branching verified --nodes 5 --states branching --cflags -DWHOLE "$EXAMPLES/register.c"
jq -e '.states < 2614 and .states_forced > 0' report.json >/dev/null || fail "branching: $(jq -c '[.states, .states_forced]' report.json)"
says branching '^  states: all that can be reached and have more than one way to go on, '
cat >circle.c <<'END'
#include <heddle/node.h>
static void boot(int self, int nodes) { (void)nodes; if (!self) heddle_send(1, "x", 1); }
static void message(int from, const void *data, size_t size) { heddle_send(from, data, size); }
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message};
END
for how in branching exact,branching; do
    search "circle $how" verified --nodes 2 --next last --states $how circle.c
    [ "$(field states)" -le 2 ] || fail "circle $how: $(field states) states"
done

# Nodes that may change places are not told apart, in any state.
search distinct verified --nodes 4 --next last "$TWO"
many=$(field states)
search alike verified --nodes 4 --next last --states alike --audit "$TWO"
jq -e ".states * 2 < $many and .renamed > 0" report.json >/dev/null || fail "alike: $(jq -c '[.states, .renamed]' report.json), $many without"
says alike 'with other numbers of nodes: [0-9]+ states'
sed 's/= ~1u/= ~0u/' "$TWO" >wrongly.c
search 'wrongly alike' 'wrong rule' --nodes 4 --states alike --audit wrongly.c

# What the protocol calls auxiliary or forgets is no part of states; an audit says whether that is right.
cat >counter.c <<'END'
#include <heddle/node.h>
static int handled, sum, seen[4];
static void boot(int self, int nodes) { for (int i = 0; i < nodes; i++) if (i != self) for (int k = 1; k < 3; k++) heddle_send(i, &k, sizeof k); }
static void message(int from, const void *data, size_t size)
{
    (void)size;
    handled = handled * 3 + from;
    if (sum < 3)
        sum += *(const int *)data;
    else if (sum == 3 && heddle_self() == 0)
        heddle_send(1, &(int){0}, sizeof(int));
    seen[from]++;
}
static void report(void *state) { *(int *)state = sum; }
static void forget(void *state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        seen[i] = 0;
#ifdef WRONG
    sum = *(int *)state = 0;
#endif
}
static const char *check(const struct heddle_view *v) { return *(const int *)v->state[0] > LIMIT ? "too much" : NULL; }
#ifdef LESS
static const struct heddle_region auxiliary[] = {{&handled, sizeof handled}, {NULL, 0}};
#endif
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report, .check = check,
#ifdef LESS
    .auxiliary = auxiliary, .forget = forget,
#endif
};
END
search 'everything counts' verified --next last --states whole --cflags -DLIMIT=4 counter.c
many=$(field states)
search 'less counts' verified --next last --cflags '-DLIMIT=4 -DLESS' counter.c
jq -e ".states * 3 < $many" report.json >/dev/null || fail "less counts: $(field states) states, $many otherwise"
prints 'less counts' 'assuming: what the protocol calls auxiliary, or forgets, does not matter'
search 'less counts, wrong protocol' 'bug: invariant' --cflags '-DLIMIT=3 -DLESS' counter.c
search 'right promise' verified --next last --audit --cflags '-DLIMIT=4 -DLESS' counter.c
[ "$(field states)" = "$many" ] || fail "an audit leaves out nothing: $(field states) states"
jq -e '.audited > 1000' report.json >/dev/null || fail "right promise: $(field audited) audited"
for how in '--policy states' '--states exact,branching' '--next first'; do
    # shellcheck disable=SC2086
    search "wrong promise $how" 'wrong rule' --audit $how --cflags '-DLIMIT=9 -DLESS -DWRONG' counter.c
    prints "wrong promise $how" 'calls auxiliary, or forgets, something that matters'
done

# What nothing depends on is proposed; what matters is not; nor what is declared or proved to be unread, which is no part of states.
search proposed verified --propose --next last --states whole --cflags -DLIMIT=4 counter.c
[ "$(jq -r .proposed report.json | tr -d ' ' | tr , '\n' | sort | xargs)" = 'handled seen[0] seen[1] seen[2]' ] || fail "proposed: $(field proposed)"
prints proposed 'could be called auxiliary, since nothing else changed with them: '
search proved verified --propose --next last --cflags -DLIMIT=4 counter.c
[ "$(jq -r .unread report.json | tr -d ' ' | tr , '\n' | sort | xargs)" = 'handled seen' ] && ! jq -r .proposed report.json | grep -q handled || fail "proved: $(cat out)"
search 'declared' verified --propose --next last --cflags '-DLIMIT=4 -DLESS' counter.c
prints 'declared' 'nothing to propose'
search 'nothing proposed' verified --propose --next last --nodes 5 --cflags -DWHOLE "$EXAMPLES/register.c"
prints 'nothing proposed' 'nothing to propose'

# The examples: fewer states by what they forget and by acceptors and base objects that are alike, and all of that is right.
search 'paxos forgets' verified --nodes 6 --next last "$PAXOS"
[ "$(field states)" -lt 50000 ] || fail "paxos forgets: $(field states) states"
search 'paxos, alike' verified --nodes 6 --next last --states branching,alike "$PAXOS"
[ "$(field states)" -lt 10000 ] || fail "paxos, alike: $(field states) states"
search 'register, alike and audited' verified --nodes 5 --next last --states alike --audit "$EXAMPLES/register.c"
search 'zab, audited' verified --timeouts 1 --audit "$EXAMPLES/zab.c"
search 'paxos forgets too much' 'wrong rule' --nodes 6 --audit --cflags -DFORGETS=2 "$PAXOS"
prints 'paxos forgets too much' "'vote 1 for 1 from node"

# Where messages come in any order, it does not matter which was sent first.
cat >bag.c <<'END'
#include <heddle/node.h>
static int sum;
static void boot(int self, int nodes) { (void)nodes; for (int i = 0; i < 6 && !self; i++) heddle_send(1, &(int){i % 2}, sizeof(int)); }
static void message(int from, const void *data, size_t size) { (void)from; (void)size; sum += *(const int *)data; }
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .network = HEDDLE_DATAGRAMS};
END
search bag verified --nodes 2 --policy states bag.c
[ "$(field states)" = 15 ] || fail "bag: $(field states) states" # 0 to 3 of each kind are left, and not none of both

# A shortest story.
search 'breadth first' 'bug: agreement' --nodes 6 --next first --cflags -DBUG=2 "$PAXOS"
prints 'breadth first' 'events: 10'
says 'breadth first' '^  states: not all of them, '

# States with rules; with rules for crashes beside what is found.
search 'states and rules' verified --policy states,lmi,cmi --next last "$ROOT/examples/cluster/election.c"
says 'states and rules' '^  states: all that the rules leave, '
search 'auto and crs' verified --timeouts 1 --crashes 1 --policy auto,crs,rss --cflags -DAS_IT_IS "$ROOT/examples/cluster/hadoop_speculation.c"
prints 'auto and crs' "assuming: the protocol's rules are right"

# What memory has no room for goes to the disk, and comes back. How much heddle itself takes is not the same everywhere.
disk=
for memory in 5 6 7 8 10 12 16; do
    heddle cluster --nodes 6 --next last --memory ${memory}M --json report.json --cflags -DWHOLE "$PAXOS"
    if [ "$(head -n 1 out)" = verified ] && jq -e '.states_disk > 0' report.json >/dev/null; then
        disk=yes
        [ "$(field states)" = 82187 ] || fail "disk: $(field states) states"
        says disk '; 1 MiB of them on the disk, read [0-9]+ times$'
        break
    fi
done
[ -n "$disk" ] || fail 'no bound on memory made heddle use the disk'

# Several workers visit the same states; one that is killed takes its work along.
search 'one worker' verified --timeouts 2 --next last "$EXAMPLES/zab.c"
alone=$(field states)
for workers in 2 5; do
    search "$workers workers" verified --timeouts 2 --next last -j $workers "$EXAMPLES/zab.c"
    [ "$(field states)" = "$alone" ] && [ "$(field workers)" = $workers ] || fail "$workers workers: $(field states) states, not $alone"
    says "$workers workers" "^  $workers workers shared the states$"
    search "$workers workers, wrong protocol" 'bug: agreement' --timeouts 2 --next last -j $workers --cflags -DBUG=3 "$EXAMPLES/zab.c"
done
"$HEDDLE" cluster --timeouts 3 --next last -j 3 --time 60 "$EXAMPLES/zab.c" >out 2>err &
pid=$!
until child=$(pgrep -P $pid heddle | head -n 1) && [ -n "$child" ] || ! kill -0 $pid; do sleep 0.1; done 2>/dev/null
sleep 1
kill -KILL "$child"
wait $pid
[ $? -eq 3 ] || fail "killed: $(cat out err)"
prints killed 'a worker was lost, and with it what it had still to explore'

# Wrong use.
refused() {
    heddle cluster "${@:2}"
    [ $status -eq 2 ] && [ "$(grep -c '^heddle' err)" -eq 1 ] && grep -qF -- "$1" err || fail "refused: '$1' expected, got $status: $(cat err)"
}
refused '--states takes some of exact, branching, alike and whole' --states some "$TWO"
refused '--states is for searches that keep states' --states exact --policy none "$TWO"
refused '--states is for searches that keep states' --states exact --strategy dfs "$TWO"
refused '--propose is for searches that keep states' --propose --policy none "$TWO"
refused 'auto finds by itself' --policy auto,lmi "$TWO"
refused '--next takes last, random, turns or first' --next second "$TWO"
sed 's/= \&(const struct heddle_renaming).*/= 0, .auxiliary = (const struct heddle_region[]){{"x", 1}, {0}},/' "$TWO" >outside.c
refused 'it calls auxiliary what is no global variable of a node' outside.c
sed 's/^    (void)state;/    *(volatile int *)0 = *(int *)state;/' counter.c >crashes.c
refused "the protocol's \`forget\` fails: the node's code was ended by SIGSEGV" --cflags '-DLIMIT=4 -DLESS' crashes.c

# Against plain enumeration.
"$ROOT/tests/fuzz/node_states.sh" "$BUILD" 4 1 >said 2>&1 || fail "fuzz_node_states: $(tail -n 20 said)"
# A state that was visited with other events asleep each time: what can begin with one of either kind was never tried.
"$ROOT/tests/fuzz/node_states.sh" "$BUILD" 1 1010 >said 2>&1 || fail "fuzz_node_states 1010: $(tail -n 20 said)"
finish
