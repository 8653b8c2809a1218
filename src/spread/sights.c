#include "spread/sights.h"

#include <string.h>

static void gather_notes(struct answer *into, const struct answer *from)
{
    for (uint32_t i = 0; i < from->notes; i++) {
        uint32_t k = 0;
        while (k < into->notes && strcmp(into->note[k], from->note[i]) != 0)
            k++;
        if (k == into->notes && k < JOB_NOTES)
            memcpy(into->note[into->notes++], from->note[i], JOB_NOTE_TEXT);
    }
}

static void gather_calls(struct answer *into, const struct answer *from)
{
    for (uint32_t i = 0; i < from->unseen_calls && i < UNSEEN_CALLS; i++) {
        uint32_t k = 0;
        while (k < into->unseen_calls && k < UNSEEN_CALLS &&
               strcmp(into->unseen_call[k].name, from->unseen_call[i].name) != 0)
            k++;
        if (k == into->unseen_calls && k < UNSEEN_CALLS)
            into->unseen_call[into->unseen_calls++] = from->unseen_call[i];
    }
}

static void gather_plain_reads(struct answer *into, const struct answer *from)
{
    for (uint32_t i = 0; i < from->plain_reads; i++) {
        uint32_t k = 0;
        while (k < into->plain_reads && into->plain_read[k] != from->plain_read[i])
            k++;
        if (k == into->plain_reads && k < sizeof into->plain_read / sizeof *into->plain_read)
            into->plain_read[into->plain_reads++] = from->plain_read[i];
    }
}

void answer_gather_sights(struct answer *into, const struct answer *from)
{
    into->finished += from->finished;
    into->assumed |= from->assumed;
    into->endless |= from->endless;
    into->waits |= from->waits;
    into->weak_orders |= from->weak_orders;
    into->wrote_plainly |= from->wrote_plainly;
    into->dropped += from->dropped;
    if (from->deepest > into->deepest)
        into->deepest = from->deepest;
    if (!into->status_seen)
        into->status_seen = from->status_seen;
    if (!into->cut_pc) {
        into->cut_pc = from->cut_pc;
        into->cut_actor = from->cut_actor;
    }
    gather_plain_reads(into, from);
    gather_notes(into, from);
    gather_calls(into, from);
}
