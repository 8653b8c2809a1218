// expect: bug signal options: --fault malloc:1
// Nobody looks whether wcsdup found memory.
#define WRONG_WIDE
#include "fault_line.c"
