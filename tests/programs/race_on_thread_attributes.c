// expect: bug race
// Attributes change while another thread creates a thread by them.
#include <pthread.h>

static pthread_attr_t attributes;

static void *nothing(void *unused)
{
    return unused;
}

static void *change(void *unused)
{
    pthread_attr_setstacksize(&attributes, 1 << 20);
    return unused;
}

int main(void)
{
    pthread_t changer, other;
    pthread_attr_init(&attributes);
    pthread_create(&changer, NULL, change, NULL);
    pthread_create(&other, &attributes, nothing, NULL);
    pthread_join(other, NULL);
    pthread_join(changer, NULL);
}
