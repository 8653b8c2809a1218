// Two threads with names that wait for each other: one is named by its creator, the other twice by itself, at last with a
// name that is too long. With -DOTHER the other asks for an option of prctl that heddle does not follow, and locks nothing.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *nothing(void *none)
{
    pthread_setname_np(pthread_self(), "odd\n\033name");
    return none;
}

static void *first(void *none)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return none;
}

static void *second(void *none)
{
    char name[16];
    pthread_setname_np(pthread_self(), "second");
    prctl(PR_SET_NAME, "logger of all the rest");
    prctl(PR_GET_NAME, name);
    assert(!strcmp(name, "logger of all t"));
#ifdef OTHER
    prctl(PR_GET_DUMPABLE);
    return none;
#endif
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return none;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, NULL, first, NULL);
    pthread_setname_np(one, "reader");
    pthread_create(&two, NULL, second, NULL);
    pthread_create(&three, NULL, nothing, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_join(three, NULL);
    return 0;
}
