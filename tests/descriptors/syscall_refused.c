// expect: incomplete native: no refused: SYS_memfd_create
#include "futex.h"

int main(void) { return (int)syscall(SYS_memfd_create, "x", 0); }
