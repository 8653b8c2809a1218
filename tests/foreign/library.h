#ifndef LIBRARY_H
#define LIBRARY_H

void lib_lock(void);
void lib_unlock(void);
void lib_spin_lock(void);
void lib_spin_unlock(void);
void lib_with_lock(void *(*function)(void *), void *argument);
void lib_keep(const char *what);
void lib_once(_Atomic int *status, void *(*function)(void *));
void lib_start(void);
void lib_submit(void *(*function)(void *));
void lib_wait(void);
void lib_end(void);

#endif
