#!/usr/bin/env bash
# jemalloc: an allocator on memory that it maps itself, with locks that spin. See docs/real-programs.md.
. "$(dirname "$0")/../common.sh"
long || finish # its configuration alone takes a minute
source_of jemalloc

# By its own build system, in a copy.
library() {
    current libjemalloc.a && return
    rm -rf copy && cp -r "$SOURCE" copy || stop "no copy of the source"
    (cd copy && ./configure CC="$HEDDLE cc" CFLAGS="-O1 -g" --disable-cxx --disable-shared --disable-initial-exec-tls --with-jemalloc-prefix=je_ &&
        make -j2 build_lib_static) >make.log 2>&1 || stop "libjemalloc.a cannot be built: $(tail -n 3 make.log)"
    cp copy/lib/libjemalloc.a .
}

# The changed source comes before the library, whose own is not linked then.
allocator() {
    local program=$1
    shift
    compile "$program" -O1 -pthread -Icopy/include -Icopy/include/jemalloc/internal -D_GNU_SOURCE -D_REENTRANT "$HERE/arena.c" "$@" libjemalloc.a -lm
}

library
rules=(--suppressions "$HERE/suppressions")
allocator arena
check "two threads get different blocks" arena verified
check "two threads free what a third allocated" arena tolerated "${rules[@]}"
check "one frees while the other allocates" arena tolerated "${rules[@]}"
check "two threads free what a third allocated" arena "bug race"

lines=2 seeded arena_unlocked.c copy/src/arena.c '/^arena_dalloc_bin(/,/^}/{/malloc_mutex_/d}'
allocator arena_unlocked arena_unlocked.c
check "two threads free what a third allocated" arena_unlocked "bug race" "${rules[@]}"

seeded arena_double.c copy/src/arena.c '/^arena_malloc_small(/,/^}/s/^\tmalloc_mutex_unlock(tsdn, &bin->lock);//'
allocator arena_double arena_double.c
check "two threads get different blocks" arena_double "bug deadlock"
finish
