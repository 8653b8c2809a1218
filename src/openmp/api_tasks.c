// omp_… functions about tasks.
#include "openmp/task.h"

void omp_fulfill_event(struct task_event *event)
{
    heddle_omp_event_fulfil(event);
}
