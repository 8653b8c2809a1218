# Whether all ways to start executions again give the same answers. Sourced after common.sh.
# shellcheck shell=bash

# summary: what has to be the same. Of a search that is cut off by the time (CUT is not empty) only what it says.
summary() {
    local counts
    counts="$(field executions) $(field blocked) $(field redundant) $(field longest) "
    [ -z "${CUT:-}" ] || counts=
    echo "$status $(field verdict) $counts$(of_bugs kind | tr '\n' ' ')"
}

# ways: those that are possible where heddle chose $1 by itself. What undo cannot take back, memory cannot. `missed`: it chose replay
# after undo had missed a write.
ways() {
    case $1 in
        undo) echo undo replay verify fork checkpoint ;;
        replay) echo replay verify fork checkpoint ;;
        missed) echo replay fork checkpoint ;;
        *) echo fork checkpoint ;;
    esac
}

# refuses NAME: undo and verify say so where a write was missed; that is what they are for.
refuses() {
    local mode
    for mode in undo verify; do
        check --explain 0 --max-executions "${MOST:-40}" "${@:2}" --restart "$mode" ./program
        [ "$(field verdict)" = incomplete ] || fail "$1: --restart $mode says $(field verdict) though a write was missed"
        grep -q '"reason":.*was missed' report.json || fail "$1: --restart $mode: $(field reason)"
    done
}

# contradicts VERDICT: whether the last check says something else. Searches by states are possible by undo alone; by other ways
# executions are searched in their place, which may not come to an end.
contradicts() {
    [ "$(field verdict)" != "$1" ] && [ "$(field verdict)" != incomplete ]
}

# same SOURCE [OPTION…]: in all ways that are possible, up to MOST executions (default: what fork can do in a moment).
same() {
    local source=$1 name mode first now chosen verdict by_states
    shift
    name=$(basename "$source" .c)
    "$HEDDLE" cc -O1 -g -pthread -I"$ROOT/include" -o program "$source" -lm 2>err || { fail "$name: $(head -n 1 err)"; return; }
    check --explain 0 --max-executions "${MOST:-40}" "$@" --restart auto ./program
    first=$(summary)
    chosen=$(field restart)
    verdict=$(field verdict)
    by_states=$(field states)
    if grep -q '"restart_reason":.*undo did not take back' report.json; then
        refuses "$name" "$@"
        chosen=missed
    fi
    for mode in $(ways "$chosen"); do
        check --explain 0 --max-executions "${MOST:-40}" "$@" --restart "$mode" ./program
        now=$(summary)
        [ "$(field restart)" = "$mode" ] || fail "$name: --restart $mode ran as $(field restart)"
        if [ -n "$by_states" ] && [ "$mode" != undo ]; then
            ! contradicts "$verdict" || fail "$name $*: $chosen gives '$first' by states, $mode '$now'"
            continue
        fi
        [ "$now" = "$first" ] || fail "$name $*: $chosen gives '$first', $mode '$now'"
    done
    rm -f program ./*.hd
}
