// What was put before a flush is written after it.
#include <assert.h>
#include <stdatomic.h>

#include "logger.h"

static atomic_int written;

static void count(const char *message)
{
    (void)message;
    atomic_fetch_add(&written, 1);
}

int main(void)
{
    logger_start(count);
    logger_put("one");
    logger_put("two");
    logger_flush();
    assert(atomic_load(&written) == 2);
    logger_stop();
    return 0;
}
