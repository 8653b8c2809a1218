// expect: incomplete native: no refused: 334999
#include "futex.h"

int main(void) { return (int)syscall(334999); }
