#!/usr/bin/env bash
# bench/memory_errors.sh [PROGRAM…]: what Valgrind, AddressSanitizer, MemorySanitizer and heddle say of the programs in tests/bounds,
# of which it is known whether they have a memory error.
#
# The other tools see one native run of each, as their users would have it; one that is not there has dashes. Compiled with -O1 -g
# by clang if it is there, else gcc. Races are heddle's other business: programs about them are left out.
. "$(dirname "$(readlink -f "$0")")/common.sh"
TOOLS='valgrind address memory heddle'

export ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1:exitcode=99 MSAN_OPTIONS=exitcode=99

compiler=gcc
type -P clang >/dev/null && compiler=clang

# build FLAG…: the program as ./native.
build() {
    local name=$compiler
    case $program in *.cpp) name=${compiler/gcc/g++} name=${name/clang/clang++} ;; esac
    "$name" -w -g -O1 -pthread "$@" "$program" -o native >log 2>&1
}

# fits TOOL: whether it is there.
fits() {
    case $1 in
    valgrind) type -P valgrind >/dev/null ;;
    memory) [ "$compiler" = clang ] ;;
    *) true ;;
    esac
}

# accuses TOOL: 0 if it reports an error in the program, 1 if it does not, 2 if it could not be asked.
accuses() {
    local options
    case $1 in
    valgrind)
        build || return 2
        timeout -k 5 60 valgrind -q --error-exitcode=99 ./native >log 2>&1
        grep -qE '^==[0-9]+== (Invalid|Conditional|Use of|Mismatched|Syscall param)' log
        ;;
    address | memory)
        build -fsanitize="$1" -fno-omit-frame-pointer || return 2
        timeout -k 5 60 ./native >log 2>&1
        grep -qE 'ERROR: AddressSanitizer|WARNING: MemorySanitizer' log
        ;;
    heddle)
        options=$(sed -n '1s|.* options: *||p' "$program")
        # shellcheck disable=SC2086
        HEDDLE_CC=$compiler timeout -k 5 120 "$HEDDLE" check --explain 1 --cflags -O1 $options "$program" >log 2>&1
        case $? in 0) return 1 ;; 1) return 0 ;; *) return 2 ;; esac
        ;;
    esac
}

# answer TOOL: a word for the table; counted in the file TOOL.
answer() {
    local word
    if ! fits "$1"; then
        word=-
    else
        accuses "$1"
        case $?:$truth in
        0:wrong) word=found ;;
        1:right) word=right ;;
        1:wrong) word=missed ;;
        0:right) word=FALSE ;;
        *) word=failed ;;
        esac
    fi
    echo "$word" >>"$1"
    printf ' %-9s' "$word"
}

# total WORD LABEL: how often each tool gave this answer.
total() {
    local tool
    printf '%-28s %-6s' "$2" ''
    for tool in $TOOLS; do
        printf ' %-9s' "$(grep -cx "$1" "$tool")"
    done
    echo
}

programs=("$@")
[ $# -gt 0 ] || programs=("$ROOT"/tests/bounds/*.c*)
echo "heddle:    $("$HEDDLE" --version)"
echo "others:    $($compiler --version | head -n 1); $(valgrind --version 2>/dev/null || echo 'no valgrind on PATH')"
printf '\n%-28s %-6s' program truth
# shellcheck disable=SC2086
printf ' %-9s' $TOOLS
echo
for program in "${programs[@]}"; do
    name=$(basename "$program")
    case $name in *race*) continue ;; *_wrong.*) truth=wrong ;; *) truth=right ;; esac
    echo "$truth" >>truths
    printf '%-28s %-6s' "$name" "$truth"
    for tool in $TOOLS; do
        answer "$tool"
    done
    echo
done
printf '\n%s programs, %s of them wrong\n' "$(wc -l <truths)" "$(grep -cx wrong truths)"
total found 'errors found'
total missed 'errors missed'
total right 'right ones passed'
total FALSE 'right ones accused'
total failed 'no answer'
! grep -qx FALSE heddle
