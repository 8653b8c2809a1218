#!/usr/bin/env bash
# C++ programs get the verdict that stands in their first line, with g++ and clang++, and reports name the program's own lines.
#
# The first line of a program in tests/cxx is
#   // expect: VERDICT [kind] [says: PATTERN]
# where the report has a line that fits the pattern. Lines that may follow:
#   // expect with libstdc++ N: VERDICT [kind]     if that version has a bug of its own
#   // compiler: gcc                               if clang may not know what it uses
# Each program is tried with one compiler at one level of optimisation, in turns; EVERY=1 tries all four. Those whose names end in
# "right" are run on real threads, too, as heddle has built them: C++ takes most of its time to compile. ONLY names programs.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

ways=('gcc -O2' 'gcc -O0')
printf '#include <thread>\n' | clang++ -std=c++20 -E -xc++ - >/dev/null 2>&1 && ways+=('clang -O0' 'clang -O2')
library=$(printf '#include <thread>\n_GLIBCXX_RELEASE\n' | g++ -std=c++20 -E -xc++ - | tail -n 1)

# wanted: what the program's verdict has to be.
wanted() {
    local own
    own=$(sed -n "s|^// expect with libstdc++ $library: ||p" "$program")
    echo "${own:-$(sed -n '1s|^// expect: ||; 1s| *says:.*||p; 1s|^\([a-z -]*\)$|\1|p' "$program" | head -n 1)}"
}

# judged COMPILER LEVEL: heddle check says what is expected.
judged() {
    local says
    says=$(sed -n '1s|.* says: ||p' "$program")
    HEDDLE_CC=$1 heddle c++ -w -g -std=c++20 "$2" -pthread "$program" -o program
    [ $status -eq 0 ] || { fail "$name: $1: $(cat err)" && return; }
    check --explain 1 ./program
    # shellcheck disable=SC2046
    expect "$name with $1 $2" $(wanted) || return
    [ -z "$says" ] || says "$name with $1 $2" "$says"
}

# runs COMPILER LEVEL: on real threads, it does not fail.
runs() {
    timeout 60 ./program >native.out 2>&1 || fail "$name with $1 $2 fails on real threads: $(cat native.out)"
}

turn=0
for program in ${ONLY:-"$ROOT"/tests/cxx/*.cpp}; do
    name=$(basename "$program")
    only=$(sed -n 's|^// compiler: ||p' "$program")
    for ((k = 0; k < (${EVERY:-0} ? ${#ways[@]} : 1); k++)); do
        way=${ways[(turn + k) % ${#ways[@]}]}
        case $way in "${only:-}"*) ;; *) way="$only -O2" ;; esac
        # shellcheck disable=SC2086
        judged $way
        case $name in
        *right.cpp)
            # shellcheck disable=SC2086
            runs $way
            ;;
        esac
    done
    turn=$((turn + 1))
done
[ "$turn" -gt 55 ] || [ -n "${ONLY:-}" ] || fail "only $turn programs"
finish
