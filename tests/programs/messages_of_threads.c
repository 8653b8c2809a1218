// expect: verified
// Texts that the C library keeps for each thread: of errors and signals that have no name, of what could not be opened.
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <string.h>

static pthread_barrier_t both;

static void *ask(void *second)
{
    const char *error = strerror(second ? 1001 : 1000);
    const char *signal = strsignal(second ? 101 : 100);
    dlopen(second ? "./second_missing.so" : "./first_missing.so", RTLD_NOW);
    h_errno = second ? TRY_AGAIN : HOST_NOT_FOUND;
    pthread_barrier_wait(&both);
    const char *missing = dlerror();
    assert(!strcmp(error, second ? "Unknown error 1001" : "Unknown error 1000"));
    assert(!strcmp(signal, second ? "Unknown signal 101" : "Unknown signal 100"));
    assert(strstr(missing, second ? "second_missing.so" : "first_missing.so"));
    assert(!dlerror());
    assert(h_errno == (second ? TRY_AGAIN : HOST_NOT_FOUND));
    assert(!strcmp(strerror(2000), "Unknown error 2000"));
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&first, NULL, ask, NULL);
    pthread_create(&second, NULL, ask, &both);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    pthread_barrier_destroy(&both);
}
