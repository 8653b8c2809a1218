#!/usr/bin/env bash
# tests/edges/run.sh [-n COUNT] [-f FIRST] [-m] [KIND…]: random programs whose truth is known, one generator a kind, checked by heddle.
#
# A generator is tests/edges/KIND.c: it is called with a number and prints the program with that number. The program's first
# line says what heddle has to answer:
#   // expect: ANSWER [KIND-OF-BUG] [lin] [c++] [cc=gcc|clang] [O=LEVEL] [options: …]
# lin: it is an object for heddle lin, not a program for heddle check.
# ANSWER is verified, bug, incomplete, or one of the two that leave heddle room: right (nothing fails: never `bug`) and
# wrong (something fails: never `verified`). Without cc= and O= the compiler and the level of optimisation follow from the number.
# -m: each program also with every exhaustive strategy and every way to start executions again, and with samples: none may say
# anything else. (A search that is cut off by the time, or that heddle says it cannot do, contradicts nothing.)
# KEEP=FOLDER keeps programs that were judged wrongly. Ends with how many passed and failed, and status 1 if one failed.
set -u
ROOT=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
BUILD=${BUILD:-$ROOT/build}
HEDDLE=${HEDDLE:-$BUILD/heddle}
count=100 first=1 modes=
while getopts n:f:m option; do
    case $option in n) count=$OPTARG ;; f) first=$OPTARG ;; m) modes=1 ;; *) exit 2 ;; esac
done
shift $((OPTIND - 1))
kinds=("$@")
if [ $# -eq 0 ]; then
    for source in "$ROOT"/tests/edges/*.c; do kinds+=("$(basename "$source" .c)"); done
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export TMPDIR=$work

# said: the verdict of the last check, and the kinds of its bugs.
said() {
    sed -n 's/^	"verdict":[[:space:]]*"\([a-z]*\)".*/\1/p' report.json 2>/dev/null
    sed -n 's/^			"kind":[[:space:]]*"\([^"]*\)".*/\1/p' report.json 2>/dev/null
}

# contradicts ANSWER KIND-OF-BUG VERDICT [KIND…]: whether a search that had not the time for everything cannot have said that.
contradicts() {
    local answer=$1 bug=$2 verdict=${3:-none}
    case $answer:$verdict in
    *:incomplete | verified:verified | right:verified | incomplete:verified) return 1 ;;
    bug:bug | wrong:bug) [ -n "$bug" ] && ! [[ " ${*:4} " = *" $bug "* ]] ;;
    *) return 0 ;;
    esac
}

# all_modes ANSWER KIND-OF-BUG OPTION…: checks ./program in all of them; prints those that are wrong.
all_modes() {
    local answer=$1 bug=$2 way strategy
    shift 2
    case " $* " in *' --restart '* | *' --strategy '*) return ;; esac
    for strategy in optimal dpor dfs bounded random pct; do
        for way in undo replay verify fork; do
            case $strategy-$way in random-replay | pct-undo) ;; random-* | pct-*) continue ;; esac
            rm -f report.json
            timeout -k 5 "${LIMIT:-120}" "$HEDDLE" check --strategy $strategy --restart $way --time "${SECONDS_EACH:-5}" \
                --explain 0 --json report.json "$@" ./program >out 2>err </dev/null
            # shellcheck disable=SC2046
            contradicts "$answer" "$bug" $(said) && echo "$strategy by $way: $(said | tr '\n' ' ')$(head -n 1 err)"
        done
    done
}

# judge KIND NUMBER: checks one program; prints a line if the answer is wrong.
judge() {
    local kind=$1 number=$2 own=$work/$1.$2 line options='' answer bug='' suffix=c compiler level verdict kinds wrong='' command=check
    compiler=$([ $((number % 3)) -eq 2 ] && echo clang || echo gcc)
    level=-O$((number / 3 % 4))
    mkdir "$own"
    cd "$own" || return
    "$work/$kind" "$number" >program || { echo "failed: $kind $number: its generator failed" && return; }
    line=$(sed -n '1s|^// expect: *||p' program)
    case $line in *options:*) options=${line#*options:} line=${line%%options:*} ;; esac
    # shellcheck disable=SC2086
    set -- $line
    answer=${1:-}
    shift
    for word; do
        case $word in
        c++) suffix=cc ;;
        lin) command=lin ;;
        cc=*) compiler=${word#*=} ;;
        O=*) level=-O${word#*=} ;;
        *) bug=$word ;;
        esac
    done
    [ $suffix = c ] || compiler=${compiler/gcc/g++} compiler=${compiler/clang/clang++}
    mv program "program.$suffix"
    # shellcheck disable=SC2086
    HEDDLE_CC=$compiler timeout -k 5 "${LIMIT:-120}" "$HEDDLE" "$command" --cflags="$level" --explain 1 --json report.json $options "program.$suffix" >out 2>err </dev/null
    verdict=$(said | head -n 1)
    kinds=$(said | tail -n +2 | tr '\n' ' ')
    case $answer:$verdict in
    right:verified | right:incomplete | wrong:bug | wrong:incomplete) ;;
    *) [ "$answer" = "$verdict" ] || wrong=1 ;;
    esac
    [ -z "$bug" ] || [ "$verdict" != bug ] || case " $kinds" in *" $bug "*) ;; *) wrong=1 ;; esac
    echo "${verdict:-none}" >>"$work/verdicts.$kind"
    [ -z "$wrong" ] || wrong="${verdict:-nothing} $kinds$(head -n 1 err)"
    if [ -n "$modes" ] && [ $command = check ] && HEDDLE_CC=$compiler "$HEDDLE" "$([ $suffix = c ] && echo cc || echo c++)" "$level" -g -pthread -I"$ROOT/include" -o program "program.$suffix" 2>err; then
        # shellcheck disable=SC2086
        wrong+=$(all_modes "$answer" "$bug" $options)
    fi
    if [ -n "$wrong" ]; then
        echo "failed: $kind $number ($compiler $level): $answer $bug expected, got $(tr '\n' ';' <<<"$wrong")"
        [ -z "${KEEP:-}" ] || { mkdir -p "$KEEP" && cp "program.$suffix" "$KEEP/$kind.$number.$suffix"; }
    fi
    cd / && rm -rf "$own"
}

for kind in "${kinds[@]}"; do
    ${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -I"$ROOT/tests/edges" -o "$work/$kind" "$ROOT/tests/edges/$kind.c" || exit 2
    for ((number = first; number < first + count; number++)); do
        while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-$(nproc)}" ]; do wait -n; done
        judge "$kind" "$number" >>"$work/told" &
    done
    wait
    echo "$kind: $(sort "$work/verdicts.$kind" 2>/dev/null | uniq -c | awk '{ printf "%s%d %s", (NR > 1 ? ", " : ""), $1, $2 }')"
done
cat "$work/told"
failed=$(grep -c '^failed' "$work/told")
echo "$((${#kinds[@]} * count - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
