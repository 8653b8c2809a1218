#!/usr/bin/env bash
# libmicrohttpd: its daemon by poll, select and epoll, with a thread for each connection, and with connections that another thread
# resumes. See docs/real-programs.md.
. "$(dirname "$0")/../common.sh"
source_of libmicrohttpd
flags=(-O1 -pthread -D_GNU_SOURCE -DHAVE_CONFIG_H -Iobjects -I"$SOURCE/src/include" -I"$SOURCE/src/microhttpd")

# By its own build system, outside of the source, with its own assertions.
library() {
    current libmicrohttpd.a && return
    rm -rf objects && mkdir objects || stop "no folder for objects"
    (cd objects && "$SOURCE/configure" CC="$HEDDLE cc" CFLAGS="-O1 -g" --disable-shared --disable-https --disable-doc --disable-examples --disable-curl \
        --disable-dauth --disable-bauth --disable-nls --enable-asserts && make -j2 -C src/microhttpd libmicrohttpd.la) >make.log 2>&1 ||
        stop "libmicrohttpd.a cannot be built: $(tail -n 3 make.log)"
    cp objects/src/microhttpd/.libs/libmicrohttpd.a .
}

# A changed source comes before the library, whose own is not linked then.
program() {
    local program=$1
    shift
    compile "$program" "${flags[@]}" "$@" libmicrohttpd.a
}

library
program servers "$HERE/servers.c"
for how in poll select epoll; do
    check "a page is served, by $how" servers verified
done
check "a page is served by a thread of its own" servers verified
time=(--time "$(long && echo 60s || echo 2s)")
states=(verified --strategy dlspor)
long || states=(clean --time 2s)
check "two pages are served, by poll" servers "${states[@]}"
check "two pages are served by a thread each" servers clean "${time[@]}"
check "two threads serve one response" servers clean "${time[@]}"
check "a connection is suspended and resumed, by poll" servers "${states[@]}"
check "a connection is suspended and resumed, by epoll" servers "${states[@]}"

# Who resumes a connection does not wake the thread that serves it.
seeded daemon_silent.c "$SOURCE/src/microhttpd/daemon.c" '/^MHD_resume_connection/,/^}/s/(! MHD_itc_activate_ (daemon->itc, "r"))/daemon->shutdown/'
program silent "$HERE/servers.c" daemon_silent.c
check "a connection is suspended and resumed, by poll" silent "bug deadlock"
check "a connection is suspended and resumed, by epoll" silent "bug deadlock"

lines=2 seeded response_unlocked.c "$SOURCE/src/microhttpd/response.c" '/^MHD_increment_response_rc/,/^}/{/MHD_mutex_/d}'
program unlocked "$HERE/servers.c" response_unlocked.c
check "two threads serve one response" unlocked "bug race"

# A connection that is about to send a response does not count as one that has it.
seeded response_uncounted.c "$SOURCE/src/microhttpd/response.c" '/^MHD_increment_response_rc/,/^}/{/reference_count)++/d}'
program uncounted "$HERE/servers.c" response_uncounted.c
check "two threads serve one response" uncounted "bug use-after-free" --keep-going "${time[@]}"
finish
