#!/usr/bin/env bash
# Programs with OpenMP get the verdict that stands in their first line, with gcc and clang, and docs/openmp.md tells the truth.
#
# The first line of a program in tests/openmp is
#   // expect: VERDICT [kind] [names: PATTERN] [arguments: …]
# where the bug's report begins with the pattern. Each program is tried with one compiler at one level of optimisation, in
# turns; EVERY=1 tries all four. Those whose names end in "right" are run natively, too, on the compiler's own runtime and on
# heddle's, and have to print the same. ONLY names programs.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

ways=('gcc -O2' 'gcc -O0')
if printf '#include <omp.h>\n' | clang -fopenmp -E - >/dev/null 2>&1; then
    ways+=('clang -O0' 'clang -O2')
fi

# part KEY: what stands behind it in the first line, up to the next key.
part() { sed -n "1s|.*\b$1: *||p" "$program" | sed 's/ *\(names\|arguments\):.*//'; }

# built COMPILER LEVEL: heddle's program `ours`.
built() {
    local kind=''
    [[ $program != *.cpp ]] || kind=-xc++
    # shellcheck disable=SC2086
    HEDDLE_CC=$1 heddle cc -w -O1 -g -fopenmp "$2" $kind "$program" ${kind:+-lstdc++} -o ours
    [ $status -eq 0 ] || fail "$name: heddle cc: $(cat err)"
}

# judged COMPILER LEVEL: heddle check says what is expected.
judged() {
    local arguments names verdict
    arguments=$(part arguments) names=$(part names) verdict=$(part expect)
    # shellcheck disable=SC2086
    check --explain 1 ./ours ${arguments:+-- $arguments}
    # shellcheck disable=SC2086
    expect "$name with $1 $2" $verdict || return
    [ -z "$names" ] || says "$name with $1 $2" "^  ([a-z]+::)?$names"
}

# agrees COMPILER LEVEL: the two runtimes print the same.
agrees() {
    local plain=$1 here=$OMP_NUM_THREADS
    [[ $program != *.cpp ]] || plain=${1/gcc/g++} plain=${plain/clang/clang++}
    "$plain" -w -fopenmp "$2" -I"$ROOT/include" "$program" -o theirs 2>err || { fail "$name: $plain: $(cat err)" && return; }
    OMP_NUM_THREADS=$here timeout 20 ./theirs >theirs.out 2>&1 || fail "$name with $1 $2 fails natively: $(cat theirs.out)"
    OMP_NUM_THREADS=$here timeout 20 ./ours >ours.out 2>&1 || fail "$name with $1 $2 fails on heddle's runtime: $(cat ours.out)"
    cmp -s theirs.out ours.out || fail "$name with $1 $2: $(diff theirs.out ours.out)"
}

export OMP_NUM_THREADS=2
turn=0
for program in ${ONLY:-"$ROOT"/tests/openmp/*.c*}; do
    name=$(basename "$program")
    for ((k = 0; k < (${EVERY:-0} ? ${#ways[@]} : 1); k++)); do
        read -r compiler level <<<"${ways[(turn + k) % ${#ways[@]}]}"
        built "$compiler" "$level"
        judged "$compiler" "$level"
        case $name in *right.*) agrees "$compiler" "$level" ;; esac
    done
    turn=$((turn + 1))
done
[ "$turn" -gt 90 ] || [ -n "${ONLY:-}" ] || fail "only $turn programs"
unset OMP_NUM_THREADS

# Where the flag or the library is named does not matter, and neither does how.
wrong=$ROOT/tests/openmp/critical_two_names.c
heddle cc -fopenmp -c "$wrong" -o wrong.o
for library in -fopenmp -lgomp "$(gcc -print-file-name=libgomp.so)"; do
    heddle cc wrong.o "$library" -o wrong
    check ./wrong
    expect "linked by $library" bug race
done

# A library and its program have one runtime.
heddle cc -fopenmp -fPIC -shared "$DATA/openmp/library.c" -o libshared.so
heddle cc -fopenmp "$DATA/openmp/main.c" -L. -lshared -Wl,-rpath,"$PWD" -o divided
check ./divided
expect 'a program with a library' verified

# What is missing is named.
check --cflags -fopenmp "$DATA/openmp/task_reduction.c"
expect 'reductions of tasks' incomplete
says 'reductions of tasks' 'libgomp'

# Other ways to search.
heddle cc -fopenmp "$ROOT/tests/openmp/task_right.c" -o tasks
for options in '-j 2' '--restart replay' '--strategy dlspor' '--strategy rf' '--strategy dpor'; do
    # shellcheck disable=SC2086
    check $options ./tasks
    expect "tasks with $options" verified
    # shellcheck disable=SC2086
    check $options ./wrong
    expect "two names with $options" bug race
done

cp "$ROOT/examples/openmp/neighbours.c" .
check --cflags -fopenmp neighbours.c
expect 'neighbours' bug race
sed -n '/^\$ heddle check.*neighbours/,/^```/p' "$ROOT/docs/openmp.md" | sed '1d;$d' | sed 's/ *$//' >told
head -n "$(wc -l <told)" out | sed 's/ *$//' | cmp -s - told || fail 'docs/openmp.md shows another report'
finish
