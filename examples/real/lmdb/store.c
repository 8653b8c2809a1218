// A small store on LMDB for `heddle inject`: two threads write. An error on opening is reported; a transaction that fails is tried
// again, after which the database has to be as if nothing had happened.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lmdb.h"

enum { KEYS = 20 };

static MDB_env *env;
static MDB_dbi table;

static void check(int error, const char *what)
{
    if (!error)
        return;
    fprintf(stderr, "%s: %s\n", what, mdb_strerror(error));
    _exit(1);
}

// Null, or what failed.
static const char *put(long key, long value)
{
    MDB_txn *txn;
    MDB_val k = {sizeof key, &key}, v = {sizeof value, &value};
    if (mdb_txn_begin(env, NULL, 0, &txn))
        return "mdb_txn_begin";
    if (mdb_put(txn, table, &k, &v, 0)) {
        mdb_txn_abort(txn);
        return "mdb_put";
    }
    return mdb_txn_commit(txn) ? "mdb_txn_commit" : NULL;
}

static void *writes(void *number)
{
    long from = (long)number * KEYS;
    for (long key = from; key < from + KEYS; key++) {
        int tries = 0;
        while (put(key, key * key))
            if (++tries == 3)
                check(MDB_PANIC, "three times in a row");
    }
    return NULL;
}

static long sum_all(void)
{
    MDB_txn *txn;
    MDB_cursor *cursor;
    MDB_val k, v;
    long sum = 0, value;
    int error;
    check(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn), "mdb_txn_begin");
    check(mdb_cursor_open(txn, table, &cursor), "mdb_cursor_open");
    while (!(error = mdb_cursor_get(cursor, &k, &v, MDB_NEXT))) {
        memcpy(&value, v.mv_data, sizeof value);
        sum += value;
    }
    if (error != MDB_NOTFOUND)
        check(error, "mdb_cursor_get");
    mdb_cursor_close(cursor);
    mdb_txn_abort(txn);
    return sum;
}

int main(void)
{
    MDB_txn *txn;
    pthread_t threads[2];
    char path[] = "/tmp/heddle-lmdb-XXXXXX", file[64];
    check(mdb_env_create(&env), "mdb_env_create");
    check(mdb_env_set_maxdbs(env, 4), "mdb_env_set_maxdbs");
    if (!mkdtemp(path))
        return 2;
    int error = mdb_env_open(env, path, MDB_NOSYNC, 0600);
    const char *files[] = {"data.mdb", "lock.mdb"};
    for (int i = 0; i < 2; i++) { // they stay open, and nothing is left behind
        snprintf(file, sizeof file, "%s/%s", path, files[i]);
        unlink(file);
    }
    rmdir(path);
    check(error, "mdb_env_open");
    check(mdb_txn_begin(env, NULL, 0, &txn), "mdb_txn_begin");
    check(mdb_dbi_open(txn, "numbers", MDB_CREATE | MDB_INTEGERKEY, &table), "mdb_dbi_open");
    check(mdb_txn_commit(txn), "mdb_txn_commit");
    for (long i = 0; i < 2; i++)
        check(pthread_create(&threads[i], NULL, writes, (void *)i), "pthread_create");
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%ld\n", sum_all());
    mdb_env_close(env);
    return 0;
}
