#!/usr/bin/env bash
# Races of OpenMP programs: the directive that mends them is proposed, and never one that changes what is computed.
#
# The first line of a program in tests/data/proposals is
#   // proposal: DIRECTIVE at FILE:LINE[, …]   or   // proposal: none
# Compilers and levels of optimisation take turns; EVERY=1 tries all. What is proposed is applied and checked. ONLY names programs.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

ways=('gcc -O1' 'gcc -O0')
if printf '#include <omp.h>\n' | clang -fopenmp -E - >/dev/null 2>&1; then
    ways+=('clang -O0' 'clang -O1')
fi

# proposed COMPILER LEVEL: the report proposes what stands in the first line, and the patch leaves nothing to find.
proposed() {
    local wanted got
    cp "$program" "$name"
    wanted=$(sed -n '1s|^// proposal: ||p' "$name" | sed 's/, /\n/g' | sort)
    HEDDLE_CC=$1 check --explain 30 --cflags "-fopenmp $2" "$name"
    expect "$name with $1 $2" bug race || return
    got=$(sed -n '/^proposal: /,/^  checked: /p' out | sed '$d' | tr -d '\n' |
        sed 's/^proposal: //; s/  */ /g; s/, /\n/g; s/ and /\n/g' | sort)
    [ "${got:-none}" = "$wanted" ] || { fail "$name with $1 $2: proposed is '${got:-none}', not '$wanted'" && return; }
    [ "$wanted" = none ] && return
    python3 -c 'import json; print(json.load(open("report.json"))["proposal"]["patch"], end="")' >mend.patch
    says "$name with $1 $2" '^  checked: with it, no interleaving fails'
    patch -s -p1 <mend.patch || { fail "$name: the patch does not apply" && return; }
    HEDDLE_CC=$1 check --cflags "-fopenmp $2" --exit-status "$name"
    expect "$name, mended, with $1 $2" verified
}

turn=0
for program in ${ONLY:-"$DATA"/proposals/*.c}; do
    name=$(basename "$program")
    for ((k = 0; k < (${EVERY:-0} ? ${#ways[@]} : 1); k++)); do
        # shellcheck disable=SC2086
        proposed ${ways[(turn + k) % ${#ways[@]}]}
    done
    turn=$((turn + 1))
done
[ "$turn" -gt 30 ] || [ -n "${ONLY:-}" ] || fail "only $turn programs"
[ -n "${ONLY:-}" ] && finish

# docs/openmp.md shows what the report says.
cp "$DATA/proposals/sum.c" .
check --explain 30 --cflags -fopenmp sum.c
sed -n '/^proposal: /,/^```/p' "$ROOT/docs/openmp.md" | sed '$d' >told
sed -n '/^proposal: /,$p' out | head -n "$(wc -l <told)" | cmp -s - told || fail 'docs/openmp.md shows another proposal'

# Not without time for it, and not for a program whose sources are not given.
check --cflags -fopenmp --explain 0 sum.c
says_not 'without time' '^proposal'
heddle cc -fopenmp sum.c -o sum
check ./sum
says_not 'a program' '^proposal'

# The same by several workers.
mkdir suite && cp "$DATA/proposals/sum.c" "$DATA/proposals/histogram.c" suite
check --explain 30 --cflags -fopenmp -j 2 suite
says 'a suite' '^proposal: reduction'
says 'a suite' '^proposal: atomic'
finish
