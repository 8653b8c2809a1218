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

says() { grep -qF -- "$2" out || fail "$1: '$2' is missing in: $(cat out)"; }

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
    says "$(basename "$file") audit" 'audited: '
}

# sampled FILE BUDGET…: no violation in a sample, where there is too much for all.
sampled() {
    local file=$EXAMPLES/$1
    shift
    expect_verdict "$(basename "$file") $*" incomplete --strategy random --max-executions 5000 "$@" "$file"
}

# old_bug SWITCH FILE KIND TEXT BUDGET…: found, by the rules and without, and told in TEXT.
old_bug() {
    local switch=$1 file=$EXAMPLES/$2 kind=$3 text=$4 policy
    shift 4
    for policy in auto samc; do
        expect_verdict "$switch $policy" "bug: $kind" "$@" --policy $policy --cflags "-D$switch" "$file"
        says "$switch $policy" "$text"
    done
}

right hadoop_speculation.c --timeouts 1 --crashes 1
audited hadoop_speculation.c --timeouts 1 --crashes 1
old_bug MR4748 hadoop_speculation.c invariant 'invalid event: succeeded at succeeded' --timeouts 1 --crashes 1

# With two crashes the rules need to know of a crash whether the other one is still to come.
right hadoop_cluster.c --nodes 4 --crashes 1 --reboots 1
sampled hadoop_cluster.c --nodes 4 --crashes 2 --reboots 2
audited hadoop_cluster.c --nodes 4 --crashes 1
old_bug MR5489 hadoop_cluster.c liveness 'the job does not come to an end' --nodes 4 --crashes 1 --reboots 1
expect_verdict 'MR5489 two crashes' 'bug: liveness' --nodes 4 --crashes 2 --reboots 1 --policy samc --cflags -DMR5489 "$EXAMPLES/hadoop_cluster.c"
expect_verdict 'two crashes' verified --nodes 4 --crashes 2 --reboots 1 --policy samc "$EXAMPLES/hadoop_cluster.c"
old_bug MR5505 hadoop_cluster.c invariant 'the job runs again' --nodes 4 --crashes 1 --reboots 1

right cassandra_reads.c --crashes 1 --reboots 1
sampled cassandra_reads.c --crashes 2 --reboots 2
audited cassandra_reads.c --crashes 1
old_bug CASSANDRA3395 cassandra_reads.c invariant 'the client read b@2 c@1' --crashes 1 --reboots 1

right cassandra_gossip.c --crashes 2 --reboots 1 --timeouts 1
audited cassandra_gossip.c --crashes 2 --reboots 1 --timeouts 1
old_bug CASSANDRA3626 cassandra_gossip.c liveness 'a node that is down counts as up' --crashes 2 --reboots 1

nothing_left all
finish
