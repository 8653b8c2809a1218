# What all test scripts share; each sources it first. It makes an empty directory, goes there, and gives heddle a
# TMPDIR of its own in it. A script reports with `fail` and has `finish` as its last line; a script that stops before that has
# failed. tests/README.md says more.
# shellcheck shell=bash disable=SC2034
set -u
ROOT=${ROOT:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
BUILD=${BUILD:-$ROOT/build}
HEDDLE=${HEDDLE:-$BUILD/heddle}
DATA=$ROOT/tests/data
CASES=$ROOT/tests/programs
PROGRAMS=$ROOT/bench/programs
work=$(mktemp -d) || exit 1
trap 'leave $?' EXIT
trap 'exit 130' INT TERM
export TMPDIR=$work/tmp
mkdir "$TMPDIR"
cd "$work" || exit 1
failed=0
status=0
finished=

# leave STATUS: what happens however the script ends.
leave() {
    cd /
    rm -rf "$work"
    [ -n "$finished" ] || [ "$1" -ne 0 ] || { echo "the script ended before its last line" && exit 1; }
}

fail() {
    echo "$*"
    failed=$((failed + 1))
}

finish() {
    finished=yes
    exit $((failed > 0))
}

# build_once: from here on a program that is made of the same as an earlier one of this script is not compiled again, but copied.
# Worth its while where most programs are checked several times: finding one that was kept takes half as long as compiling it.
build_once() { export HEDDLE_CACHE=$work/.built; }

# heddle ARGUMENT…: runs it with a limit of time; leaves its status in `status`, what it said in the files out and err.
heddle() {
    timeout -k 5 300 "$HEDDLE" "$@" >out 2>err </dev/null
    status=$?
}

# check ARGUMENT…: heddle check with a report in report.json, and little time for explanations.
check() {
    rm -f report.json
    heddle check --json report.json --explain 2 "$@"
}

# field NAME [FILE]: the value of a field at the top level of the report.
field() {
    sed -n "s/^	\"$1\":[[:space:]]*\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "${2:-report.json}" 2>/dev/null | head -n 1
}

# of_bugs NAME [FILE]: the values of a field of the bugs, one a line.
of_bugs() {
    sed -n "s/^			\"$1\":[[:space:]]*\"\{0,1\}\(.*[^\",]\)\"\{0,1\},\{0,1\}\$/\1/p" "${2:-report.json}" 2>/dev/null
}

# says WHAT PATTERN: a line of what heddle said fits the extended regular expression; says_not: none does.
says() { grep -qE -- "$2" out || fail "$1: no line fits '$2' in: $(head -n 60 out err)"; }
says_not() { ! grep -qE -- "$2" out || fail "$1: there is '$2': $(grep -E -- "$2" out | head -n 3)"; }

# tells WHAT PATTERN: a sentence of what heddle said fits it, wherever the lines are broken (that depends on the length of paths).
tells() { tr -s ' \n' ' ' <out | grep -qE -- "$2" || fail "$1: no sentence fits '$2' in: $(head -n 60 out err)"; }

# prints WHAT TEXT: what heddle said has this text.
prints() { grep -qF -- "$2" out || fail "$1: '$2' is missing in: $(cat out)"; }

status_of() {
    case $1 in verified) echo 0 ;; bug) echo 1 ;; incomplete) echo 3 ;; *) echo 2 ;; esac
}

# expect WHAT VERDICT [KIND]: what the last check has to have answered, by its status and by its report.
expect() {
    local what=$1 verdict=$2 kind=${3:-}
    if [ "$status" -ne "$(status_of "$verdict")" ] || [ "$(field verdict)" != "$verdict" ]; then
        fail "$what: $verdict expected, got '$(field verdict)' with status $status: $(head -n 2 err)"
    elif [ -n "$kind" ] && ! of_bugs kind | grep -qx "$kind"; then
        fail "$what: a bug of kind $kind expected, got: $(of_bugs kind | tr '\n' ' ')"
    else
        return 0
    fi
    return 1
}

# nothing_left WHAT: no temporary file is left.
nothing_left() {
    [ -z "$(ls -A "$TMPDIR")" ] || fail "$1: left in TMPDIR: $(ls -A "$TMPDIR" | tr '\n' ' ')"
    rm -rf "${TMPDIR:?}"
    mkdir "$TMPDIR"
}
