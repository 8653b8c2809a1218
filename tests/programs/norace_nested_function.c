// expect: verified
// A variable that a nested function of gcc uses, one after the other.
#include <pthread.h>

int main(void)
{
    int shared = 0;
    pthread_t thread;
    void *add(void *unused)
    {
        shared++;
        return unused;
    }
    pthread_create(&thread, 0, add, 0);
    pthread_join(thread, 0);
    shared++;
    return shared > 2;
}
