#!/usr/bin/env bash
# heddle predict --import: what logs of requests of known truth allow, and what they do not; requests sent to a server; bad input.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
. "$ROOT/tests/data/dav_server.sh"
LOGS=$ROOT/tests/requests

# expected FILE WHAT [OPTION…]: the kinds and patterns that are predicted, sorted.
expected() {
    local log=$1 wanted=$2 got
    shift 2
    heddle predict --import "$log" --json report.json "$@"
    got=$(jq -r '[.predictions[] | .kind + " " + .pattern] | unique | join(", ")' report.json)
    [ "$got" = "$wanted" ] || fail "$(basename "$log"): expected '$wanted', got '$got'"
    [ $status -eq "$([ -n "$wanted" ] && echo 1 || echo 0)" ] || fail "$(basename "$log"): status $status: $(cat err)"
}

# The seed's figures 4.2 to 4.4, its two subjects, and their corrected twins.
expected "$LOGS/bank.csv" 'atomicity RWW'
expected "$LOGS/locks.csv" 'atomicity-of-two 2, atomicity-of-two 3'
expected "$LOGS/one_lock.csv" ''
expected "$LOGS/refused.csv" ''
expected "$LOGS/hospitalrun_as_printed.har" ''
expected "$LOGS/hospitalrun.har" 'atomicity-of-two 1, atomicity-of-two 4'
expected "$LOGS/hospitalrun_locked.har" ''
expected "$LOGS/gcs_fuse.har" 'atomicity RWW'
expected "$LOGS/gcs_fuse_versions.har" ''
# A version protects who sends it, and `*` is none.
expected "$LOGS/if_match.har" ''
expected "$LOGS/if_match_of_one.har" 'atomicity RWW'
expected "$LOGS/if_match_any.har" 'atomicity RWW'
# Without headers, locks of WebDAV are seen; one that is taken after the read protects nothing.
expected "$LOGS/access.log" 'atomicity RWW'
expected "$LOGS/webdav.log" ''
expected "$LOGS/webdav_lock_late.log" 'atomicity RWW'
# Who looks again and again, or writes again and again, is not one act; unless the rules say so.
expected "$LOGS/polling.csv" ''
echo 'atomic client' >whole.rules
expected "$LOGS/polling.csv" 'atomicity RWR, atomicity WRW' --rules whole.rules
heddle predict --import "$LOGS/five_patterns.csv" --rules whole.rules --json report.json
got=$(jq -r '[.predictions[] | select(.kind == "atomicity") | .pattern] | sort | join(" ")' report.json)
[ "$got" = 'RWR RWW WRW WWR WWW' ] || fail "five patterns: $got"

# Rules.
printf 'client,method,url,status,body\n1,POST,/get,200,"{""what"": ""a""}"\n1,POST,/set/a,200,\n2,POST,/set/a,200,\n' >own.csv
expected own.csv ''
printf 'POST /get -> read {body.what} # one\nPOST /set/{x} -> write {x}\n' >own.rules
expected own.csv 'atomicity RWW' --rules own.rules
printf 'defaults no\nGET ** -> read {path}\n' >none.rules
expected "$LOGS/bank.csv" '' --rules none.rules
printf 'version query generation\n' >version.rules
expected "$LOGS/gcs_fuse.har" 'atomicity RWW' --rules version.rules
printf 'version query sourceGeneration\n' >version.rules
expected "$LOGS/gcs_fuse.har" '' --rules version.rules

# What a report says, and the net.
heddle predict --import "$LOGS/bank.csv" --petri net
says 'bank' '^1\. lost update: trackingId-1 reads /accounts/123456/balance \(GET, entry 2\), then trackingId-2 writes'
says 'bank' '^ *entry 5 +PUT /accounts'
says 'bank' 'If-Match'
xmllint --noout net-1.svg || fail 'the net is no XML'
grep -q 'NonAtomic' net-1.dot && grep -q 'NonAtomic' net-1.svg || fail 'the net has no region'
[ "$(grep -c 'shape=box' net-1.dot)" -eq 4 ] || fail "the net has not four transitions: $(cat net-1.dot)"
[ ! -e net-2.dot ] || fail 'a net too many'

# Bad input: one sentence, status 2.
refused() {
    local what=$1 text=$2
    shift 2
    heddle predict "$@"
    [ $status -eq 2 ] || fail "$what: status $status"
    [ "$(wc -l <err)" -eq 1 ] || fail "$what: not one sentence but: $(cat err)"
    grep -qF -- "$text" err || fail "$what: '$text' expected, got: $(cat err)"
}
: >empty
echo '{"log": 3}' >bad.har
echo '{"log": {"entries": [' >broken.har
echo 'what is this' >words
printf 'client,method,url\n1,GET\n' >short.csv
printf 'client,method,url,status\n1,GET,/x,frob\n' >status.csv
echo 'GET ** frob' >bad.rules
echo 'GET {x -> read y' >open.rules
echo 'GET ** -> frob y' >action.rules
refused 'no file' 'No such file' --import missing
refused 'an empty log' 'nothing in it' --import empty
refused 'no HAR' 'no log.entries' --import bad.har
refused 'broken JSON' 'no JSON' --import broken.har
refused 'no log' 'no access log' --import words
refused 'a short line' 'line 2 has neither' --import short.csv
refused 'a bad status' 'line 2 has something else than a number for its status' --import status.csv
refused 'no rules' 'No such file' --import "$LOGS/bank.csv" --rules missing
refused 'a bad rule' 'bad.rules:1: a rule is' --import "$LOGS/bank.csv" --rules bad.rules
refused 'an open brace' 'open.rules:1: a rule is' --import "$LOGS/bank.csv" --rules open.rules
refused 'a bad action' 'action.rules:1: behind -> stands' --import "$LOGS/bank.csv" --rules action.rules
refused 'a trace too' 'what is bank' --import "$LOGS/bank.csv" bank
refused 'no import' 'belong to --import' --confirm http://127.0.0.1:1 "$ROOT/tests/predict/two_locks.txt"

# Requests go to loopback and nowhere else.
for url in http://192.0.2.1:80 http://10.0.0.1 'http://[2001:db8::1]:80' 'http://[::ffff:192.0.2.1]:80' http://0.0.0.0:80 'http://[::]:80' http://3221225985:80; do
    refused "$url" 'not on this machine' --import "$LOGS/bank.csv" --confirm "$url"
done
for url in https://127.0.0.1 127.0.0.1:80 http://127.0.0.1@192.0.2.1/ http://127.0.0.1:80/x http://127.0.0.1:99999 http:// 'http://[::1'; do
    refused "$url" 'a server is http://' --import "$LOGS/bank.csv" --confirm "$url"
done
heddle predict --import "$LOGS/bank.csv" --confirm http://127.0.0.1:1
[ $status -eq 3 ] || fail "nobody there: status $status"
says 'nobody there' 'unknown: 127\.0\.0\.1:1 does not answer'
heddle record --http http://192.0.2.1:80
[ $status -eq 2 ] || fail "a proxy to elsewhere: status $status"

# A real server: two clients, one after the other, whom nothing goes wrong; what they almost did, and that the server does it.
server=$(mktemp -d /tmp/heddle-dav.XXXXXX)
if ! type curl >/dev/null 2>&1 || ! dav_start "$server"; then
    echo 'Apache with mod_dav (apache2-bin) or curl is not installed: its part of this test is skipped'
    rm -rf "$server"
    finish
fi
proxy=
trap 'code=$?; dav_stop; [ -z "$proxy" ] || kill $proxy 2>/dev/null; rm -rf "$server"; leave $code' EXIT

record_begin() {
    url=
    rm -f proxy.out
    "$HEDDLE" record --http "$dav_url" -o "$1" >proxy.out 2>proxy.err &
    proxy=$!
    for _ in {1..100}; do
        [ -s proxy.out ] && url=$(cat proxy.out)
        [ -n "$url" ] && return
        sleep 0.05
    done
    fail 'the proxy does not begin'
}
record_end() {
    kill -INT $proxy
    wait $proxy || fail "the proxy: $(cat proxy.err)"
    proxy=
}
# as CLIENT METHOD [ARGUMENT…]: a request for a.txt; the answer's headers go to `head`.
as() {
    local client=$1 method=$2
    shift 2
    curl -s -S -D head -A "$client" -X "$method" "$@" "$url/a.txt" >body || fail "$client $method: curl"
    grep -qE '^HTTP/1.1 2' head || fail "$client $method: $(head -n 1 head)"
}
header() { sed -n "s/^$1: *\([^\r]*\).*/\1/Ip" head; }
# Each of them appends a word to the note.
append_plain() { as "$1" GET && as "$1" PUT --data-binary "$(cat body) $2"; }
append_if_match() { as "$1" GET && as "$1" PUT -H "If-Match: $(header etag)" --data-binary "$(cat body) $2"; }
append_locked() {
    as "$1" LOCK -H 'Content-Type: application/xml' -H 'Timeout: Second-60' --data-binary '<?xml version="1.0"?><lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>'
    local token
    token=$(header lock-token)
    as "$1" GET && as "$1" PUT -H "If: ($token)" --data-binary "$(cat body) $2"
    as "$1" UNLOCK -H "Lock-Token: $token"
}
run_clients() {
    record_begin "$1.har"
    as setup PUT --data-binary 'milk'
    "append_$2" alice bread
    "append_$3" bob eggs
    record_end
    [ "$(curl -s "$dav_url/a.txt")" = 'milk bread eggs' ] || fail "$1: something went wrong in the run itself"
}

echo 'first setup' >setup.rules
run_clients plain plain plain
heddle predict --import plain.har --rules setup.rules --confirm "$dav_url" --json report.json
[ $status -eq 1 ] || fail "mod_dav: status $status: $(cat out err)"
[ "$(jq -r '[.predictions[] | .title + " " + .confirmation + " \(.harmful)"] | unique | join(", ")' report.json)" = 'lost update confirmed true' ] ||
    fail "mod_dav: $(jq -c '.predictions[] | [.message, .confirmation, .reason]' report.json)"
jq -r '.predictions[].reason' report.json | grep -q 'what bob wrote is gone: alice took its place without having seen it' ||
    fail "mod_dav: $(jq '.predictions[].reason' report.json)"
says 'mod_dav' '/a.txt is now: 200 "milk bread eggs"'
[ "$(curl -s "$dav_url/a.txt")" = 'milk bread' ] || fail "mod_dav: the update is not lost: $(curl -s "$dav_url/a.txt")"

run_clients if_match if_match if_match
expected if_match.har '' --rules setup.rules
run_clients locked locked locked
expected locked.har '' --rules setup.rules
# One client that is careful does not help where the other is not.
run_clients mixed plain if_match
heddle predict --import mixed.har --rules setup.rules --confirm "$dav_url"
[ $status -eq 1 ] || fail "one careful client: status $status: $(cat out)"
says 'one careful client' '1 confirmed \(1 harmful\), 0 infeasible, 0 unknown'
# What heddle suspects for want of rules, the server refuses.
printf 'defaults no\nclient user-agent\nfirst setup\nGET ** -> read {path}\nPUT ** -> write {path}\n' >blind.rules
for run in if_match locked; do
    heddle predict --import $run.har --rules blind.rules --confirm "$dav_url"
    [ $status -eq 0 ] || fail "$run, refused: status $status: $(cat out)"
    says "$run, refused" '0 confirmed \(0 harmful\), [12] infeasible, 0 unknown'
    says "$run, refused" 'infeasible: the server answers 4[12][23] to (PUT|LOCK) /a.txt'
done
nothing_left 'heddle predict --import'
finish
