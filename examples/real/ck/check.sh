#!/usr/bin/env bash
# Concurrency Kit: its hash set, hash table and epoch, by inline assembly as it is and by C11 atomics. See docs/real-programs.md.
. "$(dirname "$0")/../common.sh"
source_of ck

configured() {
    [ -f objects/include/ck_md.h ] && return
    rm -rf objects
    cp -r "$SOURCE" objects
    (cd objects && ./configure) >configure.log 2>&1 || stop "Concurrency Kit cannot be configured: $(tail -n 3 configure.log)"
}

# with_ck PROGRAM ARGUMENT…
with_ck() { compile "$1" -O1 -fno-tree-ch -pthread "${@:2}" -Iobjects/include -Iobjects/src; }

# by_both PROGRAM ARGUMENT…: also as PROGRAM_c11, where a header that has the same operations stands in front of their own.
by_both() {
    with_ck "$@"
    with_ck "$1_c11" -Wno-tsan -I"$REAL/../../tests/assembly/c11" "${@:2}"
}

executions_of() { sed -n "s/^  $2  *[a-z]*  *\([0-9]*\) execution.*/\1/p" "$1.${2//[ ,]/-}.report" | head -n 1; }

# same TEST PROGRAM VERDICT OPTION…: with as many executions by assembly as by atomics.
same() {
    local test=$1 program=$2
    shift 2
    check "$test" "$program" "$@"
    check "$test" "${program}_c11" "$@"
    [ "$(executions_of "$program" "$test")" = "$(executions_of "${program}_c11" "$test")" ] && return
    echo "      NOT AS EXPECTED: another number of executions by atomics"
    failed=$((failed + 1))
}

configured
hs=objects/src/ck_hs.c
ht=objects/src/ck_ht.c
ep=objects/src/ck_epoch.c

by_both set "$HERE/hash_set.c" $hs
same "a key is put while others look for it" set verified
same "a key stays while another gives way to a third" set verified
same "the same, in a set for many deletions" set verified
same "a key is replaced and moved" set verified
same "a key is moved by collecting garbage" set verified
same "the set grows while others look" set verified
check "a key is put while another walks through them" set "bug race"

by_both table "$HERE/hash_table.c" $ht
same "a key is put while another looks for it" table verified
same "a key gives way to another" table verified
same "a key is replaced and moved" table verified
same "the table grows while another looks" table verified

by_both epoch "$HERE/epoch.c" $ep $hs
same "one reader, one writer" epoch verified
same "a reader that looks twice, one writer" epoch verified
same "a reader in nested sections, one writer" epoch verified
same "one reader, a writer that calls and waits" epoch verified
same "one reader, a writer that calls and polls" epoch verified
same "a hash set grows and its old map is freed" epoch verified
check "a reader unregisters, one writer" epoch "bug race"
check "one reader, two writers that call and poll" epoch "bug race"
if long; then
    same "two readers, one writer" epoch verified
    same "one reader, two writers" epoch verified
    same "one reader, two writers that call and poll" epoch verified --races off

    # The compiler's builtins, as Concurrency Kit itself uses them if it is told to. Its loads and stores of pointers are meant
    # to be volatile there, and are not; an exchange is a load and a compare-and-swap, so there are more executions.
    with_ck epoch_builtins -DCK_USE_CC_BUILTINS=1 "$HERE/epoch.c" $ep $hs
    check "one reader, one writer" epoch_builtins "bug race"
    rm -rf volatile
    cp -r objects/include volatile
    lines=2 seeded volatile/gcc/ck_pr.h objects/include/gcc/ck_pr.h 's/volatile void \*const\*/void *const volatile */; s/volatile void \*\*/void *volatile */'
    with_ck epoch_volatile -DCK_USE_CC_BUILTINS=1 -Ivolatile "$HERE/epoch.c" $ep $hs
    check "one reader, one writer" epoch_volatile verified
    check "one reader, two writers" epoch_volatile verified
fi

with_ck set_hasty -DHASTY "$HERE/hash_set.c" $hs
check "the set grows while others look" set_hasty "bug use-after-free" --strategy optimal
with_ck epoch_hasty -DHASTY "$HERE/epoch.c" $ep $hs
check "one reader, one writer" epoch_hasty "bug use-after-free" --races explore --keep-going
check "a hash set grows and its old map is freed" epoch_hasty "bug race"
with_ck epoch_outside -DOUTSIDE "$HERE/epoch.c" $ep $hs
check "one reader, one writer" epoch_outside "bug use-after-free" --races explore --keep-going

mkdir -p silent stale brief
lines=4 seeded silent/ck_hs.c $hs '/ck_hs_map_signal(map, h);/d'
with_ck set_silent "$HERE/hash_set.c" silent/ck_hs.c
check "a key is replaced and moved" set_silent "bug assertion"
seeded stale/ck_ht.c $ht '/Version counter is updated before re-use/{n;d}'
with_ck table_stale "$HERE/hash_table.c" stale/ck_ht.c
check "a key gives way to another" table_stale "bug assertion"
seeded brief/ck_epoch.c $ep 's/\(define CK_EPOCH_GRACE\) .*/\1 1U/'
with_ck epoch_brief "$HERE/epoch.c" brief/ck_epoch.c $hs
check "one reader, one writer" epoch_brief "bug use-after-free" --races explore --keep-going
finish
