#!/usr/bin/env bash
# tests/seen/run.sh [-n COUNT] [-f FIRST] [SOURCE…]: whether heddle cc's programs tell of every access that they make.
#
# Each source, or program of tests/seen/accesses.c, is compiled by heddle cc with gcc and clang at all levels of optimisation,
# linked with stub.c in place of the runtime, and run under valgrind, whose trace is compared with what the hooks were told.
# KEEP=FOLDER keeps programs with unseen accesses. Ends with how many passed and failed; status 1 if one failed.
set -u
ROOT=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
BUILD=${BUILD:-$ROOT/build}
HEDDLE=${HEDDLE:-$BUILD/heddle}
HERE=$ROOT/tests/seen
count=10 first=1
while getopts n:f: option; do
    case $option in n) count=$OPTARG ;; f) first=$OPTARG ;; *) exit 2 ;; esac
done
shift $((OPTIND - 1))
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export TMPDIR=$work
cd "$work" || exit 2
gcc -O1 -Wall -Wno-missing-prototypes -mgeneral-regs-only -fPIC -shared -I"$ROOT/src" -o libstub.so "$HERE/stub.c" || exit 2
gcc -std=gnu11 -O2 -Wall -Wextra -Werror -o compare "$HERE/compare.c" || exit 2
passed=0 failed=0

# look NAME SOURCE COMPILER FLAGS
look() {
    local name=$1 source=$2 compiler=$3 flags=$4 begin end
    # shellcheck disable=SC2086
    HEDDLE_CC=$compiler HEDDLE_CXX=$compiler "$HEDDLE" cc -w $flags -fcf-protection=none -c "$source" -o program.o 2>err &&
        $compiler -no-pie -o program program.o "$work/libstub.so" -Wl,-rpath,"$work" -lm 2>>err || {
        echo "failed: $name $compiler $flags: $(head -n 1 err)" && failed=$((failed + 1)) && return
    }
    rm -f hooks.txt trace
    timeout 100 valgrind --tool=lackey --trace-mem=yes --log-file=trace ./program >out 2>err
    nm program >symbols
    readelf -SW program >sections
    begin=$(awk '$3 == "main" { print $1 }' symbols)
    end=$(awk '$3 == "__do_global_dtors_aux" { print $1 }' symbols)
    if ./compare trace hooks.txt symbols sections "$begin" "$end" >told 2>>err && ! grep -q missed err; then
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
    echo "failed: $name $compiler $flags: $(head -n 1 told) $(head -n 1 err)"
    [ -z "${KEEP:-}" ] || { mkdir -p "$KEEP" && cp "$source" "$KEEP/" && cp program "$KEEP/$name.$compiler${flags// /}" && cp told "$KEEP/$name.$compiler${flags// /}.told"; }
}

# each NAME SOURCE [FLAGS]
each() {
    local level compilers="gcc clang"
    case $2 in *.cc) compilers="g++ clang++" ;; esac
    for level in ${LEVELS:--O0 -O1 -O2 -O3}; do
        for compiler in $compilers; do look "$1" "$2" "$compiler" "$level ${3:-}"; done
    done
}

if [ $# -gt 0 ]; then
    for source; do each "$(basename "$source")" "$(readlink -f "$source")"; done
else
    gcc -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -I"$ROOT/tests/edges" -o accesses "$HERE/accesses.c" || exit 2
    for ((number = first; number < first + count; number++)); do
        ./accesses "$number" >"accesses$number.txt" || exit 2
        suffix=$(sed -n '1s|^// c++.*|cc|p' "accesses$number.txt")
        mv "accesses$number.txt" "accesses$number.${suffix:=c}"
        each "accesses$number" "$work/accesses$number.$suffix" "$(sed -n '2s|^// flags: ||p' "accesses$number.$suffix")"
    done
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
