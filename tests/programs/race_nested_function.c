// expect: bug race
// A variable that a nested function of gcc uses, in a thread of its own and in the function around it.
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
    shared++;
    pthread_join(thread, 0);
    return shared > 2;
}
