#include "transactions/versions.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static bool is_committed(const struct transactions *from, uint32_t access)
{
    return from->all[from->accesses[access].transaction].outcome == OUTCOME_COMMITTED;
}

// A version for each key at first, and one for each last write of a transaction that takes part.
static void number_versions(struct versions *v)
{
    const struct transactions *from = v->from;
    v->all = alloc_ended(from->key_count + (size_t)from->access_count, sizeof *v->all);
    for (uint32_t key = 0; key < from->key_count; key++)
        v->all[v->count++] = (struct version){key, NO_TRANSACTION, NO_ACCESS, NO_VERSION, NO_VERSION, 0, 0};
    for (uint32_t i = 0; i < from->access_count; i++) {
        const struct access *a = &from->accesses[i];
        if (!a->write)
            continue;
        v->of_access[i] = NO_VERSION;
        if (!a->final || !v->takes_part[a->transaction])
            continue;
        v->of_access[i] = v->count;
        v->all[v->count++] = (struct version){a->key, a->transaction, i, NO_VERSION, NO_VERSION, 0, 0};
    }
    for (uint32_t i = 0; i < from->access_count; i++) {
        uint32_t *of = &v->of_access[i];
        if (from->accesses[i].write || *of == NO_VERSION)
            continue;
        *of = *of == FIRST_VERSION ? from->accesses[i].key : v->of_access[*of];
    }
}

static void gather_reads(struct versions *v)
{
    uint32_t at = 0;
    v->reads = alloc_ended(v->from->access_count, sizeof *v->reads);
    for (uint32_t i = 0; i < v->from->access_count; i++)
        if (!v->from->accesses[i].write && v->of_access[i] != NO_VERSION)
            v->all[v->of_access[i]].reads++;
    for (uint32_t n = 0; n < v->count; n++) {
        v->all[n].first_read = at;
        at += v->all[n].reads;
        v->all[n].reads = 0;
    }
    for (uint32_t i = 0; i < v->from->access_count; i++)
        if (!v->from->accesses[i].write && v->of_access[i] != NO_VERSION) {
            struct version *version = &v->all[v->of_access[i]];
            v->reads[version->first_read + version->reads++] = i;
        }
}

// The version that the reading transaction makes of the key it read, or NO_VERSION.
static uint32_t made_by_reader(const struct versions *v, uint32_t read)
{
    const struct access *r = &v->from->accesses[read];
    const struct transaction *t = &v->from->all[r->transaction];
    for (uint32_t i = read + 1; i < t->first + t->count; i++)
        if (v->from->accesses[i].final && v->from->accesses[i].key == r->key)
            return v->of_access[i];
    return NO_VERSION;
}

// All reads of one key by one transaction, before it wrote the key, are of one version.
static void find_unrepeatable(struct versions *v)
{
    const struct transactions *from = v->from;
    uint32_t *seen = alloc_ended(from->key_count, sizeof *seen); // the first such read, plus one
    for (uint32_t i = 0; i < from->access_count && v->anomaly.kind == ANOMALY_NONE; i++) {
        const struct access *r = &from->accesses[i];
        if (r->write || v->of_access[i] == NO_VERSION || !is_committed(from, i))
            continue;
        uint32_t first = seen[r->key];
        if (!first || from->accesses[first - 1].transaction != r->transaction)
            seen[r->key] = i + 1;
        else if (v->of_access[first - 1] != v->of_access[i])
            v->anomaly =
                (struct anomaly){.kind = ANOMALY_UNREPEATABLE, .read = i, .write = NO_ACCESS, .other = first - 1};
    }
    free(seen);
}

// Who reads a version and then writes the key makes the next one.
static void follow_reads(struct versions *v)
{
    for (uint32_t n = 0; n < v->count && v->anomaly.kind == ANOMALY_NONE; n++) {
        struct version *version = &v->all[n];
        uint32_t made = NO_VERSION, reader = NO_ACCESS;
        for (uint32_t i = 0; i < version->reads && v->anomaly.kind == ANOMALY_NONE; i++) {
            uint32_t read = v->reads[version->first_read + i], by_it = made_by_reader(v, read);
            if (by_it == NO_VERSION || by_it == made)
                continue;
            if (made != NO_VERSION)
                v->anomaly =
                    (struct anomaly){.kind = ANOMALY_LOST_UPDATE, .read = reader, .write = NO_ACCESS, .other = read};
            made = by_it;
            reader = read;
        }
        if (made == NO_VERSION || version->next != NO_VERSION || v->all[made].previous != NO_VERSION)
            continue;
        version->next = made;
        v->all[made].previous = n;
    }
}

void versions_find(struct versions *v, const struct transactions *from, const struct level *level)
{
    *v = (struct versions){.from = from};
    v->of_access = alloc_ended(from->access_count, sizeof *v->of_access);
    v->takes_part = alloc_ended(from->count, sizeof *v->takes_part);
    v->longest = alloc_ended(from->key_count, sizeof *v->longest);
    memset(v->of_access, 0xff, from->access_count * sizeof *v->of_access);
    memset(v->longest, 0xff, from->key_count * sizeof *v->longest);
    for (uint32_t i = 0; i < from->count; i++)
        v->takes_part[i] = from->all[i].outcome == OUTCOME_COMMITTED;
    if (from->model == MODEL_LISTS)
        list_versions(v);
    else
        register_versions(v);
    if (v->anomaly.kind != ANOMALY_NONE)
        return;
    number_versions(v);
    if (from->model == MODEL_LISTS)
        list_order(v);
    gather_reads(v);
    if (level->isolation == READ_COMMITTED)
        return;
    if (v->anomaly.kind == ANOMALY_NONE)
        find_unrepeatable(v);
    follow_reads(v);
}

void versions_free(struct versions *v)
{
    free(v->all);
    free(v->reads);
    free(v->of_access);
    free(v->takes_part);
    free(v->longest);
    *v = (struct versions){0};
}
