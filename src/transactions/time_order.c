#include "transactions/time_order.h"

struct chain_times chain_times(const struct versions *v, uint32_t head)
{
    struct chain_times times = {OPERATION_NEVER, INT64_MIN};
    for (uint32_t n = head; n != NO_VERSION; n = v->all[n].next) {
        const struct transaction *t = &v->from->all[v->all[n].writer];
        times.first_return = t->returned < times.first_return ? t->returned : times.first_return;
        times.last_call = t->called > times.last_call ? t->called : times.last_call;
    }
    return times;
}
