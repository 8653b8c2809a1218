// expect: verified
// A task is over when its event is fulfilled, by another task.
#include <assert.h>
#include <omp.h>
#include <stdio.h>

int value, seen;

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : value)
        ;
#pragma omp task depend(in : value)
        seen = value;
#pragma omp task firstprivate(event)
        {
            value = 4;
            omp_fulfill_event(event);
        }
    }
    assert(seen == 4);
    printf("%d\n", seen);
    return 0;
}
