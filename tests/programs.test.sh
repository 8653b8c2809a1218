#!/usr/bin/env bash
# Every program of tests/programs says in its first line what heddle has to answer:
#   // expect: VERDICT [kind] [executions=N] [options: …]
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# answered NAME VERDICT [KIND] [executions=N]: what the last check has to have answered.
answered() {
    local name=$1 verdict=$2 kind='' executions='' word
    shift 2
    for word; do
        case $word in executions=*) executions=${word#*=} ;; *) kind=$word ;; esac
    done
    expect "$name" "$verdict" "$kind"
    [ -z "$executions" ] || [ "$(field executions)" = "$executions" ] ||
        fail "$name: $executions executions expected, got $(field executions)"
}

for program in ${ONLY:-"$CASES"/*.c}; do
    line=$(sed -n '1s|^// expect: *||p' "$program")
    options=
    case $line in *options:*) options=${line#*options:} line=${line%%options:*} ;; esac
    # shellcheck disable=SC2086
    check --explain 1 $options "$program"
    # shellcheck disable=SC2086
    answered "$(basename "$program" .c)" $line
done
finish
