#!/bin/bash
# What a report says of a failing run is true: how few preemptions it takes, and which event decides.
# shellcheck source=data/common.sh
. "$(dirname "$0")/data/common.sh"
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
    got=$(jq -r '.bugs[] | "\([.waits[] | .location.line | tostring] | join(" "))|\(.preemptions)|\(.minimal)"' \
        report.json 2>/dev/null | sort)
    [ "$got" = "$(printf '%s\n' "$@" | sort)" ] || fail "$what: it says
$got"
}

check --keep-going "$SAID/two_assertions.c"
says 'two assertions' "assertion \`!(r == 1 && s >= 3)'|2|true|proven" \
    "assertion \`r != 4'|0|true|proven"

check --cflags -DK=3 "$SAID/always.c"
says 'every run fails' "assertion \`x != 2 * K'|0|true|always"
heddle check --json report.json --explain 0.1 --cflags -DK=16 "$SAID/always.c"
jq -e '.bugs[0].decisive.status | . == "undecided" or . == "not-proven"' report.json >jq.out ||
    fail "too many runs: the decisive event is said to be $(jq -c '.bugs[0].decisive' report.json)"

check "$SAID/cut.c"
says 'cut runs' "assertion \`flag == 2'|0|true|not-proven"

check --keep-going "$SAID/two_deadlocks.c"
waits 'two deadlocks' '34 14|0|true' '34 10 22|1|true'

finish
