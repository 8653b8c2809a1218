// Whether a call that stops for ever keeps another one waiting for ever, as seen in the states of a client.
#ifndef WORKER_BLOCKING_H
#define WORKER_BLOCKING_H

// Looks at the present state, and notes in the job which operation blocks which and where it stands.
void blocking_look(void);

#endif
