#!/usr/bin/env bash
# bench/cluster.sh: `heddle cluster` on its examples, in the form of the tables of SAMC (the seed), whose figures stand
# beside: executions to old bugs, how many executions policies leave out, and speed. There one execution took 40 seconds.
#
# A protocol is a row of `speed`, a bug a row of `hunt`. Rows of hunts are made beside each other, JOBS at a time (default: all processors): executions
# do not depend on that, unless the time runs out. Speed is measured with nothing beside it.
. "$(dirname "$(readlink -f "$0")")/common.sh"
EXAMPLES=$ROOT/examples/cluster
MOST=${MOST:-100000} # executions of a hunt …
TIME=${TIME:-30}     # … and seconds

JOBS=${JOBS:-$(nproc)}

# search ARGUMENT…: leaves report.json.
search() {
    rm -f report.json
    "$HEDDLE" cluster --json report.json "$@" >out 2>err || [ -s report.json ] || { cat err >&2; exit 2; }
}

# to_bug ARGUMENT…: the number of executions to the bug, or > and how many found nothing.
to_bug() {
    search --max-executions "$MOST" --time "$TIME" "$@"
    jq -r 'if .verdict == "bug" then "\(.executions)" elif .verdict == "verified" then "none" else ">\(.executions)" end' report.json
}

# hunt BUG SEED FILE FLAGS BUDGET…: a row. SEED has the seed's figures; FLAGS come with and without the switch.
hunt() {
    rows=$((rows + 1))
    while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do wait -n; done
    mkdir "row-$rows"
    (cd "row-$rows" && make_row "$@" >row) &
}
rows=0

make_row() {
    local bug=$1 seed=$2 file=$EXAMPLES/$3 flags=$4 how
    shift 4
    printf '%-15s' "$bug"
    for how in '--strategy dpor' '--strategy random' '--strategy random-dpor' '--policy samc --next random' '--policy auto --next random' '--next turns'; do
        # shellcheck disable=SC2086
        printf ' %9s' "$(to_bug "$@" $how --cflags "-D$bug $flags" "$file")"
    done
    search "$@" --next random --max-executions 50000 --time "$TIME" --cflags "-DAS_IT_IS $flags" "$file"
    printf ' %11s   %s\n' "$(jq -r .verdict report.json)" "$seed"
}

echo "Executions to old bugs, at most $MOST or $TIME s. Without the switch: what auto says after 50000 at most."
printf '%-15s %9s %9s %9s %9s %9s %9s %11s   %s\n' bug dpor random rnd+dpor samc auto default without "seed: dpor/random/rnd+dpor/samc"
hunt ZK335 '>5000/1057/>5000/117' broadcast.c '' --crashes 3 --reboots 3 --max-events 120 --patience 1000
hunt ZK790 14/225/82/7 election.c '' --crashes 1 --reboots 1 --timeouts 1 --max-events 60
hunt ZK975 967/71/163/53 election.c '' --crashes 1 --reboots 1 --max-events 60
hunt ZK1075 1081/86/250/16 election.c '' --crashes 3 --reboots 2 --max-events 60
hunt ZK1419 924/2514/987/100 election.c '' --crashes 3 --reboots 2 --max-events 60
hunt ZK1492 '>5000/>5000/>5000/576' election.c -DOBSERVERS=1 --crashes 1 --max-events 60
hunt ZK1653 945/3756/3462/11 broadcast.c '' --crashes 1 --reboots 1 --max-events 60 --patience 1000
hunt MR4748 22/6/6/4 hadoop_speculation.c '' --timeouts 1
hunt MR5489 '>5000/>5000/>5000/53' hadoop_cluster.c '' --nodes 4 --crashes 2 --reboots 1
hunt MR5505 '1212/>5000/1210/40' hadoop_cluster.c '' --nodes 4 --crashes 1 --reboots 1
hunt CASSANDRA3395 2552/191/550/104 cassandra_reads.c '' --crashes 1 --reboots 1
hunt CASSANDRA3626 '>5000/>5000/>5000/96' cassandra_gossip.c '' --crashes 2 --reboots 1
wait
for ((row = 1; row <= rows; row++)); do cat "row-$row/row"; done

# A deep bug: executions and seconds to the commit rule of Raft's Figure 8, for several seeds.
printf '\nRaft, an entry of an older term committed by counting (Figure 8), default settings: executions and seconds\n'
printf '%-24s %16s %16s %16s\n' budgets 'seed 1' 'seed 2' 'seed 3'
for budget in '--nodes 3 --timeouts 4' '--nodes 5 --timeouts 6'; do
    printf '%-24s' "$budget"
    for seed in 1 2 3; do
        # shellcheck disable=SC2086
        search $budget --seed $seed --time 60 --cflags -DFIGURE8 "$EXAMPLES/raft.c"
        printf ' %16s' "$(jq -r 'if .verdict == "bug" then "\(.executions) \(.seconds * 100 | round / 100) s" else "not in \(.executions)" end' report.json)"
    done
    echo
done

# worth FILE N FLAGS POLICY: of 3000 executions without a policy, divided by those that the policy would have run.
worth() {
    search --crashes "$2" --reboots "$2" --max-events 200 --patience 1000 --mark "$4" --max-executions 3000 --cflags "$3" "$EXAMPLES/$1"
    jq -r '.complete / (.complete - .marked) | . * 10 | floor / 10' report.json
}

printf '\nHow many times fewer executions: 3000 of black-box DPOR, divided by those that a policy would have run\n'
printf 'samc: all policies, by rules that audits confirm; then each alone; seed form: all, by rules that audits refute\n'
printf '%-12s %-8s %8s %8s %8s %8s %8s %10s %8s   %s\n' protocol faults samc lmi cmi crs rss 'seed form' auto 'seed: samc'
for row in election.c:1:37 election.c:2:63 election.c:3:103 broadcast.c:1:93 broadcast.c:2:107 broadcast.c:3:166; do
    IFS=: read -r file faults seed <<<"$row"
    printf '%-12s %-8s' "${file%.c}" "$faults/$faults"
    for policy in samc lmi cmi crs rss; do printf ' %8s' "$(worth "$file" "$faults" '' $policy)"; done
    printf ' %10s %8s   %s\n' "$(worth "$file" "$faults" -DSEED_RULES samc)" "$(worth "$file" "$faults" '' auto)" "$seed"
done

# speed FILE ARGUMENT…: 5000 random executions, and as many by auto.
speed() {
    local file=$1 how
    shift
    printf '%-24s' "${file%.c}"
    for how in '--strategy random' '--policy auto'; do
        # shellcheck disable=SC2086
        search "$@" $how --max-executions 5000 "$EXAMPLES/$file"
        jq -r '[.executions, .executions / .seconds, .events / .seconds, .seconds] | @tsv' report.json |
            awk -F '\t' '{ printf " %6d %9.0f %10.0f %7.3f s", $1, $2, $3, $4 }'
    done
    echo
}

printf '\nSpeed: 3 nodes, a crash, a reboot; the first four columns by random, the others by auto\n'
printf '%-24s %6s %9s %10s %9s %6s %9s %10s %9s\n' protocol runs runs/s events/s time runs runs/s events/s time
for file in two_phase_commit.c election.c broadcast.c hadoop_cluster.c hadoop_speculation.c cassandra_reads.c cassandra_gossip.c; do
    speed "$file" --crashes 1 --reboots 1 --patience 1000
done
