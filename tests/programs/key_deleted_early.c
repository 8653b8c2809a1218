// expect: bug assertion
// The key is deleted while a thread may still have a value of it: then the thread ends without the destructor.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_key_t key;
static atomic_int destroyed;

static void destroy(void *value)
{
    (void)value;
    destroyed++;
}

static void *use(void *unused)
{
    pthread_setspecific(key, &destroyed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, 0, use, 0);
    pthread_key_delete(key);
    pthread_join(thread, 0);
    assert(destroyed == 1);
}
