#!/usr/bin/env bash
# bench/rf.sh: executions and seconds by reads-from classes (--strategy rf) beside those by traces (optimal), best of REPEATS (3).
#
# `given up`: executions that were begun because it was open whether a compare-and-swap would succeed. Every search gets LIMIT (60)
# seconds; one that takes longer says how many executions it came to. Nidhugg, if nidhuggc is on PATH, runs each program with
# --rf and is compared by its number of traces. Status 1 if a verdict is wrong or rf takes more executions than there are traces, not
# counting those given up.
. "$(dirname "$(readlink -f "$0")")/common.sh"
REPEATS=${REPEATS:-3}
LIMIT=${LIMIT:-60}
failed=0

# measure STRATEGY FILE FLAGS: sets executions, redundant, verdict and the fewest seconds.
measure() {
    local i
    seconds=
    for ((i = 0; i < REPEATS; i++)); do
        "$HEDDLE" check --json report.json --strategy "$1" --time "$LIMIT" --explain 0 --cflags "-O2 $3" "$2" >out 2>&1
        verdict=$(field verdict) executions=$(field executions) redundant=$(field redundant)
        seconds=$(printf '%s\n' ${seconds:-} "$(field seconds)" | sort -g | head -n 1)
        [ "$verdict" = verified ] || break
    done
    [ "$verdict" = verified ] || [ "$verdict" = incomplete ] || {
        echo "bench: $2 $3 by $1: $(head -n 2 out)" >&2
        failed=1
    }
}

nidhugg() { # FILE FLAGS: its number of traces by reads-from classes
    type -P nidhuggc >/dev/null || return
    # shellcheck disable=SC2086
    timeout "$LIMIT" nidhuggc -O2 $2 "$1" -- --sc --rf 2>/dev/null | sed -n 's/^Trace count: \([0-9]*\).*/\1/p'
}

row() { # FILE FLAGS
    local file=$ROOT/bench/$1.c rf rf_seconds given_up mark=
    measure rf "$file" "$2"
    rf=$executions rf_seconds=$seconds given_up=$redundant
    [ "$verdict" = verified ] || mark=+
    measure optimal "$file" "$2"
    if [ "$verdict" = verified ]; then
        [ $((rf - given_up)) -le "$executions" ] || { echo "bench: $1 $2: rf takes more executions than traces" >&2; failed=1; }
    else
        executions=$executions+
    fi
    printf '%-20s %-12s %12s %9.2f   %12s %9s %9.2f   %s\n' "${1#*/}" "$2" "$executions" "$seconds" "$rf$mark" "$given_up" \
        "$rf_seconds" "$(nidhugg "$file" "$2")"
}

printf '%-20s %-12s %12s %9s   %12s %9s %9s   %s\n' '' '' optimal '' rf '' '' nidhugg program flags executions seconds executions \
    'given up' seconds '--rf'
row programs/writers -DN=7
row programs/writers -DN=9
row programs/writers -DN=60
row rf/register -DN=4
row rf/register -DN=5
row rf/progress '-DN=3 -DK=2'
row rf/progress '-DN=4 -DK=2'
row programs/readers -DN=16
row programs/lastzero -DN=12
row programs/critical -DK=9
row programs/indexer -DN=16
row programs/casadd ''
row programs/bbuf '-DPRODUCERS=2 -DCONSUMERS=2'
echo '+: not in the time that there was'
exit $failed
