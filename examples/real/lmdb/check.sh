#!/usr/bin/env bash
# lmdb: transactions of readers and writers, on files that are memory. See docs/real-programs.md.
. "$(dirname "$0")/../common.sh"
source_of lmdb
lib=$SOURCE/libraries/liblmdb

# database PROGRAM MDB.C
database() {
    local flags=(-O1 -pthread -I"$lib" -I"$HERE")
    current "$1.o" || compile "$1.o" "${flags[@]}" -c -include "$HERE/memory_files.h" "$2"
    compile "$1" "${flags[@]}" "$HERE/transactions.c" "$HERE/memory_files.c" "$lib/midl.c" "$1.o"
}

database lmdb "$lib/mdb.c"
check "one reader, one commit" lmdb verified --restart undo
check "two writers" lmdb "bug race" --restart undo
check "two readers, one commit" lmdb "bug race" --restart undo
if long; then
    check "one reader, two commits" lmdb "bug race" --restart undo
    # These races are told of in docs/real-programs.md; what else there is:
    echo 'race:mdb_txn_renew0' >known
    check "two writers" lmdb tolerated --suppressions known --restart undo
    check "two readers, one commit" lmdb tolerated --suppressions known --restart undo
    check "one reader, two commits" lmdb verified --races off --restart undo
    check "one reader, three commits" lmdb verified --races off --restart undo
fi

lines=2 seeded unlocked.c "$lib/mdb.c" 's/if (LOCK_MUTEX(rc, env, env->me_wmutex))/if (0)/;s/UNLOCK_MUTEX(env->me_wmutex);/;/'
database unlocked unlocked.c
check "two writers" unlocked "bug assertion" --races off --restart undo
finish
