// wrong: race. The memory is an object with a name, which is mapped before the fork.
#include "share.h"

int main(void)
{
    struct counter {
        pthread_mutex_t lock;
        int count;
    } * counter;
    char name[64];
    snprintf(name, sizeof name, "/heddle-test-%d", (int)getpid());
    int fd = shm_open(name, O_CREAT | O_RDWR, 0600);
    assert(fd >= 0 && !shm_unlink(name) && !ftruncate(fd, sizeof *counter));
    counter = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert(counter != MAP_FAILED);
    share_mutex(&counter->lock, 0);
    if (!fork()) {
        pthread_mutex_lock(&counter->lock);
        counter->count++;
        pthread_mutex_unlock(&counter->lock);
        _exit(0);
    }
    if (!WRONG)
        pthread_mutex_lock(&counter->lock);
    counter->count++;
    if (!WRONG)
        pthread_mutex_unlock(&counter->lock);
    wait(NULL);
    assert(counter->count == 2);
}
