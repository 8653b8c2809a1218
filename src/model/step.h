// One decision of a schedule: who runs, and with which outcome.
#ifndef MODEL_STEP_H
#define MODEL_STEP_H

#include <stdint.h>

struct step {
    uint16_t actor;
    uint16_t alternative;
};

// In `alternative` of a step that is one only where sources count (exec_by_sources): a thread looked at memory when all others
// had ended.
enum { STEP_ALONE = 1 << 15 };

// Leaves those out; returns how many there are then.
static inline uint32_t steps_drop_alone(struct step *steps, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!(steps[i].alternative & STEP_ALONE))
            steps[kept++] = steps[i];
    return kept;
}

#endif
