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

# current FILE SOURCE…: it was made since the sources and heddle were changed.
current() {
    local file=$1 each
    shift
    for each in "$HEDDLE" "$0" "$@"; do
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

# check TEST PROGRAM VERDICT OPTION…: runs one test of a program. The verdict is verified; bug and one of the kinds found; or
# clean: no bug was found, and the search came to its end or to the bound that the options set. Prints a row.
check() {
    local test=$1 program=$2 expected=$3 verdict executions seconds kind row
    shift 3
    "$HEDDLE" check --explain "$(long && echo 10 || echo 2)" --test "$test" "$@" "./$program" >"$program.report" 2>&1 </dev/null
    row=$(sed -n "s/^  $test  *\(verified\|bug\|incomplete\) /\1 /p" "$program.report" | head -n 1)
    read -r verdict executions _ seconds _ kind <<<"$row"
    verdict="${verdict:-none}${kind:+ $kind}"
    if ! as_expected "$expected" "$verdict" "$program.report"; then
        failed=$((failed + 1))
        row="NOT AS EXPECTED ($expected)"
    else
        row=
    fi
    printf '  %-62s %-16s %9s executions %7s s  %s\n' "$program: $test" "$verdict" "${executions:-0}" "${seconds:-0}" "$row"
    [ -z "$row" ] || head -n 12 "$program.report" | sed 's/^/      /'
}

# as_expected EXPECTED VERDICT REPORT
as_expected() {
    case $1 in
    clean) [ "$2" = verified ] || grep -q '^incomplete: the \(time\|number\) .* \(over\|reached\)' "$3" ;;
    bug*) grep -qw -- "${1#bug }" <<<"${2#bug }" ;;
    *) [ "$1" = "$2" ] ;;
    esac
}

finish() { exit $((failed > 0)); }
