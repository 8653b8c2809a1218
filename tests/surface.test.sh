#!/usr/bin/env bash
# Every program of tests/surface uses one family of calls: as it is meant, wrongly, and where it has to wait. Its first line
#   // expect: VERDICT [kind] [reach=N] [options: …]
# says what heddle has to answer. With the argument k = 1 … N the program fails where it says REACHED(k), so that heddle has
# to find that outcome. And it has to pass natively, compiled without heddle (unless it says `native=no`).
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# wrong PROGRAM WHAT
wrong() {
    fail "$1: $2"
    sed 's/^/    /' err out | head -n 8
}

# native SOURCE: compiled and run without heddle
native() {
    case $1 in *.cc) compiler="g++ -std=c++20" ;; *) compiler="gcc -std=gnu11" ;; esac
    # shellcheck disable=SC2086
    $compiler -O1 -g -Wall -Werror -pthread $flags "$1" -o native >out 2>err || { wrong "$1" "does not compile"; return; }
    timeout 60 ./native >out 2>err || wrong "$1" "fails natively"
}

# answers SOURCE ARGUMENT STATUS KIND
answers() {
    # shellcheck disable=SC2086
    check --explain 0 $options ./program -- "$2"
    [ "$status" -eq "$3" ] || { wrong "$1 $2" "status $status instead of $3"; return; }
    [ -z "$4" ] || of_bugs kind | grep -qx "$4" || wrong "$1 $2" "is not $4"
}

for program in "$ROOT"/tests/surface/*.c "$ROOT"/tests/surface/*.cc; do
    [ -f "$program" ] || continue
    line=$(sed -n '1s|^// expect: *||p' "$program")
    options=
    case $line in *options:*) options=${line#*options:} line=${line%%options:*} ;; esac
    # shellcheck disable=SC2086
    set -- $line
    verdict=$1 kind='' reach=0 native=yes flags=''
    shift
    for word; do
        case $word in
        reach=*) reach=${word#*=} ;;
        native=*) native=${word#*=} ;;
        flags=*) flags=${word#*=} ;;
        *) kind=$word ;;
        esac
    done
    [ "$native" = yes ] && native "$program"
    case $program in *.cc) driver="c++ -std=c++20" ;; *) driver="cc -std=gnu11" ;; esac
    # shellcheck disable=SC2086
    "$HEDDLE" $driver -O1 -g -pthread $flags "$program" -o program >out 2>err || { wrong "$program" "is not built"; continue; }
    answers "$program" 0 "$(status_of "$verdict")" "$kind"
    for ((k = 1; k <= reach; k++)); do
        answers "$program" $k 1 assertion
    done
done
finish
