// expect: verified
// The C library keeps a locale and the answer of inet_ntoa for each thread, here in a program without thread-local variables.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int turns;

static void use_address(unsigned address, const char *text)
{
    const char *answer = inet_ntoa((struct in_addr){htonl(address)});
    turns++;
    assert(!strcmp(answer, text));
}

static void *use_locale(void *unused)
{
    locale_t own = newlocale(LC_ALL_MASK, "C", 0);
    uselocale(own);
    turns++;
    assert(uselocale(0) == own);
    uselocale(LC_GLOBAL_LOCALE);
    freelocale(own);
    use_address(0x01020304, "1.2.3.4");
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, use_locale, 0);
    turns++;
    assert(uselocale(0) == LC_GLOBAL_LOCALE);
    use_address(0x05060708, "5.6.7.8");
    pthread_join(thread, 0);
}
