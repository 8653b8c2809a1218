// lmdb: readers see the database as it was after one commit, writers exclude one another.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lmdb.h"

static MDB_env *env;
static MDB_dbi table;

static void must(int result)
{
    if (result)
        heddle_note("%s", mdb_strerror(result));
    heddle_assert(result == 0);
}

static void put(MDB_txn *txn, const char *key, int number)
{
    MDB_val k = {strlen(key), (void *)key}, v = {sizeof number, &number};
    must(mdb_put(txn, table, &k, &v, 0));
}

static int get(MDB_txn *txn, const char *key)
{
    MDB_val k = {strlen(key), (void *)key}, v;
    int number;
    must(mdb_get(txn, table, &k, &v));
    heddle_assert(v.mv_size == sizeof number);
    memcpy(&number, v.mv_data, sizeof number);
    return number;
}

// Both keys go up by one, in one transaction.
static void count_up(void)
{
    MDB_txn *txn;
    must(mdb_txn_begin(env, NULL, 0, &txn));
    int number = get(txn, "first");
    put(txn, "first", number + 1);
    put(txn, "second", number + 1);
    must(mdb_txn_commit(txn));
}

static int look(void)
{
    MDB_txn *txn;
    must(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn));
    int first = get(txn, "first"), second = get(txn, "second");
    mdb_txn_abort(txn);
    heddle_assert(first == second);
    return first;
}

static void *writer(void *times)
{
    for (int i = 0; i < *(int *)times; i++)
        count_up();
    return NULL;
}

static void *reader(void *times)
{
    int before = 0;
    for (int i = 0; i < *(int *)times; i++) {
        int now = look();
        heddle_assert(now >= before);
        before = now;
    }
    return NULL;
}

static void begin(void)
{
    MDB_txn *txn;
    must(mdb_env_create(&env));
    must(mdb_env_set_mapsize(env, 32 * 4096));
    must(mdb_env_set_maxreaders(env, 4));
    must(mdb_env_open(env, "test.mdb", MDB_NOSUBDIR | MDB_NOTLS, 0600));
    must(mdb_txn_begin(env, NULL, 0, &txn));
    must(mdb_dbi_open(txn, NULL, 0, &table));
    put(txn, "first", 0);
    put(txn, "second", 0);
    must(mdb_txn_commit(txn));
}

static void run(int readers, int looks, int writers, int commits)
{
    pthread_t threads[4];
    int n = 0;
    begin();
    for (int i = 0; i < writers; i++)
        pthread_create(&threads[n++], NULL, writer, &commits);
    for (int i = 0; i < readers; i++)
        pthread_create(&threads[n++], NULL, reader, &looks);
    while (n--)
        pthread_join(threads[n], NULL);
    heddle_assert(look() == writers * commits);
    mdb_env_close(env);
}

heddle_test("two writers")
{
    run(0, 0, 2, 1);
}

heddle_test("one reader, one commit")
{
    run(1, 1, 1, 1);
}

heddle_test("two readers, one commit")
{
    run(2, 1, 1, 1);
}

heddle_test("one reader, two commits")
{
    run(1, 1, 1, 2);
}

heddle_test("one reader, three commits")
{
    run(1, 1, 1, 3);
}
