#!/usr/bin/env bash
# Abseil: Mutex with its conditions, CondVar and Notification. See docs/real-programs.md.
. "$(dirname "$0")/../common.sh"
long || finish # it takes minutes to build
source_of abseil
flags=(-std=c++17 -O1 -g -DNDEBUG -DABSL_USE_UNSCALED_CYCLECLOCK=0 -I"$SOURCE")
sources=(synchronization/{mutex,notification}.cc synchronization/internal/{create_thread_identity,per_thread_sem,waiter,graphcycles}.cc
    base/internal/{cycleclock,low_level_alloc,raw_logging,spinlock,spinlock_wait,sysinfo,thread_identity,unscaledcycleclock}.cc
    debugging/{stacktrace,symbolize}.cc debugging/internal/{address_is_readable,demangle,elf_mem_image,vdso_support}.cc numeric/int128.cc
    time/{clock,duration,time}.cc time/internal/cctz/src/{time_zone_{fixed,if,impl,info,libc,lookup,posix},zone_info_source}.cc)

library() {
    local source objects=()
    current libabsl.a && return
    for source in "${sources[@]}"; do
        objects+=("${source//\//_}.o")
        "$HEDDLE" c++ "${flags[@]}" -c "$SOURCE/absl/$source" -o "${source//\//_}.o" >make.log 2>&1 || stop "$source cannot be built: $(tail -n 3 make.log)"
    done
    rm -f libabsl.a
    ar rc libabsl.a "${objects[@]}"
}

# The changed source comes before the library, whose own is not linked then.
program() {
    local program=$1
    shift
    "$HEDDLE" c++ "${flags[@]}" "$HERE/mutex.cc" "$@" libabsl.a -o "$program" -pthread >"$program.log" 2>&1 ||
        stop "$program cannot be built: $(tail -n 3 "$program.log")"
}

library
program mutex
check "two threads lock" mutex verified
check "a reader beside a writer" mutex verified
check "one waits for a condition" mutex clean --time 60s
check "one waits for a signal" mutex clean --time 60s
check "a notification" mutex clean --time 60s

# The lock is taken without looking whether it is still free.
seeded mutex_open.cc "$SOURCE/absl/synchronization/mutex.cc" \
    '/void Mutex::Lock() {/,/^}/s/mu_.compare_exchange_strong(v, kMuWriter | v,/[this](intptr_t taken, std::memory_order, std::memory_order) { mu_.store(taken); return true; }(kMuWriter | v,/'
program mutex_open mutex_open.cc
check "two threads lock" mutex_open "bug abort"
finish
