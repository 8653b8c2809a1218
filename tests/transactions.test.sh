#!/usr/bin/env bash
# heddle history on transactions: histories of known truth at every level, what is said of them, bad input, long ones.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

declare -A levels=([S]=serializable [SS]=strict-serializable [SE]=session-serializable [I]=snapshot-isolation
    [SI]=strong-snapshot-isolation [EI]=session-snapshot-isolation [C]=read-committed)

# judge_case NAME MODEL LEVELS: the transactions are in the file `lines`.
judge_case() {
    local name=$1 model=$2 wanted level truth part
    awk '{ p = $1; c = $2; end = $3; value = $0; sub(/^[^[]*/, "", value); aborted = sub(/!/, "", end)
           printf "{:client %s :call %s :return %s%s :value %s}\n", p, c, end == "-" ? "nil" : end, aborted ? " :committed false" : "", value }' lines >case.edn
    IFS=';' read -ra wanted <<<"$3"
    for part in "${wanted[@]}"; do
        read -r level truth <<<"$part"
        heddle history --model "$model" --judge "${levels[$level]}" case.edn
        if [ "$truth" = yes ]; then
            [ $status -eq 0 ] || fail "$name, $model, ${levels[$level]}: right, but status $status: $(head -n 12 out err)"
        else
            [ $status -eq 1 ] || fail "$name, $model, ${levels[$level]}: wrong, but status $status: $(head -n 3 out err)"
            grep -qF -- "$truth" out || fail "$name, $model, ${levels[$level]}: '$truth' is missing in: $(cat out)"
        fi
        [ ! -s err ] || fail "$name: $(head -n 3 err)"
    done
    judged=$((judged + 1))
}

judged=0
name=
while IFS= read -r line; do
    case $line in
    case\ *)
        name=${line#case }
        model=${name##*: }
        name=${name%: *}
        wanted=
        : >lines
        ;;
    '#'*) ;;
    '')
        [ -z "$name" ] || judge_case "$name" "$model" "$wanted"
        name=
        ;;
    *) if [ -z "$wanted" ]; then wanted=$line; else echo "$line" >>lines; fi ;;
    esac
done < <(cat "$DATA/transactions/cases.txt" && echo)
[ $judged -ge 35 ] || fail "only $judged cases were judged"

# What is said: who read what, and where.
cat >skew.edn <<'END'
{:process 0, :type :invoke, :f :txn, :value [[:r :x nil] [:append :y 1]]}
{:process 1, :type :invoke, :f :txn, :value [[:r :y nil] [:append :x 1]]}
{:process 0, :type :ok, :f :txn, :value [[:r :x []] [:append :y 1]]}
{:process :nemesis, :type :info, :f :kill}
{:process 1, :type :ok, :f :txn, :value [[:r :y []] [:append :x 1]]}
END
heddle history --model list-append skew.edn
prints skew 'T2 (process 1, lines 2 and 5)'
prints skew 'T1 is before T2: T1 read :x as [], without the 1 of T2'
prints skew 'T2 is before T1: T2 read :y as [], without the 1 of T1'
heddle history --model list-append --judge snapshot-isolation --witness skew.edn
[ "$(grep -c begins out)" -eq 2 ] && [ "$(grep -c ends out)" -eq 2 ] || fail "an order: $(cat out)"
heddle history --model list-append --explain 0 skew.edn
grep -q 'is before' out && fail "--explain 0: $(cat out)"
heddle history --model list-append --json report.json skew.edn
[ "$(field verdict)" = 'not serializable' ] && jq -e '.cycle | length == 2 and .[0].kind == "rw"' report.json >/dev/null ||
    fail "json: $(cat report.json)"
heddle history --model list-append --judge snapshot-isolation --witness --json - skew.edn
jq -e '.order | length == 4' out >/dev/null || fail "json of an order: $(cat out)"
cat >same.json <<'END'
[{"process": 0, "type": "invoke", "f": "txn", "value": [["r", "x", null], ["append", "y", 1]]},
 {"process": 1, "type": "invoke", "f": "txn", "value": [["r", "y", null], ["append", "x", 1]]},
 {"process": 0, "type": "ok", "f": "txn", "value": [["r", "x", null], ["append", "y", 1]]},
 {"process": 1, "type": "ok", "f": "txn", "value": [["r", "y", []], ["append", "x", 1]]}]
END
heddle history --model list-append same.json
[ $status -eq 1 ] || fail "as JSON: $(cat out err)"

# Nobody knows: values written twice and read.
cat >twice.edn <<'END'
{:client 0 :call 0 :return 9 :value [[:w :x 1] [:w :y 1]]}
{:client 1 :call 0 :return 9 :value [[:w :x 1] [:w :y 2]]}
{:client 2 :call 0 :return 9 :value [[:r :x 1] [:r :y nil]]}
END
heddle history --model rw-register twice.edn
[ $status -eq 3 ] && grep -q "nobody can tell whose write was read" out || fail "values twice: $(cat out err)"

# refused LINE TEXT HISTORY ARGUMENT…: one sentence with the line (0: none), status 2.
refused() {
    local line=$1 text=$2
    printf "$3" >bad
    shift 3
    heddle history "$@" bad
    [ $status -eq 2 ] || fail "refused: status $status for: $(head -c 200 bad)"
    [ "$(wc -l <err)" -eq 1 ] || fail "refused: not one sentence but: $(cat err)"
    grep -qF -- "$text" err || fail "refused: '$text' expected, got: $(cat err)"
    [ "$line" -eq 0 ] || grep -q "bad:$line:" err || fail "refused: line $line expected, got: $(cat err)"
    [ ! -s out ] || fail "refused: printed $(head -n 1 out)"
}
call='{:process 0, :type :invoke, :f :txn, :value [[:append :x 1] [:r :x nil]]}'
L='--model list-append' R='--model rw-register'
# shellcheck disable=SC2086
{
    refused 0 'there is no transaction' '' $L
    refused 0 'there is no transaction' '{:process :nemesis :type :info}' $L
    refused 2 'before its transaction of line 1 has ended' "$call\n$call" $L
    refused 1 'ends that was not called' '{:process 0 :type :ok :f :txn :value []}' $L
    refused 2 'does not have the parts of the call' "$call\n{:process 0 :type :ok :f :txn :value [[:append :x 2] [:r :x []]]}" $L
    refused 2 'does not have the parts of the call' "$call\n{:process 0 :type :ok :f :txn :value [[:append :x 1]]}" $L
    refused 2 'does not have the parts of the call' "$call\n{:process 0 :type :ok :f :txn}" $L
    refused 2 'has to be a list, or nil' "$call\n{:process 0 :type :ok :f :txn :value [[:append :x 1] [:r :x #{1}]]}" $L
    refused 1 'only calls of txn' '{:process 0 :type :invoke :f :read :value nil}' $L
    refused 1 'are r and append' '{:process 0 :type :invoke :f :txn :value [[:w :x 1]]}' $L
    refused 1 'are r and w' '{:process 0 :type :invoke :f :txn :value [[:append :x 1]]}' $R
    refused 1 'are r and w' '{:process 0 :type :invoke :f :txn :value [[:cas :x 1]]}' $R
    refused 1 '[call key value]' '{:process 0 :type :invoke :f :txn :value [[:append]]}' $L
    refused 1 '[call key value]' '{:process 0 :type :invoke :f :txn :value [7]}' $L
    refused 1 '[call key value]' '{:process 0 :type :invoke :f :txn :value nil}' $L
    refused 1 'a write has no value' '{:process 0 :type :invoke :f :txn :value [[:append :x]]}' $L
    refused 1 'write something else' '{:process 0 :type :invoke :f :txn :value [[:w :x nil]]}' $R
    refused 1 'appended to one list twice' '{:process 0 :type :invoke :f :txn :value [[:append :x 1] [:append :x 1]]}' $L
    refused 2 'appended to one list twice' "$call\n{:process 1 :type :invoke :f :txn :value [[:append :x 1]]}" $L
    refused 1 'the type is not' '{:process 0 :type :maybe :f :txn :value []}' $L
    refused 1 'there is no process' '{:type :invoke :f :txn :value []}' $L
    refused 1 'map or object' '[[:append :x 1]]' $L
    refused 1 'a time is not an integer' '{:client 0 :value []}' $L
    refused 1 'returns before it is called' '{:client 0 :call 3 :return 2 :value []}' $L
    refused 2 'two transactions at a time' '{:client 0 :call 0 :return 5 :value []}\n{:client 0 :call 3 :return 7 :value []}' $L
    refused 1 'committed is true, false' '{:client 0 :call 0 :return 5 :value [] :committed 1}' $L
    refused 1 'no time of return' '{:client 0 :call 0 :value [] :committed true}' $L
    refused 2 'there is no type' "$call\n{:client 0 :call 0 :value []}" $L
    refused 1 'does not end' "${call%%]]\}}" $L
    refused 1 'byte-order mark' "\\xef\\xbb\\xbf$call" $L
    refused 1 'the same key twice' '{:process 0 :type :invoke :type :ok :f :txn :value []}' $L
    refused 1 'nested too deeply' "{:process 0 :type :invoke :f :txn :value $(printf '[%.0s' {1..200})}" $L
    refused 1 'belongs nowhere' '{:process 0 :type :invoke :f :txn :value [[:append :x \000]]}' $L
    refused 0 'has no meaning for transactions' "$call" $L --stuck
    refused 0 'has no meaning for transactions' "$call" $L --initial 3
    refused 0 '--judge takes serializable' "$call" $L --judge linearizable
    refused 0 'is for transactions' "$call" --model register --judge serializable
}
# Large numbers are texts, and compared as such.
printf '{:client 0 :call 0 :return 1 :value [[:w :x 99999999999999999999999]]}\n{:client 1 :call 2 :return 3 :value [[:r :x 99999999999999999999999]]}\n' >large.edn
heddle history --model rw-register --judge strict-serializable large.edn
[ $status -eq 0 ] || fail "large numbers: $(cat out err)"

# Long ones.
long() { awk -f "$ROOT/bench/transactions.awk" -v txns=20000 "$@" >long.edn; }
long -v kind=lists -v crash=0.01
for judge in strict-serializable strong-snapshot-isolation read-committed; do
    heddle history --model list-append --judge $judge long.edn
    [ $status -eq 0 ] || fail "long, $judge: $(head -n 12 out)"
done
long -v kind=lists -v crash=0.01 -v wrong=1
heddle history --model list-append long.edn
[ $status -eq 1 ] && prints 'long, wrong' 'write skew (G2-item)'
long -v kind=registers
for judge in serializable strict-serializable snapshot-isolation; do
    heddle history --model rw-register --judge $judge long.edn
    [ $status -eq 0 ] || fail "long, registers, $judge: $(head -n 12 out)"
done
one() { echo "{:process 99, :type :invoke, :f :txn, :value [[$1 nil]]}"$'\n'"{:process 99, :type :ok, :f :txn, :value [[$1 $2]]}"; }
set_to() { echo "{:process 99, :type :invoke, :f :txn, :value [[:w :k $1]]}"$'\n'"{:process 99, :type :ok, :f :txn, :value [[:w :k $1]]}"; }
{ cat long.edn && set_to 1 && set_to 2 && one ':r :k' 1; } >stale.edn
heddle history --model rw-register stale.edn
[ $status -eq 0 ] || fail "a stale read is serializable: $(head -n 12 out)"
heddle history --model rw-register --judge strict-serializable stale.edn
[ $status -eq 1 ] && prints 'a stale read' 'which by the times of the writes T1 overwrote with 2'
finish
