// Whether a call that stops for ever keeps another one waiting for ever, as seen in the states of a client.
//
// The worker goes through the states of small clients once more for this, with visible unlocks.
#ifndef WORKER_BLOCKING_H
#define WORKER_BLOCKING_H

// Looks at the present state, and notes in the job which operation blocks which and where it stands.
void blocking_look(void);

#endif
