// expect: bug assertion executions=5 options: --strategy optimal
// A struct that a function returns goes into memory without a hook of the compiler's. Going back has to undo that write:
// only then does the second thread see the struct as it was, in the one order of the three that fails.
#include <assert.h>
#include <pthread.h>

struct pair {
    int x, y;
};

static struct pair shared;
static int order, seen;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static struct pair make(int v)
{
    struct pair made = {v, v};
    return made;
}

static void *set(void *unused)
{
    pthread_mutex_lock(&mutex);
    order = order * 3;
    shared = make(1);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *look(void *unused)
{
    pthread_mutex_lock(&mutex);
    order = order * 3 + 1;
    seen = shared.x;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *pass(void *unused)
{
    pthread_mutex_lock(&mutex);
    order = order * 3 + 2;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, NULL, set, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_create(&three, NULL, pass, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_join(three, NULL);
    assert(!(order == 1 * 9 + 0 * 3 + 2 && seen == 0)); // look, set, pass
}
