// expect: incomplete native: no refused: timerfd_create
#include "outcome.h"

#include <sys/timerfd.h>

int main(void) { return timerfd_create(CLOCK_MONOTONIC, 0) < 0; }
