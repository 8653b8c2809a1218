// MySQL bug 169, corrected: the table's lock is held until the log has its entry.
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
    write_log(INSERT);
    pthread_mutex_unlock(&table_lock);
    return unused;
}

static void *delete_all(void *unused)
{
    pthread_mutex_lock(&table_lock);
    rows = 0;
    write_log(DELETE);
    pthread_mutex_unlock(&table_lock);
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
