#include <pthread.h>
#include <heddle/heddle.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int log_[64], used, x;
static void *work(void *a)
{
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&m);
        log_[used++] = a != 0;
#ifdef LOOK
        if (used == 12 && log_[0])
            x++;
#endif
        x++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void)
{
#ifdef IGNORE
    HEDDLE_IGNORE(log_);
#endif
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, &a);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
