// expect: verified
// The child adds to an event counter.
#include <assert.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    int e = eventfd(0, 0);
    if (!fork()) {
        eventfd_write(e, 5);
        _exit(0);
    }
    eventfd_t v;
    assert(!eventfd_read(e, &v) && v == 5);
    wait(0);
}
