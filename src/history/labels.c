#include "history/labels.h"

#include <string.h>

uint32_t label_operations(struct space *space, const struct spec *spec, const struct operation *ops, uint32_t count,
                          uint32_t *label)
{
    struct pool labels;
    bool added;
    if (!pool_init(&labels, space, NULL))
        return POOL_FULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct operation *op = &ops[i];
        int64_t parts[OPERATION_ARGUMENTS + 4] = {op->call, op->known, op->known ? op->result : 0,
                                                  spec->by_process ? op->process : 0};
        memcpy(parts + 4, op->argument, sizeof op->argument);
        label[i] = pool_add(&labels, space, parts, sizeof parts, &added);
        if (label[i] == POOL_FULL)
            return POOL_FULL;
    }
    return labels.count;
}
