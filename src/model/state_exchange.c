#include "model/state_exchange.h"

#include <sys/syscall.h>

#include "base/raw.h"

bool exchange_put(struct exchange_ring *ring, const struct exchange_record *record)
{
    uint64_t at = ring->written;
    if (at - __atomic_load_n(&ring->read, __ATOMIC_ACQUIRE) >= EXCHANGE_RECORDS)
        return false;
    ring->record[at % EXCHANGE_RECORDS] = *record;
    __atomic_store_n(&ring->written, at + 1, __ATOMIC_RELEASE);
    return true;
}

const struct exchange_record *exchange_look(const struct exchange_ring *ring)
{
    uint64_t at = ring->read;
    return at < __atomic_load_n(&ring->written, __ATOMIC_ACQUIRE) ? &ring->record[at % EXCHANGE_RECORDS] : 0;
}

void exchange_pass(struct exchange_ring *ring)
{
    __atomic_store_n(&ring->read, ring->read + 1, __ATOMIC_RELEASE);
}

void exchange_say(struct state_exchange *exchange, const struct exchange_record *record)
{
    while (!exchange_put(&exchange->out, record))
        raw_call(SYS_sched_yield, 0, 0, 0);
}
