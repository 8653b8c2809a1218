// expect: use-after-free harmful
// What is looked up under the lock is used after it. Whoever takes it away first lets nobody find it any more: the look-up has to come first,
// and then the release.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *current;

static void *user(void *unused)
{
    pthread_mutex_lock(&m);
    int *mine = current;
    pthread_mutex_unlock(&m);
    if (mine)
        *mine = 4;
    return unused;
}

static void *remover(void *unused)
{
    pthread_mutex_lock(&m);
    int *old = current;
    current = NULL;
    pthread_mutex_unlock(&m);
    free(old);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    current = malloc(sizeof *current);
    *current = 3;
    pthread_create(&a, NULL, user, NULL);
    usleep(100000);
    pthread_create(&b, NULL, remover, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
