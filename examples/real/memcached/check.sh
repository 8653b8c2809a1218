#!/usr/bin/env bash
# memcached: the whole server with one and two workers, and its end; and natively, recorded with clients. See docs/real-programs.md.
. "$(dirname "$0")/../common.sh"
. "$REAL/libevent/library.sh"
long || finish # an execution begins with tens of thousands of steps
source_of libevent
libevent_library "$SOURCE"
source_of memcached
rules=(--suppressions "$HERE/suppressions")

# By its own build system, outside of the source.
objects() {
    current objects/memcached && return
    rm -rf objects && mkdir objects || stop "no folder for objects"
    (cd objects && "$SOURCE/configure" CC="$HEDDLE cc" CFLAGS="-O1 -g" LDFLAGS="-L$LIBEVENT/lib" LIBS=-levent_pthreads --with-libevent="$LIBEVENT" --disable-extstore --disable-docs \
        --disable-coverage && make -j2 memcached) >make.log 2>&1 || stop "memcached cannot be built: $(tail -n 3 make.log)"
}

# program NAME SOURCE…: the server; FILE_SOMETHING.c is taken instead of memcached's FILE.c.
program() {
    local program=$1 parts=() object source
    shift
    for object in objects/memcached-*.o; do
        for source in memcached "$@"; do
            [[ $(basename "$object") == "memcached-${source%%_*}.o" ]] && continue 2
        done
        parts+=("$object")
    done
    compile "$program" -O1 -pthread -D_GNU_SOURCE -D_XOPEN_SOURCE=700 -DHAVE_CONFIG_H -DNDEBUG -Iobjects -I"$SOURCE" -I"$LIBEVENT/include" \
        "$HERE/server.c" "$@" "${parts[@]}" "$LIBEVENT/lib/libevent.a" "$LIBEVENT/lib/libevent_pthreads.a"
}

objects
time=(--time 60s)
program server
check "what is set is got" server clean "${time[@]}" "${rules[@]}"
check "two clients, one worker" server clean "${time[@]}" "${rules[@]}"
check "two clients add, a worker each" server clean "${time[@]}" "${rules[@]}"
check "it stops gracefully" server "bug deadlock" "${rules[@]}"
check "one sets what another gets" server "bug race" --suppressions "$REAL/libevent/suppressions"

# The thread that logs looks once more whether it should stop, before it waits.
seeded logger_mended.c "$SOURCE/logger.c" 's/if (watcher_count == 0) {/if (watcher_count == 0 \&\& do_run_logger_thread) {/'
program mended logger_mended.c
check "it stops gracefully" mended clean "${time[@]}" "${rules[@]}"

# A worker that is woken takes one connection from its queue, however many wake-ups came together.
seeded thread_one.c "$SOURCE/thread.c" 's/x < ev_count/x < 1/'
program one thread_one.c
check "two clients, one worker" one "bug deadlock" "${rules[@]}"

lines=2 seeded thread_unlocked.c "$SOURCE/thread.c" '/^enum store_item_type store_item/,/^}/{/item_.*lock(hv)/d}'
program unlocked thread_unlocked.c
check "two clients add, a worker each" unlocked "bug race" "${rules[@]}"

# Workers do not wait until the connections they had are closed.
lines=2 seeded thread_loose.c "$SOURCE/thread.c" '/^void stop_threads/,/^}/{/(&worker_hang_lock)/d}'
program loose thread_loose.c logger_mended.c
check "it stops gracefully" loose "bug use-after-free" --keep-going "${rules[@]}" "${time[@]}"

# The server as it is, recorded while four clients ask on loopback; what is predicted is tried natively with the same clients.
PORT=${PORT:-$((20000 + $$ % 20000))}
gcc -O2 -pthread "$HERE/load.c" -o load || stop "the load cannot be built"
"$HEDDLE" record --stacks -o run.trace objects/memcached -- -u root -l 127.0.0.1 -p "$PORT" -U 0 -t 4 >recorded 2>&1 &
recorder=$!
./load "$PORT" 4 25 || stop "a client was not answered"
kill $recorder
wait $recorder || stop "the server does not end well: $(cat recorded)"
"$HEDDLE" predict --load "./load $PORT 4 25" --time "${TIME:-200}" --json run.json run.trace >run.report 2>&1
printf '  %-20s %s\n' "natively" "$(jq -r '"\(.records) records, " + (.predictions | "\(length) predictions: \(map(select(.confirmation == "confirmed")) | length) confirmed, \(map(select(.harmful)) | length) harmful, \(map(select(.confirmation == "infeasible")) | length) infeasible, \(map(select(.confirmation == "unknown")) | length) unknown")' run.json)"
jq -e 'any(.predictions[]; .confirmation == "confirmed") and all(.predictions[]; .harmful | not)' run.json >/dev/null ||
    { echo "      NOT AS EXPECTED (some confirmed, none harmful)" && failed=$((failed + 1)); }
finish
