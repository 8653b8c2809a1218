#!/usr/bin/env bash
# libevent: an HTTP server, echo servers, and a thread that answers beside the loop. See docs/real-programs.md.
. "$(dirname "$0")/../common.sh"
. "$HERE/library.sh"
source_of libevent
libevent_library "$SOURCE"

# A changed source comes before the library, whose own is not linked then.
program() {
    local program=$1
    shift
    compile "$program" -O1 -pthread -D_GNU_SOURCE -I"$LIBEVENT/include" -Iobjects/include -I"$SOURCE" "$HERE/servers.c" "$@" \
        "$LIBEVENT/lib/libevent.a" "$LIBEVENT/lib/libevent_pthreads.a"
}

rules=(--suppressions "$HERE/suppressions")
verdict=(verified --time 3m)
tolerated=(tolerated --time 5m)
long || verdict=(clean --time 2s) tolerated=(clean --time 2s)
program servers
check "a page is served" servers verified
check "one client hears its echoes" servers verified
check "two clients hear their echoes" servers "${verdict[@]}"
check "another thread answers" servers "${tolerated[@]}" "${rules[@]}"
check "another thread answers" servers "bug race"
check "a loop is woken twice by another thread" servers verified

# The wake-up that the loop has taken still counts as pending: the next one is lost.
seeded event_pending.c "$SOURCE/event.c" '/^evthread_notify_drain_eventfd/,/^}/{/is_notify_pending = 0/d}'
program pending event_pending.c
check "a loop is woken twice by another thread" pending "bug deadlock"

lines=2 seeded event_unlocked.c "$SOURCE/event.c" '/^event_add(/,/^}/{/EVBASE_.*_LOCK(/d}'
program unlocked event_unlocked.c
check "another thread answers" unlocked "bug race" "${rules[@]}"

# The thread that answers has no reference of its own.
seeded bufferevent_uncounted.c "$SOURCE/bufferevent.c" '/^bufferevent_incref(/,/^}/{/++bufev_private->refcnt/d}'
program uncounted bufferevent_uncounted.c
check "another thread answers" uncounted "bug use-after-free" "${rules[@]}" --keep-going --time "$(long && echo 30s || echo 5s)"
finish
