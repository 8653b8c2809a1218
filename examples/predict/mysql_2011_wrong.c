// MySQL bug 2011: whoever writes to the log looks up its name and its file one after the other, while another thread rotates it.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int name, file;
} binlog = {1, 1};

static int log_name(void)
{
    pthread_mutex_lock(&lock);
    int name = binlog.name;
    pthread_mutex_unlock(&lock);
    return name;
}

static int log_file(void)
{
    pthread_mutex_lock(&lock);
    int file = binlog.file;
    pthread_mutex_unlock(&lock);
    return file;
}

static void show_position(void)
{
    int name = log_name();
    int file = log_file();
    assert(name == file);
}

static void *writer(void *unused)
{
    show_position();
    return unused;
}

static void *rotate(void *unused)
{
    pthread_mutex_lock(&lock);
    binlog.name = 2;
    binlog.file = 2;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, rotate, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
