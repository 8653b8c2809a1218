// An execution as a whole: it begins, is gone back in and is run again.
#ifndef TARGET_EXECUTION_H
#define TARGET_EXECUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "model/step.h"

void engine_init(uint32_t max_steps, struct step *steps, volatile uint32_t *steps_taken);
void target_run_again(uint32_t events); // back to before main, and forward again through the same steps
bool target_settle(void); // everybody who can join goes on, unless the process has ended; whether somebody did
void target_go_back(uint32_t events); // by the log of writes, to the first `events` events
void target_take_back(
    void); // by the log, to the beginning of main: nothing of the execution is left, and another has to begin
void engine_first_run(void); // main from its beginning to its first visible operation

#endif
