// expect: verified
// What runs even before constructors is there, too: a key, a routine that has run, memory.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int times;
static char *memory;

static void count(void)
{
    times++;
}

static void before_all(int argc, char **argv, char **envp)
{
    (void)argc;
    (void)argv;
    (void)envp;
    pthread_key_create(&key, NULL);
    pthread_once(&once, count);
    memory = malloc(10);
}

__attribute__((section(".preinit_array"), used)) static void (*entry)(int, char **, char **) = before_all;

static void *use(void *value)
{
    assert(!pthread_setspecific(key, value) && pthread_getspecific(key) == value);
    pthread_once(&once, count);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, use, &thread);
    pthread_once(&once, count);
    pthread_join(thread, NULL);
    assert(times == 1);
    free(memory);
    return 0;
}
