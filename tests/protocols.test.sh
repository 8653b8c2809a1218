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

# right FILE BUDGET…: no violation by any policy, and no wrong rule.
right() {
    local file=$EXAMPLES/$1
    shift
    expect_verdict "$(basename "$file") auto" verified "$@" "$file"
    expect_verdict "$(basename "$file") samc" verified "$@" --policy samc "$file"
    expect_verdict "$(basename "$file") audit" verified "$@" --policy lmi,cmi --audit "$file"
}

# old_bug SWITCH FILE KIND TEXT BUDGET…: found by every way to search.
old_bug() {
    local switch=$1 file=$EXAMPLES/$2 kind=$3 text=$4 how
    shift 4
    for how in '--policy auto' '--policy samc' '--policy none' '--strategy dpor'; do
        # shellcheck disable=SC2086
        expect_verdict "$switch $how" "bug: $kind" "$@" $how --cflags "-D$switch" "$file"
        says "$switch $how" "$text"
    done
}

right hadoop_speculation.c --timeouts 1 --crashes 1
old_bug MR4748 hadoop_speculation.c invariant 'invalid event: succeeded at succeeded' --timeouts 1 --crashes 1

right cassandra_gossip.c --crashes 2 --reboots 1
old_bug CASSANDRA3626 cassandra_gossip.c liveness 'a node that is down counts as up' --crashes 2 --reboots 1

nothing_left all
finish
