// Critical sections, and atomic constructs that need a lock.
#ifndef OPENMP_EXCLUSION_H
#define OPENMP_EXCLUSION_H

void heddle_omp_enter_unnamed(void);
void heddle_omp_leave_unnamed(void);
void heddle_omp_enter_atomic(void);
void heddle_omp_leave_atomic(void);

// A name is a variable of the program's, at least as large as a pointer, that begins with zeros and is nobody else's.
void heddle_omp_enter_named(void *name);
void heddle_omp_leave_named(void *name);

#endif
