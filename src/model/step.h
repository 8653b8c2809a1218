// One decision of a schedule: who runs, and with which outcome.
#ifndef MODEL_STEP_H
#define MODEL_STEP_H

#include <stdint.h>

struct step {
    uint16_t actor;
    uint16_t alternative;
};

#endif
