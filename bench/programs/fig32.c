// Figure 3.2 of Yang, "Efficient dynamic verification of concurrent programs" (Utah 2009): operations of two classes;
// those of one class may run together, those of different classes may not. The first of a class takes `lock` while it
// holds `mutex`: if the other class has it, that class needs `mutex` to give it back. A deadlock, one thread a class.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, lock = PTHREAD_MUTEX_INITIALIZER;
static int a_count, b_count; // operations under way; protected by `mutex`

static void operation(int *count)
{
    pthread_mutex_lock(&mutex);
    (*count)++;
    if (*count == 1)
        pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&mutex);

    // here the operation would be performed

    pthread_mutex_lock(&mutex);
    (*count)--;
    if (*count == 0)
        pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&mutex);
}

static void *class_a(void *unused)
{
    (void)unused;
    operation(&a_count);
    return NULL;
}

static void *class_b(void *unused)
{
    (void)unused;
    operation(&b_count);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, class_a, NULL);
    pthread_create(&b, NULL, class_b, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
