#!/usr/bin/env bash
# What a report says of a failing run is true: how few preemptions it takes, and which event decides.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
SAID=$ROOT/tests/said

# says LINE… : the bugs of the report, in any order, each as "text|preemptions|minimal|status of the decisive event".
says() {
    what=$1
    shift
    local got
    got=$(jq -r '.bugs[] | "\(.text | sub(" failed in.*"; ""))|\(.preemptions)|\(.minimal)|\(.decisive.status)"' report.json 2>/dev/null | sort)
    [ "$got" = "$(printf '%s\n' "$@" | sort)" ] || fail "$what: it says
$got"
}

# waits LINE…: the deadlocks of the report, each as the lines at which threads wait and its preemptions.
waits() {
    what=$1
    shift
    local got
    got=$(jq -r '.bugs[] | "\([.waits[] | .location.line] | sort | map(tostring) | join(" "))|\(.preemptions)|\(.minimal)"' \
        report.json 2>/dev/null | sort)
    [ "$got" = "$(printf '%s\n' "$@" | sort)" ] || fail "$what: it says
$got"
}

check --keep-going "$SAID/two_assertions.c"
says 'two assertions' "assertion \`!(r == 1 && s >= 3)'|2|true|proven" \
    "assertion \`r != 4'|0|true|proven"

# The circle is closed before it is certain that the process does not end otherwise.
check --keep-going --explain 20 "$SAID/closed_circle.c"
jq -e '[.bugs[] | select(.kind == "deadlock") | .decisive.status] == ["proven"]' report.json >jq.out ||
    fail "a closed circle: the decisive event is said to be $(jq -c '[.bugs[] | [.kind, .decisive]]' report.json)"

check --cflags -DK=3 "$SAID/always.c"
says 'every run fails' "assertion \`x != 2 * K'|0|true|always"
heddle check --json report.json --explain 0.1 --cflags -DK=16 "$SAID/always.c"
jq -e '.bugs[0].decisive.status | . == "undecided" or . == "not-proven"' report.json >jq.out ||
    fail "too many runs: the decisive event is said to be $(jq -c '.bugs[0].decisive' report.json)"

# The share that was explored: 9.6 % of 10,400,600 executions. (On a machine that is busy there may be no time to estimate it.)
heddle check --json report.json --strategy optimal --max-executions 1000000 --cflags -DK=13 "$SAID/large.c"
jq -e '.share == null or (.share > 0.024 and .share < 0.39 and .share_range[0] <= .share and .share <= .share_range[1])' report.json >jq.out ||
    fail "9.6 % were explored, and it says $(jq -c '[.share, .share_range]' report.json)"
grep -q 'explored' out || fail "nothing is said of how much was explored"
check --cflags -DK=4 "$SAID/large.c"
[ "$(jq -c '[.share, .share_range]' report.json)" = '[1,[1,1]]' ] || fail "everything was explored, and it says $(jq -c .share report.json)"

check "$SAID/cut.c"
grep -q 'explored' out && fail "a bug was found, and the report says how much was explored"
says 'cut runs' "assertion \`flag == 2'|0|true|not-proven"

check --keep-going "$SAID/two_deadlocks.c"
waits 'two deadlocks' '14 34|0|true' '10 22 34|1|true'

# covers K FILE FLAG…: with fewer than K preemptions nothing is found, with K the bug is, by each strategy that counts.
covers() {
    local most=$1 file=$2 k
    shift 2
    for ((k = 0; k <= most; k++)); do
        check --preemptions $k "$@" "$SAID/$file"
        [ $status -eq $((k < most ? 3 : 1)) ] || fail "$file $* --preemptions $k: status $status"
    done
    check --strategy bounded "$@" "$SAID/$file"
    [ "$(jq -r '.bugs[0] | "\(.preemptions) \(.minimal)"' report.json)" = "$most true" ] ||
        fail "$file $* --strategy bounded: $(jq -r '.bugs[0].preemptions' report.json) preemptions"
    heddle replay "$(jq -r '.bugs[0].schedule' report.json)"
    grep -q "preemptions: $most\$" out || fail "$file $*: the replayed run has $(grep preemptions: out)"
}

check "$SAID/late_unlock.c"
says 'a lock let go late' "assertion \`!(r1 == 0 && r2 == 1 && r3 == 1)'|1|true|proven"
covers 1 late_unlock.c
heddle replay --gdb late_unlock.assertion.hd -- -batch
grep -q '^failure: assertion' out || fail "a lock let go late: gdb does not stop at the failure: $(tail -n 3 out)"
for flag in PLAIN=1 BEFORE=1 BYSTANDER=1 JOINED=0 NESTED=2; do
    check --cflags "-D${flag%=*}" "$SAID/first_switch.c"
    says "first switch, $flag" "assertion \`atomic_load(&x) == 1'|${flag#*=}|true|proven"
    covers "${flag#*=}" first_switch.c --cflags "-D${flag%=*}"
done
check --keep-going "$SAID/after_failure.c"
says 'after a failure' "assertion \`!\"always\"'|0|true|none" "assertion \`atomic_load(&x) != 1'|1|false|unknown"

# A baseline of the program without its second assertion; then with it, and with unrelated lines in front.
heddle check --keep-going --write-baseline known "$SAID/same_text.c"
check --baseline known "$SAID/same_text.c"
[ $status -eq 0 ] || fail "a baseline does not know its own bug: status $status"
check --keep-going --baseline known --cflags -DNEW "$SAID/same_text.c"
[ $status -eq 1 ] || fail "a baseline hides a second assertion of the same text: status $status"
says 'the second of the same text' "assertion \`r == 0'|$(jq .bugs[0].preemptions report.json)|true|$(jq -r .bugs[0].decisive.status report.json)"
sed '/^#ifdef/,/^#endif/d' "$SAID/same_text.c" >one.c
heddle check --keep-going --write-baseline known one.c
{ printf '\n\n'; sed 's/^    int r/    int unrelated = 0;\n    (void)unrelated;\n&/' one.c; } >edited.c && mv edited.c one.c
check --baseline known one.c
[ $status -eq 0 ] || fail "unrelated lines make a known bug a new one: status $status"
cp "$SAID/same_text.c" one.c
check --keep-going --baseline known --cflags -DNEW one.c
[ $status -eq 1 ] || fail "a baseline hides an assertion that was added: status $status"

finish
