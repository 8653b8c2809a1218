// expect: atomicity harmful
// What operator new allocates is found again in a run under control.
#include <cstdio>
#include <new>
#include <pthread.h>

struct account {
    int owner, balance;
};

static account *shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *deposit(void *unused)
{
    pthread_mutex_lock(&lock);
    int before = shared->balance;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    shared->balance = before + 10;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main()
{
    pthread_t one, two;
    shared = new (std::nothrow) account();
    pthread_create(&one, nullptr, deposit, nullptr);
    pthread_create(&two, nullptr, deposit, nullptr);
    pthread_join(one, nullptr);
    pthread_join(two, nullptr);
    std::printf("%d\n", shared->balance);
    delete shared;
    return 0;
}
