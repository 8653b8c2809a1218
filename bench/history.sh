#!/usr/bin/env bash
# bench/history.sh: how long `heddle history` takes, and how much memory: long histories, and the shapes that are known to
# be worst, among them some that nobody can decide quickly. Each is judged once; whole commands, with reading the file.
#
# If there is a command `porcupine-check` it judges the same files in the same run. It is not part of heddle: Porcupine is a
# library for Go, so write one. `porcupine-check MODEL FILE SECONDS` reads a file of events as history.awk makes them, judges
# it by Porcupine with a model of this name (register, cas-register, queue, stack, set, counter; an operation that ends in
# `info` returns after all others with any result), gives up after so many seconds, and prints one line: `linearizable`,
# `not-linearizable` or `unknown`, the seconds of judging, the most bytes of memory that it had.
. "$(dirname "$(readlink -f "$0")")/common.sh"
LIMIT=${LIMIT:-60}

failed=0

make_transactions() { awk -f "$ROOT/bench/transactions.awk" "$@" >history.edn; }
make_history() { awk -f "$ROOT/bench/history.awk" "$@" >history.edn; }

# Writes under way at the same time, each of another value (or of WORDS values in turns), none of which returns; then reads
# of the first READS values, and one of a value that is gone.
pending_writes() {
    awk -v writes="$1" -v reads="$2" -v words="$3" 'BEGIN {
        for (i = 0; i < writes; i++) printf "{:process %d :type :invoke :f :write :value %d}\n", i, i % words
        for (i = 0; i < reads; i++) both("read", i % words)
        if (words < writes) both("write", 77)
        for (i = 0; i < 2; i++) { both("write", 88 + i) }
        both("read", 88)
    }
    function both(f, v) {
        printf "{:process 999 :type :invoke :f :%s :value %s}\n", f, f == "read" ? "nil" : v
        printf "{:process 999 :type :ok :f :%s :value %d}\n", f, v
    }' >history.edn
}

# The columns of the other checker: judging and memory, its verdict if it is another one. Only of rows with a model of their own file.
other() {
    local model= mine=$1 verdict seconds bytes
    shift
    while [ $# -gt 0 ]; do
        case $1 in --model) model=$2 ;; --search) return ;; esac
        case $model in list-append | rw-register) return ;; esac
        shift
    done
    type -P porcupine-check >/dev/null || return
    read -r verdict seconds bytes < <(porcupine-check "$model" history.edn "$LIMIT")
    verdict=${verdict/not-/not }
    [ "$verdict" = unknown ] || [ "$mine" = unknown ] || [ "$verdict" = "$mine" ] || failed=1
    awk -v s="$seconds" -v b="$bytes" -v v="$([ "$verdict" = "$mine" ] || echo "  $verdict")" \
        'BEGIN { printf "%9.2f %9.1f%s", s, b / 1048576, v }'
}

# measure WHAT VERDICTS OPTION…: a row; the verdict has to be one of those given (a|b).
measure() {
    local what=$1 wanted=$2 start=$EPOCHREALTIME end verdict
    shift 2
    "$HEDDLE" history --explain 0 --time "$LIMIT" "$@" --json - history.edn >report.json 2>err
    end=$EPOCHREALTIME
    verdict=$(sed -n 's/^	"verdict":	"\(.*\)",/\1/p' report.json)
    awk -v a="${start/,/.}" -v b="${end/,/.}" -v what="$what" -v verdict="${verdict:-$(head -n 1 err)}" \
        -v judged="$(sed -n 's/^	"seconds":	\(.*\),/\1/p' report.json)" \
        -v memory="$(sed -n 's/^	"memory":	\(.*\),/\1/p' report.json)" -v other="$(other "$verdict" "$@")" \
        'BEGIN { printf "%-52s %8.2f %9.2f %9.1f  %-16s %s\n", what, b - a, judged, memory / 1048576, verdict, other }'
    [[ "|$wanted|" = *"|$verdict|"* ]] || { echo "bench: $wanted expected" >&2 && failed=1; }
}

echo "heddle:    $("$HEDDLE" --version)$(git -C "$ROOT" describe --always --dirty 2>/dev/null | sed 's/^/, commit /')"
echo "machine:   $(LC_ALL=C lscpu 2>/dev/null | sed -n 's/^Model name: *//p' | head -n 1), load $(cut -d ' ' -f 1 /proc/loadavg)"
type -P porcupine-check >/dev/null && theirs='porcupine: judging, MiB' || theirs=
printf '\n%-52s %8s %9s %9s\n' '' 'command' 'judging' 'memory'
printf '%-52s %8s %9s %9s  %-16s %s\n' history 's' 's' 'MiB' verdict "$theirs"

make_history -v kind=register -v ops=100000 -v keys=1000 -v processes=20
measure '100,000 operations, register, 1,000 keys' linearizable --model register
measure '  the same without shortcuts' linearizable --model register --search
make_history -v kind=register -v ops=100000 -v processes=10
measure '100,000, register, one key, values once' linearizable --model register
measure '  the same without shortcuts' linearizable --model register --search
make_history -v kind=cas -v values=5 -v ops=100000 -v processes=10
measure '100,000, cas-register, 5 values (failed swaps gone)' linearizable --model cas-register
make_history -v kind=cas -v values=5 -v ops=100000 -v processes=10 -v wrong=1
measure '  the same, wrong at the end' 'not linearizable' --model cas-register
make_history -v kind=cas -v values=5 -v ops=100000 -v processes=10 -v crash=0.01
measure '100,000, cas-register, 1 % crash' linearizable --model cas-register
make_history -v kind=queue -v ops=100000 -v processes=10
measure '100,000, queue, values once' linearizable --model queue
make_history -v kind=queue -v ops=100000 -v processes=10 -v crash=0.001 -v wrong=1
measure '100,000, queue, 0.1 % crash, wrong at the end' 'not linearizable' --model queue
make_history -v kind=set -v values=100 -v ops=100000 -v processes=10
measure '100,000, set, 100 elements' linearizable --model set
make_history -v kind=set -v values=1 -v ops=100000 -v processes=10 -v wrong=1
measure '100,000, set, one element, wrong at the end' 'not linearizable' --model set
make_history -v kind=counter -v ops=100000 -v processes=10
measure '100,000, counter' linearizable --model counter

pending_writes 24 12 24
measure '24 pending writes, values once, wrong' 'not linearizable' --model register
measure '  the same without shortcuts' 'not linearizable|unknown' --model register --search
pending_writes 40 20 10
measure '40 pending writes of 10 values, wrong' 'not linearizable|unknown' --model register
make_history -v kind=stack -v ops=100000 -v processes=10
measure '100,000, stack, values once' linearizable --model stack
make_history -v kind=stack -v ops=100000 -v processes=10 -v wrong=1
measure '  the same, wrong at the end' 'not linearizable' --model stack
for kind in queue stack; do
    for values in 10 100; do
        make_history -v kind=$kind -v values=$values -v ops=100000 -v processes=8
        measure "100,000, $kind, $values values" linearizable --model $kind
        make_history -v kind=$kind -v values=$values -v ops=100000 -v processes=8 -v wrong=1
        measure '  the same, wrong at the end' 'not linearizable' --model $kind
    done
done

make_transactions -v kind=lists -v txns=100000
measure '100,000 transactions on lists' serializable --model list-append
measure '  the same, strictly' 'strictly serializable' --model list-append --judge strict-serializable
measure '  the same, snapshot isolation' 'snapshot isolated' --model list-append --judge snapshot-isolation
measure '  the same, read committed' 'read committed' --model list-append --judge read-committed
make_transactions -v kind=lists -v txns=100000 -v crash=0.01 -v wrong=1
measure '100,000 on lists, 1 % crash, wrong at the end' 'not serializable' --model list-append
measure '  the same, snapshot isolation' 'snapshot isolated' --model list-append --judge snapshot-isolation
make_transactions -v kind=registers -v txns=100000
measure '100,000 transactions on registers' serializable --model rw-register
measure '  the same, strictly' 'strictly serializable' --model rw-register --judge strict-serializable
measure '  the same, snapshot isolation' 'snapshot isolated' --model rw-register --judge snapshot-isolation
make_transactions -v kind=registers -v txns=100000 -v wrong=1
measure '  the same, wrong at the end' 'not serializable' --model rw-register

echo
"$BUILD/bench/history_small"
type -P porcupine-check >/dev/null || printf '\nporcupine: no command porcupine-check on PATH, so it was not compared\n'
exit $failed
