// expect: verified reach=12 flags=-fexceptions
// The same with handlers that run when the stack is unwound.
#include "cancel.c"
