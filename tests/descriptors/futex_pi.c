// expect: incomplete native: no refused: FUTEX_LOCK_PI
#include "futex.h"

static _Atomic uint32_t word;

int main(void) { return (int)futex(&word, FUTEX_LOCK_PI, 0, NULL, NULL, 0); }
