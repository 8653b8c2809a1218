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
};

void predictions_add(struct predictions *p, const struct prediction *one)
{
    p->list = alloc_grow(p->list, p->count, &p->room, sizeof *p->list);
    p->list[p->count++] = *one;
}

void predictions_free(struct predictions *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        reordering_free(&p->list[i].order);
        free(p->list[i].reason);
        free(p->list[i].schedule);
    }
    free(p->list);
    *p = (struct predictions){0};
}
