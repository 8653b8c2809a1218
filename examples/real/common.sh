# What the scripts examples/real/NAME/check.sh share; each sources it, says what it checks, and ends with `finish`.
# They are run as `check.sh` or `check.sh short`, which leaves out what takes long.
#
# Sources are fetched (fetch.sh) to build/real, and stay as they are there; everything made goes to build/real/out/NAME.
# shellcheck shell=bash
set -u
REAL=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
HERE=$(cd "$(dirname "$0")" && pwd)
BUILD=${BUILD:-$(cd "$REAL/../.." && pwd)/build}
HEDDLE=${HEDDLE:-$BUILD/heddle}
NAME=$(basename "$HERE")
OUT=$BUILD/real/out/$NAME
LENGTH=${1:-long}
failed=0
mkdir -p "$OUT"
cd "$OUT" || exit 1
[ -x "$HEDDLE" ] || { echo "$NAME: there is no $HEDDLE; run make first" >&2; exit 2; }

long() { [ "$LENGTH" = long ]; }

stop() {
    echo "$NAME: $*" >&2
    exit 1
}

# source_of PACKAGE: has its source in $SOURCE, and says its version.
source_of() {
    "$REAL/fetch.sh" "$1" "$BUILD/real" || exit $?
    SOURCE=$BUILD/real/$1
    echo "$NAME: Debian source package $1 $(cat "$SOURCE.version")"
}

# current FILE: it was made since the script and what makes up `heddle cc` were changed.
current() {
    local file=$1 each
    for each in "$0" "$REAL"/../../src/build/{assembly/,cc}*.c; do
        [ "$file" -nt "$each" ] || return 1
    done
}

# compile FILE ARGUMENT…: heddle cc, into FILE.
compile() {
    local file=$1
    shift
    "$HEDDLE" cc -g "$@" -o "$file" >"$file.log" 2>&1 || stop "$file cannot be built: $(grep -m1 error "$file.log" || cat "$file.log")"
}

# seeded COPY FILE SCRIPT: a copy of a file of the source with a bug in it, made by a sed script, which has to change
# `lines` lines (1).
seeded() {
    sed "$3" "$2" >"$1" || exit 1
    [ "$(diff "$2" "$1" | grep -c '^<')" = "${lines:-1}" ] || stop "$3 does not change $(basename "$2") as it should"
}

# check TEST PROGRAM VERDICT OPTION…: runs one test of a program. The verdict is verified; tolerated; bug and one of the kinds
# found; or clean: no bug was found (or none that is not tolerated), and the search came to its end or to the bound that the options set. Prints a row.
check() {
    local test=$1 program=$2 expected=$3 report=$2.${1//[ ,]/-}.report verdict executions seconds kinds
    shift 3
    heddle_check --test "$test" "$@" "./$program" >"$report" 2>&1
    read -r verdict executions _ seconds _ kinds <<<"$(sed -n "s/^  $test  *\(verified\|tolerated\|bug\|incomplete\) /\1 /p" "$report" | head -n 1)"
    row "$program: $test" "$expected" "${verdict:-none}${kinds:+ $kinds}" "${executions:-0}" "${seconds:-0}" "$report"
}

# check_whole TEXT PROGRAM VERDICT OPTION… -- ARGUMENT…: the same for a program that has no tests, started with arguments.
check_whole() {
    local text=$1 program=$2 expected=$3 report=$2.report options=() verdict executions seconds kinds
    shift 3
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    heddle_check "${options[@]}" "./$program" "$@" >"$report" 2>&1
    verdict=$(sed -n '1s/[: ].*//p' "$report")
    kinds=$(sed -n 's/^bug\( [0-9]* of [0-9]*\)*: \([a-z-]*\) .*/\2/p' "$report" | sort -u | paste -sd, -)
    read -r executions seconds <<<"$(sed -n 's/^  \([0-9]*\) executions*, [0-9]* events*, \([0-9.]*\) s.*/\1 \2/p' "$report" | tail -n 1)"
    row "$program: $text" "$expected" "${verdict:-none}${kinds:+ $kinds}" "${executions:-0}" "${seconds:-0}" "$report"
}

heddle_check() { "$HEDDLE" check --explain "$(long && echo 10 || echo 2)" "$@" </dev/null; }

# row WHAT EXPECTED VERDICT EXECUTIONS SECONDS REPORT
row() {
    local remark=
    as_expected "$2" "$3" "$6" || remark="NOT AS EXPECTED ($2)"
    printf '  %-62s %-16s %9s executions %7s s  %s\n' "$1" "$3" "$4" "$5" "$remark"
    [ -n "$remark" ] || return
    failed=$((failed + 1))
    head -n 12 "$6" | sed 's/^/      /'
}

# as_expected EXPECTED VERDICT REPORT
as_expected() {
    case $1 in
    clean) [ "$2" = verified ] || [ "$2" = tolerated ] || grep -q '^incomplete: the \(time\|number\) .* \(over\|reached\)' "$3" ;;
    bug*) grep -qw -- "${1#bug }" <<<"${2#bug }" ;;
    *) [ "$1" = "$2" ] ;;
    esac
}

finish() { exit $((failed > 0)); }
