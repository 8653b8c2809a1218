// SQLite with threads: databases in memory that connections share (-DSHARED), or one connection that threads share.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

#include "sqlite3.h"

#define NAME "file:shared?mode=memory&cache=shared"

static sqlite3 *connect(void)
{
    sqlite3 *db;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_FULLMUTEX;
    heddle_assert(sqlite3_open_v2(NAME, &db, flags, NULL) == SQLITE_OK);
    return db;
}

static int run(sqlite3 *db, const char *statement)
{
    return sqlite3_exec(db, statement, NULL, NULL, NULL);
}

static int number(sqlite3 *db, const char *query)
{
    sqlite3_stmt *statement;
    heddle_assert(sqlite3_prepare_v2(db, query, -1, &statement, NULL) == SQLITE_OK);
    heddle_assert(sqlite3_step(statement) == SQLITE_ROW);
    int value = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

static sqlite3 *begin(void)
{
    sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
    sqlite3 *db = connect();
    heddle_assert(run(db, "create table t (n); insert into t values (0)") == SQLITE_OK);
    return db;
}

static sqlite3 *common;

static void *add_by_common_connection(void *unused)
{
    heddle_assert(run(common, "update t set n = n + 1") == SQLITE_OK);
    return unused;
}

heddle_test("threads share a connection")
{
    pthread_t thread;
    common = begin();
    pthread_create(&thread, NULL, add_by_common_connection, NULL);
    heddle_assert(run(common, "update t set n = n + 1") == SQLITE_OK);
    pthread_join(thread, NULL);
    heddle_assert(number(common, "select n from t") == 2);
    sqlite3_close(common);
}

// The table may be locked by the other connection; then nothing has happened.
static void *add_by_own_connection(void *done)
{
    sqlite3 *db = connect();
    int result = run(db, "update t set n = n + 1");
    heddle_assert(result == SQLITE_OK || result == SQLITE_LOCKED);
    *(int *)done = result == SQLITE_OK;
    sqlite3_close(db);
    return NULL;
}

heddle_test("connections share a cache")
{
    pthread_t thread;
    sqlite3 *db = begin();
    int here, there;
    pthread_create(&thread, NULL, add_by_own_connection, &there);
    here = run(db, "update t set n = n + 1") == SQLITE_OK;
    pthread_join(thread, NULL);
    heddle_assert(number(db, "select n from t") == here + there);
    sqlite3_close(db);
}

static void *initialise(void *unused)
{
    heddle_assert(sqlite3_initialize() == SQLITE_OK);
    return unused;
}

heddle_test("two threads initialise the library")
{
    pthread_t thread;
    pthread_create(&thread, NULL, initialise, NULL);
    heddle_assert(sqlite3_initialize() == SQLITE_OK);
    pthread_join(thread, NULL);
    sqlite3_shutdown();
}
