// expect: verified
// A thread looks at a counter without the lock, and asks for that not to be looked at.
#include <assert.h>
#include <pthread.h>

void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *none)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return none;
}

static void *look(void *none)
{
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    int seen = count;
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    assert(seen >= 0 && seen <= 2);
    return none;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, look, 0);
    pthread_create(&c, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(count == 2);
}
