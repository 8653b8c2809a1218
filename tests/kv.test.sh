#!/usr/bin/env bash
# The replicated store (examples/kv): clean under heddle cluster, each of its old bugs is found again, and three servers of it
# serve linearizably over TCP while one is killed and comes back.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
KV=$ROOT/examples/kv

# judge WHAT FIRST-LINE TEXT FLAGS OPTION…: what heddle cluster says of it, in its first line and somewhere.
judge() {
    local what=$1 verdict=$2 text=$3 flags=$4
    shift 4
    heddle cluster --patience 2000 "$@" --cflags "$flags" "$KV/cluster.c" "$KV/raft.c" "$KV/store.c"
    [ "$(head -n 1 out)" = "$verdict" ] || fail "$what: $verdict expected, got $(head -n 3 out err)"
    grep -qF -- "$text" out || fail "$what: '$text' expected, got $(head -n 3 out)"
}

judge 'one election' verified 'reached: a client got an answer' -DFEW_CALLS --nodes 4 --timeouts 1

few='--max-executions 600'
# shellcheck disable=SC2086
{
    judge 'faults' incomplete '--max-executions was reached' -DSNAPSHOT_AFTER=2 --nodes 4 --timeouts 5 --crashes 1 --reboots 1 --drops 1 $few
    judge 'connections' incomplete '--max-executions was reached' '-DLOG_MOST=4 -DSNAPSHOT_AFTER=2' --nodes 4 --timeouts 5 --crashes 2 --reboots 2 --order connection $few
    judge 'members' incomplete '--max-executions was reached' '-DSERVERS=4 -DMEMBERS_AT_FIRST=3 -DCHANGES' --nodes 5 --timeouts 4 --drops 1 $few
}

# The bugs of docs/kv.md.
many='--max-executions 100000'
# shellcheck disable=SC2086
{
    judge 'stale reads' 'bug: history' 'is not linearizable' '-DSTALE_READS -DSAFETY_ONLY' --nodes 4 --timeouts 4 --seed 4 $many
    judge 'late snapshot' 'bug: invariant' 'a leader lacks an entry that was committed' '-DLATE_SNAPSHOT -DSNAPSHOT_AFTER=2' --nodes 4 --timeouts 5 --drops 1 $many
    judge 'no step back' 'bug: liveness' 'a client gets no answer' -DNO_STEP_BACK --nodes 4 --timeouts 4 --crashes 1 --order connection $many
    judge 'full log' 'bug: liveness' 'a client gets no answer' '-DFULL_LOG -DLOG_MOST=4 -DSNAPSHOT_AFTER=2' --nodes 4 --timeouts 5 --crashes 1 --reboots 1 $many
    judge 'hasty change' 'bug: invariant' 'a leader lacks an entry that was committed' '-DHASTY_CHANGE -DSERVERS=4 -DCHANGES -DSAFETY_ONLY -DNO_CALLS' --nodes 5 --timeouts 4 $many
}
heddle replay cluster.history.hd
[ $status -eq 1 ] && grep -q 'is not linearizable' out || fail "stale reads, replayed: $status $(head -n 2 out)"

# For real. Each call waits for disks, so they are in memory where that can be: a process that is killed leaves them as they are.
calls=60
disk=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
gcc -O2 -Wall -Wextra -Werror -o server "$KV"/{server,raft,store,wire}.c || fail 'the server does not compile'
gcc -O2 -Wall -Wextra -Werror -o client "$KV"/{client,wire}.c || fail 'the client does not compile'
port=$((20000 + $$ % 4000 * 3)) # below those that the system gives to clients
ports="$port $((port + 1)) $((port + 2))"
: >history.edn
declare -a server client
start() { # start NUMBER: a server
    # shellcheck disable=SC2086
    ./server "$1" "$disk" $ports 2>>server.err &
    server[$1]=$!
}
end_servers() {
    kill "${server[@]}" 2>/dev/null
    wait "${server[@]}" 2>/dev/null
    rm -rf "$disk"
}
trap 'status=$?; end_servers; leave $status' EXIT
for i in 0 1 2; do start $i; done
for i in 0 1 2; do
    timeout 240 ./client $i 1 "${ports// /,}" run $calls $i >>history.edn 2>>client.err &
    client[i]=$!
done
until_events() { # until_events NUMBER: in the history
    until [ "$(wc -l <history.edn)" -ge "$1" ] || ! kill -0 "${client[@]}" 2>/dev/null; do sleep 0.01; done
}
until_events $calls
victim=$(($$ % 3))
kill -KILL "${server[victim]}"
wait "${server[victim]}" 2>/dev/null
until_events $((3 * calls))
start $victim
for i in 0 1 2; do wait "${client[i]}" || fail "client $i: $(cat client.err server.err)"; done
[ "$(./client 3 1 "${ports// /,}" put 7 70)" = nil ] && [ "$(./client 4 1 "${ports// /,}" get 7)" = 70 ] || fail "one call: $(cat client.err server.err)"
end_servers
trap 'leave $?' EXIT
[ ! -s server.err ] || fail "servers: $(cat server.err)"
[ "$(grep -c ':type :ok' history.edn)" -eq $((3 * calls)) ] || fail "$(wc -l <history.edn) events"
heddle history --model map history.edn
[ $status -eq 0 ] && [ "$(head -n 1 out)" = linearizable ] || fail "over TCP: $(cat out err)"

# The same history is not linearizable any more once a client has read what nobody wrote.
sed '0,/:result [0-9]*}/s/:result [0-9]*}/:result 5}/' history.edn >wrong.edn
cmp -s history.edn wrong.edn && fail 'nothing was read'
heddle history --model map wrong.edn
[ $status -eq 1 ] || fail "a wrong history: $(cat out err)"

# Wrong use.
for words in server 'server 3 disk 1 2 3' client 'client 0 1 1,2 run 5' 'client 9 1 1,2 get 5' 'client 0 1 1,2 fetch 5'; do
    # shellcheck disable=SC2086
    ./$words >use 2>&1
    [ $? -eq 2 ] && [ "$(wc -l <use)" -eq 1 ] || fail "$words: $(cat use)"
done
finish
