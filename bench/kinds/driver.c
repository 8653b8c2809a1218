// expect: verified options: --races explore
// Two entry points of a driver: each configures pins under the driver's lock, field by field.
#include <assert.h>
#include <pthread.h>

enum { PINS = 4, ROUNDS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    unsigned char out, config;
} pins[PINS];
static int selected;

static unsigned configure(int pin, unsigned mask, unsigned bits)
{
    pthread_mutex_lock(&lock);
    selected = pin;
    unsigned old = pins[pin].config;
    pins[pin].config = (unsigned char)((old & mask) | bits);
    assert(selected == pin);
    pthread_mutex_unlock(&lock);
    return old;
}

static void change(int pin)
{
    pthread_mutex_lock(&lock);
    pins[pin].out = !pins[pin].out;
    pthread_mutex_unlock(&lock);
}

static void *first(void *nothing)
{
    for (int n = 0; n < ROUNDS; n++)
        for (int pin = 0; pin < PINS; pin++)
            configure(pin, 1, 2);
    return nothing;
}

static void *second(void *nothing)
{
    for (int n = 0; n < ROUNDS; n++)
        for (int pin = 0; pin < PINS; pin++) {
            change(pin);
            configure(pin, 2, 1);
        }
    return nothing;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
