// Variables on stacks, which several threads use: main's, and those of a thread that starts another one.
#include <pthread.h>

struct account {
    long number;
    int money;
};

static void *deposit(void *account)
{
    ((struct account *)account)->money++;
    return NULL;
}

static void *branch(void *unused)
{
    struct account here[2] = {{0}};
    pthread_t clerk;
    pthread_create(&clerk, NULL, deposit, &here[1]);
    here[1].money++;
    pthread_join(clerk, NULL);
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct account own = {1, 0};
    pthread_create(&thread, NULL, branch, NULL);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, deposit, &own);
    own.money--;
    pthread_join(thread, NULL);
    return 0;
}
