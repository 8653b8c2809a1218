#!/usr/bin/env bash
# Inline assembly is followed: Concurrency Kit and liburcu as they are, verified or broken, with the same number of executions
# as the same code has with C11 atomics; every kind of instruction does what the machine does; what is not followed is
# named. With gcc and clang.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
HERE=$ROOT/tests/assembly

# says WORDS: the report's assumptions have them.
says() { grep -qF -- "$1" report.json || fail "$what: '$1' expected among the assumptions"; }

# found KIND OPTIONS FLAGS SOURCE: a bug.
found() {
    what="$compiler: $(basename "$4") $3"
    # shellcheck disable=SC2086
    check --explain 0 $2 --cflags "$3" "$4"
    expect "$what" bug "$1"
    says "inline assembly: all "
}

# same VERDICT KIND OPTIONS FLAGS SOURCE: by inline assembly and by C11 atomics; leaves the executions in `count`. A loop
# whose first round the compiler has taken out of it is seen to spin one round later, so $straight keeps loops whole. By default
# dead registers are cleared around atomics and not around assembly, and executions that look around come first: neither with a
# strategy.
same() {
    local verdict=$1 kind=$2 options=$3 flags=$4 source=$5 by_atomics
    what="$compiler: $(basename "$source") $flags, by atomics"
    # shellcheck disable=SC2086
    check --explain 0 --strategy optimal $options --cflags "$straight -Wno-unknown-warning-option -Wno-tsan -I$HERE/c11 -DC11 $flags" "$source"
    expect "$what" "$verdict" "$kind"
    ! grep -q "inline assembly" report.json || fail "$what: there is inline assembly"
    by_atomics=$(field executions)
    what="$compiler: $(basename "$source") $flags"
    # shellcheck disable=SC2086
    check --explain 0 --strategy optimal $options --cflags "$straight $flags" "$source"
    expect "$what" "$verdict" "$kind"
    says "accesses are followed"
    ! grep -q "not followed" report.json || fail "$what: something is not followed"
    count=$(field executions)
    # A register that is dead when a loop begins and has a value later makes its first round look different, too: clang leaves
    # some by atomics, where by assembly they are cleared.
    case "$what $((count < by_atomics))" in 'clang: ck_wait.c  1' | 'clang: ck_fifo.c -mcx16 -DMANY 1') return ;; esac
    [ "$count" = "$by_atomics" ] || fail "$what: $count executions, $by_atomics by atomics"
}

# counted EXECUTIONS FLAGS SOURCE: verified, with so many.
counted() {
    same verified "" "" "$2" "$3"
    [ "$count" = "$1" ] || fail "$what: $count executions, $1 expected"
}

operations() {
    local part
    for part in 0 7 9; do
        same verified "" "" "-DPART=$part -DLOOKED_FOR=-1" "$HERE/operations.c"
    done
    same bug assertion "--keep-going" "-DPART=7 -DLOOKED_FOR=13" "$HERE/operations.c"
}

concurrency_kit() {
    counted 6 "-DLOCK=fas" "$HERE/ck_lock.c"
    counted 6 "-DLOCK=cas" "$HERE/ck_lock.c"
    counted 6 "-DLOCK=ticket" "$HERE/ck_lock.c"
    counted 18 "-DLOCK=mcs -DMCS" "$HERE/ck_lock.c"
    counted 4 "" "$HERE/ck_stack.c"
    counted 72 "-mcx16 -DPOPS" "$HERE/ck_stack.c"
    counted 23 "" "$HERE/ck_ring.c"
    counted 54 "-DMANY" "$HERE/ck_ring.c"
    same verified "" "" "" "$HERE/ck_wait.c"
    counted 2 "" "$HERE/ck_fifo.c"
    same verified "" "" "-mcx16 -DMANY" "$HERE/ck_fifo.c"
    found race "" "-DMANY -DWRONG" "$HERE/ck_fifo.c"
    found race "" "-DLOCK=fas -DWRONG=1" "$HERE/ck_lock.c"
    found assertion "--races explore --keep-going" "-DLOCK=cas -DWRONG=2" "$HERE/ck_lock.c"
    found race "" "-DLOCK=ticket -DWRONG=2" "$HERE/ck_lock.c"
    found assertion "--races explore --keep-going" "-DLOCK=mcs -DMCS -DWRONG=1" "$HERE/ck_lock.c"
    same bug assertion "--keep-going" "-DWRONG" "$HERE/ck_stack.c"
    found race "" "-DWRONG" "$HERE/ck_ring.c"
}

liburcu() {
    counted 4 "" "$HERE/urcu_stack.c"
    same bug assertion "--races off --keep-going" "-DWRONG" "$HERE/urcu_stack.c"
}

# Natively, in one execution, and in random ones that switch everywhere.
instructions() {
    local flags
    for flags in -O1 "-O3 -mavx2 -fno-plt -fomit-frame-pointer"; do
        what="$compiler: instructions.c $flags"
        grep -q avx2 /proc/cpuinfo || flags=${flags/-mavx2/}
        check --cflags "$flags" "$HERE/instructions.c"
        expect "$what" verified
        says "inline assembly: all "
        check --strategy random --max-executions 200 --restart verify --cflags "$flags" "$HERE/instructions.c"
        expect "$what, random" incomplete
        # shellcheck disable=SC2086
        heddle cc $flags "$HERE/instructions.c" -o native -pthread
        ./native || fail "$what: fails without heddle"
    done
}

not_followed() {
    what="$compiler: missed.c"
    check "$HERE/missed.c"
    expect "$what" verified
    says "inline assembly: \`rdtsc' at $HERE/missed.c:10 is not followed"
    says "inline assembly: \`lodsq' at $HERE/missed.c:12 is not followed"
    says "]' at $HERE/missed.c:13 is not followed"
    says "inline assembly: \`.byte 0xf3, 0x90' at $HERE/missed.c:14 is not followed"
    says "inline assembly: 1 more access is followed"
    [ "$(field restart)" = replay ] || fail "$what: writes are not known, and yet restart is $(field restart)"
    what="$compiler: no inline assembly"
    echo 'int main(void) { return 0; }' >none.c
    check none.c
    ! grep -q "inline assembly" report.json || fail "$what: it is spoken of"
}

# rewritten OBJECT: it tells the runtime of its assembly.
rewritten() { nm "$1" | grep -q __heddle_asm_unit || fail "$what: $1 is not rewritten"; }

compiling() {
    what="$compiler: driver"
    heddle cc -c -pipe -O2 "$HERE/instructions.c" -o piped.o
    rewritten piped.o
    heddle cc -c -save-temps -flto "$HERE/instructions.c"
    rewritten instructions.o
    grep -q '#APP' instructions.s || fail "$what: -save-temps keeps no instructions.s"
    heddle cc -S "$HERE/instructions.c" -o made.s
    heddle cc -c made.s
    rewritten made.o
    echo '-c -MMD -DX="a b"' >args
    heddle cc @args "$HERE/instructions.c" -o listed.o
    rewritten listed.o
    [ -s listed.d ] || fail "$what: no dependencies"
    heddle cc -shared -fPIC -Wl,-z,defs "$HERE/instructions.c" -o library.so
    [ "$status" -eq 0 ] || fail "$what: no shared library: $(head -n 3 err)"
    printf 'void f(int *p)\n{\n    asm("lock incl (%%0)\\n\\tnonsense" ::"r"(p));\n}\n' >wrong.c
    heddle cc -c wrong.c
    [ "$status" -ne 0 ] && grep -q nonsense err || fail "$what: an error in assembly passes"
    [ "$compiler" != gcc ] || grep -q 'wrong.c:4:.*nonsense' err || fail "$what: wrong line: $(cat err)"
    nothing_left "$what"
}

for compiler in gcc clang; do
    type $compiler >/dev/null 2>&1 || continue
    export HEDDLE_CC=$compiler
    [ $compiler = gcc ] && straight=-fno-tree-ch || straight="-mllvm -rotation-max-header-size=0"
    operations
    concurrency_kit
    liburcu
    instructions
    not_followed
    compiling
done
what="clang: Intel syntax"
export HEDDLE_CC=clang
heddle cc -masm=intel -c "$HERE/missed.c"
[ "$status" -eq 2 ] && grep -q 'masm=intel cannot be combined' err || fail "$what is not refused"
finish
