#!/usr/bin/env bash
# libuv: a loop, its pool of threads, wake-ups from other threads. See docs/real-programs.md.
. "$(dirname "$0")/../common.sh"
source_of libuv1
flags=(-O1 -pthread -D_GNU_SOURCE -I"$SOURCE/include" -I"$SOURCE/src" -I"$SOURCE/src/unix")

library() {
    current libuv.a && return
    rm -rf objects
    { CC="$HEDDLE cc" cmake -S "$SOURCE" -B objects -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -g" &&
        make -j2 -C objects uv_a; } >make.log 2>&1 || stop "libuv cannot be built: $(tail -n 3 make.log)"
    mv objects/libuv_a.a libuv.a
}

# A changed source comes before the library, whose own is not linked then.
program() {
    local program=$1
    shift
    compile "$program" "${flags[@]}" "$@" libuv.a -ldl
}

library
# The loop tries 997 times before it yields while another thread is in uv_async_send: each number of tries is another
# execution. With one try before it yields, heddle sees that it spins.
seeded async.c "$SOURCE/src/unix/async.c" 's/i < 997/i < 1/'

program pool "$HERE/pool.c" async.c
check "a loop is woken by another thread" pool verified --restart undo
verdict=(verified)
long || verdict=(clean --time 2s)
check "work is cancelled or done" pool "${verdict[@]}" --restart undo
check "work is done once and reported once" pool "${verdict[@]}" --restart undo

# The loop takes a wake-up whose sender is not done with it: the sender marks the bell as rung once more, and nobody looks.
seeded async_early.c async.c 's/if (rc != 1)/if (rc >= 0)/'
program early "$HERE/pool.c" async_early.c
check "work is done once and reported once" early "bug deadlock" --restart undo

lines=2 seeded threadpool_cancel.c "$SOURCE/src/threadpool.c" '/^static int uv__work_cancel/,/^}/{/uv_mutex_.*lock(&mutex)/d}'
program cancel "$HERE/pool.c" async.c threadpool_cancel.c
check "work is cancelled or done" cancel "bug race" --restart undo

long || finish
program untouched "$HERE/pool.c"
check "work is done once and reported once" untouched clean --restart undo --time 60s
finish
