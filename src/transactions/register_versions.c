// Registers: a read shows one value, and so who wrote it, unless the same value was written twice.
#include "transactions/versions.h"

static void report(struct versions *v, enum anomaly_kind kind, uint32_t read, uint32_t write, uint32_t other)
{
    if (v->anomaly.kind == ANOMALY_NONE)
        v->anomaly = (struct anomaly){.kind = kind, .read = read, .write = write, .other = other};
}

// The last write of the reading transaction to the key before the read, or NO_ACCESS.
static uint32_t own_write(const struct transactions *from, uint32_t read)
{
    const struct access *r = &from->accesses[read];
    for (uint32_t i = read; i-- > from->all[r->transaction].first;)
        if (from->accesses[i].write && from->accesses[i].key == r->key)
            return i;
    return NO_ACCESS;
}

static uint32_t final_write(const struct transactions *from, uint32_t write)
{
    const struct access *w = &from->accesses[write];
    while (!from->accesses[write].final || from->accesses[write].key != w->key)
        write++;
    return write;
}

static void scan_foreign(struct versions *v, uint32_t read, uint32_t write)
{
    const struct transactions *from = v->from;
    const struct access *w = &from->accesses[write];
    if (w->transaction == from->accesses[read].transaction)
        report(v, ANOMALY_FUTURE, read, write, NO_ACCESS);
    else if (from->all[w->transaction].outcome == OUTCOME_ABORTED)
        report(v, ANOMALY_ABORTED, read, write, NO_ACCESS);
    else if (!w->final)
        report(v, ANOMALY_INTERMEDIATE, read, write, final_write(from, write));
    v->takes_part[w->transaction] |= from->all[w->transaction].outcome == OUTCOME_UNKNOWN;
    v->of_access[read] = write;
}

static void scan_read(struct versions *v, uint32_t read)
{
    const struct transactions *from = v->from;
    const struct access *r = &from->accesses[read];
    uint32_t own = own_write(from, read), write = transactions_writer(from, r->key, r->value);
    if (own != NO_ACCESS) {
        if (from->accesses[own].value != r->value)
            report(v, ANOMALY_INTERNAL, read, own, NO_ACCESS);
    } else if (r->value == VALUE_NIL) {
        v->of_access[read] = FIRST_VERSION;
    } else if (write == NO_ACCESS) {
        report(v, ANOMALY_GARBAGE, read, NO_ACCESS, NO_ACCESS);
        v->anomaly.value = v->anomaly.read == read ? r->value : v->anomaly.value;
    } else if (write == REPEATED_WRITE) {
        v->unclear = true;
    } else {
        scan_foreign(v, read, write);
    }
}

void register_versions(struct versions *v)
{
    const struct transactions *from = v->from;
    for (uint32_t i = 0; i < from->access_count; i++)
        if (!from->accesses[i].write && from->all[from->accesses[i].transaction].outcome == OUTCOME_COMMITTED)
            scan_read(v, i);
}
