#!/usr/bin/env bash
# Userspace RCU: no reader sees what was freed, in the flavours mb and qsbr. See docs/real-programs.md.
. "$(dirname "$0")/../common.sh"
long || finish # configuring and building it takes longer than the short part may
source_of liburcu

library() {
    current liburcu-qsbr.a && return
    rm -rf objects
    mkdir objects
    (cd objects && "$SOURCE/configure" CC="$HEDDLE cc --clear-dead" CFLAGS="-O1 -g" --disable-shared --disable-dependency-tracking &&
        make -j2 -C src liburcu-mb.la liburcu-qsbr.la) >make.log 2>&1 || stop "liburcu cannot be built: $(tail -n 3 make.log)"
    mv objects/src/.libs/liburcu-{common,mb,qsbr}.a .
}

# flavour PROGRAM mb|qsbr ARGUMENT…: changed sources and headers come first.
flavour() {
    local program=$1 flavour=$2
    shift 2
    compile "$program" --clear-dead -O1 -pthread -D_LGPL_SOURCE "-DRCU_${flavour^^}" "$@" -I"$SOURCE/include" -Iobjects/include -I"$SOURCE/src" \
        "$HERE/grace.c" "liburcu-$flavour.a" liburcu-common.a
}

library

flavour mb mb
flavour qsbr qsbr
for program in mb qsbr; do
    check "one reader, one writer" $program verified
    check "a reader that looks twice, one writer" $program verified
    check "two readers, one writer" $program verified --strategy dlspor --restart undo
    check "one reader, two writers" $program clean --time 20s --restart undo
done

# Writers look a hundred or a thousand times before they sleep, and each number of looks is another execution, and another state.
# With one look everything can be covered by executions, and for two writers only so.
mkdir -p soon
seeded soon/urcu-wait.h "$SOURCE/src/urcu-wait.h" 's/\(define URCU_WAIT_ATTEMPTS\) .*/\1 1/'
seeded soon/urcu.c "$SOURCE/src/urcu.c" 's/\(define RCU_QS_ACTIVE_ATTEMPTS\) .*/\1 1/'
seeded soon/urcu-qsbr.c "$SOURCE/src/urcu-qsbr.c" 's/\(define RCU_QS_ACTIVE_ATTEMPTS\) .*/\1 1/'
soon=(-Iobjects/include -include objects/include/config.h)
flavour mb_soon mb "${soon[@]}" soon/urcu.c
flavour qsbr_soon qsbr "${soon[@]}" soon/urcu-qsbr.c
for program in mb_soon qsbr_soon; do
    check "one reader, one writer" $program verified --restart undo
    check "a reader that looks twice, one writer" $program verified --restart undo
    check "one reader, two writers" $program verified --restart undo
done
check "two readers, one writer" mb_soon verified --restart undo
check "two readers, one writer" qsbr_soon clean --restart undo --strategy optimal --time 3m

mkdir -p hasty deaf/urcu/static
seeded hasty/urcu.c soon/urcu.c '/^	wait_for_readers(&registry, /d'
cp soon/urcu-wait.h hasty
flavour mb_hasty mb "${soon[@]}" hasty/urcu.c
check "one reader, one writer" mb_hasty "bug race"

seeded deaf/urcu/static/urcu-mb.h "$SOURCE/include/urcu/static/urcu-mb.h" '/urcu_common_wake_up_gp/d'
flavour mb_deaf mb -Ideaf "${soon[@]}" soon/urcu.c
check "one reader, one writer" mb_deaf "bug deadlock"

seeded hasty/urcu-qsbr.c soon/urcu-qsbr.c '/^	wait_for_readers(&registry, NULL/d'
flavour qsbr_hasty qsbr "${soon[@]}" hasty/urcu-qsbr.c
check "one reader, one writer" qsbr_hasty "bug race"
finish
