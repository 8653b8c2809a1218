// expect: verified
// A function that is not known is called before there is a second thread; another one is in the program, and never called.
#include <netdb.h>
#include <pthread.h>
#include <pwd.h>
#include <stddef.h>

static void *work(void *unused)
{
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    getpwuid(0);
    pthread_create(&thread, NULL, work, NULL);
    if (argc > 1)
        gethostbyname(argv[1]);
    pthread_join(thread, NULL);
}
