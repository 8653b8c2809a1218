// Internal control variables: what the environment and omp_set_… say. Each task has its own, which begin as a copy of those of
// the task that met the construct.
#ifndef OPENMP_SETTINGS_H
#define OPENMP_SETTINGS_H

#include "openmp/loop.h"

// It is copied, and has no gaps: what is in them would differ from run to run.
struct settings {
    unsigned threads;     // of a parallel region that asks for no number
    unsigned limit;       // of threads in the program
    unsigned most_active; // levels of parallel regions with more than one thread
    unsigned dynamic;
    enum schedule schedule; // for schedule(runtime)
    unsigned automatic;     // whether it was chosen by schedule(auto)
    unsigned long long chunk;
};

struct settings heddle_omp_settings_of_environment(void);

#endif
