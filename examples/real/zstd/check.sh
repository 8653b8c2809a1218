#!/usr/bin/env bash
# zstd: the pool of threads by itself, and multi-threaded compression. See docs/real-programs.md.
. "$(dirname "$0")/../common.sh"
source_of libzstd
lib=$SOURCE/lib
flags=(-O1 -pthread -DZSTD_MULTITHREAD -DDEBUGLEVEL=1 -I"$lib" -I"$lib/common")

pool() { compile "$1" "${flags[@]}" "$HERE/pool.c" "$2" "$lib"/common/{threading,zstd_common,error_private}.c; }

pool pool "$lib/common/pool.c"
check "freeing waits for all jobs" pool verified
long && check "joinJobs waits for all jobs" pool clean --time 3m
check "without a queue a job waits for a thread" pool verified
check "tryAdd adds or says that it did not" pool verified
check "two threads push" pool verified
long && check "resizing down and up loses nothing" pool verified
check "one thread pushes while another waits in joinJobs" pool "bug deadlock"

# Where memory or threads run out. With its own debugging on, a mutex is a block of memory, and one that could not be had is locked.
faults() { compile "$@" -I"$lib" -I"$lib/common" "$HERE/faults.c" "$lib"/common/{pool,threading,zstd_common,error_private}.c; }
faults faults -O1 -pthread -DZSTD_MULTITHREAD
check "a pool that cannot be made is not there" faults verified --fault malloc:1,create:1
check "a pool that cannot be resized works on" faults verified --fault malloc:1,create:1
faults faults_debug "${flags[@]}"
check "a pool that cannot be made is not there" faults_debug "bug signal" --fault malloc:1,create:1

seeded pool_if.c "$lib/common/pool.c" 's/while ( ctx->queueEmpty/if ( ctx->queueEmpty/'
pool pool_if pool_if.c
check "freeing waits for all jobs" pool_if "bug assertion"

lines=2 seeded pool_unlocked.c "$lib/common/pool.c" '/signal after finishing job/,/^        }/{/mutex_/d}'
pool pool_unlocked pool_unlocked.c
check "without a queue a job waits for a thread" pool_unlocked "bug race"
long || finish

# The whole library, by its own makefile. Jobs of 1 KiB instead of half a megabyte: zstdmt_compress.h lets one choose.
library() {
    current libzstd.a && return
    rm -rf lib
    cp -r "$lib" lib
    make -j2 -C lib libzstd.a CC="$HEDDLE cc" CFLAGS="-O1 -g" CPPFLAGS="-DZSTD_MULTITHREAD -DDEBUGLEVEL=1 -DZSTDMT_JOBSIZE_MIN=1024" \
        ZSTD_LEGACY_SUPPORT=0 ZSTD_LIB_DICTBUILDER=0 ZSTD_LIB_DEPRECATED=0 BUILD_DIR="$OUT/objects" >make.log 2>&1 ||
        stop "libzstd.a cannot be built: $(tail -n 3 make.log)"
    cp lib/libzstd.a .
}

# The changed source comes before the library, whose own is not linked then.
compression() {
    local program=$1
    shift
    compile "$program" "${flags[@]}" -DZSTDMT_JOBSIZE_MIN=1024 -I"$lib/compress" "$HERE/compress.c" "$@" libzstd.a
}

library
compression compress
check "a context is freed in the middle of a frame" compress verified
check "a frame decompresses to its input" compress clean --time 60s

lines=2 seeded "zstdmt_unlocked.c" "$lib/compress/zstdmt_compress.c" '/^    \/\* report \*\//,/^}/{/mutex_unlock\|MUTEX_LOCK/d}'
compression compress_unlocked zstdmt_unlocked.c
check "a frame decompresses to its input" compress_unlocked "bug race"

seeded "zstdmt_silent.c" "$lib/compress/zstdmt_compress.c" '/^    ZSTD_pthread_cond_broadcast(&serialState->cond);/d'
compression compress_silent zstdmt_silent.c
check "a frame decompresses to its input" compress_silent "bug deadlock"
finish
