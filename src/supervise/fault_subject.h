// Programs that faults (--fault) would do wrong to: those with OpenMP. Its runtime is linked into them, so what it does when it has
// no memory, it gives up, would count as the program's doing.
#ifndef SUPERVISE_FAULT_SUBJECT_H
#define SUPERVISE_FAULT_SUBJECT_H

// Null, or why the program cannot be given faults.
const char *fault_subject_trouble(const char *program);

#endif
