#!/usr/bin/env bash
# Consensus protocols watched by the quorum tree in heddle cluster: the right ones are clean, each wrong quorum and seeded fault is found
# and replays, the tree is in the report; events at different nodes are compared as they have to be.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
export LC_ALL=C.UTF-8
EXAMPLES=$ROOT/examples/consensus
RAFT=$ROOT/examples/cluster/raft.c

# clean WHAT VERDICT ARGUMENT…: nothing is wrong, as far as the search came.
clean() {
    local what=$1 verdict=$2
    shift 2
    heddle cluster "$@"
    [ "$(head -n 1 out)" = "$verdict" ] || fail "$what: $verdict expected, got $(head -n 3 out err)"
    says "$what" '^  reached: '
    says_not "$what" '^  never reached: '
}

# caught WHAT PATTERN ARGUMENT…: two events disagree, as the pattern says.
caught() {
    local what=$1 pattern=$2
    shift 2
    heddle cluster --max-executions 100000 "$@"
    [ $status -eq 1 ] && [ "$(head -n 1 out)" = 'bug: agreement' ] || fail "$what: a violation expected, got $(head -n 3 out err)"
    sed -n 2p out | grep -qE -- "$pattern" || fail "$what: '$pattern' expected, got $(sed -n 2p out)"
}
passes='pass(ing|ed) over'

# Paxos.
PAXOS=$EXAMPLES/paxos.c
clean paxos verified --nodes 6 "$PAXOS"
clean 'paxos with a crash' incomplete --nodes 6 --crashes 1 --reboots 1 --max-executions 3000 "$PAXOS"
for bug in 1 2 3; do caught "paxos $bug" "$passes" --nodes 6 --cflags -DBUG=$bug "$PAXOS"; done
caught 'paxos 4' 'round 2 was added with value 2 .* on round 1, which was added with value 1' --nodes 6 --cflags -DBUG=4 "$PAXOS"
caught 'paxos 5' "$passes" --nodes 6 --crashes 1 --reboots 1 --seed 2 --cflags -DBUG=5 "$PAXOS"

# Raft.
clean raft incomplete --timeouts 2 --max-executions 3000 --cflags -DQTREE "$RAFT"
caught 'raft, any log' "$passes" --timeouts 2 --cflags '-DQTREE -DANY_LOG' "$RAFT"
caught 'raft, small quorum' "$passes" --timeouts 2 --cflags '-DQTREE -DSMALL_QUORUM' "$RAFT"
caught 'raft, figure 8' "$passes" --timeouts 4 --cflags '-DQTREE -DFIGURE8' "$RAFT"
caught 'raft, forgetful' 'was added twice' --timeouts 2 --crashes 1 --reboots 1 --cflags '-DQTREE -DFORGETFUL' "$RAFT"

# PBFT with a node that lies.
PBFT=$EXAMPLES/pbft.c
clean pbft incomplete --nodes 4 --timeouts 1 --max-executions 3000 "$PBFT"
for bug in 1 3; do caught "pbft $bug" "$passes|twice" --nodes 4 --timeouts 1 --cflags -DBUG=$bug "$PBFT"; done
caught 'pbft 2' 'round 1 was added twice' --nodes 4 --cflags -DBUG=2 "$PBFT"
caught 'pbft 4' 'which was added with value' --nodes 4 --timeouts 1 --cflags -DBUG=4 "$PBFT"

# HotStuff, with the same liar.
HOTSTUFF=$EXAMPLES/hotstuff.c
clean hotstuff verified --nodes 4 "$HOTSTUFF"
clean 'hotstuff with time-outs' incomplete --nodes 4 --timeouts 1 --max-executions 3000 "$HOTSTUFF"
caught 'hotstuff 1' "$passes|twice" --nodes 4 --timeouts 1 --cflags -DBUG=1 "$HOTSTUFF"
caught 'hotstuff 2' 'round 1 was added twice' --nodes 4 --cflags -DBUG=2 "$HOTSTUFF"
caught 'hotstuff 3' "$passes" --nodes 4 --timeouts 1 --cflags -DBUG=3 "$HOTSTUFF"

# Zab.
clean zab verified --timeouts 1 "$EXAMPLES/zab.c"
clean 'zab with two epochs' incomplete --timeouts 2 --max-executions 5000 "$EXAMPLES/zab.c"
for bug in 1 2 3 4; do caught "zab $bug" "$passes" --timeouts 2 --cflags -DBUG=$bug "$EXAMPLES/zab.c"; done

heddle cluster --timeouts 3 --cflags -DLIVENESS "$EXAMPLES/zab.c"
[ $status -eq 1 ] && [ "$(head -n 1 out)" = 'bug: liveness' ] || fail "zab, liveness: $(head -n 3 out err)"

# The family of Multi-Paxos.
clean multi-paxos incomplete --nodes 5 --max-executions 3000 "$EXAMPLES/multi_paxos.c"
prints multi-paxos 'reached: a second value is decided'
for bug in 1 2; do caught "multi-paxos $bug" "$passes" --nodes 5 --cflags -DBUG=$bug "$EXAMPLES/multi_paxos.c"; done
clean flexible incomplete --nodes 6 --max-executions 3000 "$EXAMPLES/flexible_paxos.c"
for bug in 1 2; do caught "flexible $bug" "$passes" --nodes 6 --cflags -DBUG=$bug "$EXAMPLES/flexible_paxos.c"; done
clean cheap verified --nodes 5 "$EXAMPLES/cheap_paxos.c"
for bug in 1 2; do caught "cheap $bug" "$passes" --nodes 5 --cflags -DBUG=$bug "$EXAMPLES/cheap_paxos.c"; done
clean stoppable incomplete --nodes 5 --max-executions 3000 "$EXAMPLES/stoppable_paxos.c"
caught 'stoppable 1' "$passes" --nodes 5 --cflags -DBUG=1 "$EXAMPLES/stoppable_paxos.c"
heddle cluster --nodes 5 --cflags -DBUG=2 "$EXAMPLES/stoppable_paxos.c"
prints 'stoppable 2' 'something was decided behind a stop'
clean fast incomplete --nodes 6 --timeouts 1 --max-executions 3000 "$EXAMPLES/fast_paxos.c"
for bug in 1 2 3; do caught "fast $bug" "$passes|twice" --nodes 6 --timeouts 1 --cflags -DBUG=$bug "$EXAMPLES/fast_paxos.c"; done

# The register, which has no rounds: an observer watches it.
REGISTER=$EXAMPLES/register.c
clean register verified --nodes 5 "$REGISTER"
clean 'register with four objects' incomplete --nodes 6 --max-executions 3000 "$REGISTER"
for bug in 1 2 3; do
    heddle cluster --nodes 5 --cflags -DBUG=$bug "$REGISTER"
    prints "register $bug" 'a read gave a value older than the last one'
done

# The story with its tree: text, JSON, picture; and again from the file.
caught report "$passes" --nodes 6 --next first --cflags -DBUG=2 --json report.json --svg story.svg "$PAXOS"
says report '·  commits 1$'
says report '^ .* adds 2 = 2 on 0$'
prints report '  quorum tree:'
prints report '    ├─✗ 2 = 2  refused, added by node 1'
prints report '    ● 1 = 1  added by node 0, committed by node 5'
[ "$(jq -r '.bug.trees[0].rounds | map("\(.round) \(.status)") | join(", ")' report.json)" = '1 committed, 2 refused' ] ||
    fail "JSON: $(cat report.json)"
xmllint --noout story.svg && grep -q "class='refused marked'" story.svg || fail "picture: $(cat story.svg)"
sed -n '/^      0/,/^  faults/p' out >first
heddle replay paxos.agreement.hd
[ $status -eq 1 ] && sed -n '/^      0/,/^  faults/p' out | cmp -s - first || fail "replay: $status $(head -n 5 out err)"

# Which of two events at different nodes came first matters to the tree: every way to search finds the same kinds of violations.
kinds() {
    heddle cluster --keep-going --cflags "-DSEED=$1" "${@:2}" "$DATA/cluster/tree.c"
    sed -n '/^bug: agreement/{n;p}' out | sed -E 's/.*pass(ing|ed) over.*/passed/; s/.* committed .*never.*/never added/; s/.* on round .*never.*/no parent/; s/.*(twice|not lower|with value).*/\1/' | sort | tr '\n' ' '
}
for seed in 11 14 20; do
    all=$(kinds $seed --strategy dfs)
    [ -n "$all" ] || fail "seed $seed has no violation"
    for how in auto none; do
        some=$(kinds $seed --policy $how)
        [ "$some" = "$all" ] || fail "seed $seed: with --policy $how only $some of $all"
    done
done

# Wrong use, and more rounds than there is room for.
{
    echo '#include <heddle/node.h>'
    echo 'static struct heddle_round r(unsigned long n) { return (struct heddle_round){n, 0}; }'
    echo 'static void message(int f, const void *d, size_t s) { (void)f; (void)d; (void)s; }'
} >head.c
{
    cat head.c
    echo 'static void boot(int self, int nodes) { for (int i = 1; i < 5000 && self < nodes; i++) heddle_qtree_add(self, r(i), 1, r(i - 1)); }'
    echo 'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message};'
} >many.c
heddle cluster many.c
[ $status -eq 3 ] && grep -q 'more rounds than the 4096' out || fail "many rounds: $status $(head -n 3 out err)"
{
    cat head.c
    echo 'static void boot(int self, int nodes) { (void)self; (void)nodes; }'
    echo 'static const char *check(const struct heddle_view *v) { return heddle_qtree_commit(0, r(1)), v->nodes ? 0 : ""; }'
    echo 'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .check = check};'
} >looks.c
heddle cluster looks.c
[ $status -eq 1 ] && grep -q 'that is for callbacks of a node' out || fail "a predicate: $status $(head -n 3 out err)"
heddle cluster --strategy optimal "$PAXOS"
[ $status -eq 2 ] && grep -q 'it tells of a quorum tree' err || fail "optimal: $status $(head -n 2 out err)"
finish
