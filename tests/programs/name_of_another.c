// expect: bug assertion
#define _GNU_SOURCE
// One thread gives main another name, and a second one asks for it.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_t main_thread;

static void *give(void *unused)
{
    pthread_setname_np(main_thread, "later");
    return unused;
}

static void *ask(void *unused)
{
    char name[16];
    pthread_getname_np(main_thread, name, sizeof name);
    assert(!strcmp(name, "later"));
    return unused;
}

int main(void)
{
    pthread_t a, b;
    main_thread = pthread_self();
    pthread_setname_np(main_thread, "first");
    pthread_create(&a, 0, give, 0);
    pthread_create(&b, 0, ask, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
