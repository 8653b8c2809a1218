#!/bin/sh
# Every program of tests/programs says in its first line what heddle has to answer:
#   // expect: VERDICT [kind] [executions=N] [options: …]
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

field() { # name: the value of a field at the top level of the JSON report
    sed -n "s/^	\"$1\":[[:space:]]*\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" report.json | head -n 1
}

for program in ${PROGRAMS:-"$top"/tests/programs/*.c}; do
    line=$(sed -n '1s|^// expect: *||p' "$program")
    name=$(basename "$program" .c)
    options=
    case $line in *options:*) options=${line#*options:} line=${line%%options:*} ;; esac
    set -- $line
    verdict=$1 kind= executions=
    shift
    for word; do
        case $word in executions=*) executions=${word#*=} ;; *) kind=$word ;; esac
    done
    rm -f report.json
    # shellcheck disable=SC2086
    timeout 120 "${HEDDLE:-$top/build/heddle}" check --explain 1 --json report.json $options "$program" >out.txt 2>err.txt
    status=$?
    case $verdict in verified) expected=0 ;; bug) expected=1 ;; incomplete) expected=3 ;; *) expected=2 ;; esac
    got=$(field verdict 2>/dev/null)
    kinds=$(sed -n 's/^[[:space:]]*"kind":[[:space:]]*"\([^"]*\)".*/\1/p' report.json 2>/dev/null | head -n 20 | tr '\n' ' ')
    wrong=
    [ $status -eq $expected ] || wrong="status $status"
    [ "$got" = "$verdict" ] || wrong="$wrong verdict $got"
    [ -z "$kind" ] || case " $kinds " in *" $kind "*) ;; *) wrong="$wrong kinds $kinds" ;; esac
    [ -z "$executions" ] || [ "$(field executions)" = "$executions" ] || wrong="$wrong executions $(field executions)"
    if [ -n "$wrong" ]; then
        echo "$name: expected $line: got $wrong"
        sed 's/^/    /' err.txt | head -n 5
        failed=$((failed + 1))
    fi
done
exit $((failed > 0))
