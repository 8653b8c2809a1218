#!/usr/bin/env bash
# Constructors, handlers and destructors of libraries: those built by heddle cc are part of the executions, in the order of the
# dynamic linker; of others, what their constructors made is there in main, or is named.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# build FLAG: the library by heddle cc and by the compiler alone, and a program with each.
build() {
    heddle cc ${1:+"$1"} -shared -fPIC -o libhooked.so "$DATA/life/library.c"
    cc -w ${1:+"$1"} -shared -fPIC -o libplain.so "$DATA/life/library.c"
    for kind in hooked plain; do
        heddle cc ${1:+"$1"} "$DATA/life/program.c" -o "$kind" -L. -l$kind -Wl,-rpath,"$PWD"
        [ "$status" -eq 0 ] || fail "$kind $1 does not build: $(cat out err)"
    done
}

# answers PROGRAM FLAG VERDICT [PATTERN [OPTION…]]: and the report has such a line.
answers() {
    check "${@:5}" "./$1"
    [ "$(field verdict)" = "$3" ] || fail "$1 $2: $3 expected: $(head -n 3 out) $(cat err)"
    [ -z "${4:-}" ] || grep -q "$4" out || fail "$1 $2: no line fits '$4' in: $(cat out)"
}

build ''
./plain || fail 'the program does not pass natively'
answers hooked '' verified
answers plain '' incomplete 'heddle does not see the write to handled'
answers plain '' verified "constructors of .libplain.so' ran before the search, and their destructors never run" --races off
build -DLEFT_LOCKED
answers hooked -DLEFT_LOCKED bug 'waits to lock mutex'
answers plain -DLEFT_LOCKED incomplete 'libplain.so leaves a lock locked before main'
build -DSTARTED
answers hooked -DSTARTED verified
answers plain -DSTARTED incomplete 'libplain.so creates a thread before main'
build -DPIPED
answers hooked -DPIPED verified
answers plain -DPIPED incomplete 'libplain.so makes a pipe before main'
build -DABORTS
answers hooked -DABORTS bug 'abort was called'

for how in 'cc -w' "$HEDDLE cc"; do
    $how -shared -fPIC -DPART=1 -o libone.so "$DATA/life/order.c" && $how -shared -fPIC -DPART=2 -o libtwo.so "$DATA/life/order.c" -L. -lone &&
        $how -DPART=3 "$DATA/life/order.c" -o order -L. -ltwo -lone -Wl,-rpath,"$PWD" || fail 'order.c does not build'
    ./order || fail "$how: another order natively"
done
for restart in undo replay fork; do
    check --restart $restart ./order
    [ "$(field verdict)" = verified ] || fail "another order than natively, restart $restart: $(cat out)"
done
finish
