#include "predict/prediction.h"

#include <stdlib.h>

#include "base/alloc.h"

const struct prediction_info prediction_table[PREDICTION_KINDS] = {
    [PREDICT_ONE_VARIABLE] = {"atomicity", "atomicity violation"},
    [PREDICT_TWO_VARIABLES] = {"atomicity-of-two", "atomicity violation of two variables"},
    [PREDICT_RACE] = {"race", "data race"},
    [PREDICT_DEADLOCK] = {"deadlock", "deadlock"},
    [PREDICT_FREED] = {"use-after-free", "use after free"},
    [PREDICT_EARLY] = {"use-before-initialisation", "use before initialisation"},
    [PREDICT_LOST_WAKE] = {"lost-wake-up", "lost wake-up"},
    [PREDICT_TRY] = {"try-lock", "outcome of a try call"},
};

void predictions_add(struct predictions *p, const struct prediction *one)
{
    p->list = alloc_grow(p->list, p->count, &p->room, sizeof *p->list);
    p->list[p->count] = *one;
    p->list[p->count].number = p->count;
    p->count++;
}

static void prediction_free(struct prediction *p)
{
    reordering_free(&p->order);
    free(p->reason);
    free(p->schedule);
    free(p->again);
}

void predictions_drop_weak(struct predictions *p)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->count; i++)
        if (p->list[i].weak && !p->list[i].harmful)
            prediction_free(&p->list[i]);
        else
            p->list[kept++] = p->list[i];
    p->count = kept;
}

void predictions_free(struct predictions *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        prediction_free(&p->list[i]);
    free(p->list);
    *p = (struct predictions){0};
}
