// Internal control variables: what the environment and omp_set_… say. Each thread of a team has its own, which begin as a copy
// of those of the thread that met the parallel construct.
#ifndef OPENMP_SETTINGS_H
#define OPENMP_SETTINGS_H

#include <stdbool.h>

#include "openmp/loop.h"

struct settings {
    unsigned threads;     // of a parallel region that asks for no number
    unsigned limit;       // of threads in the program
    unsigned most_active; // levels of parallel regions with more than one thread
    bool dynamic;
    enum schedule schedule; // for schedule(runtime)
    unsigned long long chunk;
};

struct settings heddle_omp_settings_of_environment(void);

#endif
