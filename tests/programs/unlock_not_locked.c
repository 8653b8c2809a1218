// expect: bug lock-misuse
// A normal mutex that nobody holds is unlocked.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_unlock(&mutex);
    return 0;
}
