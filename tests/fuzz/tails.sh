#!/usr/bin/env bash
# tests/fuzz/tails.sh [COUNT [FIRST]]: random programs whose main looks at what the threads did, in ways that depend on it. A search
# that remembers what main did (--tail remember) must say the same as one that runs it each time (--tail always): the verdict, the
# numbers of executions and events, and the bugs.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
heddle=${BUILD:-$root/build}/heddle
count=${1:-20}
first=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

# make_program SEED: program.c
make_program() {
    awk -v seed="$1" '
    function draw(n) { state = (state * 16807) % 2147483647; return int(state / 7) % n }
    function shared() { return place[draw(places)] }
    function change(i) {
        kind = draw(7); v = draw(3)
        if (kind < 2) return "atomic_fetch_add(&a[" draw(2) "], " 1 + draw(2) ");"
        if (kind == 2) return "atomic_store(&a[" draw(2) "], " v ");"
        if (kind == 3) return "if (atomic_load(&a[" draw(2) "]) == " v ") own[" i "] = " 1 + draw(3) ";"
        if (kind == 4 && draw(6) == 0) return shared() " = " v ";"
        if (kind == 5 && draw(5) == 0) return "escaped = &local;"
        if (kind == 5 && draw(3) == 0) return "often = " v ";"
        return "pthread_mutex_lock(&m); " shared() " = " shared() " * 2 + " v "; pthread_mutex_unlock(&m);"
    }
    function seen() {
        kind = draw(6)
        return kind < 3 ? shared() : kind < 5 ? "own[" draw(threads) "]" : draw(3) ? "atomic_load(&a[" draw(2) "])" : "often"
    }
    function test() { return seen() " == " draw(4) }
    function look() {
        kind = draw(16)
        if (kind < 5) return "assert(!(" test() " && " test() "));"
        if (kind < 8) return "if (" test() ") assert(!(" test() " && " test() "));"
        if (kind == 8) return "if (" test() ") return " draw(3) ";"
        if (kind == 9) return "if (" test() ") exit(" draw(2) ");"
        if (kind == 10) return shared() " += " draw(2) ";"
        if (kind == 11) return "assert(own[" shared() " & 1] != " 1 + draw(3) ");"
        if (kind == 12 && draw(2)) return "pthread_mutex_lock(&m); " shared() "++; pthread_mutex_unlock(&m);"
        if (kind == 13 && draw(2)) return "assert(atomic_load(&a[0]) != " draw(6) ");"
        if (kind == 14 && draw(3) == 0) return "if (escaped) assert(*escaped != " draw(3) ");"
        if (kind == 15 && draw(2)) return "if (" test() ") printf(\"seen\\n\");"
        return "if (" test() " || " test() ") { if (" test() ") abort(); }"
    }
    BEGIN {
        state = seed * 7919 + 17; for (i = 0; i < 20; i++) draw(2)
        threads = 2 + draw(2); places = 3
        place[0] = "p[0]"; place[1] = "p[1]"; place[2] = draw(2) ? "here->first" : "here->second"
        print "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>"
        print "struct pair { int first; short second; };"
        print "static atomic_int a[2];\nstatic int p[2], own[4];\nstatic int *escaped;\nstatic volatile int often;\nstatic struct pair *here;"
        print "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
        for (i = 0; i < threads; i++) {
            print "static void *run" i "(void *unused)\n{\n    int local = " draw(3) ";\n    (void)local;"
            for (n = 1 + draw(3); n > 0; n--) print "    " change(i)
            print "    return unused;\n}"
        }
        print "int main(void)\n{\n    int local = 0;\n    (void)local;\n    struct pair pair = {0, 0};\n    pthread_t t[4];\n    here = &pair;"
        for (i = 0; i < threads; i++) print "    pthread_create(&t[" i "], NULL, run" i ", NULL);"
        if (draw(3) == 0) print "    " change(3)
        forgotten = draw(8) == 0 ? draw(threads) : threads
        for (i = 0; i < threads; i++) {
            if (draw(6) == 0) print "    " look()
            if (i != forgotten) print "    pthread_join(t[" i "], NULL);"
        }
        for (n = 1 + draw(5); n > 0; n--) print "    " look()
        print "    return 0;\n}"
    }' >program.c
}

# told FILE: what a report says of the search, without how long it took.
told() {
    grep -vE '"(seconds|schedule|time|explain[a-z_]*)":' "$1"
}

failed=0 bugs=0
for ((seed = first; seed < first + count; seed++)); do
    make_program "$seed"
    flags=-O$((seed % 3)) strategy=optimal more=
    [ $((seed % 4)) -ne 3 ] || strategy=dpor
    case $((seed % 10)) in
    4) more=--exit-status ;;
    5) more="--races off" ;;
    6) more="--races explore" ;;
    7) more=--leaks ;;
    8) more="--undo-check always" ;;
    esac
    compiler=gcc
    [ $((seed % 2)) -eq 0 ] || ! command -v clang >/dev/null || compiler=clang
    HEDDLE_CC=$compiler "$heddle" cc -w "$flags" -g program.c -o program 2>said || { echo "program $seed: $(cat said)" && exit 1; }
    for tail in always remember; do
        # shellcheck disable=SC2086
        "$heddle" check --keep-going --explain 0 --strategy $strategy $more --tail $tail --json $tail.json ./program >/dev/null 2>&1
        echo $? >$tail.status
    done
    [ "$(cat always.status)" -ne 1 ] || bugs=$((bugs + 1))
    if ! cmp -s always.status remember.status || [ "$(told always.json)" != "$(told remember.json)" ]; then
        echo "program $seed ($flags, $strategy $more): a remembered tail makes a difference"
        diff <(told always.json) <(told remember.json) | head -n 20
        cp program.c "${TMPDIR:-/tmp}/tail-$seed.c"
        failed=$((failed + 1))
    fi
done
echo "$count programs, $bugs of them with bugs, $failed differ"
[ "$failed" -eq 0 ]
