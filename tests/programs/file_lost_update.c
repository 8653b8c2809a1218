// expect: bug assertion
// A counter in a file, read and written without a lock: no memory is shared, and an update is lost all the same.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static const char path[] = "file_lost_update.count";

static char get(void)
{
    char value = 0;
    int fd = open(path, O_RDONLY);
    assert(fd >= 0 && read(fd, &value, 1) == 1 && !close(fd));
    return value;
}

static void put(char value)
{
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    assert(fd >= 0 && write(fd, &value, 1) == 1 && !close(fd));
}

static void *add(void *nothing)
{
    put((char)(get() + 1));
    return nothing;
}

int main(void)
{
    pthread_t other;
    put('0');
    pthread_create(&other, NULL, add, NULL);
    add(NULL);
    pthread_join(other, NULL);
    assert(get() == '2');
    return 0;
}
