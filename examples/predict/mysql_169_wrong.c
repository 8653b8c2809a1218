// MySQL bug 169: a table and the log of what was done to it, each under a lock of its own. If a delete comes between an insert and
// its entry in the log, the log has the two in the other order, and a copy that is made from it has a row that the table does not.
#include <assert.h>
#include <pthread.h>

enum { INSERT = 1, DELETE = 2 };

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER;
static int rows;
static int logged, entries[2];

static void write_log(int what)
{
    pthread_mutex_lock(&log_lock);
    entries[logged++] = what;
    pthread_mutex_unlock(&log_lock);
}

static void *insert(void *unused)
{
    pthread_mutex_lock(&table_lock);
    rows = 1;
    pthread_mutex_unlock(&table_lock);
    write_log(INSERT);
    return unused;
}

static void *delete_all(void *unused)
{
    pthread_mutex_lock(&table_lock);
    rows = 0;
    pthread_mutex_unlock(&table_lock);
    write_log(DELETE);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, insert, NULL);
    pthread_create(&b, NULL, delete_all, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int copy = 0;
    for (int i = 0; i < logged; i++)
        copy = entries[i] == INSERT;
    assert(copy == rows);
    return 0;
}
