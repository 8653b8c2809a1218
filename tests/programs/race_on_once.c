// expect: bug race
// The control of pthread_once is initialised while another thread may use it already.
#include <pthread.h>

static pthread_once_t control;

static void prepare(void)
{
}

static void *use(void *unused)
{
    pthread_once(&control, prepare);
    return unused;
}

int main(void)
{
    pthread_t user;
    pthread_create(&user, NULL, use, NULL);
    control = (pthread_once_t)PTHREAD_ONCE_INIT;
    pthread_join(user, NULL);
}
