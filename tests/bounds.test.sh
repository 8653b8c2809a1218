#!/usr/bin/env bash
# Memory errors are seen and nothing else is accused: programs that are wrong, beside twins that are right.
#
# The first line of a program in tests/bounds is
#   // expect: VERDICT [kind] [gcc: VERDICT] [unoptimised: VERDICT] [missed: REASON] [options: …]
# Names of programs with an error end in "wrong". `missed` says why heddle does not see one: such a program has to be answered as
# the line says, too, so that it is noticed when that changes. `gcc` says what is answered instead if gcc compiles it,
# `unoptimised` what is answered at -O0.
# Each program is tried with one compiler at one level of optimisation, in turns; EVERY=1 tries all four. ONLY names programs.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

ways=('gcc -O2' 'gcc -O0')
type clang >/dev/null 2>&1 && ways+=('clang -O0' 'clang -O2')

# part KEY: what stands behind it in the first line, up to the next key.
part() { sed -n "1s|.*\b$1: *||p" "$program" | sed 's/ *\b\(gcc\|unoptimised\|missed\|options\):.*//'; }

# judged COMPILER LEVEL: heddle check says what is expected.
judged() {
    # shellcheck disable=SC2046
    HEDDLE_CC=$1 check --cflags "$2" $(part options) "$program"
    local said
    [ "$1" = gcc ] && said=$(part gcc)
    [ "$2" = -O0 ] && said=${said:-$(part unoptimised)}
    # shellcheck disable=SC2046,SC2086
    expect "$name with $1 $2" ${said:-$(part expect)}
}

# consistent: the name says whether the program is wrong; only such a program may be accused or missed.
consistent() {
    case $name:$(part expect):$(part missed) in
    *_wrong.*:bug*: | *_wrong.*:verified:?*) ;;
    *_wrong.*) fail "$name: neither found nor missed" ;;
    *:verified:) ;;
    *) fail "$name: a right program is accused or missed" ;;
    esac
}

turn=0
for program in ${ONLY:-"$ROOT"/tests/bounds/*.c*}; do
    name=$(basename "$program")
    consistent
    for ((k = 0; k < (${EVERY:-0} ? ${#ways[@]} : 1); k++)); do
        # shellcheck disable=SC2086
        judged ${ways[(turn + k) % ${#ways[@]}]}
    done
    turn=$((turn + 1))
done
[ "$turn" -gt 110 ] || [ -n "${ONLY:-}" ] || fail "only $turn programs"
# An access behind the comparison of its index has a hook, and is not announced again: that would be slow.
for program in indexer filesystem; do
    for level in -O0 -O1 -O2; do
        HEDDLE_CC=gcc heddle cc $level -g "$ROOT/bench/programs/$program.c" -o compared
        nm -D compared | grep -q __ubsan_handle_out_of_bounds || fail "$program $level: indices are not compared"
        ! nm -D compared | grep -q __heddle_asm_vector || fail "$program $level: accesses are announced twice"
    done
done
finish
