#!/usr/bin/env bash
# Memory does not grow with the number of executions: at most 16 MB for a million of them, and no more for a long search
# than for a short one of the same depth. What samples in between keep is bounded too.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
LIMIT=$((16 * 1024)) WITH_SAMPLES=$((64 * 1024)) # KiB

gcc -O2 -o peak "$DATA/peak.c" || exit 1

# measure PROGRAM VERDICT OPTION…: the peak in `peak`.
measure() {
    local program=$1 verdict=$2
    shift 2
    rm -f report.json
    timeout -k 5 300 ./peak "$HEDDLE" check --json report.json "$@" "./$program" 3>peak.txt >out 2>err
    status=$?
    peak=$(cat peak.txt)
    expect "$program $*" "$verdict"
}

# bounded NAME FLAGS EXECUTIONS
bounded() {
    local name=$1 flags=$2 executions=$3
    # shellcheck disable=SC2086
    "$HEDDLE" cc -O2 $flags -o "$name" "$PROGRAMS/$name.c" || { fail "$name does not compile" && return; }
    measure "$name" verified
    [ "$peak" -le $WITH_SAMPLES ] || fail "$name $flags: a peak of $peak KiB with samples, more than $WITH_SAMPLES"
    measure "$name" verified --strategy optimal
    [ "$(field executions)" = "$executions" ] || fail "$name $flags: $(field executions) executions, not $executions"
    [ "$peak" -le $LIMIT ] || fail "$name $flags: a peak of $peak KiB, more than $LIMIT"
    local long=$peak
    measure "$name" incomplete --max-executions 1000
    [ "$long" -le $((peak + 1024)) ] || fail "$name $flags: $long KiB for all executions, $peak for the first thousand"
}

bounded readers -DN=20 1048576
bounded lastzero -DN=15 147456
finish
