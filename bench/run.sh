#!/usr/bin/env bash
# bench/run.sh [PROGRAM…]: how fast heddle explores the programs of bench/programs, all of them or those named.
#
# Every number comes from the same run on the same machine. Seconds are those of the exploration alone, without the
# compiler, best and median of REPEATS (15); `bare` is the time for as many repetitions of one execution with the same
# fibers and hooks but without choosing or keeping anything; a goal stands beside what it is for. Model checkers that are on
# PATH (genmc, nidhuggc) get each program once, for at most LIMIT (120) seconds, and are compared by whole commands.
. "$(dirname "$(readlink -f "$0")")/common.sh"
REPEATS=${REPEATS:-15}
LIMIT=${LIMIT:-120}
TABLE="critical   -DK=9  48620  1.4M/s
readers    -DN=16 65536  470k/s
writers    -DN=7  40320  1.4M/s
indexer    -DN=16 32768  0.4s
lastzero   -DN=12 15360  -
filesystem -DN=26 8192   -"

# field NAME FILE
field() { sed -n "s/^	\"$1\":[[:space:]]*\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$2" | head -n 1; }

# explore PROGRAM OPTION…: one search; its report in report.json.
explore() {
    local program=$1
    shift
    "$HEDDLE" check --strategy optimal --json report.json "$@" "$program" >out 2>&1
}

# seconds PROGRAM WANTED OPTION…: seconds of one search, whose verdict has to be WANTED.
seconds() {
    local program=$1 wanted=$2
    shift 2
    explore "$program" "$@"
    [ "$(field verdict report.json)" = "$wanted" ] && field seconds report.json && return
    echo "bench: $program $*: $wanted expected: $(head -n 3 out)" >&2
    return 1
}

# bare_seconds PROGRAM EXECUTIONS: of as many bare executions; nothing if heddle cannot do it.
bare_seconds() {
    "$HEDDLE" check --help | grep -q -- --bare || return 0
    seconds "$1" incomplete --bare "$2"
}

# Of the times in a file, a line each.
best() { sort -g "$1" | head -n 1; }
median() { sort -g "$1" | awk '{ s[NR] = $1 } END { print NR % 2 ? s[(NR + 1) / 2] : (s[NR / 2] + s[NR / 2 + 1]) / 2 }'; }

# calculate FORMAT EXPRESSION: arithmetic on what may be empty; '-' if something is missing.
calculate() { awk "BEGIN { if ($2) printf \"$1\", $2; else printf \"-\" }" 2>/dev/null || printf -- -; }

rate() { awk -v n="$1" -v s="$2" 'BEGIN { r = n / s; if (r >= 999500) printf "%.2fM", r / 1e6; else printf "%.0fk", r / 1e3 }'; }

machine() {
    local model
    model=$(LC_ALL=C lscpu 2>/dev/null | sed -n 's/^Model name: *//p' | head -n 1)
    echo "machine:   ${model:-$(uname -m)}, $(nproc) cores, load $(cut -d ' ' -f 1 /proc/loadavg 2>/dev/null)"
    echo "system:    $(uname -sr), $(getconf GNU_LIBC_VERSION 2>/dev/null)"
    local compiler
    for compiler in "${HEDDLE_CC:-gcc}" clang; do
        # shellcheck disable=SC2086
        type -P ${compiler%% *} >/dev/null && echo "compiler:  $($compiler --version | head -n 1)"
    done
    echo "heddle:    $("$HEDDLE" --version)$(git -C "$ROOT" describe --always --dirty 2>/dev/null | sed 's/^/, commit /')"
    echo "measured:  seconds of exploration, best and median of $REPEATS; programs compiled with -O2"
}

HEAD='%-18s %7s  %7s %7s  %6s %6s  %6s %8s  %7s  %7s %6s  %s\n'
# shellcheck disable=SC2059
heading() {
    printf "\n$HEAD" '' '' seconds '' 'exec/s' '' 'events' 'ns per' 'races' bare 'search' ''
    printf "$HEAD" program execs best median best median 'a run' event 'on/off' seconds '/bare' goal
}

# measure NAME FLAG EXECUTIONS GOAL: a row of the table.
measure() {
    local name=$1 flag=$2 executions=$3 goal=$4 off bare best median events i
    "$HEDDLE" cc -O2 "$flag" -o "$name" "$ROOT/bench/programs/$name.c" || return 1
    : >on && : >off && : >bare
    for ((i = 0; i < REPEATS; i++)); do # in turns, so that all see the same machine
        seconds "./$name" verified --races off >>off || return 1
        bare_seconds "./$name" "$executions" >>bare || return 1
        seconds "./$name" verified >>on || return 1
    done
    if [ "$(field executions report.json)" != "$executions" ]; then
        echo "bench: $name $flag has $(field executions report.json) executions, not $executions" >&2
        return 1
    fi
    events=$(field events report.json)
    best=$(best on) median=$(median on) off=$(best off) bare=$(best bare)
    # shellcheck disable=SC2059
    printf "$HEAD" "$name $flag" "$executions" "$(calculate %.4f "$best")" "$(calculate %.4f "$median")" \
        "$(rate "$executions" "$best")" "$(rate "$executions" "$median")" "$(calculate %.1f "$events / $executions")" \
        "$(calculate %.1f "$best / $events * 1e9")" "$(calculate %.2f "$best / $off")" "$(calculate %.4f "${bare:-0}")" \
        "$([ -n "$bare" ] && calculate %.2f "$best / $bare" || printf -- -)" "$(judge "$goal" "$executions" "$best" "$median")"
}

# judge GOAL EXECUTIONS BEST MEDIAN: the goal and whether the median, or at least the best, reaches it.
judge() {
    case $1 in
    -) ;;
    */s) awk -v g="$1" -v n="$2" -v b="$3" -v m="$4" 'BEGIN {
            goal = g + 0
            goal *= g ~ /M/ ? 1e6 : g ~ /k/ ? 1e3 : 1
            printf("%s %s", g, n / m >= goal ? "reached" : n / b >= goal ? "by the best" : "missed") }' ;;
    *s) awk -v g="$1" -v b="$3" -v m="$4" 'BEGIN {
            printf("%s %s", g, m <= g + 0 ? "reached" : b <= g + 0 ? "by the best" : "missed") }' ;;
    esac
}

# seconds_of COMMAND…: wall-clock time of a command; its status is the command's.
seconds_of() {
    local start=$EPOCHREALTIME status
    "$@" >peer.txt 2>&1
    status=$?
    awk -v a="${start/,/.}" -v b="${EPOCHREALTIME/,/.}" 'BEGIN { printf "%.3f", b - a }'
    return $status
}

# peer_command TOOL FLAG FILE
peer_command() {
    case $1 in
    genmc) echo genmc --sc -- -O2 "$2" "$3" ;;
    nidhuggc) echo nidhuggc -O2 "$2" -- --sc --optimal "$3" ;;
    esac
}

# peer TOOL: the same programs, once each.
peer() {
    local tool=$1 name flag executions goal own other status
    if ! type -P "$tool" >/dev/null; then
        echo "$tool: not on PATH"
        return
    fi
    echo "$tool: $("$tool" --version 2>&1 | grep -m 1 -E '[0-9]+\.[0-9]+'), whole commands, once, at most $LIMIT s"
    while read -r name flag executions goal; do
        chosen "$name" || continue
        own=$(seconds_of "$HEDDLE" check --cflags "-O2 $flag" "$ROOT/bench/programs/$name.c")
        # shellcheck disable=SC2046
        other=$(seconds_of timeout -k 5 "$LIMIT" $(peer_command "$tool" "$flag" "$ROOT/bench/programs/$name.c"))
        status=$?
        case $status in
        0) printf '  %-18s %9s s, heddle %s s: %s times\n' "$name $flag" "$other" "$own" "$(calculate %.1f "$other / $own")" ;;
        124 | 137) printf '  %-18s not done after %s s, heddle %s s: more than %s times\n' "$name $flag" "$LIMIT" "$own" \
            "$(calculate %.0f "$LIMIT / $own")" ;;
        *) printf '  %-18s failed with status %s: %s\n' "$name $flag" $status "$(tail -n 1 peer.txt)" ;;
        esac
    done <<<"$TABLE"
}

wanted=" $* "
chosen() { [ "$wanted" = '  ' ] || [[ $wanted = *" $1 "* ]]; }

for name in "$@"; do
    grep -q "^$name " <<<"$TABLE" || { echo "bench: there is no program $name" >&2 && exit 2; }
done
machine
heading
failed=0
while read -r name flag executions goal; do
    chosen "$name" || continue
    measure "$name" "$flag" "$executions" "$goal" || failed=1
done <<<"$TABLE"
echo
peer genmc
peer nidhuggc
exit $failed
