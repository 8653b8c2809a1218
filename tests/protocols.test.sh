#!/usr/bin/env bash
# The protocols of examples/cluster that were written after Hadoop's and Cassandra's (docs/cluster-bugs.md): right as they
# are, each old bug found with its switch, by the rules and without, and the rules confirmed by a full audit.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
EXAMPLES=$ROOT/examples/cluster

# expect_verdict WHAT VERDICT ARGUMENT…: the first line, nothing on standard error.
expect_verdict() {
    local what=$1 verdict=$2
    shift 2
    heddle cluster "$@"
    [ "$(head -n 1 out)" = "$verdict" ] || fail "$what: $verdict expected, got $(head -n 2 out err)"
    [ ! -s err ] || fail "$what: $(head -n 3 err)"
}

# right FILE BUDGET…: no violation, by the rules and without.
right() {
    local file=$EXAMPLES/$1
    shift
    expect_verdict "$(basename "$file") auto" verified "$@" "$file"
    expect_verdict "$(basename "$file") samc" verified "$@" --policy samc "$file"
}

# audited FILE BUDGET…: the rules of messages and losses are right wherever they are asked.
audited() {
    local file=$EXAMPLES/$1
    shift
    expect_verdict "$(basename "$file") audit" verified "$@" --policy lmi,cmi --audit "$file"
    prints "$(basename "$file") audit" 'audited: '
}

# sampled FILE BUDGET…: no violation in a sample, where there is too much for all.
sampled() {
    local file=$EXAMPLES/$1
    shift
    expect_verdict "$(basename "$file") $*" incomplete --strategy random --max-executions 5000 "$@" "$file"
}

# lossless FILE EXECUTIONS BUDGET…: the rules of crashes and reboots leave out no way in which executions can end. FILE may
# be a copy in the current directory.
lossless() {
    local file=$1 most=$2 name
    name=$(basename "$file")
    shift 2
    [ -e "$file" ] || file=$EXAMPLES/$file
    heddle cluster "$@" --policy crs,rss --audit --next random --max-executions "$most" "$file"
    grep -qE '^(verified|incomplete)$' out || fail "$name lossless: $(cat out err)"
    prints "$name lossless" 'every way in which executions can end is left: '
}

# lossy FILE EXPRESSION EXECUTIONS BUDGET…: with a rule made wrong by EXPRESSION for sed the audit says so.
lossy() {
    local file=$1 most=$3
    sed "$2" "$EXAMPLES/$file" >"$file"
    cmp -s "$EXAMPLES/$file" "$file" && fail "$file: $2 changes nothing"
    shift 3
    expect_verdict "$file lossy" 'wrong rule' "$@" --policy crs,rss --audit --next random --max-executions "$most" --cflags "-I$EXAMPLES" "$file"
    prints "$file lossy" 'no execution is left that ends like this: '
    rm "$file"
}

# old_bug SWITCH FILE KIND TEXT BUDGET…: found, by the rules and without, and told in TEXT.
old_bug() {
    local switch=$1 file=$EXAMPLES/$2 kind=$3 text=$4 policy
    shift 4
    for policy in auto samc; do
        expect_verdict "$switch $policy" "bug: $kind" "$@" --policy $policy --cflags "-D$switch" "$file"
        prints "$switch $policy" "$text"
    done
}

right hadoop_speculation.c --timeouts 1 --crashes 1
audited hadoop_speculation.c --timeouts 1 --crashes 1
# What the master sends after a loss differs in the numbers of attempts, which do not matter.
lossless hadoop_speculation.c 30000 --timeouts 1 --crashes 1 --reboots 1
lossy hadoop_speculation.c 's/= s->committed, .lost/= false, .lost/; /lost_committing =/d' 30000 --timeouts 1 --crashes 1 --reboots 1
old_bug MR4748 hadoop_speculation.c invariant 'invalid event: succeeded at succeeded' --timeouts 1 --crashes 1

# With two crashes the rules need to know of a crash whether the other one is still to come.
right hadoop_cluster.c --nodes 4 --crashes 1 --reboots 1
sampled hadoop_cluster.c --nodes 4 --crashes 2 --reboots 2
audited hadoop_cluster.c --nodes 4 --crashes 1
# What matters: whether there is another node for the job, and what the resource manager knows when the client is back.
lossless hadoop_cluster.c 30000 --nodes 4 --crashes 1 --reboots 1
lossy hadoop_cluster.c 's/if (peer != MANAGER \&\& s->self/if (peer == client() || s->self/' 30000 --nodes 4 --crashes 1 --reboots 1
old_bug MR5489 hadoop_cluster.c liveness 'the job does not come to an end' --nodes 4 --crashes 1 --reboots 1
expect_verdict 'MR5489 two crashes' 'bug: liveness' --nodes 4 --crashes 2 --reboots 1 --policy samc --cflags -DMR5489 "$EXAMPLES/hadoop_cluster.c"
expect_verdict 'two crashes' verified --nodes 4 --crashes 2 --reboots 1 --policy samc --next last "$EXAMPLES/hadoop_cluster.c"
old_bug MR5505 hadoop_cluster.c invariant 'the job runs again' --nodes 4 --crashes 1 --reboots 1

right cassandra_reads.c --crashes 1 --reboots 1
sampled cassandra_reads.c --crashes 2 --reboots 2
audited cassandra_reads.c --crashes 1
# What matters: whether it is the coordinator that is lost.
lossless cassandra_reads.c 100000 --crashes 1 --reboots 1
lossy cassandra_reads.c '/matters.coordinator =/d' 100000 --crashes 1 --reboots 1
old_bug CASSANDRA3395 cassandra_reads.c invariant 'the client read b@2 c@1' --crashes 1 --reboots 1

right cassandra_gossip.c --crashes 2 --reboots 1 --timeouts 1
audited cassandra_gossip.c --crashes 2 --reboots 1 --timeouts 1
# What a node that is back is told differs from what the seed is, and nothing comes of it.
lossless cassandra_gossip.c 10000 --crashes 2 --reboots 1 --timeouts 1
sed 's/s->self == SEED, peer == SEED, //' "$EXAMPLES/cassandra_gossip.c" >gossip.c
lossless gossip.c 10000 --crashes 2 --reboots 1 --timeouts 1
rm gossip.c
old_bug CASSANDRA3626 cassandra_gossip.c liveness 'a node that is down counts as up' --crashes 2 --reboots 1

nothing_left all
# Raft: right as it is, and wrong in three ways. The commit rule of the paper's Figure 8 takes four elections to show.
RAFT=$EXAMPLES/raft.c
expect_verdict raft verified --timeouts 1 "$RAFT"
prints raft 'reached: an entry was committed'
expect_verdict raft-forgetful 'bug: invariant' --timeouts 2 --crashes 1 --reboots 1 --cflags -DFORGETFUL "$RAFT"
expect_verdict raft-any-log 'bug: invariant' --timeouts 2 --cflags -DANY_LOG "$RAFT"
expect_verdict raft-figure8 'bug: invariant' --timeouts 4 --max-executions 60000 --cflags -DFIGURE8 "$RAFT"
heddle replay raft.invariant.hd
[ $status -eq 1 ] || fail "raft-figure8: replay: $status $(head -n 1 out err)"
for seed in 1 2; do
    expect_verdict "raft-figure8-five $seed" 'bug: invariant' --nodes 5 --timeouts 6 --seed $seed --max-executions 60000 --cflags -DFIGURE8 "$RAFT"
done
expect_verdict raft-sample incomplete --timeouts 4 --max-executions 20000 "$RAFT"

finish
