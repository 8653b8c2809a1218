# How libevent is built by `heddle cc`; check.sh of libevent and of memcached, which is built on it, source this.
# shellcheck shell=bash

# libevent_library SOURCE: libevent.a, libevent_pthreads.a and their headers in $LIBEVENT/lib and $LIBEVENT/include.
libevent_library() {
    LIBEVENT=$BUILD/real/out/libevent/installed
    current "$LIBEVENT/lib/libevent.a" && return
    local objects=$BUILD/real/out/libevent/objects
    rm -rf "$objects" "$LIBEVENT" && mkdir -p "$(dirname "$objects")" || stop "no folder for libevent"
    { CC="$HEDDLE cc" cmake -S "$1" -B "$objects" -DEVENT__LIBRARY_TYPE=STATIC -DEVENT__DISABLE_OPENSSL=ON -DEVENT__DISABLE_TESTS=ON \
        -DEVENT__DISABLE_SAMPLES=ON -DEVENT__DISABLE_BENCHMARK=ON -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -g" -DCMAKE_INSTALL_PREFIX="$LIBEVENT" &&
        make -j2 -C "$objects" install; } >libevent.log 2>&1 || stop "libevent cannot be built: $(tail -n 3 libevent.log)"
    cp "$objects/evconfig-private.h" "$objects"/include/*.h "$LIBEVENT/include" 2>/dev/null || true # for copies of its sources
}
