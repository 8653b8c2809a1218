// Transfers between accounts, each under the locks of both; an auditor adds them up.
#include <assert.h>
#include <pthread.h>

enum { ACCOUNTS = 3, CLERKS = 4, TRANSFERS = 2 };

static struct {
    pthread_mutex_t lock;
    long amount;
} account[ACCOUNTS] = {{PTHREAD_MUTEX_INITIALIZER, 100}, {PTHREAD_MUTEX_INITIALIZER, 100}, {PTHREAD_MUTEX_INITIALIZER, 100}};

static void transfer(int from, int to, long amount)
{
    int first = from < to ? from : to, second = from < to ? to : from;
    pthread_mutex_lock(&account[first].lock);
    pthread_mutex_lock(&account[second].lock);
    account[from].amount -= amount;
    account[to].amount += amount;
    pthread_mutex_unlock(&account[second].lock);
    pthread_mutex_unlock(&account[first].lock);
}

static void *clerk(void *number)
{
    for (int i = 0; i < TRANSFERS; i++)
        transfer((int)(long)number % ACCOUNTS, (int)((long)number + 1 + i) % ACCOUNTS, 10 + i);
    return NULL;
}

static void *auditor(void *total)
{
    long sum = 0;
    for (int i = 0; i < ACCOUNTS; i++)
        pthread_mutex_lock(&account[i].lock);
    for (int i = 0; i < ACCOUNTS; i++)
        sum += account[i].amount;
    for (int i = ACCOUNTS; i-- > 0;)
        pthread_mutex_unlock(&account[i].lock);
    *(long *)total = sum;
    return total;
}

int main(void)
{
    pthread_t thread[CLERKS], audit;
    long total = 0;
    for (long i = 0; i < CLERKS; i++)
        pthread_create(&thread[i], NULL, clerk, (void *)i);
    pthread_create(&audit, NULL, auditor, &total);
    for (int i = 0; i < CLERKS; i++)
        pthread_join(thread[i], NULL);
    pthread_join(audit, NULL);
    assert(total == 100 * ACCOUNTS);
    return 0;
}
