// omp_… functions about tasks.
#include "openmp/task.h"

void omp_fulfill_event(struct task *event)
{
    heddle_omp_task_fulfil(event);
}
