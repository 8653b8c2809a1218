// Mozilla's strings, corrected: both are counted in one section.
#include <assert.h>
#include <pthread.h>

enum { LENGTH = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int total_strings, length_sum;
} rt = {1, LENGTH};

static void *new_string(void *unused)
{
    pthread_mutex_lock(&lock);
    rt.total_strings++;
    rt.length_sum += LENGTH;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *print_mean(void *unused)
{
    pthread_mutex_lock(&lock);
    int strings = rt.total_strings, length = rt.length_sum;
    pthread_mutex_unlock(&lock);
    assert(length == strings * LENGTH);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, new_string, NULL);
    pthread_create(&b, NULL, print_mean, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
