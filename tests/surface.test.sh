#!/bin/sh
# Every program of tests/surface uses one family of calls: as it is meant, wrongly, and where it has to wait. Its first line
#   // expect: VERDICT [kind] [reach=N] [options: …]
# says what heddle has to answer. With the argument k = 1 … N the program fails where it says REACHED(k), so that heddle has
# to find that outcome. And it has to pass natively, compiled without heddle (unless it says `native=no`).
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
heddle=${HEDDLE:-$top/build/heddle}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

wrong() { # program, what
    echo "$1: $2"
    sed 's/^/    /' err.txt out.txt | head -n 8
    failed=$((failed + 1))
}

# native SOURCE: compiled and run without heddle
native() {
    case $1 in *.cc) compiler="g++ -std=c++20" ;; *) compiler="gcc -std=gnu11" ;; esac
    # shellcheck disable=SC2086
    $compiler -O1 -g -Wall -Werror -pthread $flags "$1" -o native >out.txt 2>err.txt || { wrong "$1" "does not compile"; return; }
    timeout 60 ./native >out.txt 2>err.txt || wrong "$1" "fails natively"
}

# check SOURCE ARGUMENT STATUS KIND
check() {
    # shellcheck disable=SC2086
    timeout 120 "$heddle" check --explain 0 --json report.json $options ./program -- "$2" >out.txt 2>err.txt
    status=$?
    [ $status -eq "$3" ] || { wrong "$1 $2" "status $status instead of $3"; return; }
    [ -z "$4" ] || grep -q "\"kind\":[[:space:]]*\"$4\"" report.json || wrong "$1 $2" "is not $4"
}

for program in ${PROGRAMS:-"$top"/tests/surface/*.c "$top"/tests/surface/*.cc}; do
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
    "$heddle" $driver -O1 -g -pthread $flags "$program" -o program >out.txt 2>err.txt || { wrong "$program" "is not built"; continue; }
    case $verdict in verified) status=0 ;; bug) status=1 ;; *) status=3 ;; esac
    check "$program" 0 $status "$kind"
    k=1
    while [ $k -le "$reach" ]; do
        check "$program" $k 1 assertion
        k=$((k + 1))
    done
done
exit $((failed > 0))
