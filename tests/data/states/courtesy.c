// Each gives way to the other once too often: nobody ever gets through.
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turn, rounds;

static void *polite(void *argument)
{
    int me = argument != 0;
    for (;;) {
        pthread_mutex_lock(&lock);
        rounds = (rounds + 1) % 7;
        int mine = turn == me && rounds == 9;
        turn = !me;
        pthread_mutex_unlock(&lock);
        if (mine)
            return argument;
    }
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, polite, 0);
    pthread_create(&b, 0, polite, &a);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
