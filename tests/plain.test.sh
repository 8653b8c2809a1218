#!/usr/bin/env bash
# Programs that were not built by heddle: its runtime is put in front of the C library when they start. Those of tests/plain
# say in their first line what heddle has to answer; none is ever verified.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# build SOURCE FLAG…: with the compiler alone, to a program of the same name.
build() {
    local source=$1 compiler=gcc
    shift
    case $source in *.cc) compiler=g++ ;; esac
    "$compiler" -g -pthread "$@" "$source" -o "$(basename "${source%.*}")" || fail "$source does not compile"
}

# as_expected SOURCE: heddle answers for the program as the first line of its source says.
as_expected() {
    local name line options= verdict kind= executions= word
    name=$(basename "${1%.*}")
    line=$(sed -n '1s|^// expect: *||p' "$1")
    case $line in *options:*) options=${line#*options:} line=${line%%options:*} ;; esac
    verdict=${line%% *}
    for word in ${line#"$verdict"}; do
        case $word in executions=*) executions=${word#*=} ;; *) kind=$word ;; esac
    done
    # shellcheck disable=SC2086
    check $options "./$name"
    expect "$name" "$verdict" "$kind" || return
    [ -z "$executions" ] || [ "$(field executions)" = "$executions" ] ||
        fail "$name: $executions executions expected, $(field executions) seen"
    [ "$verdict" = bug ] || return
    heddle replay "$name.$kind.hd"
    [ "$status" -eq 1 ] && grep -q 'still fails' out || fail "replay of $name: status $status: $(tail -n 1 out) $(cat err)"
}

for source in "$ROOT"/tests/plain/*.c*; do
    build "$source" -O1
    as_expected "$source"
    grep -q '^// expect: bug' "$source" || continue
    build "$source" -O2 -no-pie
    as_expected "$source"
done

# The report says what could not be seen, and shows call stacks.
heddle check ./queue
grep -q "^incomplete: only the program's calls were visible, and every order of those was covered" out || fail "queue: $(head -n 1 out)"
grep -q 'the program was not built by heddle cc: only its calls are seen' out || fail "queue: no such assumption: $(cat out)"
heddle check ./threads
grep -q '#0  transfer at .*threads.cc:14' out && grep -q '#1  main at .*threads.cc:' out || fail "threads: call stacks: $(cat out)"

# Memory that nobody saw change is as it was in every execution, however it is put back.
check ./queue
by_replay=$(field executions)
check --restart fork ./queue
expect 'queue, by fork' incomplete && [ "$(field executions)" = "$by_replay" ] ||
    fail "queue: $by_replay executions by replay, $(field executions) by fork"

# Under gdb, with the user's own libraries still in front, and none of heddle's for what the program starts.
heddle replay --gdb threads.deadlock.hd -- -batch -ex 'info threads' -ex bt
grep -q '^failure: .*waits to lock' out && grep -q 'transfer(account&, account&, int) (from' out || fail "gdb: $(tail -n 30 out) $(cat err)"
cat >environment.c <<'C'
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern int in_front(void) __attribute__((weak));
int main(void)
{
    const char *list = getenv("LD_PRELOAD");
    assert(!list || (!strcmp(list, "./front.so") && in_front()));
    return 0;
}
C
echo 'int in_front(void) { return 1; }' | gcc -shared -fPIC -x c - -o front.so
build environment.c -rdynamic
check ./environment
expect 'no LD_PRELOAD' incomplete
LD_PRELOAD=./front.so check ./environment
expect 'an LD_PRELOAD' incomplete

# A program of the system.
if command -v zstd >/dev/null; then
    echo 'hello hello hello' >text
    check "$(command -v zstd)" -- -q -T2 -c text
    expect zstd incomplete && [ "$(field executions)" -gt 1 ] || fail "zstd: $(field executions) executions: $(field reason)"
fi

# refused SENTENCE ARGUMENT…
refused() {
    local sentence=$1
    shift
    heddle check "$@"
    [ "$status" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "$sentence" err || fail "$*: status $status: $(cat err)"
}
build "$ROOT/tests/plain/abba.c" -static
refused 'statically linked' ./abba
build "$ROOT/tests/plain/abba.c" -static-pie
refused 'statically linked' ./abba
build "$ROOT/tests/plain/abba.c" -shared -fPIC
refused 'is a library' ./abba
build "$ROOT/tests/plain/abba.c"
printf '\267' | dd of=abba bs=1 seek=18 conv=notrunc 2>dd.txt # the machine: AArch64
refused 'not an executable for x86-64' ./abba
build "$ROOT/tests/plain/abba.c" -fsanitize=thread
refused 'sanitizer' ./abba
build "$ROOT/tests/plain/abba.c"
refused 'races explore needs a program that was built with' --races explore ./abba
refused 'restart undo needs a program that was built with' --restart undo ./abba
mkdir 'a folder'
cp "$(dirname "$HEDDLE")/libheddle.so" 'a folder'
HEDDLE_RUNTIME_DIR="a folder" refused 'the path of its folder has a blank' ./abba
heddle lin ./abba
[ "$status" -eq 2 ] && grep -q 'was not built by heddle' err || fail "lin: status $status: $(cat err)"

# Without heddle in front of it everything is as it was.
./queue >out && [ "$(cat out)" = 3 ] || fail 'queue does not run alone'
nothing_left plain
finish
