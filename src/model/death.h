// How heddle's own code died inside the program under test, for the supervisor to say so.
#ifndef MODEL_DEATH_H
#define MODEL_DEATH_H

#include <stdint.h>

struct death {
    uint32_t signal;  // 0: it did not
    uint64_t place;   // in libheddle.so; 0: in a library that it called
    uint64_t address; // that it accessed
};

#endif
