// expect: verified
// A child that ends by exit has the keys of its parent, and no others.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_key_t a, b, c;
static int d;
static void bye(void)
{
    if (pthread_getspecific(c) != &d || pthread_setspecific(a, &d) || pthread_getspecific(a) != &d ||
        pthread_key_delete(a) || pthread_key_delete(b) != 22)
        _exit(7);
}
int main(void)
{
    pthread_key_create(&a, 0);
    pthread_key_create(&b, 0);
    pthread_key_create(&c, 0);
    pthread_key_delete(b);
    pthread_setspecific(c, &d);
    if (!fork()) {
        bye();
        exit(0);
    }
    int s;
    wait(&s);
    assert(!s);
}
